//! The paper's main claim: networks learn more from games with search-contempt than from games with much
//! temperature.

mod school;
mod telling;

use clap::Args;
use serde_json::json;
use tandem_games::selfplay::{MOST_GAMES, SideOptions};
use tandem_games::statistics::{Summary, Tally};
use tandem_games::words;
use tandem_train::Settings as _;
use tandem_train::learning::{LoopConfig, Pair};

use self::school::School;
use crate::experiment::Usual;
use crate::report::{Content, Finding, Verdict, estimate};
use crate::temperature::{TAU1, TAU2, options};
use crate::versus::Versus;
use crate::{Experiment, LabError, Plan, Point, Session, Setup};

/// Tables of the learning loop's settings that say something here.
const TABLES: [&str; 4] = ["begin", "passes", "value", "policy"];
/// The seed of the games to measure with is as far from that of the others.
const OTHER_GAMES: u64 = 1 << 40;

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct ContemptTraining {
    /// The limit of search-contempt
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    limit: u64,
    /// Temperature of the games with search-contempt; the paper's tau1 if not said
    #[arg(long, value_name = "OPTIONS", default_value = TAU1.options, hide_default_value = true)]
    temperature_contempt: SideOptions,
    /// Temperature of the games without; the paper's tau2 if not said
    #[arg(long, value_name = "OPTIONS", default_value = TAU2.options, hide_default_value = true)]
    temperature_puct: SideOptions,
    /// Other games of each kind, to measure losses with
    #[arg(long, value_name = "GAMES", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    validation_games: u64,
    /// Games of the match between what was learnt, an even number
    #[arg(long, value_name = "GAMES", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=MOST_GAMES))]
    match_games: u64,
    /// Games of either against the networks that both began with, an even number; 0 for none
    #[arg(long, value_name = "GAMES", default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    start_games: u64,
    /// Positions a move in these matches; as many as in the games to learn from if not said
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: Option<u64>,
    /// A setting of the tables begin, passes, value or policy, as in `tandem train loop`: table.key=value
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Experiment for ContemptTraining {
    fn usual(&self) -> Usual {
        Usual { games: 1000, nodes: &[400] }
    }

    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut say = |option: &str, value: String| words.extend([option.to_owned(), value]);
        say("--limit", self.limit.to_string());
        say("--temperature-contempt", self.temperature_contempt.to_string());
        say("--temperature-puct", self.temperature_puct.to_string());
        say("--validation-games", self.validation_games.to_string());
        say("--match-games", self.match_games.to_string());
        say("--start-games", self.start_games.to_string());
        if let Some(nodes) = self.match_nodes {
            say("--match-nodes", nodes.to_string());
        }
        for word in &self.set {
            say("--set", word.clone());
        }
        words
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        for (option, games) in
            [("--match-games", self.match_games), ("--start-games", self.start_games)]
        {
            if !games.is_multiple_of(2) {
                let sentence = format!(
                    "{option} {games}: expected an even number, half of them with each colour"
                );
                return Err(LabError::Settings(sentence));
            }
        }
        self.settings()?;
        // The networks are not there yet; everything else about the games is known.
        let own = SideOptions::default();
        Ok(vec![self.contempt(setup, &own), self.puct(setup, &own)])
    }

    fn most_games(&self, setup: &Setup, _: &[Plan]) -> u64 {
        // Games with search-contempt are shorter, though nobody knows by how much.
        3 * setup.games + 2 * self.validation_games + self.match_games + 2 * self.start_games
    }

    fn run(&self, session: &mut Session<'_>, _: Vec<Plan>) -> Result<Content, LabError> {
        let (setup, config) = (session.setup, self.settings()?);
        let start = school::begin(session, &config)?;
        let networks = school::networks(&start, &config);
        let tau2 = session.play(self.puct(setup, &networks))?;
        let budget = tau2.positions();
        let contempt = session.play_until(self.contempt(setup, &networks), budget)?;
        let schools = [
            self.teach(session, &config, &start, (contempt, "contempt"), budget)?,
            self.teach(session, &config, &start, (tau2, "tau2"), budget)?,
        ];
        let tally = self.meet(session, [&schools[0], &schools[1]])?;
        let mut against_start = Vec::new();
        if self.start_games > 0 {
            for school in &schools {
                against_start.push(self.meet_start(session, school, &start)?);
            }
        }
        self.content(setup, &config, &schools, &tally, &against_start)
    }
}

impl ContemptTraining {
    /// The settings of networks and trainings.
    fn settings(&self) -> Result<LoopConfig, LabError> {
        let strange = self.set.iter().find(|word| {
            !TABLES
                .iter()
                .any(|table| word.strip_prefix(table).is_some_and(|key| key.starts_with('.')))
        });
        if let Some(word) = strange {
            let tables = TABLES.join(", ");
            let sentence =
                format!("--set {word}: expected a setting of one of the tables {tables}");
            return Err(LabError::Settings(sentence));
        }
        let changed = LoopConfig::default().with(self.set.iter().map(String::as_str));
        changed.map_err(|error| LabError::Settings(format!("--set: {error}")))
    }

    /// Games with search-contempt.
    fn contempt(&self, setup: &Setup, networks: &SideOptions) -> Plan {
        let own = options(&format!("option.ScLimit={}", self.limit));
        let own = own.with(&self.temperature_contempt).with(networks);
        let title = format!("search-contempt, limit {}", self.limit);
        Plan::alike(setup, "contempt", &title, setup.nodes[0], &own)
    }

    /// Games without it.
    fn puct(&self, setup: &Setup, networks: &SideOptions) -> Plan {
        let own = self.temperature_puct.with(networks);
        Plan::alike(setup, "tau2", "PUCT, much temperature", setup.nodes[0], &own)
    }

    /// Trains a pair on those games.
    fn teach(
        &self,
        session: &mut Session<'_>,
        config: &LoopConfig,
        start: &Pair,
        (point, name): (Point, &'static str),
        budget: u64,
    ) -> Result<School, LabError> {
        let mut plan = point.plan.clone();
        plan.name = format!("{name}-validation");
        plan.title = format!("{}, to measure with", plan.title);
        plan.settings.games = self.validation_games;
        plan.settings.seed ^= OTHER_GAMES;
        session.play(plan)?;
        School::attend(session, config, start, (point, name), budget)
    }

    /// The match between the two.
    fn meet(
        &self,
        session: &mut Session<'_>,
        [one, other]: [&School; 2],
    ) -> Result<Tally, LabError> {
        let names = ["white", "black"].map(|colour| format!("match-contempt-{colour}"));
        let titles = ["White", "Black"].map(|colour| format!("learnt from N_scl has {colour}"));
        self.play(session, (names, titles), [&one.pair, &other.pair], self.match_games)
    }

    /// The match of one of them against what it began with.
    fn meet_start(
        &self,
        session: &mut Session<'_>,
        school: &School,
        start: &Pair,
    ) -> Result<Tally, LabError> {
        let name = school.name;
        let names = ["white", "black"].map(|colour| format!("start-{name}-{colour}"));
        let titles = ["White", "Black"]
            .map(|colour| format!("learnt from {name} has {colour}, against the start"));
        self.play(session, (names, titles), [&school.pair, start], self.start_games)
    }

    fn play(
        &self,
        session: &mut Session<'_>,
        (names, titles): ([String; 2], [String; 2]),
        pairs: [&Pair; 2],
        games: u64,
    ) -> Result<Tally, LabError> {
        let nodes = self.match_nodes.unwrap_or(session.setup.nodes[0]);
        let [one, other] = pairs.map(|pair| options(TAU1.options).with(&school::options_of(pair)));
        let versus = Versus { names, titles, nodes, sides: [&one, &other], games };
        Ok(versus.play(session)?.all)
    }

    fn content(
        &self,
        setup: &Setup,
        config: &LoopConfig,
        schools: &[School; 2],
        tally: &Tally,
        against_start: &[Tally],
    ) -> Result<Content, LabError> {
        let set: Vec<String> = self.set.iter().map(|word| words::quoted(word)).collect();
        let set = if set.is_empty() { "no change".to_owned() } else { set.join(", ") };
        let nodes = self.match_nodes.unwrap_or(setup.nodes[0]);
        let elo = tally.elo();
        Ok(Content {
            question: "The paper proposes search-contempt for games that networks learn from: with a low limit as many \
                games are decided as with much temperature, but by better moves, so that networks should learn more from \
                the same number of positions. It did not train any. Two pairs of networks (values and policies) \
                that begin alike learn here, one from games with search-contempt, one from games with much temperature, and \
                then meet."
                .to_owned(),
            method: vec![
                format!(
                    "Plain PUCT with much temperature (`{}`) played {} games from the start position with {} positions a move. \
                     Search-contempt (`option.ScLimit={} {}`) played as many as it took for the same number of positions.",
                    self.temperature_puct, setup.games, setup.nodes[0], self.limit, self.temperature_contempt
                ),
                format!(
                    "Both pairs began with the networks `begin.value` {} and `begin.policy` {}.",
                    config.begin.value.display(),
                    config.begin.policy.display()
                ),
                format!(
                    "Trainings as `tandem train loop` does them, with {set} in its settings: values from the search's values and \
                     the games' results ({} of the target are values), policies from visits. Both took as many steps: {} and {} \
                     samples for each position that was played.",
                    config.value.loss.lambda.start, config.passes.value, config.passes.policy
                ),
                format!(
                    "Losses are those on {} other games of the same kind, so they do not compare across the two.",
                    self.validation_games
                ),
                format!(
                    "Matches from the start position, {nodes} positions a move, tau1 (`{}`) for both, half of the games with each \
                     colour; the interval of Elo is that of independent games.",
                    TAU1.options
                ),
            ],
            findings: vec![
                Finding::new(
                    "Networks that learnt from games with search-contempt are stronger",
                    format!("Elo {}", estimate(elo, 0)),
                    Verdict::above(elo, 0.0),
                ),
                telling::as_decisive(schools),
            ],
            tables: telling::tables(schools, tally, against_start),
            pictures: telling::pictures(schools, tally)?,
            results: json!({
                "match": Summary::from(*tally),
                "against_start": against_start.iter().copied().map(Summary::from).collect::<Vec<_>>(),
                "contempt": schools[0].json(),
                "tau2": schools[1].json(),
            }),
        })
    }
}
