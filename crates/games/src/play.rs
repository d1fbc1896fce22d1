//! One game, from the opening to the result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tandem_chess::{Color, Game, Move, Outcome};
use tandem_engine::Limits;

use crate::adjudication::{Adjudication, Arbiter, Ruling};
use crate::conduct::Effort;
use crate::pace::{MOVETIME_SLACK, Pace, RunningClock, longest_wait};
use crate::player::{Fault, Insight, Player, Reply, Thought};
use crate::statistics::GameScore;

/// What holds for every game of a match.
#[derive(Clone, Default)]
pub struct Rules {
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// By how much the clock may be overstepped.
    pub margin: Duration,
    /// How long an engine may be silent after its time is over.
    pub patience: Duration,
    /// Whether the games are Chess960.
    pub chess960: bool,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of chess.
    Rules(Outcome),
    /// By adjudication.
    Ruling(Ruling),
    /// That side did something wrong.
    Fault(Color, Fault),
}

impl Ending {
    /// Who won, if anyone.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::Ruling(Ruling::Resignation(winner)) => Some(*winner),
            Self::Ruling(Ruling::Tablebase(winner)) => *winner,
            Self::Ruling(Ruling::Draw | Ruling::TooLong) => None,
            Self::Fault(culprit, _) => Some(!*culprit),
        }
    }
}

impl Ending {
    /// The result for White.
    #[must_use]
    pub fn score(&self) -> GameScore {
        match self.winner() {
            Some(Color::White) => GameScore::Win,
            Some(Color::Black) => GameScore::Loss,
            None => GameScore::Draw,
        }
    }
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move.
    pub m: Move,
    /// What its player said about it.
    pub thought: Thought,
    /// What else its player knew of the position.
    pub insight: Insight,
    /// How long it took.
    pub elapsed: Duration,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The opening, from which the players went on.
    pub opening: Game,
    /// Their moves.
    pub moves: Vec<Played>,
    /// How it ended.
    pub ending: Ending,
}

impl PlayedGame {
    /// What White and Black spent on it.
    #[must_use]
    pub fn efforts(&self) -> [Effort; 2] {
        let mut efforts = [Effort::default(); 2];
        let mut side = self.opening.position().side_to_move();
        for played in &self.moves {
            efforts[side.index()] += Effort {
                moves: 1,
                nodes: played.thought.nodes,
                depth: played.thought.depth.into(),
                time: played.elapsed,
            };
            side = !side;
        }
        efforts
    }
}

/// Plays a game from an opening. Nothing comes of it if it is stopped.
pub fn play(
    opening: &Game,
    players: &mut [&mut dyn Player; 2],
    paces: [Pace; 2],
    rules: &Rules,
    stop: &AtomicBool,
) -> Option<PlayedGame> {
    let mut table = Table::new(opening, paces, rules);
    for side in Color::ALL {
        if let Err(fault) = players[side.index()].new_game() {
            return Some(table.end(Ending::Fault(side, fault)));
        }
    }
    loop {
        if let Some(outcome) = table.game.outcome() {
            return Some(table.end(Ending::Rules(outcome)));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let side = table.game.position().side_to_move();
        if let Some(ending) = table.turn(players[side.index()], side) {
            // What goes wrong while everything ends is nobody's fault.
            let is_void = matches!(ending, Ending::Fault(..)) && stop.load(Ordering::Relaxed);
            return (!is_void).then(|| table.end(ending));
        }
    }
}

/// Where a game is being played: the board, the clocks and the arbiter.
struct Table<'a> {
    opening: &'a Game,
    game: Game,
    moves: Vec<Played>,
    paces: [Pace; 2],
    clocks: [Option<RunningClock>; 2],
    rules: &'a Rules,
    arbiter: Arbiter<'a>,
}

impl<'a> Table<'a> {
    fn new(opening: &'a Game, paces: [Pace; 2], rules: &'a Rules) -> Self {
        Self {
            opening,
            game: opening.clone(),
            moves: Vec::new(),
            paces,
            clocks: paces.map(|pace| pace.tc.map(RunningClock::new)),
            rules,
            arbiter: Arbiter::new(&rules.adjudication),
        }
    }

    /// Has one side move. Answers how that ended the game, if it did.
    fn turn(&mut self, player: &mut dyn Player, side: Color) -> Option<Ending> {
        let limits = self.limits(side);
        let wait = longest_wait(self.time(side), self.rules.patience);
        let reply = match player.choose(&self.game, &limits, wait) {
            Ok(reply) => reply,
            Err(fault) => return Some(Ending::Fault(side, fault)),
        };
        if let Some(clock) = &mut self.clocks[side.index()]
            && !clock.press(reply.elapsed, self.rules.margin)
        {
            let late = reply.elapsed.saturating_sub(clock.reading().remaining);
            return Some(Ending::Fault(side, Fault::Overstepped(late.as_millis())));
        }
        if let Some(movetime) = self.paces[side.index()].movetime {
            let late = reply.elapsed.saturating_sub(movetime);
            if late > self.rules.margin.max(MOVETIME_SLACK) {
                return Some(Ending::Fault(side, Fault::Overstepped(late.as_millis())));
            }
        }
        if let Err(error) = self.game.play(reply.m) {
            return Some(Ending::Fault(side, Fault::Illegal(error.to_string())));
        }
        let Reply { m, thought, insight, elapsed } = reply;
        self.moves.push(Played { m, thought, insight, elapsed });
        if self.game.outcome().is_some() {
            return None;
        }
        self.arbiter.judge(&self.game, thought.score).map(Ending::Ruling)
    }

    fn limits(&self, side: Color) -> Limits {
        let pace = self.paces[side.index()];
        let own = self.clocks[side.index()];
        Limits {
            depth: pace.depth,
            nodes: pace.nodes,
            movetime: pace.movetime,
            clocks: match own {
                Some(_) => self.clocks.map(|clock| clock.as_ref().map(RunningClock::reading)),
                None => [None; 2],
            },
            moves_to_go: own.and_then(|clock| clock.moves_to_go()),
            ..Limits::default()
        }
    }

    /// The time for this move, if anything limits it.
    fn time(&self, side: Color) -> Option<Duration> {
        let clock = self.clocks[side.index()].map(|clock| clock.reading().remaining);
        clock.into_iter().chain(self.paces[side.index()].movetime).min()
    }

    fn end(self, ending: Ending) -> PlayedGame {
        PlayedGame { opening: self.opening.clone(), moves: self.moves, ending }
    }
}
