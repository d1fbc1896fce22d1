//! The buffers of one batch on its way, allocated once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tandem_nnue::Outputs;
use wgpu::{BufferUsages, MapMode};

use crate::limits::MAX_BATCH;
use crate::model::{Model, Plan, Source};
use crate::{GpuError, Packed};

/// The kernels fill up their last workgroup with positions that nobody asks for.
const ROOM: usize = MAX_BATCH + 64;
const OUTPUT: usize = size_of::<[i32; 2]>();

/// The buffers of one batch.
pub(crate) struct Slot {
    /// What the host writes: the boards themselves where memory is shared.
    input: wgpu::Buffer,
    boards: Option<wgpu::Buffer>,
    lists: wgpu::Buffer,
    outputs: wgpu::Buffer,
    /// What the host reads: the outputs themselves where memory is shared.
    answers: Option<wgpu::Buffer>,
    bindings: wgpu::BindGroup,
    landed: Arc<AtomicU32>,
    /// The positions on their way, and what to wait for.
    flight: Option<(usize, wgpu::SubmissionIndex)>,
}

/// What `landed` counts up to: the input can be written and the answers read again.
const BOTH: u32 = 2;
/// What it exceeds if one of them cannot.
const FAILED: u32 = 16;

impl Slot {
    pub fn new(model: &Model) -> Result<Self, GpuError> {
        let device = model.device();
        let unified = device.report().is_unified;
        let buffer = |label, size: usize, usage, mapped_at_creation| {
            device.handle.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage,
                mapped_at_creation,
            })
        };
        let (storage, copied_to) = (BufferUsages::STORAGE, BufferUsages::COPY_DST);
        let copied_from = BufferUsages::COPY_SRC;
        let boards = (!unified)
            .then(|| buffer("boards", ROOM * size_of::<Packed>(), storage | copied_to, false));
        let place = if unified { storage } else { copied_from };
        let input =
            buffer("input", ROOM * size_of::<Packed>(), place | BufferUsages::MAP_WRITE, true);
        let words = 2 * model.shape().list_words();
        let lists = buffer("lists", ROOM * words * 4, storage | copied_to, false);
        let totals = buffer("totals", ROOM * 17 * 4, storage, false);
        let place = if unified { BufferUsages::MAP_READ } else { copied_from };
        let outputs = buffer("outputs", ROOM * OUTPUT, storage | place, false);
        let answers = (!unified)
            .then(|| buffer("answers", ROOM * OUTPUT, copied_to | BufferUsages::MAP_READ, false));
        let buffers = [boards.as_ref().unwrap_or(&input), &lists, &totals, &model.parent, &outputs];
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bindings = device.handle.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: model.slot_layout(),
            entries: &entries,
        });
        device.check()?;
        let landed = Arc::default();
        Ok(Self { input, boards, lists, outputs, answers, bindings, landed, flight: None })
    }

    /// Writes the positions of the next batch.
    pub fn write(&mut self, packed: &[Packed]) -> Result<(), GpuError> {
        let range = ..size_of_val(packed) as u64;
        let mut view = self.input.get_mapped_range_mut(range).map_err(lost)?;
        view.copy_from_slice(bytemuck::cast_slice(packed));
        Ok(())
    }

    /// Writes lists of features instead.
    pub fn write_lists(&mut self, model: &Model, lists: &[u32]) {
        model.device().queue.write_buffer(&self.lists, 0, bytemuck::cast_slice(lists));
    }

    /// Sends the batch on its way.
    pub fn launch(&mut self, model: &Model, count: usize, plan: Plan) -> Result<(), GpuError> {
        let device = model.device();
        device.check()?;
        self.input.unmap();
        let mut encoder =
            device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let (Some(boards), Source::Boards) = (&self.boards, plan.source) {
            let size = (count * size_of::<Packed>()) as u64;
            encoder.copy_buffer_to_buffer(&self.input, 0, boards, 0, size);
        }
        model.encode(&mut encoder, &self.bindings, count, plan);
        let size = (count * OUTPUT) as u64;
        if let Some(answers) = &self.answers {
            encoder.copy_buffer_to_buffer(&self.outputs, 0, answers, 0, size);
        }
        self.landed.store(0, Ordering::Release);
        let land = || {
            let landed = Arc::clone(&self.landed);
            move |result: Result<(), wgpu::BufferAsyncError>| {
                landed.fetch_add(if result.is_ok() { 1 } else { FAILED }, Ordering::AcqRel);
            }
        };
        encoder.map_buffer_on_submit(self.answers(), MapMode::Read, ..size, land());
        encoder.map_buffer_on_submit(&self.input, MapMode::Write, .., land());
        self.flight = Some((count, device.queue.submit([encoder.finish()])));
        Ok(())
    }

    /// Waits for the batch, not for ever.
    pub fn wait(&mut self, model: &Model, patience: Duration) -> Result<Vec<Outputs>, GpuError> {
        let Some((count, index)) = self.flight.take() else {
            return Ok(Vec::new());
        };
        let wait = wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(patience) };
        match model.device().handle.poll(wait) {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(GpuError::Hung(patience)),
            Err(error) => return Err(lost(error)),
        }
        model.device().check()?;
        self.wait_for_landing(patience)?;
        let answers = self.answers();
        let outputs = {
            let view = answers.get_mapped_range(..(count * OUTPUT) as u64).map_err(lost)?;
            let pairs: &[[i32; 2]] = bytemuck::cast_slice(&view);
            pairs.iter().map(|&[psqt, positional]| Outputs { psqt, positional }).collect()
        };
        answers.unmap();
        Ok(outputs)
    }

    /// Another thread that waits for the same device may be about to tell us.
    fn wait_for_landing(&self, patience: Duration) -> Result<(), GpuError> {
        let start = Instant::now();
        loop {
            match self.landed.load(Ordering::Acquire) {
                BOTH => return Ok(()),
                FAILED.. => return Err(GpuError::Lost("its memory cannot be read".into())),
                _ if start.elapsed() > patience => return Err(GpuError::Hung(patience)),
                _ => std::thread::yield_now(),
            }
        }
    }

    fn answers(&self) -> &wgpu::Buffer {
        self.answers.as_ref().unwrap_or(&self.outputs)
    }
}

fn lost(error: impl std::fmt::Display) -> GpuError {
    GpuError::Lost(error.to_string())
}
