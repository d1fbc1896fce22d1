//! A policy network that can run on the device.

use tandem_nnue::PolicyNetwork;
use tandem_nnue::policy::inputs::ROWS;
use tandem_nnue::policy::slots::SLOTS;
use wgpu::{BindGroupLayout, ComputePipeline};

use crate::kernels::policy::{INPUT_WEIGHTS, OUTPUT_BIASES, OUTPUT_WEIGHTS, PolicyShape};
use crate::kernels::{IMAGE_WIDTH, Reading};
use crate::pipelines::{Access, Pipelines};
use crate::weights::Table;
use crate::{Checks, Device, GpuError};

/// What kernels do with the inputs, the moves, the hidden layers and the outputs.
const SLOT: [Access; 4] = [Access::Reads, Access::Reads, Access::Writes, Access::Writes];
/// Buffers that a kernel uses at the most: those of a batch, and all tables.
const BUFFERS: u32 = SLOT.len() as u32 + 3;

/// A policy network on the device: its numbers, and its kernels compiled.
pub struct PolicyModel {
    shape: PolicyShape,
    memory: u64,
    scale: f32,
    pipelines: Pipelines,
    hidden: ComputePipeline,
    outputs: ComputePipeline,
}

impl PolicyModel {
    /// Copies a network to the device and compiles its kernels.
    ///
    /// # Errors
    /// Where the device is too small for it, or fails.
    pub fn new(device: &Device, network: &PolicyNetwork, checks: Checks) -> Result<Self, GpuError> {
        let shape = shape(device, network.hidden())?;
        let numbers = network.parameters();
        let rows = [&numbers.input_weights[..], &numbers.input_biases].concat();
        let mut weights: Vec<u8> = bytemuck::cast_slice(&numbers.output_weights).to_vec();
        if shape.reading == Reading::Images {
            weights.as_chunks_mut::<4>().0.iter_mut().for_each(crosswise);
        }
        let table = |label, bytes: &[u8]| Table::upload(device, shape.reading, label, bytes);
        let tables = [
            (INPUT_WEIGHTS, table("policy inputs", bytemuck::cast_slice(&rows))?),
            (OUTPUT_WEIGHTS, table("policy outputs", &weights)?),
            (OUTPUT_BIASES, Table::buffer(device, "policy biases", &numbers.output_biases)?),
        ];
        let pipelines = Pipelines::new(device, &tables, &SLOT, checks);
        let model = Self {
            shape,
            memory: tables.iter().map(|(_, table)| table.size()).sum(),
            scale: network.scale(),
            hidden: pipelines.compile(shape.hidden_layer()),
            outputs: pipelines.compile(shape.outputs()),
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
        self.memory
    }

    /// Its shape as the kernels see it.
    #[must_use]
    pub fn shape(&self) -> &PolicyShape {
        &self.shape
    }

    /// What an output has to be multiplied with to be the logarithm of a likelihood.
    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(super) fn slot_layout(&self) -> &BindGroupLayout {
        &self.pipelines.slot
    }

    /// Writes down what the device has to do for that many positions and moves of a slot.
    pub(super) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        slot: &wgpu::BindGroup,
        positions: usize,
        moves: usize,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, &self.pipelines.numbers, &[]);
        pass.set_bind_group(1, slot, &[]);
        pass.set_pipeline(&self.hidden);
        pass.dispatch_workgroups((positions * self.shape.units()).div_ceil(64) as u32, 1, 1);
        pass.set_pipeline(&self.outputs);
        pass.dispatch_workgroups(moves.div_ceil(64) as u32, 1, 1);
    }
}

/// Where the weights of a network with so many neurons lie on the device.
fn shape(device: &Device, hidden: usize) -> Result<PolicyShape, GpuError> {
    let limits = &device.report().limits;
    let texels = ((ROWS + 1) * hidden / 8).max(SLOTS * hidden / 16);
    let fits = texels.div_ceil(IMAGE_WIDTH) <= limits.max_texture_dimension_2d as usize
        && limits.max_storage_textures_per_shader_stage >= 2;
    if device.reading() == Reading::Images && fits {
        return Ok(PolicyShape { hidden, reading: Reading::Images });
    }
    let (may, largest) =
        (limits.max_storage_buffers_per_shader_stage, limits.max_storage_buffer_binding_size);
    let reason = if may < BUFFERS {
        format!("its policy takes {BUFFERS} buffers and the kernels may use {may}")
    } else if largest < 16 * texels as u64 {
        format!("its policy takes {} bytes at once and {largest} can be bound", 16 * texels)
    } else {
        return Ok(PolicyShape { hidden, reading: Reading::Buffers });
    };
    Err(GpuError::TooSmall { adapter: device.report().name(), reason })
}

/// Four weights as `dot_pairs.wgsl` finds them: halves exchanged, and 128 added.
fn crosswise(word: &mut [u8; 4]) {
    word.rotate_left(2);
    *word = word.map(|weight| weight ^ 128);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_a_word_change_places() {
        let mut word = [1, 2, 3, 0xff];
        crosswise(&mut word);
        assert_eq!(word, [131, 0x7f, 129, 130]);
    }
}
