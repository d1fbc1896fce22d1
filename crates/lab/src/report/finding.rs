//! What the paper says, beside what was measured.

use serde::Serialize;
use tandem_games::statistics::Estimate;

/// Whether the measurement says the same as the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It says something else.
    Differs,
    /// So few games do not tell.
    Open,
}

impl Verdict {
    /// As a table says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "**differs**",
            Self::Open => "not decided by so many games",
        }
    }

    /// Of a claim that something is above that value.
    #[must_use]
    pub fn above(measured: Option<Estimate>, value: f64) -> Self {
        match measured {
            Some(measured) if measured.lower > value => Self::Agrees,
            Some(measured) if measured.upper < value => Self::Differs,
            _ => Self::Open,
        }
    }

    /// Of a claim that a share, or a difference of shares, is that value. An interval that holds it agrees if it
    /// is so narrow that it could have contradicted.
    #[must_use]
    pub fn equal(measured: Option<Estimate>, value: f64) -> Self {
        match measured {
            Some(measured) if !(measured.lower..=measured.upper).contains(&value) => Self::Differs,
            Some(measured) if is_telling(measured) => Self::Agrees,
            _ => Self::Open,
        }
    }
}

/// Whether the interval of a share is so narrow that what it holds means something.
#[must_use]
pub fn is_telling(share: Estimate) -> bool {
    const WIDEST: f64 = 0.35;
    share.upper - share.lower <= WIDEST
}

/// A claim and its test.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What the paper says.
    pub claim: String,
    /// What was measured.
    pub measured: String,
    /// Whether that is the same.
    pub verdict: Verdict,
}

impl Finding {
    /// A claim, what was measured, and whether that is the same.
    #[must_use]
    pub fn new(claim: impl Into<String>, measured: impl Into<String>, verdict: Verdict) -> Self {
        Self { claim: claim.into(), measured: measured.into(), verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_decides_only_what_lies_outside_of_it() {
        let measured = Some(Estimate { value: 0.5, lower: 0.4, upper: 0.6 });
        let above = [0.3, 0.5, 0.7].map(|value| Verdict::above(measured, value));
        assert_eq!(above, [Verdict::Agrees, Verdict::Open, Verdict::Differs]);
        let equal = [0.3, 0.4, 0.7].map(|value| Verdict::equal(measured, value));
        assert_eq!(equal, [Verdict::Differs, Verdict::Agrees, Verdict::Differs]);
        let vague = Some(Estimate { value: 0.5, lower: 0.2, upper: 0.8 });
        let vague = [0.1, 0.5].map(|value| Verdict::equal(vague, value));
        assert_eq!(vague, [Verdict::Differs, Verdict::Open]);
        assert_eq!(
            (Verdict::above(None, 0.0), Verdict::equal(None, 0.0)),
            (Verdict::Open, Verdict::Open)
        );
    }
}
