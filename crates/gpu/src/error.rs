//! Why a device does not serve.

use std::time::Duration;

use thiserror::Error;

/// Why a device does not serve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GpuError {
    /// There is none.
    #[error(
        "no GPU was found: install its driver (software Vulkan is Debian's package \
         mesa-vulkan-drivers)"
    )]
    NoAdapter,
    /// The driver gives no device.
    #[error("the driver of {adapter} refused: {reason}")]
    Refused {
        /// The name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// The network does not fit.
    #[error("{adapter} cannot hold the network: {reason}")]
    TooSmall {
        /// The name of the adapter.
        adapter: String,
        /// Which limit.
        reason: String,
    },
    /// The device is gone, or was used in a way it refused.
    #[error("the GPU was lost: {0}")]
    Lost(String),
    /// A batch did not come back.
    #[error("the GPU did not answer within {} s", .0.as_secs_f64())]
    Hung(Duration),
}
