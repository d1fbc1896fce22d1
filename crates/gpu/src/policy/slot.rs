//! The buffers of the policy network's part of a batch.

use std::sync::Arc;

use wgpu::{BufferUsages, CommandEncoder};

use super::PolicyModel;
use super::questions::{Asked, INPUT_WORDS, MOST_MOVES};
use crate::GpuError;
use crate::slot::ROOM;
use crate::staging::{Download, Landing, Upload};

/// The kernels fill up their last workgroup with moves that nobody asks for. What stands there was asked for
/// in an earlier batch, or is the first slot of the first position.
const MOVES_ROOM: usize = MOST_MOVES + 64;

/// The buffers of one batch.
pub(crate) struct PolicySlot {
    model: Arc<PolicyModel>,
    inputs: Upload,
    moves: Upload,
    outputs: Download,
    bindings: wgpu::BindGroup,
}

impl PolicySlot {
    pub fn new(model: &Arc<PolicyModel>) -> Result<Self, GpuError> {
        let device = model.device();
        let inputs = Upload::new(device, "inputs", ROOM * INPUT_WORDS * 4)?;
        let moves = Upload::new(device, "moves", MOVES_ROOM * 4)?;
        let hidden = (ROOM * model.shape().hidden) as u64;
        let hidden = device.buffer("hidden", hidden, BufferUsages::STORAGE, false)?;
        let outputs = Download::new(device, "likelihoods", MOVES_ROOM * 4)?;
        let buffers = [inputs.bound(), moves.bound(), &hidden, outputs.bound()];
        let bindings = device.bind(model.slot_layout(), &buffers);
        Ok(Self { model: Arc::clone(model), inputs, moves, outputs, bindings })
    }

    /// Writes what is asked, and down what the device has to do for it.
    pub fn launch(
        &mut self,
        encoder: &mut CommandEncoder,
        asked: &Asked,
        landing: &mut Landing,
    ) -> Result<(), GpuError> {
        self.inputs.write(asked.inputs())?;
        self.moves.write(asked.entries())?;
        self.inputs.send(encoder, size_of_val(asked.inputs()), landing);
        self.moves.send(encoder, size_of_val(asked.entries()), landing);
        self.model.encode(encoder, &self.bindings, asked.inputs().len(), asked.moves());
        self.outputs.fetch(encoder, 4 * asked.moves(), landing);
        Ok(())
    }

    /// The outputs of so many moves that have been asked for.
    pub fn read(&self, moves: usize) -> Result<Vec<i32>, GpuError> {
        self.outputs.read(moves)
    }
}
