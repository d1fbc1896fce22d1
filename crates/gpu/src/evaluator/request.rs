//! A batch that a caller has handed in, and its answers as they come.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tandem_chess::Position;
use tandem_nnue::{Assessment, BatchError, Score};

use crate::policy::Questions;
use crate::{GpuError, Packed, PolicyModel};

/// A caller's batch.
pub(crate) struct Request {
    pub positions: Vec<Position>,
    /// Packed on the caller's thread, so that the device's thread only copies.
    pub packed: Vec<Packed>,
    /// What is asked about the moves, where there is a network to judge them; listed there as well.
    pub questions: Option<Questions>,
    /// What its outputs are multiplied with.
    scale: f32,
    state: Mutex<State>,
    done: Condvar,
}

struct State {
    scores: Vec<Score>,
    /// The outputs of all moves, position by position.
    judged: Vec<i32>,
    missing: usize,
    error: Option<GpuError>,
}

impl Request {
    pub fn new(positions: Vec<Position>, policy: Option<&PolicyModel>) -> Self {
        let packed = positions.iter().map(Packed::new).collect();
        let questions = policy.map(|_| Questions::of(&positions));
        let moves = questions.as_ref().map_or(0, Questions::all_moves);
        let missing = positions.len();
        let scores = vec![Score::default(); missing];
        let state = State { scores, judged: vec![0; moves], missing, error: None };
        let scale = policy.map_or(1.0, PolicyModel::scale);
        let (state, done) = (Mutex::new(state), Condvar::new());
        Self { positions, packed, questions, scale, state, done }
    }

    /// Notes the outputs of the moves of some of the positions; answers with what is left of them.
    pub fn answer_moves<'a>(&self, indexes: &[u32], mut judged: &'a [i32]) -> &'a [i32] {
        let Some(questions) = &self.questions else { return judged };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for &index in indexes {
            let moves = questions.moves(index as usize);
            let (these, rest) = judged.split_at(moves.len());
            state.judged[moves].copy_from_slice(these);
            judged = rest;
        }
        judged
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
            _ => Ok(self.assessments(&state)),
        }
    }

    fn assessments(&self, state: &State) -> Vec<Assessment> {
        let logits = |questions: &Questions, index| -> Vec<f32> {
            let outputs = &state.judged[questions.moves(index)];
            outputs.iter().map(|&output| output as f32 * self.scale).collect()
        };
        let assess = |(index, &score): (usize, &Score)| Assessment {
            score,
            logits: self.questions.as_ref().map(|questions| logits(questions, index)),
        };
        state.scores.iter().enumerate().map(assess).collect()
    }
}
