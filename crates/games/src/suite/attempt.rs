//! A player and a position: what became of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tandem_chess::{Game, Move};
use tandem_engine::Limits;

use super::collection::Problem;
use super::goal::Goal;
use crate::pace::{MOVETIME_SLACK, Pace, longest_wait};
use crate::player::{Announcement, Fault, Listener, Player, Thought};

/// A point of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Since the question.
    pub time: Duration,
    /// Positions visited until then, as far as the player said.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
}

/// What a player answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// What the player said about it.
    pub thought: Thought,
    /// How long it thought.
    pub elapsed: Duration,
    /// From when on its best move was right until the end; none if the answer is wrong.
    pub solution: Option<Moment>,
    /// Whether it came too late.
    pub is_late: bool,
}

/// What became of a position in a player's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The place of the position in the collection.
    pub problem: usize,
    /// The place of the player.
    pub player: usize,
    /// The answer, or what went wrong.
    pub outcome: Result<Answer, Fault>,
}

impl Attempt {
    /// Whether the position is solved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.solution().is_some()
    }

    /// When the solution was found for good.
    #[must_use]
    pub fn solution(&self) -> Option<Moment> {
        self.outcome.as_ref().ok().and_then(|answer| answer.solution)
    }

    /// What the answer is worth where moves have a worth; nothing for no answer.
    #[must_use]
    pub fn points(&self, goal: &Goal) -> Option<u32> {
        match &self.outcome {
            Ok(answer) => goal.points.of(answer.m),
            Err(_) => goal.points.most().map(|_| 0),
        }
    }
}

/// Puts a position before a player that has forgotten all earlier ones. Nothing comes of it if it is
/// stopped.
pub fn ask(
    player: &mut dyn Player,
    problem: &Problem,
    pace: Pace,
    patience: Duration,
    stop: &AtomicBool,
) -> Option<Result<Answer, Fault>> {
    let limits = Limits {
        depth: pace.depth,
        nodes: pace.nodes,
        movetime: pace.movetime,
        ..Limits::default()
    };
    let wait = longest_wait(pace.movetime, patience);
    let mut follower = Follower { goal: &problem.goal, stop, right_since: None, is_cut: false };
    let reply = player.new_game().and_then(|()| {
        let game = Game::new(problem.position);
        player.think(&game, &limits, wait, Some(&mut follower))
    });
    // An engine that is told to stop is not to blame for anything.
    if follower.is_cut || reply.is_err() && stop.load(Ordering::Relaxed) {
        return None;
    }
    Some(reply.map(|reply| {
        let end =
            Moment { time: reply.elapsed, nodes: reply.thought.nodes, depth: reply.thought.depth };
        let is_solved = problem.goal.is_met(reply.m, reply.thought.score);
        let late = pace.movetime.map(|time| reply.elapsed.saturating_sub(time));
        Answer {
            m: reply.m,
            thought: reply.thought,
            elapsed: reply.elapsed,
            solution: is_solved.then(|| follower.right_since.unwrap_or(end)),
            is_late: late.is_some_and(|late| late > MOVETIME_SLACK),
        }
    }))
}

/// Notes since when a player has been right.
struct Follower<'a> {
    goal: &'a Goal,
    stop: &'a AtomicBool,
    right_since: Option<Moment>,
    /// Whether the player was made to answer early.
    is_cut: bool,
}

impl Listener for Follower<'_> {
    fn hear(&mut self, announcement: &Announcement) {
        let Announcement { m, thought, time } = *announcement;
        if self.goal.is_met(m, thought.score) {
            let now = Moment { time, nodes: thought.nodes, depth: thought.depth };
            self.right_since.get_or_insert(now);
        } else {
            self.right_since = None;
        }
    }

    fn has_enough(&mut self) -> bool {
        self.is_cut |= self.stop.load(Ordering::Relaxed);
        self.is_cut
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::epd::Epd;
    use crate::player::{Identity, Insight, Reply};

    /// Announces these moves, a second and a hundred positions each, then plays the last of them.
    struct Script {
        identity: Identity,
        announced: &'static [&'static str],
        answer: Option<&'static str>,
    }

    impl Player for Script {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn new_game(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn think(
            &mut self,
            game: &Game,
            _: &Limits,
            _: Duration,
            listener: Option<&mut dyn Listener>,
        ) -> Result<Reply, Fault> {
            let listener = listener.expect("suites listen");
            let read = |text| game.position().parse_san(text).expect("legal");
            let mut thought = Thought::default();
            let mut time = Duration::ZERO;
            for text in self.announced {
                thought.nodes += 100;
                thought.depth += 1;
                time += Duration::from_secs(1);
                listener.hear(&Announcement { m: read(text), thought, time });
            }
            listener.has_enough();
            let answer = self.answer.ok_or(Fault::Crashed("on purpose".to_owned()))?;
            let elapsed = time + Duration::from_millis(500);
            Ok(Reply { m: read(answer), thought, insight: Insight::default(), elapsed })
        }
    }

    fn run(
        announced: &'static [&'static str],
        answer: Option<&'static str>,
        stop: bool,
    ) -> Option<Result<Answer, Fault>> {
        let identity =
            Identity { engine: String::new(), network: None, priors: None, program: None };
        let mut player = Script { identity, announced, answer };
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4;";
        let epd = Epd::parse(line).unwrap();
        let goal = Goal::read(&epd).unwrap();
        let problem =
            Problem { name: String::new(), source: 0, line: 1, position: epd.position, goal };
        let pace = Pace { movetime: Some(Duration::from_secs(3)), ..Pace::default() };
        ask(&mut player, &problem, pace, Duration::ZERO, &AtomicBool::new(stop))
    }

    fn solution(announced: &'static [&'static str], answer: &'static str) -> Option<Moment> {
        run(announced, Some(answer), false).unwrap().unwrap().solution
    }

    #[test]
    fn the_solution_counts_from_when_it_stayed() {
        let at = |seconds: u64, nodes, depth| {
            Some(Moment { time: Duration::from_secs(seconds), nodes, depth })
        };
        assert_eq!(solution(&["e4", "c4", "d4", "e4"], "e4"), at(3, 300, 3));
        assert_eq!(solution(&["e4", "e4"], "d4"), at(1, 100, 1));
        assert_eq!(solution(&["e4", "e4"], "c4"), None);
    }

    #[test]
    fn an_answer_that_was_not_announced_is_found_at_the_end() {
        let time = Duration::from_millis(1500);
        assert_eq!(solution(&["c4"], "e4"), Some(Moment { time, nodes: 100, depth: 1 }));
        let time = Duration::from_millis(500);
        assert_eq!(solution(&[], "e4"), Some(Moment { time, nodes: 0, depth: 0 }));
    }

    #[test]
    fn answers_after_the_time_are_late() {
        assert!(!run(&["e4"], Some("e4"), false).unwrap().unwrap().is_late);
        assert!(run(&["e4"; 3], Some("e4"), false).unwrap().unwrap().is_late);
    }

    #[test]
    fn what_is_stopped_does_not_count() {
        assert_eq!(run(&["e4"], Some("e4"), true), None);
        assert_eq!(run(&["e4"], None, true), None);
        assert!(matches!(run(&["e4"], None, false), Some(Err(Fault::Crashed(_)))));
    }
}
