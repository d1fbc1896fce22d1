//! Work for all cores.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// A piece of work that has nothing in common with the others of its time.
pub(crate) type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does all tasks on so many threads, the calling one among them. Each thread takes the next task
/// when it has done its last, so that a core which something else keeps busy does less. What comes
/// out must not depend on who does what; threads are started anew because that takes microseconds,
/// and a step takes many milliseconds.
pub(crate) fn run(threads: usize, tasks: Vec<Task<'_>>) {
    let helpers = threads.min(tasks.len()).saturating_sub(1);
    let tasks = Mutex::new(tasks.into_iter());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(task) = next() {
            task();
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_task_is_done_once() {
        for threads in [1, 2, 5] {
            let counts: Vec<_> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            let task = |count| {
                Box::new(move || {
                    AtomicUsize::fetch_add(count, 1, Ordering::Relaxed);
                }) as Task<'_>
            };
            run(threads, counts.iter().map(task).collect());
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }
}
