//! Timing something often.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::direct::PATIENCE;
use crate::{Device, GpuError};

/// What many timings of the same thing say, in microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quantiles {
    /// Half of them took less.
    pub median: f64,
    /// 95 % of them took less.
    pub p95: f64,
    /// 99 % of them took less.
    pub p99: f64,
}

impl Quantiles {
    pub(super) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let index = (share * times.len() as f64) as usize;
            times.get(index.min(times.len().saturating_sub(1))).copied().map_or(0.0, micros)
        };
        Self { median: at(0.5), p95: at(0.95), p99: at(0.99) }
    }
}

pub(super) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Runs that often for warming up, and as often for the clock.
pub(super) fn sample<T>(
    iterations: usize,
    mut run: impl FnMut() -> Result<T, GpuError>,
) -> Result<Quantiles, GpuError> {
    let mut times = Vec::with_capacity(iterations);
    for iteration in 0..2 * iterations {
        let start = Instant::now();
        black_box(run()?);
        if iteration >= iterations {
            times.push(start.elapsed());
        }
    }
    Ok(Quantiles::of(times))
}

/// A kernel that does nothing: what a dispatch costs at least.
pub(super) struct EmptyDispatch<'a> {
    device: &'a Device,
    pipeline: wgpu::ComputePipeline,
}

impl<'a> EmptyDispatch<'a> {
    pub fn new(device: &'a Device) -> Self {
        let source = "@compute @workgroup_size(64) fn nothing() {}";
        let module = device.handle.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.handle.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { device, pipeline }
    }

    pub fn run(&self) -> Result<(), GpuError> {
        let handle = &self.device.handle;
        let mut encoder = handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.dispatch_workgroups(1, 1, 1);
        }
        let index = self.device.queue.submit([encoder.finish()]);
        let wait = wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(PATIENCE) };
        handle.poll(wait).map_err(|error| GpuError::Lost(error.to_string()))?;
        Ok(())
    }
}
