//! NNUE inference in batches on the GPU: the same integers as on the CPU, through wgpu on Vulkan, Metal
//! and DX12.

mod device;
mod direct;
mod error;
pub mod kernels;
pub mod limits;
mod lists;
mod model;
mod pack;
mod slot;
mod weights;

pub use device::{AdapterReport, Device, Health, adapters};
pub use direct::{Direct, Stages};
pub use error::GpuError;
pub use model::{Checks, Model, Source};
pub use pack::Packed;
