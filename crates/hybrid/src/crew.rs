//! Who works for which search.

/// How threads are divided between the searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crew {
    /// How many work for Monte Carlo tree search, one that is divided included.
    pub explorers: usize,
    /// How many work for alpha-beta, one that is divided included.
    pub provers: usize,
    /// What Monte Carlo tree search gets of a thread that both searches take in turns, if there is one.
    pub divided: Option<f64>,
}

/// A smaller part of a thread is not worth the turns.
const LEAST_PART: f64 = 0.02;

impl Crew {
    /// So many threads, of whose time Monte Carlo tree search gets that share. Alpha-beta has one at the
    /// least, if only in turns.
    #[must_use]
    pub fn new(threads: usize, share: f64) -> Self {
        let threads = threads.max(1);
        let wanted = (share * threads as f64).clamp(LEAST_PART, threads as f64 - LEAST_PART);
        let whole = (wanted + LEAST_PART / 2.0).floor();
        let part = wanted - whole;
        let whole = whole as usize;
        if part < LEAST_PART && whole > 0 {
            return Self { explorers: whole, provers: threads - whole, divided: None };
        }
        Self { explorers: whole + 1, provers: threads - whole, divided: Some(part) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_divided_as_the_share_says() {
        for threads in 1..40 {
            for percent in [1, 10, 15, 25, 32, 40, 50] {
                let share = f64::from(percent) / 100.0;
                let crew = Crew::new(threads, share);
                let twice = usize::from(crew.divided.is_some());
                assert_eq!(crew.explorers + crew.provers, threads + twice, "{crew:?}");
                assert!(crew.explorers > 0 && crew.provers > 0, "{crew:?}");
                let whole = (crew.explorers - twice) as f64;
                let got = whole + crew.divided.unwrap_or(0.0);
                assert!((got - share * threads as f64).abs() < 0.03, "{crew:?} for {share}");
            }
        }
    }

    #[test]
    fn two_threads_are_a_prover_and_one_who_is_divided() {
        let crew = Crew::new(2, 0.25);
        assert_eq!(crew, Crew { explorers: 1, provers: 2, divided: Some(0.5) });
        assert_eq!(Crew::new(8, 0.25), Crew { explorers: 2, provers: 6, divided: None });
    }
}
