//! The GPU as the engine sees it.

use tandem_gpu::GpuError;
use tandem_gpu::bench::Report;
use tandem_nnue::Networks;

/// The hybrid paper's Tables 8 to 12 on this machine's GPU. `step` is told what comes next, and whether to go on
/// is its answer.
///
/// # Errors
/// Where there is no device, or it fails.
pub fn gpu_bench(
    networks: &Networks,
    iterations: usize,
    step: impl FnMut(&str) -> bool,
) -> Result<Option<Report>, GpuError> {
    Report::measure(networks, iterations, step)
}
