//! NNUE networks on the CPU: reading and writing `.nnue` files, the features of a position,
//! accumulators that follow the moves, inference bit for bit, and the scale of the scores.

mod architecture;
mod error;
mod file;
mod image;
mod network;

pub use architecture::{Architecture, FeatureSet};
pub use error::{LoadError, NetworkError};
pub use network::{Encoding, Network};
