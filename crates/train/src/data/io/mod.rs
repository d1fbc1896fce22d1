//! Reading with a known place in the file, writing whole units, and what can go wrong.

mod error;
mod target;
mod window;

pub use error::{Damage, DataError};
pub use target::Target;
pub(crate) use target::{Appended, UnitWriter};
pub(crate) use window::Window;
