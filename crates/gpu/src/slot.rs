//! The buffers of one batch on its way, allocated once.

use std::sync::Arc;
use std::time::Duration;

use tandem_nnue::Outputs;
use wgpu::BufferUsages;

use crate::limits::MAX_BATCH;
use crate::model::{Model, Plan, Source};
use crate::policy::{Asked, PolicyModel, PolicySlot};
use crate::staging::{Download, Landing, Upload, lost};
use crate::{GpuError, Packed};

/// The kernels fill up their last workgroup with positions that nobody asks for.
pub(crate) const ROOM: usize = MAX_BATCH + 64;
const OUTPUT: usize = size_of::<[i32; 2]>();

/// The buffers of one batch.
pub(crate) struct Slot {
    boards: Upload,
    lists: wgpu::Buffer,
    outputs: Download,
    bindings: wgpu::BindGroup,
    /// Those of the policy network, where there is one.
    policy: Option<PolicySlot>,
    landing: Landing,
    /// The positions on their way, the moves that are judged, and what to wait for.
    flight: Option<(usize, usize, wgpu::SubmissionIndex)>,
}

/// What comes back: the outputs of the positions, and those of the moves that were asked for.
pub(crate) type Answers = (Vec<Outputs>, Vec<i32>);

impl Slot {
    pub fn new(model: &Model, policy: Option<&Arc<PolicyModel>>) -> Result<Self, GpuError> {
        let device = model.device();
        let buffer = |label, size: usize, usage| device.buffer(label, size as u64, usage, false);
        let storage = BufferUsages::STORAGE;
        let boards = Upload::new(device, "boards", ROOM * size_of::<Packed>())?;
        let words = 2 * model.shape().list_words();
        let lists = buffer("lists", ROOM * words * 4, storage | BufferUsages::COPY_DST)?;
        let totals = buffer("totals", ROOM * 17 * 4, storage)?;
        let outputs = Download::new(device, "outputs", ROOM * OUTPUT)?;
        let buffers = [boards.bound(), &lists, &totals, &model.parent, outputs.bound()];
        let bindings = device.bind(model.slot_layout(), &buffers);
        let policy = policy.map(PolicySlot::new).transpose()?;
        device.check()?;
        let landing = Landing::default();
        Ok(Self { boards, lists, outputs, bindings, policy, landing, flight: None })
    }

    /// Writes the positions of the next batch.
    pub fn write(&mut self, packed: &[Packed]) -> Result<(), GpuError> {
        self.boards.write(packed)
    }

    /// Writes lists of features instead.
    pub fn write_lists(&mut self, model: &Model, lists: &[u32]) {
        model.device().queue.write_buffer(&self.lists, 0, bytemuck::cast_slice(lists));
    }

    /// Sends the batch on its way, with what is asked about moves.
    pub fn launch(
        &mut self,
        model: &Model,
        count: usize,
        plan: Plan,
        asked: &Asked,
    ) -> Result<(), GpuError> {
        let device = model.device();
        device.check()?;
        self.landing.begin();
        let mut encoder =
            device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let boards = if plan.source == Source::Boards { count } else { 0 };
        self.boards.send(&mut encoder, boards * size_of::<Packed>(), &mut self.landing);
        let mut moves = 0;
        if let Some(policy) = self.policy.as_mut().filter(|_| asked.moves() > 0) {
            policy.launch(&mut encoder, asked, &mut self.landing)?;
            moves = asked.moves();
        }
        model.encode(&mut encoder, &self.bindings, count, plan);
        self.outputs.fetch(&mut encoder, count * OUTPUT, &mut self.landing);
        self.flight = Some((count, moves, device.queue.submit([encoder.finish()])));
        Ok(())
    }

    /// Waits for the batch, not for ever.
    pub fn wait(&mut self, model: &Model, patience: Duration) -> Result<Answers, GpuError> {
        let Some((count, moves, index)) = self.flight.take() else {
            return Ok(Answers::default());
        };
        let wait = wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(patience) };
        match model.device().handle.poll(wait) {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(GpuError::Hung(patience)),
            Err(error) => return Err(lost(error)),
        }
        model.device().check()?;
        self.landing.wait(patience)?;
        let pairs: Vec<[i32; 2]> = self.outputs.read(count)?;
        let outputs = pairs.into_iter().map(|[psqt, positional]| Outputs { psqt, positional });
        let judged = match &self.policy {
            Some(policy) if moves > 0 => policy.read(moves)?,
            _ => Vec::new(),
        };
        Ok((outputs.collect(), judged))
    }
}
