//! Table 3: search-contempt against much temperature, with as many decisive games in self-play.

use clap::Args;
use serde_json::json;
use tandem_games::controller::{Controller, Effect};
use tandem_games::selfplay::{self, SideOptions};
use tandem_games::statistics::{Estimate, Summary, Tally, elo_of_score};

use super::contempt_wdl;
use super::schedule::{Aim, target};
use super::temperature_wdl;
use crate::experiment::Usual;
use crate::paper;
use crate::picture::{Bar, bars};
use crate::report::{Content, Finding, Picture, Table, Verdict, estimate, percent};
use crate::statistics::{difference, score};
use crate::temperature::{TAU1, TAU2, options};
use crate::tuning::Tuning;
use crate::versus::{Outcome, Versus};
use crate::wdl::{self, Row};
use crate::{Experiment, LabError, Plan, Point, Session, Setup};

const PICTURE: &str = "match.svg";
/// What the paper's player with search-contempt won, drew and lost, always with Black.
const PUBLISHED: [u64; 3] = [37, 46, 17];
/// Among these temperatures one is looked for.
const TEMPERATURES: (f64, f64) = (0.1, 5.0);

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct ContemptMatch {
    /// The limit of search-contempt
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), conflicts_with = "balance")]
    limit: u64,
    /// Temperature of the player with search-contempt; the paper's tau1 if not said
    #[arg(long, value_name = "OPTIONS", default_value = TAU1.options, hide_default_value = true)]
    temperature_contempt: SideOptions,
    /// Temperature of plain PUCT; the paper's tau2 if not said
    #[arg(long, value_name = "OPTIONS", default_value = TAU2.options, hide_default_value = true)]
    temperature_puct: SideOptions,
    /// Games of self-play for each setting, before the match
    #[arg(long, value_name = "GAMES", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=selfplay::MOST_GAMES))]
    selfplay_games: u64,
    /// Look first for the limit, and for the height of plain PUCT's temperature, with which (w+l)/d is the
    /// target in self-play
    #[arg(long)]
    balance: bool,
    /// The (w+l)/d that is looked for
    #[arg(long, default_value_t = 1.38, value_parser = target, requires = "balance")]
    target: f64,
    #[command(flatten)]
    aim: Aim,
}

/// The two players, each with its games of self-play.
struct Sides {
    contempt: SideOptions,
    puct: SideOptions,
    points: [Point; 2],
    tunings: Vec<Tuning>,
}

impl Experiment for ContemptMatch {
    fn usual(&self) -> Usual {
        Usual { games: 400, ..Usual::PAPER }
    }

    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.balance {
            words.extend(["--balance".to_owned(), "--target".to_owned(), self.target.to_string()]);
            words.extend(self.aim.words());
        } else {
            words.extend(["--limit".to_owned(), self.limit.to_string()]);
        }
        for (option, value) in [
            ("--temperature-contempt", self.temperature_contempt.to_string()),
            ("--temperature-puct", self.temperature_puct.to_string()),
            ("--selfplay-games", self.selfplay_games.to_string()),
        ] {
            words.extend([option.to_owned(), value]);
        }
        words
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        if !setup.games.is_multiple_of(2) {
            let sentence = format!(
                "--games {}: expected an even number, half of them with each colour",
                setup.games
            );
            return Err(LabError::Settings(sentence));
        }
        let plans =
            vec![self.of_limit(setup, self.limit), self.of_puct(setup, &self.temperature_puct)];
        if self.balance && heights(&plans[1]).is_none() {
            let sentence =
                "--temperature-puct: --balance needs a Temperature above 0 in it".to_owned();
            return Err(LabError::Settings(sentence));
        }
        Ok(plans)
    }

    fn most_games(&self, setup: &Setup, plans: &[Plan]) -> u64 {
        let rounds = if self.balance { u64::from(self.aim.rounds) } else { 1 };
        rounds * plans.iter().map(|plan| plan.settings.games).sum::<u64>() + setup.games
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let setup = session.setup;
        let sides = if self.balance {
            self.balance(session, &plans[1])?
        } else {
            let points = session.play_all(plans)?;
            let points = points.try_into().expect("two plans give two points");
            let contempt = self.contempt(self.limit);
            Sides { contempt, puct: self.temperature_puct.clone(), points, tunings: Vec::new() }
        };
        let colour = |colour: &str| format!("search-contempt has {colour}");
        let versus = Versus {
            names: ["white", "black"].map(|colour| format!("match-contempt-{colour}")),
            titles: ["White", "Black"].map(colour),
            nodes: setup.nodes[0],
            sides: [&sides.contempt, &sides.puct],
            games: setup.games,
        };
        let Outcome { all: tally, colours } = versus.play(session)?;
        Ok(Content {
            question: "Both search-contempt and much temperature decide games that would otherwise be drawn. The \
                paper says that search-contempt does so at less cost in strength: with equal (w+l)/d in self-play, 1.38, \
                a limit of 5 won 37, drew 46 and lost 17 games against plain PUCT with tau2, +70 Elo."
                .to_owned(),
            method: self.method(setup, &sides),
            findings: findings(&sides.points, &tally),
            tables: self.tables(&sides, &tally, &colours),
            pictures: vec![picture(&tally)?, wdl::picture(&rows(&sides.points, self.balance))?],
            results: json!({
                "match": Summary::from(tally),
                "contempt_white": Summary::from(colours[0]), "contempt_black": Summary::from(colours[1]),
                "contempt": sides.contempt.to_string(), "puct": sides.puct.to_string(),
                "tunings": sides.tunings.iter().map(Tuning::json).collect::<Vec<_>>(),
            }),
        })
    }
}

impl ContemptMatch {
    fn contempt(&self, limit: u64) -> SideOptions {
        options(&format!("option.ScLimit={limit}")).with(&self.temperature_contempt)
    }

    /// Self-play with search-contempt.
    fn of_limit(&self, setup: &Setup, limit: u64) -> Plan {
        let mut plan = contempt_wdl::plan(setup, limit);
        let own = self.contempt(limit);
        plan.settings = Plan::alike(setup, &plan.name, &plan.title, setup.nodes[0], &own).settings;
        plan.settings.games = self.selfplay_games;
        plan
    }

    /// Self-play without search-contempt.
    fn of_puct(&self, setup: &Setup, own: &SideOptions) -> Plan {
        let mut plan = temperature_wdl::plan(setup, &TAU2);
        if own.to_string() != TAU2.options {
            "PUCT".clone_into(&mut plan.title);
            "puct".clone_into(&mut plan.name);
        }
        plan.settings = Plan::alike(setup, &plan.name, &plan.title, setup.nodes[0], own).settings;
        plan.settings.games = self.selfplay_games;
        plan
    }

    /// Plain PUCT's options with another height of the temperature.
    fn at_height(&self, (start, endgame): (f64, f64), height: f64) -> SideOptions {
        let endgame = endgame * height / start;
        self.temperature_puct.with(&options(&format!(
            "option.Temperature={height:.2} option.TempEndgame={endgame:.3}"
        )))
    }

    /// Looks for both levers' settings.
    fn balance(&self, session: &mut Session<'_>, puct: &Plan) -> Result<Sides, LabError> {
        let setup = session.setup;
        let limits = self.aim.limits(setup.nodes[0], self.target);
        let contempt = Tuning::run(session, limits, |limit| self.of_limit(setup, limit as u64))?;
        let known = heights(puct).expect("looked at before the first game");
        let controller = Controller {
            range: TEMPERATURES,
            grid: 0.01,
            effect: Effect::Rising,
            target: self.target,
            tolerance: self.aim.tolerance,
            rounds: self.aim.rounds.into(),
            first: None,
        };
        let puct = Tuning::run(session, controller, |height| {
            let mut plan = self.of_puct(setup, &self.at_height(known, height));
            plan.name = format!("puct-temperature-{height:.2}");
            plan.title = format!("PUCT, temperature {height:.2}");
            plan.siblings = &[];
            plan
        })?;
        Ok(Sides {
            contempt: self.contempt(contempt.found().0 as u64),
            puct: self.at_height(known, puct.found().0),
            points: [contempt.found().1.clone(), puct.found().1.clone()],
            tunings: vec![contempt, puct],
        })
    }

    fn method(&self, setup: &Setup, sides: &Sides) -> Vec<String> {
        let mut method = vec![
            format!(
                "Match of {} games from the start position, {} positions a move for both players, half of the games with each \
                 colour, each game with seeds of its own, so that temperature makes them differ. No game ended early.",
                setup.games, setup.nodes[0]
            ),
            format!("Search-contempt: `{}`.", sides.contempt),
            format!("Plain PUCT: `{}`.", sides.puct),
            "The interval of Elo is that of independent games: no opening is shared.".to_owned(),
        ];
        if self.balance {
            method.push(format!(
                "Both were first brought to (w+l)/d {} in self-play, {} games a step, near enough within a factor of {}: \
                 search-contempt by its limit, plain PUCT by the height of its temperature (TempEndgame in proportion).",
                self.target, self.selfplay_games, self.aim.tolerance
            ));
        } else {
            method.push(format!(
                "(w+l)/d of each comes from {} games of self-play.",
                self.selfplay_games
            ));
        }
        method
    }

    fn tables(&self, sides: &Sides, tally: &Tally, colours: &[Tally; 2]) -> Vec<Table> {
        let mut table = Table::new(
            "The match, results for search-contempt.",
            &["", "W-D-L", "score", "Elo", "paper"],
        );
        let mut row = |name: &str, tally: &Tally, paper: String| {
            table.rows.push(vec![
                name.to_owned(),
                format!("{}-{}-{}", tally.wins(), tally.draws(), tally.losses()),
                percent(score(tally)),
                estimate(tally.elo(), 0),
                paper,
            ]);
        };
        let [wins, draws, losses] = PUBLISHED;
        row("all games", tally, "-".to_owned());
        row("with White", &colours[0], "-".to_owned());
        let paper = format!("{wins}-{draws}-{losses}, Elo {}", estimate(published().elo(), 0));
        row("with Black", &colours[1], paper);
        let mut tables = vec![table, wdl::table("self-play", &rows(&sides.points, self.balance))];
        if let [contempt, puct] = &sides.tunings[..] {
            let head = ["lever", "step", "setting", "W-D-L", "(w+l)/d", "chosen because"];
            let mut steps = Table::new("The way to equal (w+l)/d.", &head);
            steps.rows = contempt.rows("limit", 0);
            steps.rows.extend(puct.rows("temperature", 2));
            tables.push(steps);
        }
        tables
    }
}

/// Temperature and `TempEndgame` of those games, whose relation stays.
fn heights(plan: &Plan) -> Option<(f64, f64)> {
    let player = &plan.settings.players[0];
    let value = |name| player.option(name).and_then(|text| text.parse::<f64>().ok());
    let start = value("Temperature").filter(|start| *start > 0.0)?;
    Some((start, value("TempEndgame").unwrap_or(0.0)))
}

/// Self-play beside the paper's, where the settings are the paper's.
fn rows(points: &[Point; 2], is_balanced: bool) -> Vec<Row> {
    let published = |point: &Point| match point.plan.name.as_str() {
        "sclimit-5" if !is_balanced => paper::with_limit(5),
        "puct-tau2" => Some(paper::TAU2),
        _ => None,
    };
    points.iter().map(|point| Row { point: point.clone(), published: published(point) }).collect()
}

fn published() -> Tally {
    let [wins, draws, losses] = PUBLISHED;
    Tally::new(wins, draws, losses, [0; 5]).expect("without pairs every count is possible")
}

fn findings(points: &[Point; 2], tally: &Tally) -> Vec<Finding> {
    let [contempt, puct] = points.each_ref().map(Point::results);
    let apart =
        difference((contempt.decisive(), contempt.games()), (puct.decisive(), puct.games()));
    let elo = tally.elo();
    let theirs = published().elo();
    let value = theirs.map_or(0.0, |elo| elo.value);
    let near = match (elo, theirs) {
        (Some(Estimate { lower, upper, .. }), Some(theirs)) => {
            if lower > theirs.upper || upper < theirs.lower {
                Verdict::Differs
            } else if (lower..=upper).contains(&value) && upper - lower < 2.0 * elo_of_score(0.75) {
                Verdict::Agrees
            } else {
                Verdict::Open
            }
        }
        _ => Verdict::Open,
    };
    vec![
        Finding::new(
            "Both settings decide as many games in self-play",
            format!("with search-contempt {} more are decisive", percent(apart)),
            Verdict::equal(apart, 0.0),
        ),
        Finding::new(
            "Search-contempt is stronger than much temperature",
            format!("Elo {}", estimate(elo, 0)),
            Verdict::above(elo, 0.0),
        ),
        Finding::new(
            format!("It is so by {value:.0} Elo"),
            format!("Elo {}, the paper's {}", estimate(elo, 0), estimate(theirs, 0)),
            near,
        ),
    ]
}

fn picture(tally: &Tally) -> Result<Picture, LabError> {
    let bar = |label: &str, parts, is_paper| Bar { label: label.to_owned(), parts, is_paper };
    let list = [
        bar("measured", [tally.wins(), tally.draws(), tally.losses()], false),
        bar("(paper)", PUBLISHED, true),
    ];
    let meaning = ["search-contempt won", "drawn", "temperature won"];
    let caption = "Search-contempt against temperature".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: bars(PICTURE, meaning, &list)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_match_gives_its_seventy_points() {
        let elo = published().elo().unwrap();
        assert!((elo.value - 70.4).abs() < 0.5, "{elo:?}");
        assert!((elo.lower - 21.0).abs() < 2.0 && (elo.upper - 122.0).abs() < 2.0, "{elo:?}");
    }
}
