//! What several test programs share.
#![allow(dead_code, reason = "each test program uses its own part")]

pub mod compare;
pub mod oracle;
pub mod placement;
pub mod random;
pub mod starts;
pub mod suite;
