//! The hybrid's verdict: who is right where both searches do not agree, and a model that foresees it.

use clap::Args;
use serde_json::{Value, json};
use tandem_engine::verdict::{COUNT, Fitting, Model, NAMES, Sample, Test, mean_gain};
use tandem_games::selfplay::player;
use tandem_games::statistics::Estimate;

use super::temperature_wdl;
use crate::picture::{Axis, COLORS, Chart, Curve, Mark};
use crate::plan::base;
use crate::probes::{Dispute, Disputes};
use crate::report::{self, Content, Finding, Picture, Table, estimate, number, percent};
use crate::statistics::{mean, share};
use crate::temperature::{TAU2, options};
use crate::{Experiment, LabError, Plan, Session, Setup, Usual};

const PICTURE: &str = "verdict.svg";
/// The file of the model, beside the report.
const MODEL: &str = "verdict.toml";
/// The types of positions, as the classifier calls them.
const KINDS: [&str; 5] =
    ["highly tactical", "tactical", "balanced", "strategic", "highly strategic"];
/// How many parts the probabilities are divided in to see whether they are what they say.
const BINS: usize = 5;

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct Verdict {
    /// Positions in which both searches are asked
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,
    /// Half-moves after which positions are no longer looked at: later most are decided
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    plies: u32,
    /// Milliseconds that the tandem thinks
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(5..=3_600_000))]
    milliseconds: u64,
    /// Threads of the tandem
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Positions that alpha-beta visits to decide for each of two moves
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    deep: u64,
    /// How strongly the weights of the model are drawn to nothing
    #[arg(long, default_value_t = 0.05, value_parser = number_from_0)]
    ridge: f64,
    /// The probability from which on the model plays the explored move
    #[arg(long, default_value_t = 0.55, value_parser = number_from_0)]
    threshold: f64,
}

fn number_from_0(text: &str) -> Result<f64, &'static str> {
    let value: Option<f64> = text.parse().ok();
    value.filter(|value| (0.0..=1000.0).contains(value)).ok_or("expected a number from 0 to 1000")
}

impl Experiment for Verdict {
    fn usual(&self) -> Usual {
        Usual { games: 200, nodes: &[400] }
    }

    fn words(&self) -> Vec<String> {
        [
            ("--positions", self.positions.to_string()),
            ("--plies", self.plies.to_string()),
            ("--milliseconds", self.milliseconds.to_string()),
            ("--threads", self.threads.to_string()),
            ("--deep", self.deep.to_string()),
            ("--ridge", self.ridge.to_string()),
            ("--threshold", self.threshold.to_string()),
        ]
        .into_iter()
        .flat_map(|(option, value)| [option.to_owned(), value])
        .collect()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        Ok(vec![temperature_wdl::plan(setup, &TAU2)])
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let setup = session.setup;
        let own = format!(
            "option.SearchMode=Hybrid option.Threads={} option.Hash=64 option.Temperature=0",
            self.threads
        );
        let gauge = Disputes {
            player: player("tandem", 1, &base(&setup.both), &options(&own)),
            milliseconds: self.milliseconds,
            deep: self.deep,
            plies: self.plies as usize,
            seed: setup.seed,
        };
        let points = session.play_all(plans)?;
        let mut disputes = Vec::new();
        for point in &points {
            disputes.extend(session.probe(point, &gauge, self.positions as usize)?);
        }
        let samples: Vec<Sample> = disputes.iter().filter_map(sample).collect();
        let fitting =
            Fitting { ridge: self.ridge, threshold: self.threshold, ..Fitting::default() };
        let (model, tests) = fitting.fit(&samples, &format!("`{}`", setup.command()));
        let text = model.to_text().map_err(LabError::Settings)?;
        session.publish(MODEL, &text)?;
        Ok(Content {
            question: "The hybrid paper's verifier overrules by fixed thresholds. Here a much deeper search says \
                which of two moves was the better one, and a small model learns to foresee that from what is \
                known when the move has to be chosen. It is of use only if on games that it has not seen it scores \
                more than always playing alpha-beta's move."
                .to_owned(),
            method: vec![
                format!(
                    "Positions of self-play ({} games, {} positions a move, temperature tau2 for variety), chosen by \
                     chance from the first {} half-moves, each at most once. The tandem thinks {} ms with {} threads, remembering nothing.",
                    setup.games, setup.nodes[0], self.plies, self.milliseconds, self.threads
                ),
                format!(
                    "Where its searches would play different moves and neither is certain, alpha-beta alone looks at \
                     each of the moves with {} positions; the gain is the difference of the expected scores, from 0 \
                     to 1.",
                    self.deep
                ),
                format!(
                    "Logistic regression on {} with a ridge of {}, each disagreement weighted by its gain or loss, so \
                     that a probability of one half means that nothing is expected; signs are held where they must be. \
                     Games are divided in {} parts, each judged by a model of the others; these judgements calibrate \
                     the probabilities and are what the tests say. The explored move is played from {} on.",
                    NAMES.join(", "), self.ridge, fitting.folds, self.threshold
                ),
                format!("The model is kept beside this report in `{MODEL}`; in the program it is `crates/hybrid/data/verdict.toml`."),
            ],
            findings: findings(&samples, &tests),
            tables: vec![kinds(&disputes), decisions(&samples, &tests), calibration(&tests), weights(&model)],
            pictures: vec![picture(&tests)?],
            results: results(&disputes, &samples, &tests, &model),
        })
    }
}

/// A decided disagreement as the model learns from it.
fn sample(dispute: &Dispute) -> Option<Sample> {
    let features: [f64; COUNT] = dispute.features.clone()?.try_into().ok()?;
    Some(Sample { game: dispute.game, features, gain: dispute.gain()? })
}

fn findings(samples: &[Sample], tests: &[Test]) -> Vec<Finding> {
    let gained: Vec<f64> = tests.iter().map(Test::gained).collect();
    let always: Vec<f64> = samples.iter().map(|sample| sample.gain).collect();
    let claim = |claim: &str, measured: Option<Estimate>| {
        Finding::new(claim, estimate(measured, 4), report::Verdict::above(measured, 0.0))
    };
    vec![
        claim(
            "On games that it has not seen the model gains expected score over alpha-beta",
            mean(&gained),
        ),
        claim("Always playing the explored move gains expected score", mean(&always)),
    ]
}

fn kinds(disputes: &[Dispute]) -> Table {
    let mut table = Table::new(
        "How often the searches would play different moves, and how good the explored ones are.",
        &[
            "type",
            "positions",
            "disagreements",
            "share",
            "decided",
            "gain of the explored move",
            "better",
        ],
    );
    let rows = KINDS.iter().map(|&kind| (kind, Some(kind))).chain([("all", None)]);
    for (title, kind) in rows {
        let of_kind: Vec<&Dispute> =
            disputes.iter().filter(|d| kind.is_none_or(|kind| d.kind == kind)).collect();
        let apart = of_kind.iter().filter(|d| d.is_disagreement()).count() as u64;
        let gains: Vec<f64> = of_kind.iter().filter_map(|d| d.gain()).collect();
        let better = gains.iter().filter(|gain| **gain > 0.0).count() as u64;
        table.rows.push(vec![
            title.to_owned(),
            of_kind.len().to_string(),
            apart.to_string(),
            percent(share(apart, of_kind.len() as u64)),
            gains.len().to_string(),
            estimate(mean(&gains), 4),
            percent(share(better, gains.len() as u64)),
        ]);
    }
    table
}

fn decisions(samples: &[Sample], tests: &[Test]) -> Table {
    let mut table = Table::new(
        "Expected score gained for each disagreement over alpha-beta's move, on games that were not fitted.",
        &["who decides", "explored moves played", "gain for each disagreement"],
    );
    let mut row = |who: &str, gains: Vec<f64>, played: usize| {
        let cells = [who.to_owned(), played.to_string(), estimate(mean(&gains), 4)];
        table.rows.push(cells.into());
    };
    let played = tests.iter().filter(|test| test.is_played).count();
    let right = samples.iter().filter(|sample| sample.gain > 0.0).count();
    row("always alpha-beta", vec![0.0; samples.len()], 0);
    row("always the explored move", samples.iter().map(|s| s.gain).collect(), samples.len());
    row("the model", tests.iter().map(Test::gained).collect(), played);
    row("whoever is right", samples.iter().map(|s| s.gain.max(0.0)).collect(), right);
    table
}

/// Tests by probability: what was predicted, and the share of what was at stake that was won.
fn bins(tests: &[Test]) -> Vec<(f64, f64, usize)> {
    (0..BINS)
        .filter_map(|bin| {
            let [low, high] = [bin, bin + 1].map(|end| end as f64 / BINS as f64);
            let is_in = |test: &&Test| {
                test.probability >= low && (test.probability < high || bin + 1 == BINS)
            };
            let some: Vec<&Test> = tests.iter().filter(is_in).collect();
            let stake: f64 = some.iter().map(|test| test.gain.abs()).sum();
            let won: f64 = some.iter().map(|test| test.gain.max(0.0)).sum();
            let expected: f64 = some.iter().map(|t| t.probability * t.gain.abs()).sum();
            (stake > 0.0).then(|| (expected / stake, won / stake, some.len()))
        })
        .collect()
}

fn calibration(tests: &[Test]) -> Table {
    let mut table = Table::new(
        "Whether probabilities are what they say: the share of what was at stake that the explored move won.",
        &["predicted", "won", "disagreements"],
    );
    for (predicted, won, count) in bins(tests) {
        table.rows.push(vec![number(Some(predicted), 3), number(Some(won), 3), count.to_string()]);
    }
    table
}

fn weights(model: &Model) -> Table {
    let mut table = Table::new(
        "The model of all games: what one spread more of a feature adds to the log odds.",
        &["feature", "mean", "spread", "weight"],
    );
    for feature in &model.features {
        let cells = [feature.mean, feature.spread, feature.weight];
        let cells = cells.map(|value| number(Some(value), 4));
        table.rows.push([vec![feature.name.clone()], cells.into()].concat());
    }
    table
}

fn results(disputes: &[Dispute], samples: &[Sample], tests: &[Test], model: &Model) -> Value {
    let [gain, error] = mean_gain(tests);
    let bins: Vec<Value> = bins(tests)
        .into_iter()
        .map(
            |(predicted, won, count)| json!({ "predicted": predicted, "won": won, "count": count }),
        )
        .collect();
    json!({
        "positions": disputes.len(),
        "disagreements": disputes.iter().filter(|dispute| dispute.is_disagreement()).count(),
        "decided": samples.len(),
        "held_out_gain": gain, "standard_error": error,
        "explored_moves_played": tests.iter().filter(|test| test.is_played).count(),
        "calibration": bins,
        "model": model,
    })
}

fn picture(tests: &[Test]) -> Result<Picture, LabError> {
    let curve = |name: &str, color, points: Vec<(f64, f64)>| Curve {
        name: name.to_owned(),
        color,
        mark: Mark::Line,
        points: points.into_iter().map(|(x, y)| (x, y, y, y)).collect(),
    };
    let measured = bins(tests).into_iter().map(|(predicted, won, _)| (predicted, won)).collect();
    let chart = Chart {
        x: Axis { title: "predicted", is_log: false },
        y: Axis { title: "won", is_log: false },
        curves: vec![
            curve("tests", COLORS[0], measured),
            curve("as predicted", COLORS[5], vec![(0.0, 0.0), (1.0, 1.0)]),
        ],
    };
    let caption = "Predicted and won shares of what was at stake".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decided_disagreements_are_learnt_from() {
        let dispute = Dispute {
            game: 3,
            ply: 20,
            kind: "balanced".to_owned(),
            proven: Some("e2e4".to_owned()),
            explored: Some("d2d4".to_owned()),
            features: Some(vec![0.5; COUNT]),
            deep: Some([0.5, 0.6]),
        };
        let sample = sample(&dispute).unwrap();
        assert!((sample.gain - 0.1).abs() < 1e-12 && sample.game == 3);
        assert!(super::sample(&Dispute { deep: None, ..dispute.clone() }).is_none());
        assert!(super::sample(&Dispute { features: None, ..dispute.clone() }).is_none());
        let agreed = Dispute { explored: dispute.proven.clone(), ..dispute };
        assert!(!agreed.is_disagreement());
    }

    #[test]
    fn stakes_are_won_as_often_as_gains_say() {
        let test = |probability, gain| Test { probability, gain, is_played: false };
        let tests = [test(0.1, -0.3), test(0.1, 0.1), test(0.9, 0.2), test(1.0, 0.2)];
        let bins = bins(&tests);
        assert_eq!(bins.len(), 2);
        assert!((bins[0].0 - 0.1).abs() < 1e-12 && (bins[0].1 - 0.25).abs() < 1e-12);
        assert!((bins[1].0 - 0.95).abs() < 1e-12 && (bins[1].1 - 1.0).abs() < 1e-12);
    }
}
