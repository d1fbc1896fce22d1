//! The same games on every machine: what is written here was found on x86-64, and must be found wherever
//! these tests run. `scripts/test processors` runs them on an emulated ARM.

#[allow(dead_code, reason = "the tests share more than this one uses")]
mod common;

use common::{Material, START, game, nodes, settings};
use tandem_chess::{CastlingNotation, Position};
use tandem_mcts::{Mcts, Noise, Params, Temperature};
use tandem_nnue::WinRate;
use tandem_search::{Control, Evaluate, Search as _};

/// Counts material, and makes chances of it as networks do.
struct Chances(Material);

impl Evaluate for Chances {
    fn reset(&mut self, position: &Position) {
        self.0.reset(position);
    }

    fn push(&mut self, after: &Position) {
        self.0.push(after);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        self.0.evaluate(position)
    }

    fn centipawns(&self, value: i32, position: &Position) -> i32 {
        WinRate::of(position).centipawns(value)
    }

    fn wdl(&self, value: i32, position: &Position) -> Option<[u16; 3]> {
        let chances = WinRate::of(position).wdl(value);
        Some([chances.win, chances.draw, chances.loss])
    }

    fn evaluations(&self) -> u64 {
        self.0.evaluations()
    }
}

/// Everything in which platforms could differ: noise, temperature, search-contempt, contempt, chances.
#[test]
fn a_game_of_self_play_is_the_same_on_every_machine() {
    let temperature =
        Temperature { start: 1.0, endgame: 0.3, decay_moves: 10, ..Temperature::default() };
    let params = Params {
        noise: Some(Noise::SELF_PLAY),
        sc_limit: std::num::NonZeroI64::new(20),
        sc_temperature: Some(1.5),
        rating_advantage: 100.0,
        temperature,
        seed: 7,
        verbose: true,
        ..Params::default()
    };
    let mut search = Mcts::new(&settings(1, 16), &params, || Chances(Material::new()));
    let (mut game, mut moves, mut hash) = (game(START), Vec::new(), 0xCBF2_9CE4_8422_2325_u64);
    while moves.len() < 24 && game.outcome().is_none() {
        let mut last = None;
        let choice = search.search(&game, &nodes(400), &Control::new(false), &mut |progress| {
            last = Some(progress.clone());
        });
        for report in last.expect("a report").moves {
            let floats = [report.value, report.prior, report.draw].map(|x| u64::from(x.to_bits()));
            for number in floats.into_iter().chain([report.visits]) {
                hash = (hash ^ number).wrapping_mul(0x0100_0000_01B3);
            }
        }
        let m = choice.best.expect("a move");
        moves.push(game.position().uci(m, CastlingNotation::Standard));
        game.play(m).expect("legal");
    }
    assert_eq!((moves.join(" ").as_str(), hash), (GAME, TREES));
}

const GAME: &str = "b2b3 g8f6 g2g4 f6g4 c1a3 g7g6 a3c5 b7b5 g1f3 c8b7 e2e4 b7e4 \
    f1b5 g6g5 e1f1 a7a5 d1e2 e4c2 f3g5 g4h6 b1a3 c2f5 f2f3 h8g8";
const TREES: u64 = 0x5F32E1FB29F4BFDB;
