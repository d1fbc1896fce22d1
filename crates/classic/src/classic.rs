//! Playing: one depth after the other until the time is up.

use tandem_chess::{Game, Move};
use tandem_search::{Bound, Choice, Control, Limits, Progress, Score, Search, Settings, Side};

use crate::watch::{Stopped, Watch};
use crate::{Evaluation, MAX_DEPTH, Memory, Playing, TreeSearch, Value};

/// The plain engine as a player, on one thread whatever the settings say. Asked the same in the
/// same order, it gives the same answers.
#[derive(Clone, Debug)]
pub struct Classic {
    memory: Memory,
    settings: Settings,
    evaluation: Evaluation,
}

impl Classic {
    /// A player by the paper's better evaluation.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            memory: Memory::new(settings.hash),
            settings: settings.clone(),
            evaluation: Evaluation::default(),
        }
    }
}

impl Search for Classic {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        let position = game.position();
        let is_wanted =
            |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let (wanted, barred): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(is_wanted);
        let Some(&first) = wanted.first() else {
            let mated = position.in_check() && barred.is_empty();
            observer(&Progress::end(if mated { Score::Mate(0) } else { Score::Centipawns(0) }));
            return Choice::default();
        };
        let watch = Watch::start(limits, control, &self.settings, position.side_to_move());
        let tree = TreeSearch::new(game, self.evaluation, &mut self.memory, watch);
        let line = Line { value: self.evaluation.evaluate(position), moves: vec![first] };
        let mut deepening = Deepening {
            tree,
            barred,
            lines: vec![line],
            count: self.settings.multi_pv.clamp(1, wanted.len()),
            finished: 0,
        };
        deepening.run(limits, observer);
        let best = &deepening.lines[0].moves;
        Choice { best: best.first().copied(), ponder: best.get(1).copied() }
    }

    fn new_game(&mut self) {
        self.memory.clear();
    }

    fn configure(&mut self, settings: &Settings) {
        if settings.hash != self.settings.hash {
            // The old table goes first, so that both never need memory at once.
            self.memory = Memory::new(0);
            self.memory = Memory::new(settings.hash);
        }
        self.settings = settings.clone();
    }
}

/// A line and its worth.
#[derive(Clone, Debug)]
struct Line {
    value: Value,
    moves: Vec<Move>,
}

/// Iterative deepening. Each depth costs a few times the one before, so little is lost by starting
/// small; much is won by knowing what to try first, and there is an answer at any time.
struct Deepening<'a> {
    tree: TreeSearch<'a, Playing>,
    barred: Vec<Move>,
    /// The best lines found so far, the best first; never none.
    lines: Vec<Line>,
    /// How many of them are wanted.
    count: usize,
    finished: u32,
}

impl Deepening<'_> {
    fn run(&mut self, limits: &Limits, observer: &mut dyn FnMut(&Progress)) {
        let mut reported = None;
        while self.finished < MAX_DEPTH
            && self.tree.watch.allows(self.finished + 1, self.tree.counts.nodes())
            && self.deepen().is_ok()
        {
            for place in 0..self.lines.len() {
                observer(&self.progress(place));
            }
            reported = self.lines[0].moves.first().copied();
            if limits.mate.is_some_and(|moves| self.has_mate_in(moves)) {
                break;
            }
        }
        // The last word is about the move that is played.
        if reported != self.lines[0].moves.first().copied() {
            observer(&self.progress(0));
        }
    }

    /// Searches one ply deeper, each line without the first moves of those before it. A depth that
    /// is broken off still counts if the move it began with, the best so far, was finished: what it
    /// then prefers is better.
    fn deepen(&mut self) -> Result<(), Stopped> {
        let mut barred = self.barred.clone();
        for place in 0..self.count {
            self.tree.bar(barred.clone());
            let end = self.tree.run(self.finished + 1);
            if let Some(&m) = self.tree.line().first() {
                let line = Line { value: self.tree.value(), moves: self.tree.line().to_vec() };
                barred.push(m);
                self.lines.splice(place..(place + 1).min(self.lines.len()), [line]);
            }
            end?;
        }
        self.finished += 1;
        Ok(())
    }

    fn has_mate_in(&self, moves: u32) -> bool {
        match self.lines[0].value.score() {
            Score::Mate(plies) => plies > 0 && Score::mate_in_moves(plies) as u32 <= moves,
            Score::Centipawns(_) => false,
        }
    }

    fn progress(&self, place: usize) -> Progress {
        let line = &self.lines[place];
        Progress {
            side: Side::Prover,
            depth: self.finished.max(1),
            seldepth: self.tree.deepest.max(1) as u32,
            line: place + 1,
            score: line.value.score(),
            bound: Bound::Exact,
            wdl: None,
            nodes: self.tree.counts.nodes(),
            time: self.tree.watch.elapsed(),
            hashfull: self.tree.memory.table.permille_full(),
            tbhits: 0,
            pv: line.moves.clone(),
            moves: Vec::new(),
            judged: Vec::new(),
            notices: Vec::new(),
            deliberation: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::testing::random_games;

    fn player(hash: usize) -> Classic {
        Classic::new(&Settings { hash, ..Settings::default() })
    }

    fn choose(player: &mut Classic, game: &Game, limits: &Limits) -> (Choice, Vec<Progress>) {
        let mut reports = Vec::new();
        let control = Control::default();
        let choice =
            player.search(game, limits, &control, &mut |progress| reports.push(progress.clone()));
        (choice, reports)
    }

    fn nodes(reports: &[Progress]) -> u64 {
        reports.last().expect("there is always a report").nodes
    }

    /// The move and the score after a search to that depth.
    fn answer(fen: &str, depth: u32) -> (String, Score) {
        let game = Game::new(fen.parse().unwrap());
        let (choice, reports) = choose(&mut player(4), &game, &Limits::depth(depth));
        let best = choice.best.map(|m| m.to_string()).unwrap_or_default();
        (best, reports.last().expect("there is always a report").score)
    }

    #[test]
    fn moves_and_lines_are_always_legal() {
        let mut player = player(1);
        for game in random_games(200, 6) {
            let (choice, reports) = choose(&mut player, &game, &Limits::depth(2));
            assert!(choice.best.is_some_and(|m| game.position().is_legal(m)));
            for report in &reports {
                let mut line = game.clone();
                for &m in &report.pv {
                    line.play(m).expect("the line is legal");
                }
            }
            assert_eq!(choice.best, reports.last().and_then(|last| last.pv.first().copied()));
        }
    }

    #[test]
    fn mates_are_found_and_counted_in_plies() {
        let (best, score) = answer("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 2);
        assert_eq!((best.as_str(), score), ("a1a8", Score::Mate(1)));
        let (_, score) = answer("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 4);
        assert_eq!(score, Score::Mate(3));
        let (_, score) = answer("8/8/8/8/8/6k1/r7/7K w - - 0 1", 4);
        assert_eq!(score, Score::Mate(-2));
    }

    #[test]
    fn a_search_for_a_mate_ends_when_it_is_found() {
        let game = Game::new("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1".parse().unwrap());
        let limits = Limits { mate: Some(2), ..Limits::default() };
        let (_, reports) = choose(&mut player(4), &game, &limits);
        assert_eq!(reports.last().map(|last| last.score), Some(Score::Mate(3)));
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let (best, score) = answer("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 3);
        assert_eq!((best.as_str(), score), ("", Score::Mate(0)));
        let (best, score) = answer("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3);
        assert_eq!((best.as_str(), score), ("", Score::Centipawns(0)));
    }

    #[test]
    fn the_losing_side_takes_a_perpetual_check() {
        let (best, score) = answer("6k1/6p1/5p2/7Q/8/8/qr4PP/7K w - - 0 1", 5);
        assert_eq!((best.as_str(), score), ("h5e8", Score::Centipawns(0)));
    }

    #[test]
    fn the_third_occurrence_is_a_draw_however_shallow_the_search() {
        let mut game = Game::new("6k1/6p1/5p2/7Q/8/8/qr4PP/7K w - - 0 1".parse().unwrap());
        for text in "h5e8 g8h7 e8h5 h7g8 h5e8 g8h7".split(' ') {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let (_, reports) = choose(&mut player(4), &game, &Limits::depth(2));
        assert_eq!(reports.last().map(|last| last.score), Some(Score::Centipawns(0)));
    }

    #[test]
    fn the_winning_side_moves_a_pawn_before_fifty_moves_are_over() {
        let (best, score) = answer("7k/8/8/8/8/8/P5R1/K7 w - - 99 90", 4);
        assert!(best.starts_with("a2"), "{best} {score:?}");
    }

    #[test]
    fn equal_searches_give_equal_answers() {
        for game in random_games(10, 7) {
            let search = || {
                let (choice, reports) = choose(&mut player(1), &game, &Limits::depth(5));
                (choice, nodes(&reports))
            };
            assert_eq!(search(), search());
        }
    }

    #[test]
    fn several_lines_begin_with_different_moves() {
        let settings = Settings { multi_pv: 3, ..Settings::default() };
        let (_, reports) =
            choose(&mut Classic::new(&settings), &Game::default(), &Limits::depth(4));
        let last: Vec<_> = reports[reports.len() - 3..].iter().collect();
        assert_eq!(last.iter().map(|report| report.line).collect::<Vec<_>>(), [1, 2, 3]);
        let mut firsts: Vec<_> = last.iter().map(|report| report.pv[0].bits()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 3);
    }

    #[test]
    fn only_the_wanted_moves_are_considered() {
        let game = Game::default();
        let wanted = game.position().parse_uci("a2a3").unwrap();
        let limits = Limits { search_moves: vec![wanted], ..Limits::depth(3) };
        assert_eq!(choose(&mut player(1), &game, &limits).0.best, Some(wanted));
    }

    #[test]
    fn a_search_that_is_stopped_at_once_has_a_move() {
        let control = Control::default();
        control.stop();
        let mut last = None;
        let choice =
            player(1).search(&Game::default(), &Limits::default(), &control, &mut |progress| {
                last = Some(progress.clone());
            });
        assert!(choice.best.is_some());
        assert_eq!(last.and_then(|progress| progress.pv.first().copied()), choice.best);
    }

    #[test]
    fn the_word_to_stop_is_obeyed() {
        let control = Control::default();
        std::thread::scope(|scope| {
            let search = scope.spawn(|| {
                player(1).search(&Game::default(), &Limits::default(), &control, &mut |_| {})
            });
            std::thread::sleep(Duration::from_millis(50));
            control.stop();
            let told = Instant::now();
            assert!(search.join().unwrap().best.is_some());
            assert!(told.elapsed() < Duration::from_secs(2));
        });
    }

    #[test]
    fn node_and_time_limits_are_kept() {
        for limit in [1, 2, 100, 5000] {
            let limits = Limits { nodes: Some(limit), ..Limits::default() };
            let (choice, reports) = choose(&mut player(1), &Game::default(), &limits);
            assert!(nodes(&reports) <= limit && choice.best.is_some());
        }
        let started = Instant::now();
        let limits = Limits::movetime(Duration::from_millis(30));
        assert!(choose(&mut player(1), &Game::default(), &limits).0.best.is_some());
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}
