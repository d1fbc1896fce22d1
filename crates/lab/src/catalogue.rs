//! The list of all experiments.

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::experiments::{
    classifier, contempt_match, contempt_training, contempt_wdl, interesting, odds_nodes,
    repetitions, schedule, temperature_wdl, verdict,
};
use crate::report::Content;
use crate::{Experiment, LabError, Plan, Session, Setup, Usual};

/// Makes the choice of experiments from lines of `/// sentence`, name on the command line, and type.
macro_rules! catalogue {
    ($($(#[doc = $about:literal])+ $word:literal $name:ident($kind:ty),)+) => {
        /// An experiment by its name, with its options.
        #[derive(Clone, Debug, Subcommand)]
        pub enum Name {
            $($(#[doc = $about])+ #[command(name = $word)] $name($kind),)+
        }

        impl Name {
            /// What it is called on the command line.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => $word,)+ }
            }

            fn experiment(&self) -> &dyn Experiment {
                match self { $(Self::$name(experiment) => experiment,)+ }
            }
        }
    };
}

catalogue! {
    /// Wins, draws and losses of self-play by the limit of search-contempt (Figure 2)
    "contempt-wdl" ContemptWdl(contempt_wdl::ContemptWdl),
    /// Wins, draws and losses of self-play by temperature (Figure 3)
    "temperature-wdl" TemperatureWdl(temperature_wdl::TemperatureWdl),
    /// How many games of self-play repeat an earlier one, by move (Figure 4)
    "repetitions" Repetitions(repetitions::Repetitions),
    /// Search-contempt against much temperature, with equal (w+l)/d in self-play (Table 3)
    "contempt-match" ContemptMatch(contempt_match::ContemptMatch),
    /// Networks that learnt from games with search-contempt against others that learnt from games with much temperature
    "contempt-training" ContemptTraining(contempt_training::ContemptTraining),
    /// Score at odds by positions a move, with and without search-contempt (Tables 1 and 2)
    "odds-nodes" OddsNodes(odds_nodes::OddsNodes),
    /// Which limit of search-contempt keeps (w+l)/d near 1, by positions a move (Figure 5)
    "schedule" Schedule(schedule::ScheduleOfLimits),
    /// How often games come to positions that a short look misjudges, by limit (Figure 6)
    "interesting" Interesting(interesting::Interesting),
    /// What kinds of positions there are, for the hybrid search (Table 7 of its paper)
    "classifier" Classifier(classifier::TypesOfPositions),
    /// Which of both searches is right where they do not agree, and a model that says so (the hybrid's verdict)
    "verdict" Verdict(verdict::Verdict),
}

impl Experiment for Name {
    fn usual(&self) -> Usual {
        self.experiment().usual()
    }

    fn words(&self) -> Vec<String> {
        self.experiment().words()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        self.experiment().plans(setup)
    }

    fn most_games(&self, setup: &Setup, plans: &[Plan]) -> u64 {
        self.experiment().most_games(setup, plans)
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        self.experiment().run(session, plans)
    }
}

#[derive(Parser)]
struct Shelf {
    #[command(subcommand)]
    name: Name,
}

/// All experiments: name and sentence.
#[must_use]
pub fn list() -> Vec<(String, String)> {
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
    let shelf = Shelf::command();
    let entries = shelf.get_subcommands();
    entries.map(|entry| (entry.get_name().to_owned(), about(entry).unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_a_sentence_and_its_words_make_it_again() {
        for (name, about) in list() {
            assert!(about.len() > 20, "{name}: {about}");
            let shelf = Shelf::try_parse_from(["lab", &name]).unwrap().name;
            assert_eq!(shelf.name(), name);
            let words = [vec!["lab".to_owned(), name], shelf.words()].concat();
            let again = Shelf::try_parse_from(&words).unwrap().name;
            assert_eq!(again.words(), shelf.words());
        }
    }
}
