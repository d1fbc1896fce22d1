//! Questions to a running search about its tree.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tandem_chess::Move;

/// What a search that explores knows of a move somewhere in its tree, for whoever has the choice there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// The move.
    pub m: Move,
    /// How often it was tried.
    pub visits: u64,
    /// How likely it seemed before it was tried.
    pub prior: f32,
    /// The chance to win less the chance to lose.
    pub value: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// Whether something is known of the moves after it.
    pub leads_on: bool,
}

/// Hears the answer.
type Reply = Box<dyn FnOnce(&[Branch]) + Send>;

/// Questions that wait for the search to have a moment. Each asks for the moves after a line from the position
/// that is searched.
#[derive(Default)]
pub struct Questions {
    waiting: Mutex<Vec<(Vec<Move>, Reply)>>,
    is_asked: AtomicBool,
}

impl Questions {
    /// Asks for the moves after a line.
    pub fn ask(&self, line: Vec<Move>, reply: Reply) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push((line, reply));
        self.is_asked.store(true, Ordering::Release);
    }

    /// Whether anything was asked.
    #[inline]
    #[must_use]
    pub fn are_waiting(&self) -> bool {
        self.is_asked.load(Ordering::Acquire)
    }

    /// Answers everything that was asked.
    pub fn answer(&self, mut branches: impl FnMut(&[Move]) -> Vec<Branch>) {
        if !self.are_waiting() {
            return;
        }
        let waiting = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            self.is_asked.store(false, Ordering::Release);
            std::mem::take(&mut *waiting)
        };
        for (line, reply) in waiting {
            reply(&branches(&line));
        }
    }
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Questions").field("is_asked", &self.is_asked).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn everything_that_was_asked_is_answered_once() {
        let (sender, heard) = mpsc::channel();
        let questions = Questions::default();
        for _ in 0..2 {
            let sender = sender.clone();
            let reply = move |branches: &[Branch]| sender.send(branches.len()).expect("heard");
            questions.ask(Vec::new(), Box::new(reply));
        }
        assert!(questions.are_waiting());
        questions.answer(|_| Vec::new());
        questions.answer(|_| unreachable!("nothing was asked"));
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [0, 0]);
        assert!(!questions.are_waiting());
    }
}
