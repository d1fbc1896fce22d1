//! A network that can run on the device.

use std::sync::OnceLock;

use tandem_nnue::Network;
use wgpu::{BindGroupLayout, ComputePipeline};

use crate::kernels::{Role, Shape, Variant};
use crate::pipelines::{Access, Pipelines};
use crate::weights::Weights;
use crate::{Checks, Device, GpuError};

/// A network on the device: its numbers, and its kernels compiled.
pub struct Model {
    weights: Weights,
    pipelines: Pipelines,
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

/// What kernels do with the boards, lists, totals, the parent and the outputs.
const SLOT: [Access; 5] =
    [Access::Reads, Access::Writes, Access::Writes, Access::Writes, Access::Writes];

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
        let pipelines = Pipelines::new(device, &weights.tables, &SLOT, checks);
        let compile = |source: String| pipelines.compile(source);
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
            weights,
            pipelines,
        };
        device.check()?;
        Ok(model)
    }

    /// The device that it is on.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.pipelines.device()
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
        &self.pipelines.slot
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
        pass.set_bind_group(0, &self.pipelines.numbers, &[]);
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
        let compile = |role| self.pipelines.compile(self.shape().transform(variant, role));
        let make = || Family { parent: compile(Role::Parent), child: compile(Role::Child) };
        self.family[usize::from(variant == Variant::Subgroup)].get_or_init(make)
    }
}
