//! Finding the setting with which as many games are won as are wanted: bisection of (w+l)/d.

use serde::Serialize;

use crate::selfplay::Results;

/// What happens to (w+l)/d when the setting grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// More games are won.
    Rising,
    /// Fewer games are won.
    Falling,
}

/// Looks for a setting by asking for games with one setting after another. It remembers nothing: what it
/// advises follows from the measurements alone, so whoever keeps these can go on at any time.
#[derive(Clone, Debug, Serialize)]
pub struct Controller {
    /// The least and the largest setting, both above 0.
    pub range: (f64, f64),
    /// Settings are multiples of this.
    pub grid: f64,
    /// What happens when the setting grows.
    pub effect: Effect,
    /// The (w+l)/d that is wanted.
    pub target: f64,
    /// Near enough is what differs from the target by this factor at most.
    pub tolerance: f64,
    /// Settings that are tried at the most.
    pub rounds: usize,
    /// What is tried first; without it the middle of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<f64>,
}

/// Games with a setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// The setting.
    pub setting: f64,
    /// How the games ended.
    pub results: Results,
}

/// Why the search for a setting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// A setting is near enough.
    Reached,
    /// There is none between those that give too much and too little.
    Narrowed,
    /// Even the least or the largest setting does not give it.
    Edge,
    /// As many were tried as may be.
    Rounds,
}

impl Reason {
    /// As a report says it.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Reached => "near enough",
            Self::Narrowed => "the settings beside it were measured too",
            Self::Edge => "the end of what can be set",
            Self::Rounds => "no rounds left",
        }
    }
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advice {
    /// Play games with this setting.
    Try(f64),
    /// This setting comes nearest.
    Done(f64, Reason),
}

impl Measurement {
    /// Games that somebody won for each draw, half a game being added to either, so that it is never
    /// infinite and never nothing.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        (self.results.decisive() as f64 + 0.5) / (self.results.draws as f64 + 0.5)
    }
}

impl Controller {
    /// What follows from those measurements, in the order in which they were made.
    #[must_use]
    pub fn advise(&self, measured: &[Measurement]) -> Advice {
        let off = |measurement: &Measurement| libm::log(measurement.ratio() / self.target).abs();
        let best = measured.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(best) = best {
            // What rounding adds is no reason to play on.
            if off(best) <= libm::log(self.tolerance) + 1e-9 {
                return Advice::Done(best.setting, Reason::Reached);
            }
            if measured.len() >= self.rounds {
                return Advice::Done(best.setting, Reason::Rounds);
            }
        }
        let (mut low, mut high) = self.range;
        if let (Some(first), []) = (self.first, measured) {
            return Advice::Try(self.snap(first));
        }
        for measurement in measured {
            let goes_up = (measurement.ratio() > self.target) == (self.effect == Effect::Falling);
            let end = if goes_up { &mut low } else { &mut high };
            *end = measurement.setting;
        }
        let is_new = |setting: &f64| {
            measured.iter().all(|known| (known.setting - setting).abs() > self.grid / 2.0)
        };
        let candidates = [(low * high).sqrt(), low, high].map(|setting| self.snap(setting));
        if let Some(setting) = candidates.into_iter().find(is_new) {
            return Advice::Try(setting);
        }
        let is = |one: f64, other: f64| (one - other).abs() < self.grid / 2.0;
        // Both ends meet only where the range itself ended.
        if is(low, high) {
            return Advice::Done(low, Reason::Edge);
        }
        let beside = measured.iter().filter(|m| is(m.setting, low) || is(m.setting, high));
        let best = beside.min_by(|a, b| off(a).total_cmp(&off(b)));
        let best = best.expect("what is not new was measured");
        Advice::Done(best.setting, Reason::Narrowed)
    }

    /// The nearest setting on the grid, within the range.
    fn snap(&self, setting: f64) -> f64 {
        let (low, high) = self.range;
        ((setting / self.grid).round() * self.grid).clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lever whose effect is known: the share of decisive games by setting.
    fn follow(controller: &Controller, decisive: impl Fn(f64) -> f64) -> (f64, Reason, Vec<f64>) {
        let mut measured = Vec::new();
        loop {
            match controller.advise(&measured) {
                Advice::Try(setting) => {
                    let won = (1000.0 * decisive(setting)).round() as u64;
                    let results = Results { wins: won, draws: 1000 - won, losses: 0 };
                    assert!(measured.len() < controller.rounds, "too many: {measured:?}");
                    measured.push(Measurement { setting, results });
                }
                Advice::Done(setting, reason) => {
                    let tried = measured.iter().map(|measured| measured.setting).collect();
                    return (setting, reason, tried);
                }
            }
        }
    }

    fn limits(most: f64) -> Controller {
        Controller {
            range: (1.0, most),
            grid: 1.0,
            effect: Effect::Falling,
            target: 1.0,
            tolerance: 1.1,
            rounds: 12,
            first: None,
        }
    }

    /// (w+l)/d falls with the setting and is 1 at `at`.
    fn falling(at: f64) -> impl Fn(f64) -> f64 {
        move |setting| 1.0 / (1.0 + setting / at)
    }

    #[test]
    fn a_limit_is_found_wherever_it_lies() {
        for at in [3.0, 5.0, 17.0, 60.0, 230.0, 700.0] {
            let (found, reason, tried) = follow(&limits(1000.0), falling(at));
            let near = |found: f64| (found / at).ln().abs() <= 1.13_f64.ln();
            assert!(reason == Reason::Reached && near(found), "{at}: {found} {tried:?}");
            assert!(tried.len() <= 8, "{tried:?}");
        }
    }

    #[test]
    fn a_temperature_is_found_by_the_same_controller() {
        let controller = Controller {
            range: (0.2, 3.0),
            grid: 0.01,
            effect: Effect::Rising,
            target: 1.38,
            ..limits(3.0)
        };
        let (found, reason, _) = follow(&controller, |t| 1.0 - 1.0 / (1.0 + 1.38 * (t / 0.9)));
        assert!(reason == Reason::Reached && (found / 0.9).ln().abs() < 0.13, "{found}");
    }

    #[test]
    fn what_cannot_be_reached_ends_at_the_edge() {
        let (found, reason, tried) = follow(&limits(100.0), |_| 0.9);
        assert!(reason == Reason::Edge && (found - 100.0).abs() < 0.1, "{found} {tried:?}");
        let (found, reason, tried) = follow(&limits(100.0), |_| 0.01);
        assert!(reason == Reason::Edge && (found - 1.0).abs() < 0.1, "{found} {tried:?}");
    }

    #[test]
    fn a_step_between_neighbours_ends_beside_it() {
        let (found, reason, tried) = follow(&limits(1000.0), |s| if s < 7.0 { 0.9 } else { 0.3 });
        assert_eq!(reason, Reason::Narrowed);
        assert!((found - 7.0).abs() < 0.1, "{found} {tried:?}");
    }

    #[test]
    fn rounds_are_limited_and_the_nearest_counts() {
        let hurried = Controller { rounds: 2, tolerance: 1.0, ..limits(1000.0) };
        let (found, reason, tried) = follow(&hurried, falling(100.5));
        assert_eq!((reason, tried.len()), (Reason::Rounds, 2));
        assert!((found - tried[1]).abs() < 0.1, "{found} of {tried:?}");
    }

    #[test]
    fn a_search_begins_where_it_is_told_to_and_finds_the_same() {
        let from = |first| follow(&Controller { first, ..limits(1000.0) }, falling(60.0));
        let (found, reason, tried) = from(Some(50.4));
        let tried: Vec<u64> = tried.into_iter().map(|setting| setting as u64).collect();
        assert_eq!((reason, &tried[..]), (Reason::Reached, &[50, 224, 106, 73, 60][..]));
        assert!((found / from(None).0).ln().abs() < 0.2, "{found}");
    }

    #[test]
    fn advice_depends_on_the_measurements_alone() {
        let controller = limits(1000.0);
        let results = Results { wins: 9, draws: 1, losses: 0 };
        let measured = [Measurement { setting: 32.0, results }];
        assert_eq!(controller.advise(&[]), Advice::Try(32.0));
        assert_eq!(controller.advise(&measured), controller.advise(&measured));
        assert_eq!(controller.advise(&measured), Advice::Try(179.0));
        let drawn = Results { wins: 0, draws: 7, losses: 0 };
        assert!(Measurement { setting: 1.0, results: drawn }.ratio() > 0.0);
    }
}
