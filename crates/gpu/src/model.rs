//! A network that can run on the device.

use std::sync::OnceLock;

use tandem_nnue::Network;
use wgpu::{
    BindGroupEntry, BindGroupLayout, BindGroupLayoutEntry, BindingType, BufferBindingType,
    ComputePipeline, ShaderStages,
};

use crate::kernels::{Role, Shape, Variant};
use crate::weights::Weights;
use crate::{Device, GpuError};

/// Whether kernels check their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// They do not: ours stay inside their buffers by construction.
    #[default]
    Off,
    /// They do, for tests.
    On,
}

/// A network on the device: its numbers, and its kernels compiled.
pub struct Model {
    device: Device,
    weights: Weights,
    checks: Checks,
    layouts: Layouts,
    numbers: wgpu::BindGroup,
    /// The accumulators that a batch of children starts from.
    pub(crate) parent: wgpu::Buffer,
    list_pieces: ComputePipeline,
    list_threats: Option<ComputePipeline>,
    plain: ComputePipeline,
    subgroup: Option<ComputePipeline>,
    layers: ComputePipeline,
    /// The kernels for a parent and its children, compiled when they are first asked for.
    family: [OnceLock<Family>; 2],
}

/// The kernels for a parent and for its children.
struct Family {
    parent: ComputePipeline,
    child: ComputePipeline,
}

/// How kernels are told where their buffers are.
struct Layouts {
    slot: BindGroupLayout,
    pipeline: wgpu::PipelineLayout,
}

/// Where a batch's features come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The device lists them.
    Boards,
    /// The host has listed them.
    Lists,
}

/// What a batch is to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub source: Source,
    pub variant: Variant,
    pub role: Role,
}

impl Model {
    /// Copies a network to the device and compiles its kernels.
    ///
    /// # Errors
    /// Where the device is too small for it, or fails.
    pub fn new(device: &Device, network: &Network, checks: Checks) -> Result<Self, GpuError> {
        let weights = Weights::upload(device, network)?;
        let shape = weights.shape;
        let (own, slot) = layouts(device, &weights);
        let pipeline = device.handle.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&own), Some(&slot)],
            ..Default::default()
        });
        let layouts = Layouts { slot, pipeline };
        let entries: Vec<_> = weights
            .tables
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
        let compile = |source: String| compile(device, &layouts.pipeline, checks, source);
        let subgroup = device.report().has_subgroups;
        // Both sides' neurons and the piece-square values of every bucket.
        let kept = (2 * 2 * shape.architecture.l1 + 2 * 4 * 8) as u64;
        let model = Self {
            list_pieces: compile(shape.list_pieces()),
            list_threats: shape.list_threats().map(compile),
            plain: compile(shape.transform(Variant::Plain, Role::Fresh)),
            subgroup: subgroup.then(|| compile(shape.transform(Variant::Subgroup, Role::Fresh))),
            layers: compile(shape.layers()),
            parent: device.buffer("parent", kept, wgpu::BufferUsages::STORAGE, false)?,
            family: Default::default(),
            device: device.clone(),
            weights,
            checks,
            layouts,
            numbers,
        };
        device.check()?;
        Ok(model)
    }

    /// The device that it is on.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many bytes its numbers take there.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.weights.memory()
    }

    /// Its shape as the kernels see it.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.weights.shape
    }

    /// Whether it has kernels of that kind.
    #[must_use]
    pub fn has(&self, variant: Variant) -> bool {
        variant == Variant::Plain || self.subgroup.is_some()
    }

    pub(crate) fn slot_layout(&self) -> &BindGroupLayout {
        &self.layouts.slot
    }

    /// Writes down what the device has to do for that many positions of a slot.
    pub(crate) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        slot: &wgpu::BindGroup,
        count: usize,
        plan: Plan,
    ) {
        let count = count as u32;
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, &self.numbers, &[]);
        pass.set_bind_group(1, slot, &[]);
        if plan.source == Source::Boards {
            pass.set_pipeline(&self.list_pieces);
            pass.dispatch_workgroups((2 * count).div_ceil(64), 1, 1);
            if let Some(list_threats) = &self.list_threats {
                pass.set_pipeline(list_threats);
                pass.dispatch_workgroups(count, 1, 1);
            }
        }
        if plan.role == Role::Child {
            // The first of the batch is the parent. Its neighbours in the workgroup are computed again.
            pass.set_pipeline(self.transform(Plan { role: Role::Parent, ..plan }));
            pass.dispatch_workgroups(1, 1, 1);
        }
        pass.set_pipeline(self.transform(plan));
        pass.dispatch_workgroups(count.div_ceil(self.shape().seats() as u32), 1, 1);
        pass.set_pipeline(&self.layers);
        pass.dispatch_workgroups(count.div_ceil(64), 1, 1);
    }

    /// The kernel for that plan; where the device has no subgroups, the plain one.
    fn transform(&self, plan: Plan) -> &ComputePipeline {
        let variant = if self.has(plan.variant) { plan.variant } else { Variant::Plain };
        match (plan.role, variant, &self.subgroup) {
            (Role::Parent, ..) => &self.family(variant).parent,
            (Role::Child, ..) => &self.family(variant).child,
            (Role::Fresh, Variant::Subgroup, Some(subgroup)) => subgroup,
            (Role::Fresh, ..) => &self.plain,
        }
    }

    fn family(&self, variant: Variant) -> &Family {
        let compile = |role| {
            let source = self.shape().transform(variant, role);
            compile(&self.device, &self.layouts.pipeline, self.checks, source)
        };
        let make = || Family { parent: compile(Role::Parent), child: compile(Role::Child) };
        self.family[usize::from(variant == Variant::Subgroup)].get_or_init(make)
    }
}

/// The layouts of a network's own buffers and of a slot's.
fn layouts(device: &Device, weights: &Weights) -> (BindGroupLayout, BindGroupLayout) {
    let entry = |binding, ty| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty,
        count: None,
    };
    let of_slot = |read_only| BindingType::Buffer {
        ty: BufferBindingType::Storage { read_only },
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let layout = |entries: &[BindGroupLayoutEntry]| {
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries };
        device.handle.create_bind_group_layout(&descriptor)
    };
    let own: Vec<_> = weights
        .tables
        .iter()
        .map(|(binding, table)| entry(*binding, table.binding_type()))
        .collect();
    let slot: Vec<_> = (0..5).map(|binding| entry(binding, of_slot(binding == 0))).collect();
    (layout(&own), layout(&slot))
}

fn compile(
    device: &Device,
    layout: &wgpu::PipelineLayout,
    checks: Checks,
    source: String,
) -> ComputePipeline {
    // Only counters must begin with 0; clearing the rest takes as long as adding it up.
    let zero_initialize_workgroup_memory = source.contains("atomic<");
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    };
    let module = match checks {
        Checks::On => device.handle.create_shader_module(descriptor),
        // SAFETY: the kernels are ours. Rows come from positions or are listed by `Features`, both below
        // the number of rows; lists, totals and outputs have room for a whole last workgroup; every
        // loop ends; divisors are constants. The tests run the same kernels with checks.
        Checks::Off => unsafe {
            let checks = wgpu::ShaderRuntimeChecks::unchecked();
            device.handle.create_shader_module_trusted(descriptor, checks)
        },
    };
    device.handle.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(layout),
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory,
            ..Default::default()
        },
        cache: None,
    })
}
