//! A pair of networks that learns from games of one kind.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_games::journal::with_suffix;
use tandem_games::selfplay::SideOptions;
use tandem_games::words;
use tandem_train::learning::{Amount, Lesson, LoopConfig, Names, Pair, Study};

use crate::temperature::options;
use crate::{LabError, Point, Session};

/// What was learnt, and from what.
pub struct School {
    /// What its games are called.
    pub name: &'static str,
    /// The games.
    pub point: Point,
    /// What the networks learnt.
    pub learnt: Learnt,
    /// Where they are.
    pub pair: Pair,
}

/// What the trainings came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learnt {
    /// That of values.
    pub value: Lesson,
    /// That of policies.
    pub policy: Lesson,
    /// The networks.
    pub networks: Names,
}

/// Puts the networks that both begin with into the experiment's folder.
pub fn begin(session: &Session<'_>, config: &LoopConfig) -> Result<Pair, LabError> {
    let pair = Pair::in_folder(&session.place("start"));
    if !pair.value.exists() || !pair.policy.exists() {
        let begun = pair.begin(&config.begin, session.setup.seed);
        begun.map_err(|error| {
            LabError::Learning("networks to begin with".to_owned(), Box::new(error))
        })?;
    }
    Ok(pair)
}

/// The options with which players have the networks that both begin with.
pub fn networks(start: &Pair, config: &LoopConfig) -> SideOptions {
    // Those of the program need no file, so that the command of a point works anywhere.
    let usual = LoopConfig::default().begin;
    let is_own = (&config.begin.value, &config.begin.policy) == (&usual.value, &usual.policy);
    if is_own { SideOptions::default() } else { options_of(start) }
}

/// The options with which a player has those networks.
pub fn options_of(pair: &Pair) -> SideOptions {
    let option = |name: &str, file: &std::path::Path| {
        words::quoted(&format!("option.{name}={}", file.display()))
    };
    options(&format!("{} {}", option("EvalFile", &pair.value), option("PolicyFile", &pair.policy)))
}

impl School {
    /// Trains both networks from `start` on the games of a point, as much as so many positions deserve.
    pub fn attend(
        session: &mut Session<'_>,
        config: &LoopConfig,
        start: &Pair,
        (point, name): (Point, &'static str),
        budget: u64,
    ) -> Result<Self, LabError> {
        let visits =
            |session: &Session<'_>, name: &str| with_suffix(&session.place(name), ".visits");
        let train = [visits(session, name)];
        let validation = [visits(session, &format!("{name}-validation"))];
        let folder = session.place(&format!("{name}-networks"));
        let pair = Pair::in_folder(&folder);
        let (title, description) =
            (format!("learning from {name}"), format!("Tandem, learnt from games with {name}"));
        let study = |what: &str, passes: f64| {
            let amount = Amount::Samples((passes * budget as f64).round() as u64);
            (amount, folder.join(what))
        };
        let learnt = session.once(&format!("{name}-learnt"), &title, |stop, listener| {
            let mut lessons = Vec::new();
            for (what, passes) in [("value", config.passes.value), ("policy", config.passes.policy)]
            {
                let (amount, folder) = study(what, passes);
                let study = Study {
                    from: start,
                    train: &train,
                    validation: &validation,
                    others: &[],
                    share: 0.0,
                    amount,
                    description: &description,
                    folder: &folder,
                };
                let is_value = what == "value";
                let learnt = if is_value {
                    study.value(&config.value, stop, listener)?
                } else {
                    study.policy(&config.policy, stop, listener)?
                };
                let Some(learnt) = learnt else { return Ok(None) };
                Pair::write_one(if is_value { &pair.value } else { &pair.policy }, &learnt.file)?;
                lessons.push(learnt.lesson);
            }
            Ok(Some(Learnt { value: lessons[0], policy: lessons[1], networks: pair.names()? }))
        })?;
        for what in ["value", "policy"] {
            let forgotten = Study::forget(&folder.join(what));
            forgotten.map_err(|error| LabError::Learning(title.clone(), Box::new(error.into())))?;
        }
        Ok(Self { name, point, learnt, pair })
    }

    /// All numbers, for programs.
    pub fn json(&self) -> Value {
        json!({
            "games": self.point.results().games(),
            "positions": self.point.positions(),
            "playouts": self.playouts(),
            "results": self.point.results(),
            "ratio": self.point.ratio(),
            "learnt": self.learnt,
        })
    }

    /// Playouts of its games.
    pub fn playouts(&self) -> u64 {
        self.point.report.efforts.iter().map(|effort| effort.nodes).sum()
    }
}
