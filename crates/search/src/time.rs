//! How much of the clock a move may take.

use std::time::Duration;

use tandem_chess::Color;

use crate::Limits;

/// The time for one move, counted from the start of the search or from the ponder hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When to stop looking deeper, if nothing speaks for going on.
    pub soft: Duration,
    /// When to stop in any case.
    pub hard: Duration,
}

/// Overheads that stay on the clock.
const RESERVE: u32 = 4;
/// What else stays on it: shared machines were seen to pause for up to 190 milliseconds.
const PAUSE: Duration = Duration::from_millis(200);

impl Budget {
    /// The share of the clock that this move gets; none if time does not limit the search.
    ///
    /// `overhead` is kept back for what each move costs outside the engine. Without a number of
    /// moves to go the game is expected to last another 25 moves or so, which spends more early,
    /// while there is most to decide, and lives on the increment later. Below a few overheads and the
    /// length of a pause a move takes half the increment at most, so that the clock recovers.
    #[must_use]
    pub fn new(limits: &Limits, side: Color, overhead: Duration) -> Option<Self> {
        let least = Duration::from_millis(1);
        if let Some(time) = limits.movetime {
            let usable = time.saturating_sub(overhead).max(least);
            return Some(Self { soft: usable, hard: usable });
        }
        // A clock that nobody tells us of is taken to stand like the other one.
        let clock = limits.clock(side).or(limits.clock(!side))?;
        let moves = limits.moves_to_go.map_or(25, |moves| moves.clamp(1, 40));
        let usable = clock.remaining.saturating_sub(overhead).max(least);
        let spare = clock.remaining.saturating_sub(RESERVE * overhead + PAUSE);
        let recovering = (clock.increment / 2).min(usable / 8).max(least);
        let most = spare.mul_f64(if moves == 1 { 0.9 } else { 0.6 }).max(recovering);
        let share = usable / moves + clock.increment.mul_f64(0.75);
        let soft = share.mul_f64(0.7).clamp(least, most);
        let hard = share.mul_f64(3.0).clamp(soft, most);
        Some(Self { soft, hard })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits { clocks: [Some(clock), None], moves_to_go, ..Limits::default() };
        Budget::new(&limits, Color::White, OVERHEAD).unwrap()
    }

    #[test]
    fn no_move_plans_to_use_up_the_clock() {
        for remaining in [0, 1, 5, 10, 50, 100, 1000, 60_000, 86_400_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let Budget { soft, hard } = budget(remaining, increment, moves_to_go);
                    assert!(soft <= hard && soft >= Duration::from_millis(1));
                    let cap = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(hard <= cap, "{remaining}+{increment} {moves_to_go:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_low_clock_recovers_by_the_increment() {
        for remaining in [1, 20, 40, 50, 100, 200, 240] {
            assert!(budget(remaining, 10, None).hard < Duration::from_millis(10));
        }
        assert!(budget(500, 10, None).hard > Duration::from_millis(50));
    }

    #[test]
    fn a_clock_that_is_not_told_stands_like_the_other() {
        let clock = Some(Clock { remaining: Duration::from_secs(1), ..Clock::default() });
        let limits = Limits { clocks: [None, clock], ..Limits::default() };
        let budget = |side| Budget::new(&limits, side, OVERHEAD);
        assert!(budget(Color::Black).is_some());
        assert_eq!(budget(Color::White), budget(Color::Black));
        assert_eq!(Budget::new(&Limits::depth(5), Color::White, OVERHEAD), None);
    }
}
