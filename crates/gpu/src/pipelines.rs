//! Compiling the kernels of a network, and telling them where its numbers and their batches are.

use wgpu::{
    BindGroup, BindGroupEntry, BindGroupLayout, BindGroupLayoutEntry, BindingType,
    BufferBindingType, ComputePipeline, ShaderStages,
};

use crate::Device;
use crate::weights::Table;

/// Whether kernels check their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// They do not: ours stay inside their buffers by construction.
    #[default]
    Off,
    /// They do, for tests.
    On,
}

/// What the kernels of a network have in common.
pub(crate) struct Pipelines {
    device: Device,
    checks: Checks,
    layout: wgpu::PipelineLayout,
    /// The network's own numbers.
    pub numbers: BindGroup,
    /// How the buffers of a batch are bound.
    pub slot: BindGroupLayout,
}

/// What kernels do with a buffer of a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Reads,
    Writes,
}

impl Pipelines {
    /// For a network with these tables and batches with such buffers.
    pub fn new(device: &Device, tables: &[(u32, Table)], slot: &[Access], checks: Checks) -> Self {
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::COMPUTE,
            ty,
            count: None,
        };
        let of_slot = |access| BindingType::Buffer {
            ty: BufferBindingType::Storage { read_only: access == Access::Reads },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let layout = |entries: &[BindGroupLayoutEntry]| {
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries };
            device.handle.create_bind_group_layout(&descriptor)
        };
        let own: Vec<_> =
            tables.iter().map(|(binding, table)| entry(*binding, table.binding_type())).collect();
        let slot: Vec<_> =
            (0..).zip(slot).map(|(binding, &access)| entry(binding, of_slot(access))).collect();
        let (own, slot) = (layout(&own), layout(&slot));
        let layout = device.handle.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&own), Some(&slot)],
            ..Default::default()
        });
        let entries: Vec<_> = tables
            .iter()
            .map(|(binding, table)| BindGroupEntry {
                binding: *binding,
                resource: table.resource(),
            })
            .collect();
        let numbers = device.handle.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &own,
            entries: &entries,
        });
        Self { device: device.clone(), checks, layout, numbers, slot }
    }

    /// The device that they are for.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Compiles a kernel.
    pub fn compile(&self, source: String) -> ComputePipeline {
        // Only counters must begin with 0; clearing the rest takes as long as adding it up.
        let zero_initialize_workgroup_memory = source.contains("atomic<");
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        };
        let handle = &self.device.handle;
        let module = match self.checks {
            Checks::On => handle.create_shader_module(descriptor),
            // SAFETY: the kernels are ours. Rows and slots come from positions or are listed by the
            // functions of `tandem_nnue`, all below the number of those that there are; lists, totals,
            // hidden layers and outputs have room for a whole last workgroup; every loop ends; divisors
            // are constants. The tests run the same kernels with checks.
            Checks::Off => unsafe {
                let checks = wgpu::ShaderRuntimeChecks::unchecked();
                handle.create_shader_module_trusted(descriptor, checks)
            },
        };
        handle.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&self.layout),
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory,
                ..Default::default()
            },
            cache: None,
        })
    }
}
