//! Finding and opening devices.

mod health;

pub use self::health::Health;

use std::sync::Arc;

use wgpu::{Backend, Backends, DeviceType, Features, Limits};

use crate::GpuError;

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
    found().into_iter().map(|(_, report)| report).collect()
}

fn found() -> Vec<(wgpu::Adapter, AdapterReport)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    let mut found: Vec<_> = adapters
        .into_iter()
        .filter(|adapter| adapter.get_info().backend != Backend::Noop)
        .map(|adapter| {
            let report = AdapterReport::of(&adapter);
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
    health: Arc<Health>,
}

impl Device {
    /// Opens the best adapter.
    ///
    /// # Errors
    /// Where there is none, or its driver gives no device.
    pub fn open() -> Result<Self, GpuError> {
        let (adapter, report) = found().into_iter().next().ok_or(GpuError::NoAdapter)?;
        let wanted = Features::SUBGROUP | Features::MAPPABLE_PRIMARY_BUFFERS;
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
        Ok(Self { handle: device, queue, report: Arc::new(report), health })
    }

    /// What is known of its adapter.
    #[must_use]
    pub fn report(&self) -> &AdapterReport {
        &self.report
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

    /// An error if something has gone wrong.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.health.trouble().map_or(Ok(()), |reason| Err(GpuError::Lost(reason)))
    }
}
