//! Which positions are worth learning from.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use tandem_chess::PieceType;
use thiserror::Error;

use super::Sample;

/// Why a filter drops a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Reason {
    /// It has no score.
    Unscored,
    /// The side to move is in check.
    Check,
    /// The move played takes something.
    Capture,
    /// The move played promotes.
    Promotion,
    /// The score is at or beyond a limit.
    Score,
    /// It comes too early in its game.
    Ply,
    /// There are too few pieces.
    Pieces,
    /// The side to move can win material by a capture or promotion.
    Hanging,
    /// It was left out to have fewer.
    Thin,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::Unscored,
        Self::Check,
        Self::Capture,
        Self::Promotion,
        Self::Score,
        Self::Ply,
        Self::Pieces,
        Self::Hanging,
        Self::Thin,
    ];

    /// The name that stands in a filter's text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unscored => "unscored",
            Self::Check => "check",
            Self::Capture => "capture",
            Self::Promotion => "promotion",
            Self::Score => "score",
            Self::Ply => "ply",
            Self::Pieces => "pieces",
            Self::Hanging => "hanging",
            Self::Thin => "thin",
        }
    }
}

/// A set of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons(u16);

impl Reasons {
    fn add_if(&mut self, holds: bool, reason: Reason) {
        self.0 |= u16::from(holds) << reason as u16;
    }

    /// Whether there is none: the position stays.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether that is one of them.
    #[must_use]
    pub const fn contains(self, reason: Reason) -> bool {
        self.0 >> reason as u16 & 1 != 0
    }

    const fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }
}

/// Drops positions by named rules. As text it is the list of its rules:
/// `unscored,check,capture,promotion,score=3000,ply=16,pieces=4,hanging,thin=0.5`, or `none`.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct Filter {
    /// Drop positions without a score.
    pub unscored: bool,
    /// Drop positions in which the side to move is in check.
    pub check: bool,
    /// Drop positions in which the move played takes something.
    pub capture: bool,
    /// Drop positions in which the move played promotes.
    pub promotion: bool,
    /// Drop positions whose score is at least this far from zero.
    pub score: Option<u16>,
    /// Drop positions with fewer half-moves before them, by the position's own counter.
    pub ply: Option<u32>,
    /// Drop positions with fewer pieces, kings and pawns included.
    pub pieces: Option<u32>,
    /// Drop positions in which the side to move wins material by exchange evaluation.
    pub hanging: bool,
    /// Keep this share, chosen by the position itself: equal positions share their fate.
    pub thin: Option<f64>,
}

/// A text that is no filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FilterError {
    /// There is no such rule.
    #[error(
        "'{0}' is no filter: expected some of unscored, check, capture, promotion, score=N, ply=N, \
         pieces=N, hanging, thin=SHARE, or none"
    )]
    Unknown(String),
    /// The number of a rule is missing or makes no sense.
    #[error("the filter '{0}' needs a number {1}, as in {0}={2}")]
    Number(&'static str, &'static str, &'static str),
}

impl Default for Filter {
    /// The quiet positions that a network for static evaluation learns from.
    fn default() -> Self {
        Self {
            unscored: true,
            check: true,
            capture: true,
            promotion: true,
            score: Some(3000),
            ..Self::NONE
        }
    }
}

impl Filter {
    /// Drops nothing.
    pub const NONE: Self = Self {
        unscored: false,
        check: false,
        capture: false,
        promotion: false,
        score: None,
        ply: None,
        pieces: None,
        hanging: false,
        thin: None,
    };

    /// The same without the rules about scores, for positions that are yet to get theirs.
    #[must_use]
    pub const fn without_scores(&self) -> Self {
        Self {
            unscored: false,
            score: None,
            check: self.check,
            capture: self.capture,
            promotion: self.promotion,
            ply: self.ply,
            pieces: self.pieces,
            hanging: self.hanging,
            thin: self.thin,
        }
    }

    /// Every reason to drop a position.
    #[must_use]
    pub fn judge(&self, sample: &Sample<'_>) -> Reasons {
        let mut reasons = Reasons::default();
        let position = sample.position;
        let score = sample.score();
        reasons.add_if(self.unscored && score.is_none(), Reason::Unscored);
        reasons.add_if(self.check && position.in_check(), Reason::Check);
        if let Some(m) = sample.m {
            reasons.add_if(self.capture && position.is_capture(m), Reason::Capture);
            reasons.add_if(self.promotion && m.becomes().is_some(), Reason::Promotion);
        }
        let is_far = |limit| score.is_some_and(|score| score.unsigned_abs() >= limit);
        reasons.add_if(self.score.is_some_and(is_far), Reason::Score);
        reasons.add_if(self.ply.is_some_and(|least| sample.game_ply() < least), Reason::Ply);
        let pieces = position.occupied().count();
        reasons.add_if(self.pieces.is_some_and(|least| pieces < least), Reason::Pieces);
        reasons.add_if(self.hanging && wins_material(sample), Reason::Hanging);
        let unit = (position.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64
            / (1_u64 << 53) as f64;
        reasons.add_if(self.thin.is_some_and(|share| unit >= share), Reason::Thin);
        reasons
    }
}

/// Whether a capture or promotion wins at least a pawn.
fn wins_material(sample: &Sample<'_>) -> bool {
    let position = sample.position;
    let pawn = tandem_chess::see::value(PieceType::Pawn);
    position.captures().into_iter().any(|m| position.see_at_least(m, pawn))
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules = Vec::new();
        for (on, reason) in [
            (self.unscored, Reason::Unscored),
            (self.check, Reason::Check),
            (self.capture, Reason::Capture),
            (self.promotion, Reason::Promotion),
        ] {
            if on {
                rules.push(reason.name().to_owned());
            }
        }
        rules.extend(self.score.map(|limit| format!("score={limit}")));
        rules.extend(self.ply.map(|least| format!("ply={least}")));
        rules.extend(self.pieces.map(|least| format!("pieces={least}")));
        rules.extend(self.hanging.then(|| Reason::Hanging.name().to_owned()));
        rules.extend(self.thin.map(|share| format!("thin={share}")));
        f.pad(&if rules.is_empty() { "none".to_owned() } else { rules.join(",") })
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let mut filter = Self::NONE;
        if text.trim() == "none" {
            return Ok(filter);
        }
        for rule in text.split(',') {
            let (name, value) = match rule.trim().split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (rule.trim(), None),
            };
            match (name, value) {
                ("unscored", None) => filter.unscored = true,
                ("check", None) => filter.check = true,
                ("capture", None) => filter.capture = true,
                ("promotion", None) => filter.promotion = true,
                ("hanging", None) => filter.hanging = true,
                ("score", value) => {
                    let wrong = FilterError::Number("score", "from 1 to 32767", "3000");
                    let limit = number(value).filter(|limit| (1..=32_767).contains(limit));
                    filter.score = Some(limit.ok_or(wrong)?);
                }
                ("ply", value) => {
                    let wrong = FilterError::Number("ply", "of half-moves", "16");
                    filter.ply = Some(number(value).ok_or(wrong)?);
                }
                ("pieces", value) => {
                    let wrong = FilterError::Number("pieces", "from 2 to 32", "4");
                    let least = number(value).filter(|least| (2..=32).contains(least));
                    filter.pieces = Some(least.ok_or(wrong)?);
                }
                ("thin", value) => {
                    let wrong = FilterError::Number("thin", "between 0 and 1", "0.5");
                    let share = number(value).filter(|share| *share > 0.0 && *share <= 1.0);
                    filter.thin = Some(share.ok_or(wrong)?);
                }
                _ => return Err(FilterError::Unknown(rule.trim().to_owned())),
            }
        }
        Ok(filter)
    }
}

fn number<T: FromStr>(text: Option<&str>) -> Option<T> {
    text?.trim().parse().ok()
}

impl Serialize for Filter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How many positions a filter has seen, kept and dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All positions.
    pub seen: u64,
    /// Those without any reason to drop them.
    pub kept: u64,
    hits: [u64; Reason::ALL.len()],
    alone: [u64; Reason::ALL.len()],
}

impl Tally {
    /// Counts a position.
    pub fn count(&mut self, reasons: Reasons) {
        self.seen += 1;
        self.kept += u64::from(reasons.is_empty());
        for reason in Reason::ALL {
            if reasons.contains(reason) {
                self.hits[reason as usize] += 1;
                self.alone[reason as usize] += u64::from(reasons.is_one());
            }
        }
    }

    /// How many positions that rule drops, whether or not another does as well.
    #[must_use]
    pub const fn dropped_by(&self, reason: Reason) -> u64 {
        self.hits[reason as usize]
    }

    /// How many positions no other rule drops.
    #[must_use]
    pub const fn dropped_only_by(&self, reason: Reason) -> u64 {
        self.alone[reason as usize]
    }

    /// Adds what another has counted.
    pub fn add(&mut self, other: &Self) {
        self.seen += other.seen;
        self.kept += other.kept;
        for i in 0..Reason::ALL.len() {
            self.hits[i] += other.hits[i];
            self.alone[i] += other.alone[i];
        }
    }

    /// A line for each rule that dropped something, and one for what is left.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let share = |count: u64| 100.0 * count as f64 / (self.seen.max(1)) as f64;
        let row = |name: &str, count: u64, rest: &str| {
            format!("{name:<10} {count:>12} {:>6.2} %{rest}", share(count))
        };
        Reason::ALL
            .into_iter()
            .filter(|&reason| self.dropped_by(reason) > 0)
            .map(|reason| {
                let alone = format!("   {} of them by no other rule", self.dropped_only_by(reason));
                row(reason.name(), self.dropped_by(reason), &alone)
            })
            .chain([row("kept", self.kept, "")])
            .collect()
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("seen", &self.seen)?;
        map.serialize_entry("kept", &self.kept)?;
        for reason in Reason::ALL {
            if self.dropped_by(reason) > 0 {
                let counts = [self.dropped_by(reason), self.dropped_only_by(reason)];
                map.serialize_entry(&format!("{}_and_alone", reason.name()), &counts)?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::{Color, Position};

    use super::*;
    use crate::data::{GameResult, Label};

    fn reasons(filter: &str, fen: &str, m: Option<&str>, score: Option<i32>) -> Vec<&'static str> {
        let position: Position = fen.parse().unwrap();
        let sample = Sample {
            position: &position,
            m: m.map(|text| position.parse_uci(text).unwrap()),
            label: score.map(|score| Label::new(Color::White, score)),
            result: GameResult::Draw,
            ply: 0,
            is_off_line: false,
        };
        let reasons = filter.parse::<Filter>().unwrap().judge(&sample);
        Reason::ALL.into_iter().filter(|&r| reasons.contains(r)).map(Reason::name).collect()
    }

    const ALL: &str = "unscored,check,capture,promotion,score=500,ply=10,pieces=5,hanging";

    #[test]
    fn each_rule_drops_what_it_names() {
        let quiet = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 8";
        assert!(reasons(ALL, quiet, Some("f1c4"), Some(499)).is_empty());
        assert_eq!(reasons(ALL, quiet, Some("f3e5"), Some(-500)), ["capture", "score"]);
        assert_eq!(reasons(ALL, quiet, None, None), ["unscored"]);
        let early = quiet.replace("2 8", "2 3");
        assert_eq!(reasons(ALL, &early, Some("f1c4"), Some(0)), ["ply"]);
        let check = "4k3/8/8/8/7b/8/8/R3K3 w - - 0 30";
        assert_eq!(reasons(ALL, check, Some("e1d1"), Some(0)), ["check", "pieces"]);
        let pawn = "1n2k3/P7/8/8/8/8/8/4K1N1 w - - 0 30";
        let promotes = ["capture", "promotion", "hanging"];
        assert_eq!(reasons(ALL, pawn, Some("a7b8q"), Some(9)), promotes);
        assert!(reasons("none", pawn, Some("a7b8q"), None).is_empty());
    }

    #[test]
    fn text_and_filter_are_one_to_one() {
        for text in [ALL, "none", "check", "score=3000,thin=0.25", "ply=16,hanging"] {
            assert_eq!(text.parse::<Filter>().unwrap().to_string(), text);
        }
        let default = Filter::default();
        assert_eq!(default.to_string().parse(), Ok(default.clone()));
        assert_eq!(default.without_scores().to_string(), "check,capture,promotion");
    }

    #[test]
    fn wrong_rules_are_named() {
        for (text, part) in [
            ("quiet", "'quiet' is no filter"),
            ("check,", "'' is no filter"),
            ("check=1", "'check=1' is no filter"),
            ("score", "the filter 'score' needs a number"),
            ("score=0", "the filter 'score' needs"),
            ("pieces=33", "from 2 to 32"),
            ("thin=NaN", "between 0 and 1"),
        ] {
            let error = text.parse::<Filter>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn thinning_keeps_about_its_share_and_always_the_same() {
        let filter: Filter = "thin=0.25".parse().unwrap();
        let mut random = tandem_chess::Random::new(1);
        let mut tally = Tally::default();
        for _ in 0..60 {
            let record = crate::data::testing::random_record(&mut random, true);
            record.visit(|sample| {
                let reasons = filter.judge(sample);
                assert_eq!(filter.judge(sample), reasons);
                tally.count(reasons);
            });
        }
        let share = tally.kept as f64 / tally.seen as f64;
        assert!((0.2..0.3).contains(&share), "{share}");
        assert_eq!(tally.dropped_only_by(Reason::Thin), tally.seen - tally.kept);
    }
}
