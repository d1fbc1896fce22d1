//! What waits for the device, from all callers together.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::request::Request;
use crate::GpuError;
use crate::limits::MAX_BATCH;
use crate::policy::{MOST_MOVES, Questions};

/// Some positions of a request.
pub(crate) struct Part {
    pub request: Arc<Request>,
    pub indexes: Vec<u32>,
    /// Whether their moves are to be judged, where there is a network for that.
    pub with_moves: bool,
}

impl Part {
    /// What is asked about the moves, if anything is.
    pub fn questions(&self) -> Option<&Questions> {
        self.request.questions.as_ref().filter(|_| self.with_moves)
    }

    /// How many of the positions fit where there is room for so many, and for so many moves; and what
    /// moves they have.
    fn fitting(&self, positions: usize, moves: usize) -> (usize, usize) {
        let most = self.indexes.len().min(positions);
        let Some(questions) = self.questions() else { return (most, 0) };
        let mut taken = 0;
        for (count, &index) in self.indexes[..most].iter().enumerate() {
            let these = questions.moves(index as usize).len();
            if taken + these > moves {
                return (count, taken);
            }
            taken += these;
        }
        (most, taken)
    }
}

/// The parts that wait, for each network.
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

struct Waiting {
    parts: Vec<VecDeque<Part>>,
    /// Slots of each network that are free.
    free: Vec<usize>,
    end: Option<GpuError>,
}

impl Queue {
    pub fn new(networks: usize, slots: usize) -> Self {
        let parts = (0..networks).map(|_| VecDeque::new()).collect();
        let waiting = Waiting { parts, free: vec![slots; networks], end: None };
        Self { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }

    /// Adds a part; where nothing is served any more, it fails at once.
    pub fn push(&self, network: usize, part: Part) {
        if part.indexes.is_empty() {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = &waiting.end {
            part.request.fail(error);
            return;
        }
        waiting.parts[network].push_back(part);
        self.changed.notify_all();
    }

    /// Takes a slot, and the parts that fit into it, of a network for which something waits. None once
    /// the queue has ended.
    pub fn take(&self) -> Option<(usize, Vec<Part>)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if waiting.end.is_some() {
                return None;
            }
            let ready = (0..waiting.free.len())
                .find(|&network| waiting.free[network] > 0 && !waiting.parts[network].is_empty());
            if let Some(network) = ready {
                waiting.free[network] -= 1;
                return Some((network, batch(&mut waiting.parts[network])));
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a slot back.
    pub fn release(&self, network: usize) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).free[network] += 1;
        self.changed.notify_all();
    }

    /// Ends the queue: whatever waits, and whatever comes, fails for that reason.
    pub fn end(&self, error: &GpuError) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.end.get_or_insert_with(|| error.clone());
        for parts in &mut waiting.parts {
            for part in parts.drain(..) {
                part.request.fail(error);
            }
        }
        self.changed.notify_all();
    }

    /// Why the queue has ended, if it has.
    pub fn ended(&self) -> Option<GpuError> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).end.clone()
    }
}

/// The parts at the front that fit into one batch of the device; a part that is too large is cut.
fn batch(parts: &mut VecDeque<Part>) -> Vec<Part> {
    let (mut taken, mut room, mut moves_room) = (Vec::new(), MAX_BATCH, MOST_MOVES);
    while let Some(mut part) = parts.pop_front() {
        let (count, moves) = part.fitting(room, moves_room);
        if count < part.indexes.len() {
            let indexes = part.indexes.split_off(count);
            parts.push_front(Part { request: Arc::clone(&part.request), indexes, ..part });
        }
        if count == 0 {
            break;
        }
        room -= count;
        moves_room -= moves;
        taken.push(part);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_chess::Position;

    fn sizes(parts: &[Part]) -> Vec<usize> {
        parts.iter().map(|part| part.indexes.len()).collect()
    }

    #[test]
    fn requests_are_gathered_and_cut_to_the_size_of_a_batch() {
        let request = Arc::new(Request::new(Vec::new(), None));
        let part = |count: u32| {
            let indexes = (0..count).collect();
            Part { request: Arc::clone(&request), indexes, with_moves: true }
        };
        let mut parts: VecDeque<_> = [part(100), part(4000), part(5000)].into();
        assert_eq!(sizes(&batch(&mut parts)), [100, 3996]);
        assert_eq!(sizes(&batch(&mut parts)), [4, 4092]);
        assert_eq!(sizes(&batch(&mut parts)), [908]);
        assert!(batch(&mut parts).is_empty());
    }

    #[test]
    fn a_batch_has_no_more_moves_than_there_is_room_for() {
        let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.legal_moves().len(), 218);
        let mut request = Request::new(vec![position; 2000], None);
        request.questions = Some(Questions::of(&request.positions));
        let request = Arc::new(request);
        let part = |with_moves| Part {
            request: Arc::clone(&request),
            indexes: (0..2000).collect(),
            with_moves,
        };
        let most = MOST_MOVES / 218;
        let mut parts: VecDeque<_> = [part(true), part(true), part(false)].into();
        assert_eq!(sizes(&batch(&mut parts)), [most]);
        assert_eq!(sizes(&batch(&mut parts)), [2000 - most, 2 * most - 2000]);
        assert_eq!(sizes(&batch(&mut parts)), [most]);
        let last = batch(&mut parts);
        assert_eq!(sizes(&last), [4000 - 3 * most, 2000]);
        assert_eq!(last[0].indexes.last(), Some(&1999));
    }
}
