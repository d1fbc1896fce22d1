//! The engine of this program as a player in the same process.

use std::env;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tandem_chess::{Game, Move};
use tandem_engine::{Bound, Engine, Event, Limits, OptionError, Options, Progress, Score};

use super::listener::ATTENTION;
use super::{
    Announcement, Fault, Identity, Insight, Listener, Player, Reply, StartError, Thought, Value,
};
use crate::digest;
use crate::spec::PlayerSpec;

/// Our engine, without a process around it.
pub struct Inside {
    engine: Engine,
    identity: Identity,
}

/// What the search says.
enum News {
    Announcement(Announcement),
    /// The move, what it is based on, and when it came.
    Answer(Option<Move>, Thought, Insight, Duration),
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
            priors: engine.priors_name(),
            program: env::current_exe().ok().and_then(digest::of_file),
        };
        Ok(Self { engine, identity })
    }
}

impl Inside {
    /// Has everything that is left to chance begin there.
    ///
    /// # Errors
    /// The seed is too large, or the engine is still thinking.
    pub fn set_seed(&mut self, seed: u64) -> Result<(), OptionError> {
        self.engine.set_option(Options::find("Seed")?, &seed.to_string()).map(|_| ())
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

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        patience: Duration,
        mut listener: Option<&mut dyn Listener>,
    ) -> Result<Reply, Fault> {
        self.engine.set_game(game.clone());
        let (sender, news) = mpsc::channel();
        let is_heard = listener.is_some();
        let (mut thought, mut insight) = (Thought::default(), Insight::default());
        let start = Instant::now();
        self.engine.go(limits.clone(), move |event| match event {
            Event::Progress(progress) => {
                if progress.line == 1 {
                    thought.heed(progress);
                    insight.heed(progress);
                    if let Some(&m) = progress.pv.first().filter(|_| is_heard) {
                        let announcement = Announcement { m, thought, time: start.elapsed() };
                        return sender.send(News::Announcement(announcement)).is_ok();
                    }
                }
                true
            }
            Event::Finished(choice) => {
                let insight = std::mem::take(&mut insight);
                sender.send(News::Answer(choice.best, thought, insight, start.elapsed())).is_ok()
            }
        });
        let deadline = start + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if is_heard { left.min(ATTENTION) } else { left };
            match news.recv_timeout(wait) {
                Ok(News::Announcement(announcement)) => {
                    if let Some(listener) = &mut listener {
                        listener.hear(&announcement);
                    }
                }
                Ok(News::Answer(Some(m), thought, insight, elapsed)) => {
                    return Ok(Reply { m, thought, insight, elapsed });
                }
                Ok(News::Answer(None, ..)) => return Err(Fault::Illegal("no move".to_owned())),
                Err(mpsc::RecvTimeoutError::Timeout) if wait == left => {
                    self.engine.stop();
                    return Err(Fault::Hung(patience));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Crashed("the search panicked".to_owned()));
                }
            }
            if listener.as_mut().is_some_and(|listener| listener.has_enough()) {
                // The answer that this brings is heard on the next turn of the loop.
                self.engine.stop();
            }
        }
    }
}

impl Insight {
    /// Takes a report about the best line into account.
    fn heed(&mut self, progress: &Progress) {
        let root = progress.moves.iter().find(|report| report.m.is_none());
        let certain = match progress.score {
            Score::Mate(plies) => Some(Value { q: if plies > 0 { 1.0 } else { -1.0 }, draw: 0.0 }),
            Score::Centipawns(_) => None,
        };
        let share = |part: u16| f32::from(part) / 1000.0;
        let told = progress
            .wdl
            .map(|[win, draw, loss]| Value { q: share(win) - share(loss), draw: share(draw) });
        let mean = root.map(|root| Value { q: root.value, draw: root.draw });
        if progress.bound == Bound::Exact {
            self.value = certain.or(mean).or(told);
        }
        let visits = progress.moves.iter().filter_map(|report| Some((report.m?, report.visits)));
        self.visits = visits.filter(|(_, visits)| *visits > 0).collect();
    }
}

impl Thought {
    /// Takes a report about the best line into account; bounds change nothing but the count.
    fn heed(&mut self, progress: &Progress) {
        self.nodes = progress.nodes;
        if progress.bound == Bound::Exact {
            self.score = Some(progress.score);
            self.depth = progress.depth;
        }
    }
}
