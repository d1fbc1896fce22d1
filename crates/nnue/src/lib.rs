//! NNUE networks on the CPU: reading and writing `.nnue` files, the features of a position,
//! accumulators that follow the moves, inference bit for bit, and the scale of the scores.

mod accumulator;
mod architecture;
pub mod bench;
mod digest;
mod error;
mod evaluator;
mod features;
mod file;
mod image;
mod images;
mod network;
mod score;
mod simd;

pub use accumulator::Work;
pub use architecture::{Architecture, BUCKETS, FeatureSet};
pub use digest::Digest;
pub use error::{LoadError, NetworkError};
pub use evaluator::{Evaluator, Networks};
pub use network::{Encoding, Network};
pub use score::{Outputs, Score, Wdl, WinRate};
pub use simd::{Kernel, KernelError};
