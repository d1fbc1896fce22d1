//! How long a classification takes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tandem_chess::Position;

use super::Classification;

/// Calls between two looks at the clock, at the least.
const CALLS: usize = 10_000;

/// Nanoseconds that one call takes, on average over these positions, which are gone through again
/// and again for at least that time. The fastest round counts: others shared the processor with whatever
/// else the machine does. Nothing if there are no positions.
#[must_use]
pub fn nanoseconds_per_call(positions: &[Position], at_least: Duration) -> Option<f64> {
    let repeats = CALLS.div_ceil(positions.len().max(1));
    let start = Instant::now();
    let mut fastest = None;
    while !positions.is_empty() {
        let round = Instant::now();
        for position in (0..repeats).flat_map(|_| positions) {
            black_box(Classification::of(black_box(position)));
        }
        let time = round.elapsed();
        fastest = Some(fastest.map_or(time, |fastest: Duration| fastest.min(time)));
        if start.elapsed() >= at_least {
            break;
        }
    }
    let calls = (repeats * positions.len()) as f64;
    fastest.map(|time| time.as_nanos() as f64 / calls)
}
