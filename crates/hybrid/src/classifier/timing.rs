//! How long a classification takes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tandem_chess::Position;

use super::Classification;

/// Nanoseconds that one call takes, on average over these positions, which are gone through again
/// and again for at least that time. Nothing if there are none.
#[must_use]
pub fn nanoseconds_per_call(positions: &[Position], at_least: Duration) -> Option<f64> {
    // The first round fills the caches, as a search has them.
    once(positions);
    let start = Instant::now();
    let mut calls = 0;
    while !positions.is_empty() {
        once(positions);
        calls += positions.len();
        let time = start.elapsed();
        if time >= at_least {
            return Some(time.as_nanos() as f64 / calls as f64);
        }
    }
    None
}

fn once(positions: &[Position]) {
    for position in positions {
        black_box(Classification::of(black_box(position)));
    }
}
