//! Figure 6: how often games come to positions that a short look misjudges.

use clap::Args;
use serde_json::{Value, json};
use tandem_games::selfplay::player;

use super::{contempt_wdl, temperature_wdl};
use crate::picture::{Axis, COLORS, Chart, Curve, Mark};
use crate::plan::base;
use crate::probes::{Gauge, Probe};
use crate::report::{Content, Finding, Picture, Table, Verdict, estimate, percent};
use crate::setup::{list, no_repeats};
use crate::statistics::{difference, mean, share, times};
use crate::temperature::{TAU1, TAU2, options};
use crate::{Experiment, LabError, Plan, Session, Setup};
use tandem_games::statistics::Estimate;

const PICTURE: &str = "interesting.svg";
/// Plain PUCT that always plays the best move, whatever the games were played with.
const JUDGE: &str = "option.Temperature=0 option.ScLimit=1000000000 option.Hash=32";
/// How many times as many interesting positions the paper counts on.
const PUBLISHED: (f64, f64) = (20.0, 30.0);

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct Interesting {
    /// The limits of search-contempt whose games are looked through
    #[arg(long, value_delimiter = ',', default_values_t = [1, 5, 10, 20, 32, 1_000_000], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    limits: Vec<u64>,
    /// Positions of each setting's games that are looked at
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// Playouts of a short look
    #[arg(long, value_name = "PLAYOUTS", default_value_t = 48, value_parser = clap::value_parser!(u64).range(1..))]
    shallow: u64,
    /// Playouts of a long look
    #[arg(long, value_name = "PLAYOUTS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    deep: u64,
    /// Interesting is where the expected score (0 to 1) after the two differs by more than this
    #[arg(long, default_value_t = 0.2, value_parser = margin)]
    margin: f64,
}

fn margin(text: &str) -> Result<f64, &'static str> {
    let value: Option<f64> = text.parse().ok();
    value.filter(|value| (0.0..1.0).contains(value)).ok_or("expected a number from 0 to below 1")
}

/// What was seen in the games of a setting.
struct Row {
    name: String,
    title: String,
    /// None without search-contempt.
    limit: Option<u64>,
    probes: Vec<Probe>,
    interesting: u64,
}

impl Row {
    fn counts(&self) -> (u64, u64) {
        (self.interesting, self.probes.len() as u64)
    }

    fn share(&self) -> Option<Estimate> {
        share(self.interesting, self.probes.len() as u64)
    }

    fn surprise(&self) -> Option<Estimate> {
        mean(&self.probes.iter().map(Probe::surprise).collect::<Vec<_>>())
    }
}

impl Experiment for Interesting {
    fn words(&self) -> Vec<String> {
        [
            ("--limits", list(&self.limits)),
            ("--positions", self.positions.to_string()),
            ("--shallow", self.shallow.to_string()),
            ("--deep", self.deep.to_string()),
            ("--margin", self.margin.to_string()),
        ]
        .into_iter()
        .flat_map(|(option, value)| [option.to_owned(), value])
        .collect()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        no_repeats("--limits", &self.limits)?;
        if self.shallow >= self.deep {
            let sentence =
                format!("--shallow {}: expected less than --deep {}", self.shallow, self.deep);
            return Err(LabError::Settings(sentence));
        }
        let limits = self.limits.iter().map(|&limit| contempt_wdl::plan(setup, limit));
        let taus = [TAU1, TAU2];
        Ok(limits.chain(taus.iter().map(|tau| temperature_wdl::plan(setup, tau))).collect())
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let setup = session.setup;
        let gauge = Gauge {
            player: player("judge", self.deep, &base(&setup.both), &options(JUDGE)),
            shallow: self.shallow,
            deep: self.deep,
            seed: setup.seed,
        };
        let points = session.play_all(plans)?;
        let limits = self.limits.iter().map(|&limit| Some(limit)).chain([None, None]);
        let mut rows = Vec::new();
        for (point, limit) in points.iter().zip(limits) {
            let probes = session.probe(point, &gauge, self.positions as usize)?;
            let interesting = probes.iter().filter(|probe| probe.surprise() > self.margin).count();
            let (name, title) = (point.plan.name.clone(), point.plan.title.clone());
            rows.push(Row { name, title, limit, probes, interesting: interesting as u64 });
        }
        let plain = &rows[self.limits.len()];
        Ok(Content {
            question: "The paper says that search-contempt leads games to positions that a quick look misjudges, and \
                that such interesting positions are 20 to 30 times as frequent with a low limit; it judged that by \
                looking through games. Here interesting is a position whose expected score changes by more than a \
                margin between a short and a long search."
                .to_owned(),
            method: vec![
                format!("Games of self-play, {} of each setting, {} positions a move; limits with the temperature tau1.", setup.games, setup.nodes[0]),
                "Games of `contempt-wdl` and `temperature-wdl` with the same settings in folders beside this one are taken \
                 over, not played again."
                    .to_owned(),
                format!(
                    "From each setting's games {} positions by chance, each at most once, whoever is to move. Each is searched by \
                     plain PUCT (`{JUDGE}`) with {} playouts and, with an empty tree again, with {}; interesting is a difference \
                     of the expected score, from 0 to 1, above {}.",
                    self.positions, self.shallow, self.deep, self.margin
                ),
                "Positions of one game depend on each other, so the intervals are somewhat too narrow.".to_owned(),
                format!("tau1 is `{}`.", TAU1.options),
                format!("tau2 is `{}`.", TAU2.options),
            ],
            findings: findings(&rows, plain),
            tables: vec![table(&rows, plain)],
            pictures: vec![picture(&rows)?],
            results: rows.iter().map(|row| json_of(row, plain)).collect(),
        })
    }
}

fn table(rows: &[Row], plain: &Row) -> Table {
    let mut table = Table::new(
        "Positions whose expected score a long search sees otherwise than a short one.",
        &[
            "games of",
            "positions",
            "interesting",
            "share",
            "times PUCT with tau1",
            "mean difference",
        ],
    );
    for row in rows {
        table.rows.push(vec![
            row.title.clone(),
            row.probes.len().to_string(),
            row.interesting.to_string(),
            percent(row.share()),
            estimate(times(row.counts(), plain.counts()), 2),
            estimate(row.surprise(), 3),
        ]);
    }
    table
}

fn json_of(row: &Row, plain: &Row) -> Value {
    json!({
        "name": row.name, "limit": row.limit, "positions": row.probes.len(),
        "interesting": row.interesting, "share": row.share(),
        "times_puct": times(row.counts(), plain.counts()), "mean_difference": row.surprise(),
    })
}

fn findings(rows: &[Row], plain: &Row) -> Vec<Finding> {
    let limited = rows.iter().filter(|row| row.limit.is_some());
    let Some(low) = limited.min_by_key(|row| row.limit) else { return Vec::new() };
    let more = difference(low.counts(), plain.counts());
    let many = times(low.counts(), plain.counts());
    let (from, to) = PUBLISHED;
    let verdict = match many {
        Some(many) if many.lower > to || many.upper < from => Verdict::Differs,
        Some(many) if (from..=to).contains(&many.value) => Verdict::Agrees,
        _ => Verdict::Open,
    };
    vec![
        Finding::new(
            format!(
                "Games with {} come to more interesting positions than PUCT with tau1",
                low.title
            ),
            format!(
                "{} against {}: {} more",
                percent(low.share()),
                percent(plain.share()),
                percent(more)
            ),
            Verdict::above(more, 0.0),
        ),
        Finding::new(
            format!("They do so {from:.0} to {to:.0} times as often (the paper's impression)"),
            format!("{} times", estimate(many, 2)),
            verdict,
        ),
    ]
}

fn picture(rows: &[Row]) -> Result<Picture, LabError> {
    let mut points: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let share = row.share()?;
            Some((row.limit? as f64, 100.0 * share.value, 100.0 * share.lower, 100.0 * share.upper))
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ends =
        [points.first().map_or(1.0, |point| point.0), points.last().map_or(1.0, |point| point.0)];
    let level = |row: &Row, color| {
        let value = 100.0 * row.share().map_or(0.0, |share| share.value);
        let points = ends.map(|x| (x, value, value, value)).to_vec();
        Curve { name: row.title.clone(), color, mark: Mark::Line, points }
    };
    let mut curves =
        vec![Curve { name: "limits, tau1".to_owned(), color: COLORS[0], mark: Mark::Line, points }];
    let plain = rows.iter().filter(|row| row.limit.is_none());
    curves.extend(plain.zip([COLORS[5], COLORS[1]]).map(|(row, color)| level(row, color)));
    let chart = Chart {
        x: Axis { title: "ScLimit", is_log: true },
        y: Axis { title: "interesting positions, per cent", is_log: false },
        curves,
    };
    let caption = "The share of interesting positions by ScLimit".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
}
