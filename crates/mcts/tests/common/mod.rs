//! A search with an evaluation that only counts material.

use tandem_chess::{Color, Game, PieceType, Position, see};
use tandem_mcts::{Mcts, Params};
use tandem_search::{Choice, Control, Evaluate, Limits, Progress, Search, Settings};

/// Counts material, and checks that it is told of every step.
pub struct Material {
    line: Vec<u64>,
    evaluations: u64,
}

impl Material {
    pub fn new() -> Self {
        Self { line: Vec::new(), evaluations: 0 }
    }
}

pub fn material(position: &Position) -> i32 {
    let side = |color: Color| -> i32 {
        let worth =
            |kind: &PieceType| position.pieces(color, *kind).count() as i32 * 2 * see::value(*kind);
        PieceType::ALL[..5].iter().map(worth).sum()
    };
    let us = position.side_to_move();
    side(us) - side(!us) + (position.key() % 32) as i32 - 16
}

impl Evaluate for Material {
    fn reset(&mut self, position: &Position) {
        self.line = vec![position.key()];
    }

    fn push(&mut self, after: &Position) {
        self.line.push(after.key());
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        assert_eq!(self.line.last(), Some(&position.key()), "the position ends the line");
        self.evaluations += 1;
        material(position)
    }

    fn centipawns(&self, value: i32, _: &Position) -> i32 {
        value / 2
    }

    fn wdl(&self, _: i32, _: &Position) -> Option<[u16; 3]> {
        None
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub fn settings(threads: usize, hash: usize) -> Settings {
    Settings { threads, hash, ..Settings::default() }
}

pub fn search_with(settings: &Settings, params: &Params) -> Mcts<Material> {
    Mcts::new(settings, params, Material::new)
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect("a legal position"))
}

pub fn run(search: &mut Mcts<Material>, game: &Game, limits: &Limits) -> (Choice, Vec<Progress>) {
    let mut reports = Vec::new();
    let choice =
        search.search(game, limits, &Control::new(false), &mut |p| reports.push(p.clone()));
    let last = reports.iter().rfind(|report| report.line == 1).expect("a report");
    assert_eq!(choice.best, last.pv.first().copied());
    for report in &reports {
        let mut along = game.clone();
        for &m in &report.pv {
            assert!(along.outcome().is_none(), "the line goes on after the game's end");
            along.play(m).expect("a legal move");
        }
    }
    (choice, reports)
}
