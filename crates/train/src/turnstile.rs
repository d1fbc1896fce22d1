//! Threads that pass one after another, in an order that is fixed beforehand.

use std::sync::{Condvar, Mutex, PoisonError};

/// Guards something that must be used in order, by whichever threads.
pub struct Turnstile<T> {
    state: Mutex<State<T>>,
    moved: Condvar,
}

struct State<T> {
    guarded: T,
    next: u64,
    closed: bool,
}

impl<T> Turnstile<T> {
    /// Number 0 passes first.
    pub const fn new(guarded: T) -> Self {
        Self::starting_at(0, guarded)
    }

    /// That number passes first.
    pub const fn starting_at(first: u64, guarded: T) -> Self {
        let state = State { guarded, next: first, closed: false };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Waits until all before that number have passed and uses what is guarded; none if the
    /// turnstile was closed.
    pub fn pass<R>(&self, number: u64, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next != number && !state.closed {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        let result = work(&mut state.guarded);
        state.next += 1;
        self.moved.notify_all();
        Some(result)
    }

    /// Lets nobody pass any more.
    pub fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.moved.notify_all();
    }

    /// What was guarded.
    pub fn into_inner(self) -> T {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).guarded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pass_in_order_whoever_comes_first() {
        let turnstile = Turnstile::new(Vec::new());
        std::thread::scope(|scope| {
            for number in (0..8).rev() {
                let turnstile = &turnstile;
                scope.spawn(move || turnstile.pass(number, |list| list.push(number)));
            }
        });
        assert_eq!(turnstile.into_inner(), (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn a_closed_one_keeps_nobody_waiting() {
        let turnstile = Turnstile::new(());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turnstile.pass(5, |()| ()));
            turnstile.close();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
