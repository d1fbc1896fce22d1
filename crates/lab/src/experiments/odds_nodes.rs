//! Tables 1 and 2: how play at odds changes with the number of positions, with and without search-contempt.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use tandem_chess::Color;
use tandem_games::selfplay::{SideOptions, Start};
use tandem_games::statistics::{Estimate, Tally};

use crate::experiment::Usual;
use crate::picture::{Axis, COLORS, Chart, Curve, Mark};
use crate::report::{Content, Finding, Picture, Table, Verdict, percent};
use crate::setup::{list, no_repeats};
use crate::statistics::{apart, score};
use crate::temperature::options;
use crate::{Experiment, LabError, Plan, Point, Session, Setup};

/// Where games at odds begin: positions, and what the giver does without.
const STARTS: &str = include_str!("../../data/odds.txt");
const NODES: [u64; 8] = [100, 200, 400, 800, 2_000, 5_000, 10_000, 20_000];
/// What the paper's giver of queen odds scored: positions, per cent with plain PUCT, per cent with a limit of 28.
const PUBLISHED: [(u64, f64, f64); 3] =
    [(100, 23.4, 36.8), (800, 35.3, 57.8), (20_000, 25.4, 81.7)];

/// What is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Gift {
    /// A knight
    Knight,
    /// A rook
    Rook,
    /// The queen
    Queen,
}

impl Gift {
    const fn name(self) -> &'static str {
        match self {
            Self::Knight => "knight",
            Self::Rook => "rook",
            Self::Queen => "queen",
        }
    }

    /// How FEN writes the piece of Black that is missing.
    const fn letter(self) -> char {
        match self {
            Self::Knight => 'n',
            Self::Rook => 'r',
            Self::Queen => 'q',
        }
    }

    const fn picture(self) -> &'static str {
        match self {
            Self::Knight => "knight.svg",
            Self::Rook => "rook.svg",
            Self::Queen => "queen.svg",
        }
    }

    /// The limit of search-contempt: the paper's at queen odds, and what the bots that play so have at others.
    const fn limit(self) -> u64 {
        match self {
            Self::Knight => 60,
            Self::Rook => 40,
            Self::Queen => 28,
        }
    }

    /// Positions a move of the opponent: so few that the giver of these odds has a chance.
    const fn opponent(self) -> u64 {
        match self {
            Self::Knight => 600,
            Self::Rook => 400,
            Self::Queen => 300,
        }
    }

    /// Where games begin, and who gives.
    fn starts(self) -> Vec<(&'static str, Color)> {
        let letter = self.letter();
        let lines = STARTS.lines().filter_map(|line| line.split_once(';'));
        lines
            .filter_map(|(fen, gift)| match gift.trim().chars().next()? {
                first if first == letter => Some((fen.trim(), Color::Black)),
                first if first == letter.to_ascii_uppercase() => Some((fen.trim(), Color::White)),
                _ => None,
            })
            .collect()
    }
}

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct OddsNodes {
    /// What is given; several with commas between them
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Gift::Queen])]
    odds: Vec<Gift>,
    /// The limit of search-contempt; 28 at queen, 40 at rook, 60 at knight odds if not said
    #[arg(long, value_name = "LIMIT", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    limit: Option<u64>,
    /// Positions for each move of the opponent; 300 at queen, 400 at rook, 600 at knight odds if not said
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    opponent_nodes: Option<u64>,
    /// UCI options of the opponent
    #[arg(long, value_name = "OPTIONS", default_value = "option.Temperature=0.5")]
    opponent: SideOptions,
    /// UCI options of the giver, with search-contempt and without
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "option.Hash=64 option.Temperature=0.7 option.TempEndgame=0.1 option.TempDecayMoves=5"
    )]
    giver: SideOptions,
}

/// How the giver searches.
const VARIANTS: [&str; 2] = ["puct", "contempt"];

/// The games of a giver at some odds with some number of positions.
struct Series {
    odds: Gift,
    nodes: u64,
    /// What the giver won with plain PUCT, and with search-contempt.
    tallies: [Tally; 2],
}

impl Experiment for OddsNodes {
    fn usual(&self) -> Usual {
        Usual { nodes: &NODES, ..Usual::PAPER }
    }

    fn words(&self) -> Vec<String> {
        let odds: Vec<&str> = self.odds.iter().map(|odds| odds.name()).collect();
        let mut words = vec!["--odds".to_owned(), list(&odds)];
        let numbers = [("--limit", self.limit), ("--opponent-nodes", self.opponent_nodes)];
        for (option, value) in numbers {
            words
                .extend(value.into_iter().flat_map(|value| [option.to_owned(), value.to_string()]));
        }
        words.extend(["--opponent".to_owned(), self.opponent.to_string()]);
        words.extend(["--giver".to_owned(), self.giver.to_string()]);
        words
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        let names: Vec<&str> = self.odds.iter().map(|odds| odds.name()).collect();
        no_repeats("--odds", &names)?;
        let starts = self.odds.iter().map(|odds| odds.starts().len() as u64);
        let most = starts.max().unwrap_or(1);
        if setup.games < most {
            let sentence = format!(
                "--games {}: expected at least {most}, one from each position",
                setup.games
            );
            return Err(LabError::Settings(sentence));
        }
        let mut plans = Vec::new();
        for &odds in &self.odds {
            for &nodes in &setup.nodes {
                for variant in VARIANTS {
                    plans.extend(self.plans_of(setup, odds, nodes, variant));
                }
            }
        }
        Ok(plans)
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let points = session.play_all(plans)?;
        let mut rest = points.as_slice();
        let mut series = Vec::new();
        for &odds in &self.odds {
            for &nodes in &session.setup.nodes {
                let count = odds.starts().len();
                let tallies = VARIANTS.map(|_| {
                    let (now, later) = rest.split_at(count);
                    rest = later;
                    tally(now, odds)
                });
                series.push(Series { odds, nodes, tallies });
            }
        }
        let mut content = Content {
            question: "The paper says that at odds plain PUCT plays worse with more positions, because it believes \
                more and more in the best defence, and that search-contempt goes on getting better: against one \
                fixed opponent, PUCT at queen odds scored 23.4 % with 100 positions, 35.3 % with 800 and 25.4 % with \
                20,000, search-contempt 36.8, 57.8 and 81.7 %."
                .to_owned(),
            method: self.method(),
            results: Value::Array(series.iter().map(Series::json).collect()),
            ..Content::default()
        };
        for &odds in &self.odds {
            let of_odds: Vec<&Series> =
                series.iter().filter(|series| series.odds == odds).collect();
            content.tables.push(self.table(odds, &of_odds));
            content.pictures.push(picture(odds, &of_odds)?);
            content.findings.extend(findings(odds, &of_odds));
        }
        Ok(content)
    }
}

impl OddsNodes {
    fn limit(&self, odds: Gift) -> u64 {
        self.limit.unwrap_or(odds.limit())
    }

    fn opponent_nodes(&self, odds: Gift) -> u64 {
        self.opponent_nodes.unwrap_or(odds.opponent())
    }

    /// The games of one point, from each position nearly the same number.
    fn plans_of(&self, setup: &Setup, odds: Gift, nodes: u64, variant: &str) -> Vec<Plan> {
        let contempt = if variant == VARIANTS[1] {
            options(&format!("option.ScLimit={}", self.limit(odds)))
        } else {
            SideOptions::default()
        };
        let giver = self.giver.with(&contempt);
        let starts = odds.starts();
        let count = starts.len() as u64;
        let plan = |(place, (fen, color)): (usize, (&str, Color))| {
            let games = setup.games / count + u64::from((place as u64) < setup.games % count);
            let name = format!("{}-{nodes}-{variant}-{}", odds.name(), place + 1);
            let what = if variant == VARIANTS[1] { "search-contempt" } else { "PUCT" };
            let title =
                format!("{} odds, {nodes} positions, {what}, {}", odds.name(), describe(color));
            let mut sides = [(nodes, &giver), (self.opponent_nodes(odds), &self.opponent)];
            if color == Color::Black {
                sides.reverse();
            }
            Plan::of_sides(setup, &name, &title, sides, Start::Fen(fen.to_owned()), games)
        };
        starts.into_iter().enumerate().map(plan).collect()
    }

    fn method(&self) -> Vec<String> {
        let mut method = vec![
            "Each point's games are divided evenly among the start positions of the odds, with White and with Black as \
             the giver. No game ended early."
                .to_owned(),
            format!("The giver, in both variants: `{}`.", self.giver),
        ];
        for &odds in &self.odds {
            method.push(format!(
                "At {} odds: ScLimit {} against none; the opponent is this engine with {} positions a move and `{}`.",
                odds.name(),
                self.limit(odds),
                self.opponent_nodes(odds),
                self.opponent
            ));
        }
        method.push(
            "The paper's opponent and networks were other ones, so its scores show the course and not the height \
             that is to be expected."
                .to_owned(),
        );
        method
    }

    fn table(&self, odds: Gift, series: &[&Series]) -> Table {
        let contempt = format!("ScLimit {}", self.limit(odds));
        let mut table = Table::new(
            &format!("The giver of {} odds: wins, draws, losses and score.", odds.name()),
            &["positions", "PUCT", "score", "paper", &contempt, "score", "paper", "difference"],
        );
        for series in series {
            let [puct, contempt] = &series.tallies;
            let paper = PUBLISHED.iter().find(|row| row.0 == series.nodes && odds == Gift::Queen);
            let theirs = |value: fn(&(u64, f64, f64)) -> f64| {
                paper.map_or("-".to_owned(), |row| format!("{:.1} %", value(row)))
            };
            let counts =
                |tally: &Tally| format!("{}-{}-{}", tally.wins(), tally.draws(), tally.losses());
            table.rows.push(vec![
                series.nodes.to_string(),
                counts(puct),
                percent(score(puct)),
                theirs(|row| row.1),
                counts(contempt),
                percent(score(contempt)),
                theirs(|row| row.2),
                percent(series.gain()),
            ]);
        }
        table
    }
}

const fn describe(giver: Color) -> &'static str {
    match giver {
        Color::White => "White gives",
        Color::Black => "Black gives",
    }
}

/// The giver's results over all positions.
fn tally(points: &[Point], odds: Gift) -> Tally {
    let mut all = Tally::default();
    for (point, (_, color)) in points.iter().zip(odds.starts()) {
        let results = point.results();
        let white = Tally::new(results.wins, results.draws, results.losses, [0; 5]);
        let white = white.expect("without pairs every count is possible");
        all.merge(&if color == Color::White { white } else { white.swapped() });
    }
    all
}

impl Series {
    /// By how much search-contempt scores more.
    fn gain(&self) -> Option<Estimate> {
        let [puct, contempt] = &self.tallies;
        Some(apart(score(contempt)?, score(puct)?))
    }

    fn json(&self) -> Value {
        let side = |tally: &Tally| {
            json!({
                "wins": tally.wins(), "draws": tally.draws(), "losses": tally.losses(), "score": score(tally),
            })
        };
        let [puct, contempt] = &self.tallies;
        json!({
            "odds": self.odds.name(), "nodes": self.nodes, "puct": side(puct),
            "contempt": side(contempt), "gain": self.gain(),
        })
    }
}

/// What the paper says about such a course.
fn findings(odds: Gift, series: &[&Series]) -> Vec<Finding> {
    let mut order = series.to_vec();
    order.sort_by_key(|series| series.nodes);
    let (Some(first), Some(last)) = (order.first(), order.last()) else { return Vec::new() };
    if first.nodes == last.nodes {
        return Vec::new();
    }
    let name = odds.name();
    let of = |series: &Series, variant: usize| score(&series.tallies[variant]);
    let value = |series: &&&Series| of(series, 0).map_or(0.0, |score| score.value);
    // Of several that are best, the one with the fewest positions.
    let best = order.iter().rev().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(last);
    let compare = |one: Option<Estimate>, other: Option<Estimate>| Some(apart(one?, other?));
    let fall = compare(of(best, 0), of(last, 0));
    let (fall_said, fall_verdict) = if best.nodes == last.nodes {
        (
            format!("the best score is that with the most positions, {}", percent(of(last, 0))),
            Verdict::Differs,
        )
    } else {
        let said = format!(
            "best with {} positions, {}; with {} lower by {}",
            best.nodes,
            percent(of(best, 0)),
            last.nodes,
            percent(fall)
        );
        (said, Verdict::above(fall, 0.0))
    };
    let rise = compare(of(last, 1), of(first, 1));
    vec![
        Finding::new(
            format!("{name} odds: PUCT's score rises, and falls again with more positions"),
            fall_said,
            fall_verdict,
        ),
        Finding::new(
            format!(
                "{name} odds: with search-contempt {} positions score more than {}",
                last.nodes, first.nodes
            ),
            format!("{} more", percent(rise)),
            Verdict::above(rise, 0.0),
        ),
        Finding::new(
            format!(
                "{name} odds: with {} positions search-contempt scores more than PUCT",
                last.nodes
            ),
            format!("{} more", percent(last.gain())),
            Verdict::above(last.gain(), 0.0),
        ),
    ]
}

fn picture(odds: Gift, series: &[&Series]) -> Result<Picture, LabError> {
    let mut order = series.to_vec();
    order.sort_by_key(|series| series.nodes);
    let curve = |variant: usize, name: &str| {
        let at = |series: &&Series| {
            let score = score(&series.tallies[variant])?;
            Some((
                series.nodes as f64,
                100.0 * score.value,
                100.0 * score.lower,
                100.0 * score.upper,
            ))
        };
        Curve {
            name: name.to_owned(),
            color: COLORS[variant],
            mark: Mark::Line,
            points: order.iter().filter_map(at).collect(),
        }
    };
    let chart = Chart {
        x: Axis { title: "positions for each move of the giver", is_log: true },
        y: Axis { title: "score of the giver, per cent", is_log: false },
        curves: vec![curve(0, "PUCT"), curve(1, "search-contempt")],
    };
    let file = odds.picture();
    let caption = format!("Score of the giver of {} odds by positions a move", odds.name());
    Ok(Picture { file, caption, svg: chart.svg(file)? })
}

#[cfg(test)]
mod tests {
    use tandem_engine::Odds;

    use super::*;

    #[test]
    fn each_colour_gives_from_equally_many_sound_positions() {
        for (odds, missing) in [(Gift::Knight, 2), (Gift::Rook, 1), (Gift::Queen, 1)] {
            let starts = odds.starts();
            for color in Color::ALL {
                assert_eq!(starts.iter().filter(|start| start.1 == color).count(), missing);
            }
            for (fen, color) in starts {
                let given = Odds::given(&fen.parse().unwrap(), color);
                let preset = [Odds::Knight, Odds::Rook, Odds::Queen][odds as usize];
                assert_eq!(given, Some(preset), "{fen}");
            }
        }
    }

    #[test]
    fn a_course_that_falls_at_its_end_is_seen() {
        let of = |wins, nodes| Series {
            odds: Gift::Queen,
            nodes,
            tallies: [wins, 500].map(|wins| Tally::new(wins, 0, 1000 - wins, [0; 5]).unwrap()),
        };
        let (low, high, end) = (of(200, 100), of(500, 800), of(250, 20_000));
        let verdicts = |series: &[&Series]| {
            findings(Gift::Queen, series).iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        assert_eq!(
            verdicts(&[&low, &end, &high]),
            [Verdict::Agrees, Verdict::Open, Verdict::Agrees]
        );
        assert_eq!(verdicts(&[&low, &high])[0], Verdict::Differs);
        assert_eq!(verdicts(&[&low]), []);
        assert!(low.gain().unwrap().value > 0.29);
    }
}
