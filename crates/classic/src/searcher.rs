//! Playing: one depth after the other until the time is up.

use std::time::Duration;

use tandem_chess::{Game, Move};

use crate::{Evaluation, Limits, MAX_DEPTH, Memory, Playing, Score, Search, Value};

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The depth that was finished.
    pub depth: u32,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Nodes entered so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// The line both sides should follow; every move is legal.
    pub pv: &'a [Move],
}

/// What a search decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; none only if there is no legal move.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes entered.
    pub nodes: u64,
}

impl Answer {
    /// There is nothing to search.
    fn game_over(game: &Game) -> Self {
        let value = if game.position().in_check() {
            Value::mated_after(0)
        } else {
            Value::DRAW
        };
        Self {
            best: None,
            ponder: None,
            score: value.score(),
            depth: 0,
            nodes: 0,
        }
    }
}

/// A player with its memory. The same games in the same order get the same answers.
#[derive(Clone, Debug)]
pub struct Searcher {
    memory: Memory,
    evaluation: Evaluation,
}

impl Searcher {
    /// A player whose table takes at most that many MiB.
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self {
            memory: Memory::new(table_mib),
            evaluation: Evaluation::default(),
        }
    }

    /// Forgets all that was learnt, as for a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches the game's present position and reports each finished depth.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        mut on_info: impl FnMut(&Info),
    ) -> Answer {
        let moves = game.position().legal_moves();
        let Some(&first) = moves.first() else {
            return Answer::game_over(game);
        };
        let evaluation = self.evaluation;
        let mut line = vec![first];
        let mut value = evaluation.evaluate(game.position());
        let mut finished = 0;
        let mut search = Search::<Playing>::new(game, evaluation, &mut self.memory, limits);
        while finished < MAX_DEPTH
            && search
                .clock
                .allows_depth(finished + 1, search.counts.nodes())
        {
            let found = search.run(finished + 1);
            // A depth that was broken off still counts if its first move, the best so far, was
            // finished: what it then prefers is better.
            if !search.line().is_empty() {
                value = search.value();
                line = search.line().to_vec();
            }
            if found.is_err() {
                break;
            }
            finished += 1;
            on_info(&Info {
                depth: finished,
                score: value.score(),
                nodes: search.counts.nodes(),
                time: search.clock.elapsed(),
                hash_full: search.memory.table.permille_full(),
                pv: &line,
            });
        }
        Answer {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            score: value.score(),
            depth: finished,
            nodes: search.counts.nodes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::testing::random_games;

    fn to_depth(depth: u32) -> Limits<'static> {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    fn answer(fen: &str, depth: u32) -> (String, Score) {
        let game = Game::new(fen.parse().unwrap());
        let answer = Searcher::new(4).search(&game, to_depth(depth), |_| {});
        let best = answer.best.map(|m| m.to_string()).unwrap_or_default();
        (best, answer.score)
    }

    #[test]
    fn moves_and_lines_are_always_legal() {
        let mut searcher = Searcher::new(1);
        for game in random_games(200, 6) {
            let answer = searcher.search(&game, to_depth(2), |info| {
                let mut line = game.clone();
                for &m in info.pv {
                    line.play(m).expect("the line is legal");
                }
            });
            assert!(answer.best.is_some_and(|m| game.position().is_legal(m)));
        }
    }

    #[test]
    fn mates_are_found_and_counted_in_plies() {
        let (best, score) = answer("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 2);
        assert_eq!((best.as_str(), score), ("a1a8", Score::Mate(1)));
        let (_, score) = answer("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 4);
        assert_eq!(score, Score::Mate(3));
        let (_, score) = answer("6k1/8/8/8/8/8/r7/1r4K1 w - - 0 1", 4);
        assert_eq!(score, Score::Mate(0));
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let (best, score) = answer("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 3);
        assert_eq!((best.as_str(), score), ("", Score::Mate(0)));
        let (best, score) = answer("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3);
        assert_eq!((best.as_str(), score), ("", Score::Cp(0)));
    }

    #[test]
    fn the_losing_side_takes_a_perpetual_check() {
        let (best, score) = answer("6k1/6p1/5p2/7Q/8/8/qr4PP/7K w - - 0 1", 5);
        assert_eq!((best.as_str(), score), ("h5e8", Score::Cp(0)));
    }

    #[test]
    fn a_position_of_the_game_may_come_back_once_but_not_twice() {
        let mut game = Game::new("6k1/6p1/5p2/7Q/8/8/qr4PP/7K w - - 0 1".parse().unwrap());
        for text in "h5e8 g8h7 e8h5 h7g8 h5e8 g8h7".split(' ') {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let answer = Searcher::new(4).search(&game, to_depth(2), |_| {});
        assert_eq!(answer.score, Score::Cp(0));
    }

    #[test]
    fn the_winning_side_moves_a_pawn_before_fifty_moves_are_over() {
        let (best, score) = answer("7k/8/8/8/8/8/P5R1/K7 w - - 99 90", 4);
        assert!(best.starts_with("a2"), "{best} {score:?}");
    }

    #[test]
    fn equal_searches_give_equal_answers() {
        for game in random_games(10, 7) {
            let search = || Searcher::new(1).search(&game, to_depth(5), |_| {});
            assert_eq!(search(), search());
        }
    }

    #[test]
    fn a_set_stop_flag_ends_the_search_with_a_move() {
        let stop = AtomicBool::new(true);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        let answer = Searcher::new(1).search(&Game::default(), limits, |_| {});
        assert!(answer.best.is_some());
        assert!(answer.nodes <= 4096);
    }

    #[test]
    fn a_stop_flag_set_by_another_thread_is_obeyed() {
        let stop = AtomicBool::new(false);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        std::thread::scope(|scope| {
            let search = scope.spawn(|| Searcher::new(1).search(&Game::default(), limits, |_| {}));
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let told = Instant::now();
            assert!(search.join().unwrap().best.is_some());
            assert!(told.elapsed() < Duration::from_secs(2));
        });
    }

    #[test]
    fn node_and_time_limits_are_kept() {
        for nodes in [1, 2, 100, 5000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let answer = Searcher::new(1).search(&Game::default(), limits, |_| {});
            assert!(answer.nodes <= nodes && answer.best.is_some());
        }
        let limits = Limits {
            hard_time: Some(Duration::from_millis(30)),
            ..Limits::default()
        };
        let started = Instant::now();
        assert!(
            Searcher::new(1)
                .search(&Game::default(), limits, |_| {})
                .best
                .is_some()
        );
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}
