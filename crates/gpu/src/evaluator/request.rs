//! A batch that a caller has handed in, and its answers as they come.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tandem_chess::Position;
use tandem_nnue::{Assessment, BatchError, Score};

use crate::{GpuError, Packed};

/// A caller's batch.
pub(crate) struct Request {
    pub positions: Vec<Position>,
    /// Packed on the caller's thread, so that the device's thread only copies.
    pub packed: Vec<Packed>,
    state: Mutex<State>,
    done: Condvar,
}

struct State {
    scores: Vec<Score>,
    missing: usize,
    error: Option<GpuError>,
}

impl Request {
    pub fn new(positions: Vec<Position>) -> Self {
        let packed = positions.iter().map(Packed::new).collect();
        let missing = positions.len();
        let state = State { scores: vec![Score::default(); missing], missing, error: None };
        Self { positions, packed, state: Mutex::new(state), done: Condvar::new() }
    }

    /// Notes the scores of some of the positions.
    pub fn answer(&self, answers: &[(u32, Score)]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for &(index, score) in answers {
            state.scores[index as usize] = score;
        }
        state.missing -= answers.len();
        if state.missing == 0 {
            self.done.notify_all();
        }
    }

    /// Gives the batch up.
    pub fn fail(&self, error: &GpuError) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.get_or_insert_with(|| error.clone());
        self.done.notify_all();
    }

    /// Waits for all answers or for the end of hope, but no longer than that; answers whether one of them
    /// has come.
    pub fn is_done(&self, patience: Duration) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |state: &mut State| state.missing > 0 && state.error.is_none();
        let waited = self.done.wait_timeout_while(state, patience, is_open);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Waits for all answers or for the end of hope.
    pub fn wait(&self) -> Result<Vec<Assessment>, BatchError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.missing > 0 && state.error.is_none() {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match &state.error {
            Some(error) if state.missing > 0 => Err(BatchError::Lost(error.to_string())),
            _ => {
                let assess = |&score: &Score| Assessment { score, priors: None };
                Ok(state.scores.iter().map(assess).collect())
            }
        }
    }
}
