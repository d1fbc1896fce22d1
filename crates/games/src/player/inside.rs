//! The engine of this program as a player in the same process.

use std::env;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tandem_chess::Game;
use tandem_engine::{Choice, Engine, Event, Limits, Options};

use super::{Fault, Identity, Player, Reply, StartError, Thought};
use crate::digest;
use crate::spec::PlayerSpec;

/// Our engine, without a process around it.
pub struct Inside {
    engine: Engine,
    identity: Identity,
}

impl Inside {
    /// An engine with the options of that player.
    ///
    /// # Errors
    /// An option is unknown or does not take its value.
    pub fn start(spec: &PlayerSpec, chess960: bool) -> Result<Self, StartError> {
        let mut engine = Engine::new();
        let chess960 = ("UCI_Chess960".to_owned(), chess960.to_string());
        for (name, value) in spec.options.iter().chain([&chess960]) {
            let option = Options::find(name)
                .map_err(|_| StartError::Option(spec.name.clone(), name.clone()))?;
            engine
                .set_option(option, value)
                .map_err(|error| StartError::Value(spec.name.clone(), error.to_string()))?;
        }
        engine.get_ready();
        let identity = Identity {
            engine: concat!("Tandem ", env!("CARGO_PKG_VERSION"), ", in this process").to_owned(),
            network: Some(engine.evaluation_name()),
            program: env::current_exe().ok().and_then(digest::of_file),
        };
        Ok(Self { engine, identity })
    }
}

impl Player for Inside {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.engine.new_game();
        self.engine.get_ready();
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, patience: Duration) -> Result<Reply, Fault> {
        self.engine.set_game(game.clone());
        let (sender, answer) = mpsc::channel();
        let mut thought = Thought::default();
        let start = Instant::now();
        self.engine.go(limits.clone(), move |event| match event {
            Event::Progress(progress) => {
                if progress.line == 1 {
                    thought = Thought {
                        score: Some(progress.score),
                        depth: progress.depth,
                        nodes: progress.nodes,
                    };
                }
                true
            }
            Event::Finished(choice) => sender.send((choice, thought, Instant::now())).is_ok(),
        });
        match answer.recv_timeout(patience) {
            Ok((Choice { best: Some(m), .. }, thought, end)) => {
                Ok(Reply { m, thought, elapsed: end - start })
            }
            Ok((Choice { best: None, .. }, ..)) => Err(Fault::Illegal("no move".to_owned())),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                self.engine.stop();
                Err(Fault::Hung(patience))
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Err(Fault::Crashed("the search panicked".to_owned()))
            }
        }
    }
}
