//! Whole games, several positions at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use tandem_chess::{CastlingNotation, Game};
use tandem_engine::{Limits, SearchMode};

use crate::pgn::PgnGame;
use crate::pool::{Job, Pool, Update};
use crate::review::{Review, Worth};

/// How often somebody looks whether the study is to end.
const ATTENTION: Duration = Duration::from_millis(50);

/// What each position may take.
#[derive(Clone, Debug)]
pub struct Study {
    /// The limits of a position.
    pub limits: Limits,
    /// Which search answers.
    pub mode: SearchMode,
    /// How many positions are looked at side by side.
    pub workers: usize,
}

/// What is told of a study.
#[derive(Debug)]
pub enum News<'a> {
    /// So many positions of all are done.
    Positions(usize, usize),
    /// A game is done; the number is its place among the games.
    Game(usize, &'a Review),
}

/// A game of which not everything is known yet.
struct Open {
    turns: Vec<Game>,
    worth: Vec<Option<Worth>>,
    missing: usize,
}

impl Study {
    /// Looks at every position of the games, and judges the moves of each game as soon as all is known.
    /// After the word to stop it says what is known of the games that were begun.
    ///
    /// # Errors
    /// A position could not be looked at.
    pub fn run(
        &self,
        pool: &Pool,
        games: &[PgnGame],
        stop: &AtomicBool,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), String> {
        let total: usize = games.iter().map(|game| game.plies.len() + 1).sum();
        let (sender, answers) = mpsc::channel::<Answer>();
        let mut open: Vec<Option<Open>> = games.iter().map(|_| None).collect();
        let places = games.iter().enumerate();
        let mut places = places.flat_map(|(g, game)| (0..=game.plies.len()).map(move |t| (g, t)));
        // One in advance for each, so that nobody waits for us.
        let most = 2 * self.workers.max(1);
        let (mut in_flight, mut done, mut is_stopping) = (0, 0, false);
        loop {
            while in_flight < most && !is_stopping {
                let Some((place, turn)) = places.next() else { break };
                let game = open[place].get_or_insert_with(|| Open::new(&games[place]));
                if let Some(worth) = Worth::by_rules(&game.turns[turn]) {
                    // It goes the same way as all others.
                    let _ = sender.send(Answer { place, turn, worth: Ok(Some(worth)) });
                } else {
                    let job = self.job(game.turns[turn].clone(), place, turn, sender.clone());
                    pool.submit(job);
                }
                in_flight += 1;
            }
            if in_flight == 0 {
                break;
            }
            match answers.recv_timeout(ATTENTION) {
                Ok(answer) => {
                    (in_flight, done) = (in_flight - 1, done + 1);
                    tell(News::Positions(done, total));
                    let Answer { place, turn, worth } = answer;
                    let Some(game) = &mut open[place] else { continue };
                    game.worth[turn] = worth?;
                    game.missing -= 1;
                    if game.missing == 0 {
                        tell(News::Game(place, &Review::of(&game.turns, &game.worth)));
                        open[place] = None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) && !is_stopping {
                is_stopping = true;
                pool.cancel_all();
            }
        }
        for (place, game) in open.iter().enumerate() {
            if let Some(game) = game {
                tell(News::Game(place, &Review::of(&game.turns, &game.worth)));
            }
        }
        Ok(())
    }

    fn job(&self, game: Game, place: usize, turn: usize, sender: mpsc::Sender<Answer>) -> Job {
        Job {
            game,
            limits: self.limits.clone(),
            multi_pv: 1,
            mode: self.mode,
            notation: CastlingNotation::Standard,
            options: Vec::new(),
            priority: 0,
            report_every: None,
            hear: Box::new(move |update| {
                let worth = match update {
                    Update::Partial(_) => return true,
                    Update::Done(snapshot) => Ok(Worth::of(snapshot)),
                    Update::Skipped => Ok(None),
                    Update::Failed(error) => Err(error.to_string()),
                    Update::Broken => Err("a search broke down; please report this".to_owned()),
                };
                sender.send(Answer { place, turn, worth }).is_ok()
            }),
        }
    }
}

/// What was found about a position.
struct Answer {
    place: usize,
    turn: usize,
    worth: Result<Option<Worth>, String>,
}

impl Open {
    fn new(game: &PgnGame) -> Self {
        let turns = game.turns();
        let missing = turns.len();
        Self { worth: vec![None; missing], turns, missing }
    }
}
