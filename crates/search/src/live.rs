//! Hearing from a search at regular times, whether it has news or not.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// What whoever accompanies a search hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat<N> {
    /// Something that was sent.
    News(N),
    /// Time has passed.
    Pulse,
}

/// Has work done on a thread of its own, and meanwhile hears on this one what it sends, with a pulse in every
/// such time. Who hears nothing but pulses costs the work nothing.
pub fn accompany<N: Send, T: Send>(
    every: Duration,
    work: impl FnOnce(Sender<N>) -> T + Send,
    mut hear: impl FnMut(Beat<N>),
) -> T {
    let (sender, news) = mpsc::channel();
    std::thread::scope(|scope| {
        let work = scope.spawn(move || work(sender));
        let mut due = Instant::now() + every;
        loop {
            match news.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(heard) => hear(Beat::News(heard)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if Instant::now() >= due {
                hear(Beat::Pulse);
                due = Instant::now() + every;
            }
        }
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_was_sent_is_heard_with_pulses_between() {
        let (mut heard, mut pulses) = (Vec::new(), 0);
        let done = accompany(
            Duration::from_millis(2),
            |news| {
                for number in 0..3 {
                    std::thread::sleep(Duration::from_millis(20));
                    news.send(number).expect("somebody hears");
                }
                "done"
            },
            |beat| match beat {
                Beat::News(number) => heard.push(number),
                Beat::Pulse => pulses += 1,
            },
        );
        assert_eq!((done, heard), ("done", vec![0, 1, 2]));
        assert!(pulses >= 3, "{pulses}");
    }
}
