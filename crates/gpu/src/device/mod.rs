//! Finding and opening devices.

mod health;

pub use self::health::Health;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wgpu::{Backend, Backends, DeviceType, Features, Limits};

use crate::GpuError;
use crate::kernels::Reading;

/// What is known of an adapter before it is opened.
#[derive(Clone, Debug)]
pub struct AdapterReport {
    /// What wgpu says of it.
    pub info: wgpu::AdapterInfo,
    /// What it can bind, allocate and run.
    pub limits: Limits,
    /// Whether it runs the subgroup kernels.
    pub has_subgroups: bool,
    /// Whether host and device share their memory, so that nothing is copied.
    pub is_unified: bool,
}

impl AdapterReport {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let (info, features) = (adapter.get_info(), adapter.features());
        let shares = matches!(info.device_type, DeviceType::IntegratedGpu | DeviceType::Cpu);
        Self {
            limits: adapter.limits(),
            has_subgroups: features.contains(Features::SUBGROUP),
            is_unified: shares && features.contains(Features::MAPPABLE_PRIMARY_BUFFERS),
            info,
        }
    }

    /// Whether a processor only plays the part of a GPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.info.device_type == DeviceType::Cpu
    }

    /// The adapter in a few words.
    #[must_use]
    pub fn name(&self) -> String {
        let info = &self.info;
        let kind = match info.device_type {
            DeviceType::DiscreteGpu => "discrete",
            DeviceType::IntegratedGpu => "integrated",
            DeviceType::VirtualGpu => "virtual",
            DeviceType::Cpu => "software",
            DeviceType::Other => "other",
        };
        format!("{} ({kind}, {})", info.name, info.backend)
    }

    /// Hardware before software, and memory of its own before shared memory.
    fn rank(&self) -> u8 {
        match self.info.device_type {
            DeviceType::DiscreteGpu => 0,
            DeviceType::IntegratedGpu => 1,
            DeviceType::VirtualGpu => 2,
            DeviceType::Other => 3,
            DeviceType::Cpu => 4,
        }
    }
}

/// All adapters, the one that would be chosen first.
#[must_use]
pub fn adapters() -> Vec<AdapterReport> {
    found(DeviceOptions::default()).into_iter().map(|(_, report)| report).collect()
}

/// How batches reach a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// Without a copy where host and device share their memory, and with one elsewhere.
    #[default]
    Shortest,
    /// With a copy everywhere. For tests on devices that need none.
    Copied,
}

/// How a device is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceOptions {
    /// How batches reach it.
    pub transfer: Transfer,
    /// The most bytes that it is asked for in its life. Without a limit the driver says when it has no more.
    pub memory: Option<u64>,
    /// Where its kernels find weights; without a wish, where devices of its kind read them fastest.
    pub reading: Option<Reading>,
}

fn found(options: DeviceOptions) -> Vec<(wgpu::Adapter, AdapterReport)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    let mut found: Vec<_> = adapters
        .into_iter()
        .filter(|adapter| adapter.get_info().backend != Backend::Noop)
        .map(|adapter| {
            let mut report = AdapterReport::of(&adapter);
            report.is_unified &= options.transfer == Transfer::Shortest;
            (adapter, report)
        })
        .collect();
    found.sort_by_key(|(_, report)| report.rank());
    found
}

/// An open device. Cheap to clone: all clones are the same device.
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) handle: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    report: Arc<AdapterReport>,
    reading: Reading,
    health: Arc<Health>,
    /// Bytes that may still be asked for.
    left: Arc<AtomicU64>,
}

impl Device {
    /// Opens the best adapter.
    ///
    /// # Errors
    /// Where there is none, or its driver gives no device.
    pub fn open() -> Result<Self, GpuError> {
        Self::open_with(DeviceOptions::default())
    }

    /// The same with other options.
    ///
    /// # Errors
    /// Where there is none, or its driver gives no device.
    pub fn open_with(options: DeviceOptions) -> Result<Self, GpuError> {
        let (adapter, report) = found(options).into_iter().next().ok_or(GpuError::NoAdapter)?;
        let mut wanted = Features::SUBGROUP;
        wanted.set(Features::MAPPABLE_PRIMARY_BUFFERS, report.is_unified);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tandem"),
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                GpuError::Refused { adapter: report.name(), reason: error.to_string() }
            })?;
        let health = Arc::new(Health::default());
        health.watch(&device);
        let left = Arc::new(AtomicU64::new(options.memory.unwrap_or(u64::MAX)));
        let usual = if report.is_software() { Reading::Images } else { Reading::Buffers };
        let reading = options.reading.unwrap_or(usual);
        Ok(Self { handle: device, queue, report: Arc::new(report), reading, health, left })
    }

    /// What is known of its adapter.
    #[must_use]
    pub fn report(&self) -> &AdapterReport {
        &self.report
    }

    /// Where its kernels find weights, if the network fits there.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// What has gone wrong so far.
    #[must_use]
    pub fn health(&self) -> &Arc<Health> {
        &self.health
    }

    /// Loses the device, as a driver might. For tests.
    pub fn lose(&self) {
        self.handle.destroy();
    }

    /// A new buffer. A driver that has no memory left says so here, before anyone touches the buffer.
    pub(crate) fn buffer(
        &self,
        label: &str,
        size: u64,
        usage: wgpu::BufferUsages,
        mapped_at_creation: bool,
    ) -> Result<wgpu::Buffer, GpuError> {
        self.take(size)?;
        let label = Some(label);
        let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation };
        let buffer = self.handle.create_buffer(&descriptor);
        self.check()?;
        Ok(buffer)
    }

    /// A new image of texels of 16 bytes.
    pub(crate) fn image(
        &self,
        descriptor: &wgpu::TextureDescriptor<'_>,
    ) -> Result<wgpu::Texture, GpuError> {
        self.take(16 * u64::from(descriptor.size.width) * u64::from(descriptor.size.height))?;
        let image = self.handle.create_texture(descriptor);
        self.check()?;
        Ok(image)
    }

    /// Binds buffers in their order.
    pub(crate) fn bind(
        &self,
        layout: &wgpu::BindGroupLayout,
        buffers: &[&wgpu::Buffer],
    ) -> wgpu::BindGroup {
        let resources = buffers.iter().map(|buffer| buffer.as_entire_binding());
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        self.handle.create_bind_group(&descriptor)
    }

    fn take(&self, size: u64) -> Result<(), GpuError> {
        let rest = |left: u64| left.checked_sub(size);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        taken.map(drop).map_err(|_| GpuError::OutOfMemory)
    }

    /// An error if something has gone wrong.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.health.trouble().map_or(Ok(()), Err)
    }
}
