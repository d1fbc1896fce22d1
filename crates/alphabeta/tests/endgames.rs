//! The search with tablebases, played by ones that watch how they are asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tandem_alphabeta::AlphaBeta;
use tandem_alphabeta::value::Value;
use tandem_chess::{Game, PieceType, Position, RankedMove, RankedMoves, Tablebase, Wdl};
use tandem_search::{
    Bound, Choice, Control, Endgames, Evaluate, Limits, Progress, Score, Search, Settings,
};

/// Sees no difference between positions, so that results come from the tables alone.
#[derive(Default)]
struct Level {
    evaluations: u64,
}

impl Evaluate for Level {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Position) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Value {
        self.evaluations += 1;
        (position.key() % 64) as Value
    }

    fn centipawns(&self, value: Value, _: &Position) -> i32 {
        value
    }

    fn wdl(&self, _: Value, _: &Position) -> Option<[u16; 3]> {
        None
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

/// Knows every position of up to that many pieces: whoever has a queen more wins.
struct Watching {
    pieces: u32,
    ranks: bool,
    asked: AtomicU64,
    /// Whether a position with as many pieces as the tables hold has been asked about.
    asked_largest: AtomicBool,
}

impl Watching {
    fn new(pieces: u32, ranks: bool) -> Arc<Self> {
        let (asked, asked_largest) = (AtomicU64::new(0), AtomicBool::new(false));
        Arc::new(Self { pieces, ranks, asked, asked_largest })
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

fn verdict(position: &Position) -> Wdl {
    let queens = |color| position.pieces(color, PieceType::Queen).count();
    let us = position.side_to_move();
    match queens(us).cmp(&queens(!us)) {
        std::cmp::Ordering::Less => Wdl::Loss,
        std::cmp::Ordering::Equal => Wdl::Draw,
        std::cmp::Ordering::Greater => Wdl::Win,
    }
}

impl Tablebase for Watching {
    fn max_pieces(&self) -> u32 {
        self.pieces
    }

    fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        assert!(position.castling_rooks().is_empty(), "asked with castling rights: {position}");
        assert_eq!(position.halfmove_clock(), 0, "asked on the way: {position}");
        assert!(position.occupied().count() <= self.pieces, "asked too much: {position}");
        if position.occupied().count() == self.pieces {
            self.asked_largest.store(true, Ordering::Relaxed);
        }
        Some(verdict(position))
    }

    fn rank_moves(&self, game: &Game, _fifty_moves: bool) -> Option<RankedMoves> {
        assert!(game.position().castling_rooks().is_empty());
        let position = game.position();
        let rank = |m| {
            let wdl = -verdict(&position.after(m));
            RankedMove { m, rank: 100 * wdl as i32, wdl }
        };
        let mut moves: Vec<_> = position.legal_moves().into_iter().map(rank).collect();
        moves.sort_by_key(|ranked| -ranked.rank);
        self.ranks.then_some(RankedMoves { moves, makes_progress: true })
    }
}

fn search(fen: &str, endgames: Endgames, multi_pv: usize, depth: u32) -> (Choice, Vec<Progress>) {
    let settings = Settings { endgames, multi_pv, ..Settings::default() };
    let mut search = AlphaBeta::new(&settings, Level::default);
    let game = Game::new(fen.parse().expect("a legal position"));
    let mut reports = Vec::new();
    let control = Control::new(false);
    let observer = &mut |p: &Progress| reports.push(p.clone());
    (search.search(&game, &Limits::depth(depth), &control, observer), reports)
}

fn with(tables: &Arc<Watching>) -> Endgames {
    Endgames { tables: Some(tables.clone()), ..Endgames::default() }
}

const PROMOTION: &str = "8/4P2k/8/8/8/8/p6P/6K1 w - - 0 1";
const CASTLING: &str = "4k2r/7p/8/8/8/8/P7/R3K3 w Qk - 0 1";

#[test]
fn castling_clocks_and_crowds_are_never_asked_about_and_answers_are_counted() {
    for fen in [PROMOTION, CASTLING, "8/k1p5/8/1P6/8/8/1r3R2/7K w - - 0 1"] {
        let tables = Watching::new(6, false);
        let (_, reports) = search(fen, with(&tables), 1, 9);
        assert!(tables.asked() > 0, "{fen}");
        assert_eq!(reports.last().unwrap().tbhits, tables.asked(), "{fen}");
        let (_, reports) = search(fen, Endgames::default(), 1, 9);
        assert_eq!(reports.last().unwrap().tbhits, 0);
    }
}

#[test]
fn limits_of_pieces_and_depth_are_heeded() {
    let asked = |probe_limit, probe_depth| {
        let tables = Watching::new(5, false);
        let endgames = Endgames { probe_limit, probe_depth, ..with(&tables) };
        search(PROMOTION, endgames, 1, 8);
        (tables.asked() > 0, tables.asked_largest.load(Ordering::Relaxed))
    };
    assert_eq!(asked(0, 1), (false, false));
    assert_eq!(asked(4, 1), (true, false));
    assert_eq!(asked(5, 1), (true, true));
    assert_eq!(asked(5, 100), (true, false), "the largest tables wait for depth");
    assert_eq!(asked(6, 100), (true, true), "others do not");
}

#[test]
fn a_win_in_the_tables_is_a_score_beyond_evaluation() {
    // White queens first and takes the other pawn's hope; the tables say that a queen wins.
    let fen = "8/4P2k/8/8/8/6p1/6P1/6K1 w - - 0 1";
    let tables = Watching::new(5, false);
    let (choice, reports) = search(fen, with(&tables), 1, 6);
    let last = reports.last().unwrap();
    let Score::Centipawns(score) = last.score else { panic!("no mate is near: {last:?}") };
    assert!((19_900..20_000).contains(&score), "{score}");
    assert_eq!(choice.best.unwrap().to_string(), "e7e8q");
}

#[test]
fn a_covered_root_plays_and_shows_what_the_ranks_say() {
    for (fen, score, wdl) in [
        ("6k1/8/8/8/3q4/8/8/Q6K w - - 0 1", 20_000, [1000, 0, 0]),
        ("6k1/8/8/8/3r4/8/8/R6K w - - 0 1", 0, [0, 1000, 0]),
        ("6k1/8/8/8/3q4/8/7R/7K w - - 0 1", -20_000, [0, 0, 1000]),
    ] {
        let tables = Watching::new(4, true);
        let (choice, reports) = search(fen, with(&tables), 1, 6);
        let position: Position = fen.parse().unwrap();
        assert_eq!(tables.asked(), 0, "the ranks suffice");
        for report in &reports {
            assert_eq!(report.tbhits, position.legal_moves().len() as u64);
            assert_eq!((report.score, report.wdl), (Score::Centipawns(score), Some(wdl)));
            assert_eq!(report.bound, Bound::Exact);
        }
        assert_eq!(choice.best, reports.last().unwrap().pv.first().copied());
        assert_eq!(score == 20_000, choice.best.unwrap().to_string() == "a1d4");
    }
}

#[test]
fn lines_of_lower_rank_come_after_all_of_higher_rank() {
    let fen = "7k/8/8/3q4/8/8/8/K2R4 w - - 0 1";
    let tables = Watching::new(4, true);
    let (choice, reports) = search(fen, with(&tables), 4, 6);
    let lines: Vec<_> = reports.iter().rev().skip_while(|p| p.line != 4).take(4).collect();
    assert_eq!(lines[3].pv[0].to_string(), "d1d5", "takes the queen");
    assert_eq!(lines[3].wdl, Some([0, 1000, 0]));
    for line in &lines[..3] {
        assert_eq!(line.wdl, Some([0, 0, 1000]), "{line:?}");
    }
    assert_eq!(choice.best, Some(lines[3].pv[0]));
}
