//! Buffers that host and device share, or, where each has memory of its own, a pair of them with a copy in
//! between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use wgpu::{BufferAsyncError, BufferUsages, CommandEncoder, MapMode};

use crate::{Device, GpuError};

/// What the host writes and kernels read.
pub(crate) struct Upload {
    host: wgpu::Buffer,
    /// What kernels read, where that is another memory.
    device: Option<wgpu::Buffer>,
}

impl Upload {
    pub fn new(device: &Device, label: &str, size: usize) -> Result<Self, GpuError> {
        let unified = device.report().is_unified;
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let buffer = |usage, mapped| device.buffer(label, size as u64, usage, mapped);
        let copy = (!unified).then(|| buffer(storage, false)).transpose()?;
        let place = if unified { BufferUsages::STORAGE } else { BufferUsages::COPY_SRC };
        Ok(Self { host: buffer(place | BufferUsages::MAP_WRITE, true)?, device: copy })
    }

    /// What kernels bind.
    pub fn bound(&self) -> &wgpu::Buffer {
        self.device.as_ref().unwrap_or(&self.host)
    }

    /// Writes what the next batch reads.
    pub fn write<T: bytemuck::NoUninit>(&mut self, contents: &[T]) -> Result<(), GpuError> {
        let range = ..size_of_val(contents) as u64;
        let mut view = self.host.get_mapped_range_mut(range).map_err(lost)?;
        view.copy_from_slice(bytemuck::cast_slice(contents));
        Ok(())
    }

    /// Leaves so many bytes to the device, until the encoder's commands are done.
    pub fn send(&self, encoder: &mut CommandEncoder, size: usize, landing: &mut Landing) {
        self.host.unmap();
        if let Some(device) = self.device.as_ref().filter(|_| size > 0) {
            encoder.copy_buffer_to_buffer(&self.host, 0, device, 0, size as u64);
        }
        encoder.map_buffer_on_submit(&self.host, MapMode::Write, .., landing.expect());
    }
}

/// What kernels write and the host reads.
pub(crate) struct Download {
    device: wgpu::Buffer,
    /// What the host reads, where that is another memory.
    host: Option<wgpu::Buffer>,
}

impl Download {
    pub fn new(device: &Device, label: &str, size: usize) -> Result<Self, GpuError> {
        let unified = device.report().is_unified;
        let buffer = |usage| device.buffer(label, size as u64, usage, false);
        let read = BufferUsages::MAP_READ;
        let place = if unified { read } else { BufferUsages::COPY_SRC };
        let kept = buffer(BufferUsages::STORAGE | place)?;
        let copy = (!unified).then(|| buffer(BufferUsages::COPY_DST | read)).transpose()?;
        Ok(Self { device: kept, host: copy })
    }

    /// What kernels bind.
    pub fn bound(&self) -> &wgpu::Buffer {
        &self.device
    }

    /// Fetches so many bytes once the encoder's commands are done.
    pub fn fetch(&self, encoder: &mut CommandEncoder, size: usize, landing: &mut Landing) {
        if let Some(host) = &self.host {
            encoder.copy_buffer_to_buffer(&self.device, 0, host, 0, size as u64);
        }
        let read = MapMode::Read;
        encoder.map_buffer_on_submit(self.host(), read, ..size as u64, landing.expect());
    }

    /// Reads so many numbers that have been fetched.
    pub fn read<T: bytemuck::AnyBitPattern>(&self, count: usize) -> Result<Vec<T>, GpuError> {
        let range = ..(count * size_of::<T>()) as u64;
        let numbers = {
            let view = self.host().get_mapped_range(range).map_err(lost)?;
            bytemuck::cast_slice(&view).to_vec()
        };
        self.host().unmap();
        Ok(numbers)
    }

    fn host(&self) -> &wgpu::Buffer {
        self.host.as_ref().unwrap_or(&self.device)
    }
}

/// Counts the buffers of a batch that the host can read or write again.
#[derive(Default)]
pub(crate) struct Landing {
    landed: Arc<AtomicU32>,
    expected: u32,
}

/// What the count exceeds if one of them cannot.
const FAILED: u32 = 16;

impl Landing {
    /// Begins with the next batch.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    /// One more is to be waited for; it is told so.
    fn expect(&mut self) -> impl FnOnce(Result<(), BufferAsyncError>) + Send + 'static {
        self.expected += 1;
        let landed = Arc::clone(&self.landed);
        move |result| {
            landed.fetch_add(if result.is_ok() { 1 } else { FAILED }, Ordering::AcqRel);
        }
    }

    /// Waits for all of them. Another thread that waits for the same device may be about to tell us.
    pub fn wait(&self, patience: Duration) -> Result<(), GpuError> {
        let start = Instant::now();
        loop {
            match self.landed.load(Ordering::Acquire) {
                FAILED.. => return Err(GpuError::Lost("its memory cannot be read".into())),
                landed if landed == self.expected => return Ok(()),
                _ if start.elapsed() > patience => return Err(GpuError::Hung(patience)),
                _ => std::thread::yield_now(),
            }
        }
    }
}

pub(crate) fn lost(error: impl std::fmt::Display) -> GpuError {
    GpuError::Lost(error.to_string())
}
