//! NNUE networks on the CPU: reading and writing `.nnue` files, the features of a position,
//! accumulators that follow the moves, inference bit for bit, and the scale of the scores.

mod accumulator;
mod architecture;
mod batch;
pub mod bench;
mod digest;
mod error;
mod evaluator;
mod explain;
mod features;
mod file;
mod image;
mod images;
mod network;
mod parameters;
pub mod policy;
mod score;
mod simd;

pub use accumulator::Work;
pub use architecture::{Architecture, BUCKETS, FeatureSet, HALFKA_ROWS, MAX_L1, MIN_L1};
pub use batch::{Assessment, BatchError, BatchEvaluator, CpuBatchEvaluator, Ticket};
pub use digest::Digest;
pub use error::{LoadError, NetworkError};
pub use evaluator::{Evaluator, Networks};
pub use explain::{Contribution, Explanation};
pub use features::{Features, ThreatNumbering, ThreatPair, ThreatPlace};
pub use images::cache_folder;
pub use network::{Encoding, Network};
pub use parameters::{LayerParameters, Parameters};
pub use policy::{PolicyEvaluator, PolicyNetwork, PolicyParameters};
pub use score::{Outputs, Score, Wdl, WinRate, WinRateModel, material, prefers_small};
pub use simd::{Kernel, KernelError};
