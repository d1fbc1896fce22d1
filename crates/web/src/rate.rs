//! How often somebody may ask.

use std::time::{Duration, Instant};

/// Requests in a row before anybody has to wait. Clicking through a game is quick.
const BURST: f64 = 60.0;
/// Requests a second in the long run.
const RATE: f64 = 20.0;
/// Who has been refused so often in a row will not listen.
const PATIENCE: u32 = 200;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It is heard.
    Heard,
    /// It is not, and whoever asked is told so.
    Refused,
    /// Nor is it, but they know it already.
    Ignored,
    /// There is no use in going on.
    Hopeless,
}

/// Counts the requests of one session.
#[derive(Debug)]
pub struct Rate {
    credit: f64,
    last: Instant,
    refused: u32,
}

impl Rate {
    /// Nobody has asked yet.
    pub fn new(now: Instant) -> Self {
        Self { credit: BURST, last: now, refused: 0 }
    }

    /// Somebody asks.
    pub fn ask(&mut self, now: Instant) -> Ruling {
        let gone = now.saturating_duration_since(self.last);
        self.last = now;
        self.credit = gone.as_secs_f64().mul_add(RATE, self.credit).min(BURST);
        if self.credit >= 1.0 {
            self.credit -= 1.0;
            self.refused = 0;
            return Ruling::Heard;
        }
        self.refused += 1;
        match self.refused {
            1 => Ruling::Refused,
            PATIENCE.. => Ruling::Hopeless,
            _ => Ruling::Ignored,
        }
    }
}

/// How long a session may be silent before it is asked whether anybody is there, and how long it may be before
/// nobody is.
pub const SILENCE: [Duration; 2] = [Duration::from_secs(20), Duration::from_mins(1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_heard_and_a_flood_is_not() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        assert!((0..60).all(|_| rate.ask(start) == Ruling::Heard));
        assert_eq!(rate.ask(start), Ruling::Refused);
        assert!((0..198).all(|_| rate.ask(start) == Ruling::Ignored));
        assert_eq!(rate.ask(start), Ruling::Hopeless);
    }

    #[test]
    fn who_waits_is_heard_again() {
        let mut now = Instant::now();
        let mut rate = Rate::new(now);
        while rate.ask(now) == Ruling::Heard {}
        for _ in 0..100 {
            now += Duration::from_millis(50);
            assert_eq!(rate.ask(now), Ruling::Heard);
        }
    }
}
