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
mod pipelines;
mod policy;
mod slot;
mod staging;
mod statistics;
mod weights;

pub use adaptive::{AdaptiveEvaluator, Preference};
pub use calibration::{Cache, Calibration, Choice, Timing};
pub use device::{AdapterReport, Device, DeviceOptions, Health, Transfer, adapters};
pub use direct::{Direct, Stages};
pub use error::GpuError;
pub use evaluator::{GpuBatchEvaluator, Options};
pub use model::{Model, Source};
pub use pack::Packed;
pub use pipelines::Checks;
pub use policy::PolicyModel;
pub use statistics::Statistics;
