//! NNUE inference in batches on the GPU: the same integers as on the CPU, through wgpu on Vulkan, Metal
//! and DX12.

mod adaptive;
pub mod bench;
mod calibration;
mod device;
mod direct;
mod error;
mod evaluator;
pub mod kernels;
pub mod limits;
mod lists;
mod model;
mod pack;
mod slot;
mod statistics;
mod weights;

pub use adaptive::{AdaptiveEvaluator, Preference};
pub use calibration::{Cache, Calibration, Choice, Timing};
pub use device::{AdapterReport, Device, Health, adapters};
pub use direct::{Direct, Stages};
pub use error::GpuError;
pub use evaluator::{GpuBatchEvaluator, Options};
pub use model::{Checks, Model, Source};
pub use pack::Packed;
pub use statistics::Statistics;
