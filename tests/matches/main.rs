//! `tandem match` from outside: real matches, engines that do everything wrong, interruptions, and
//! what is written about all of it, read by others. Interruptions are signals, which Unix has.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod adjudication;
mod arena;
mod audit;
mod conditions;
mod engines;
mod faults;
mod interruption;
mod openings;
mod pgn;
mod resuming;
mod statistics;
mod usage;
