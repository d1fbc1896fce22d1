//! What waits for the device, from all callers together.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::request::Request;
use crate::GpuError;
use crate::limits::MAX_BATCH;

/// Some positions of a request.
pub(crate) struct Part {
    pub request: Arc<Request>,
    pub indexes: Vec<u32>,
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
    let (mut taken, mut room) = (Vec::new(), MAX_BATCH);
    while room > 0
        && let Some(mut part) = parts.pop_front()
    {
        if part.indexes.len() > room {
            let indexes = part.indexes.split_off(room);
            parts.push_front(Part { request: Arc::clone(&part.request), indexes });
        }
        room -= part.indexes.len();
        taken.push(part);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_gathered_and_cut_to_the_size_of_a_batch() {
        let request = Arc::new(Request::new(Vec::new()));
        let part =
            |count: u32| Part { request: Arc::clone(&request), indexes: (0..count).collect() };
        let mut parts: VecDeque<_> = [part(100), part(4000), part(5000)].into();
        let sizes = |parts: Vec<Part>| parts.iter().map(|p| p.indexes.len()).collect::<Vec<_>>();
        assert_eq!(sizes(batch(&mut parts)), [100, 3996]);
        assert_eq!(sizes(batch(&mut parts)), [4, 4092]);
        assert_eq!(sizes(batch(&mut parts)), [908]);
        assert!(batch(&mut parts).is_empty());
    }
}
