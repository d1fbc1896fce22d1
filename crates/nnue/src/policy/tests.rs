//! What the network is told, what its file may hold, and what it answers.

use std::collections::HashSet;
use std::sync::Arc;

use tandem_chess::{Bitboard, Builder, Color, Move, Position, Random, Square};

use super::inputs::{ROWS, Rows, View};
use super::slots::{GEOMETRIC, SLOTS, geometric, is_bad, slot};
use super::{PolicyEvaluator, PolicyNetwork, PolicyParameters, inputs};
use crate::Kernel;
use crate::bench::Lines;

/// Castling in standard chess and in Chess960, promotions, en passant, checks, and as many moves as a
/// position can have.
const SPECIAL: [&str; 10] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 0 1",
    "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1n1n1n1n/P1P1P1P1/8/1k6/8/8/5K2/8 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// Positions of games and special ones.
fn positions() -> Vec<Position> {
    let mut positions = Lines::bundled().shuffled();
    positions.truncate(if cfg!(miri) { 3 } else { 1500 });
    positions.extend(SPECIAL.map(|fen| fen.parse::<Position>().unwrap()));
    positions
}

fn rows(position: &Position) -> Vec<u16> {
    let mut rows = Rows::new();
    inputs::rows(position, &mut rows);
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}

fn slots(position: &Position) -> HashSet<u16> {
    let view = View::of(position);
    position.legal_moves().into_iter().map(|m| slot(&view, position, m)).collect()
}

/// The position with the files in the opposite order, for those without castling rights.
fn mirrored(position: &Position) -> Option<Position> {
    let mut parts = Builder::of(position);
    for square in Square::all() {
        parts.board[square.flip_file().index()] = position.piece_on(square);
    }
    parts.en_passant = position.en_passant().map(Square::flip_file);
    parts.castling.is_empty().then(|| parts.build().unwrap())
}

#[test]
fn legal_moves_have_slots_of_their_own() {
    for position in positions() {
        let view = View::of(&position);
        let moves = position.legal_moves();
        let by_geometry: HashSet<u16> = moves.iter().map(|&m| geometric(&view, m)).collect();
        assert_eq!(by_geometry.len(), moves.len(), "{position}");
        assert!(by_geometry.iter().all(|&slot| (slot as usize) < GEOMETRIC));
        let slots = slots(&position);
        assert_eq!(slots.len(), moves.len(), "{position}");
        assert!(slots.iter().all(|&slot| (slot as usize) < SLOTS));
    }
}

#[test]
fn colours_and_wings_are_alike() {
    let mut mirrors = 0;
    for position in positions() {
        let flipped = position.flipped().unwrap();
        assert_eq!(rows(&flipped), rows(&position), "{position}");
        assert_eq!(slots(&flipped), slots(&position), "{position}");
        if let Some(mirrored) = mirrored(&position) {
            mirrors += 1;
            assert_eq!(rows(&mirrored), rows(&position), "{position}");
            assert_eq!(slots(&mirrored), slots(&position), "{position}");
        }
    }
    assert!(mirrors > 0);
}

#[test]
fn every_promotion_has_a_slot_of_its_own() {
    // The king on the a-file leaves the board as it is, that on the h-file mirrors it.
    for (fen, back) in [("8/8/8/8/8/8/8/K1k5 w - - 0 1", 0), ("8/8/8/8/8/5k2/8/7K w - - 0 1", 7)] {
        let view = View::of(&fen.parse().unwrap());
        let mut found = Vec::new();
        for from in 0..8_u8 {
            for to in from.saturating_sub(1)..=(from + 1).min(7) {
                for piece in tandem_chess::PieceType::PROMOTIONS.into_iter().rev() {
                    let (from, to) = (Square::new(from ^ back, 6), Square::new(to ^ back, 7));
                    found.push(geometric(&view, Move::promotion(from, to, piece)));
                }
            }
        }
        let expected: Vec<u16> = (1792..1880).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn slots_are_numbered_as_the_format_says() {
    let position: Position = "4k3/8/8/8/8/8/8/KR6 w - - 0 1".parse().unwrap();
    let view = View::of(&position);
    let number = |from, to| geometric(&view, Move::normal(from, to));
    // From a1 a queen or a knight reaches b1 first and h8 last, 23 squares in all.
    assert_eq!(number(Square::A1, Square::B1), 0);
    assert_eq!(number(Square::A1, Square::H8), 22);
    assert_eq!(number(Square::B1, Square::A1), 23);
    assert_eq!(number(Square::H8, Square::G8), 1791);
    assert_eq!(geometric(&view, Move::castling(Square::B1, Square::A1)), 23);
}

#[test]
fn inputs_are_numbered_as_the_format_says() {
    // The white rook is attacked and defended, the black rook attacked only, the others defended only.
    let position: Position = "k7/8/8/8/8/8/r2p4/RK6 b - - 0 1".parse().unwrap();
    let attacks = |color| View::of(&position).attacks(color);
    assert!(attacks(Color::White).contains("a2".parse().unwrap()));
    let row = |state: u16, side: u16, kind: u16, square: u16| {
        ((state * 2 + side) * 6 + kind) * 64 + square
    };
    // Black to move, its king on a8: ranks are turned, files are not.
    let mut expected =
        [row(2, 0, 5, 0), row(1, 0, 3, 48), row(2, 0, 0, 51), row(3, 1, 3, 56), row(2, 1, 5, 57)];
    expected.sort_unstable();
    assert_eq!(rows(&position), expected);
}

#[test]
fn attack_sets_agree_with_the_attackers_of_each_square() {
    for position in positions() {
        let view = View::of(&position);
        for color in Color::ALL {
            let attacked: Bitboard = Square::all()
                .filter(|&square| {
                    let attackers = position.attackers_to(square, position.occupied());
                    (attackers & position.color(color)).any()
                })
                .collect();
            assert_eq!(view.attacks(color), attacked, "{color} in {position}");
        }
    }
}

#[test]
fn only_moves_that_lose_an_exchange_are_bad() {
    let bad = |fen: &str, text: &str| {
        let position: Position = fen.parse().unwrap();
        is_bad(&View::of(&position), &position, position.parse_uci(text).unwrap())
    };
    let exchange = "4k3/8/3p2p1/4p2p/8/8/4Q2R/4K3 w - - 0 1";
    assert!(bad(exchange, "e2e5") && bad(exchange, "h2h5") && bad(exchange, "e2h5"));
    assert!(!bad(exchange, "e2e4") && !bad(exchange, "h2h4"));
    // Defended, but the exchange wins.
    assert!(!bad("4k3/8/3p4/4q3/8/8/4R3/4K3 w - - 0 1", "e2e5"));
    // Castling never is, though the rook's square may be attacked.
    assert!(!bad("b3k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
}

/// A network of random numbers, narrow or wide.
fn random(hidden: usize, is_narrow: bool, seed: u64) -> PolicyParameters {
    let mut random = Random::new(seed);
    let mut within = |most: i64| (random.bits() % (2 * most as u64 + 1)) as i64 - most;
    let mut numbers = PolicyParameters::zero(hidden, "of random numbers");
    numbers.temperature = 1.25;
    let widest = if is_narrow { 127 } else { 300 };
    numbers.input_biases.fill_with(|| within(200) as i16);
    numbers.input_weights.fill_with(|| within(widest) as i16);
    numbers.output_biases.fill_with(|| within(100_000) as i32);
    numbers.output_weights.fill_with(|| within(127) as i8);
    numbers
}

/// What the format says, in plain words.
fn plain(numbers: &PolicyParameters, position: &Position, m: Move) -> i32 {
    let hidden = numbers.hidden;
    let mut neurons = numbers.input_biases.clone();
    for row in rows(position) {
        let weights = &numbers.input_weights[row as usize * hidden..][..hidden];
        for (neuron, &weight) in neurons.iter_mut().zip(weights) {
            *neuron = neuron.wrapping_add(weight);
        }
    }
    let slot = slot(&View::of(position), position, m) as usize;
    let weights = &numbers.output_weights[slot * hidden..][..hidden];
    let sum: i32 = neurons
        .iter()
        .zip(weights)
        .map(|(&neuron, &weight)| {
            let clipped = i32::from(neuron.clamp(0, 255));
            ((clipped * clipped) >> 9) * i32::from(weight)
        })
        .sum();
    numbers.output_biases[slot] + sum
}

#[test]
fn every_kernel_gives_what_the_format_says() {
    let mut positions = positions();
    let kept = positions.len() - SPECIAL.len();
    positions.drain(..kept - kept.min(40));
    let sizes: &[usize] = if cfg!(miri) { &[192] } else { &[64, 128, 192, 256, 320, 1024, 2048] };
    for (seed, &hidden) in sizes.iter().enumerate() {
        for is_narrow in [true, false] {
            let numbers = random(hidden, is_narrow, seed as u64);
            let network = Arc::new(PolicyNetwork::from_parameters(&numbers).unwrap());
            for kernel in Kernel::available() {
                let mut evaluator =
                    PolicyEvaluator::with_kernel(Arc::clone(&network), kernel).unwrap();
                for position in &positions {
                    let moves = position.legal_moves();
                    let expected: Vec<i32> =
                        moves.iter().map(|&m| plain(&numbers, position, m)).collect();
                    let mut outputs = vec![0; moves.len()];
                    evaluator.outputs(position, &moves, &mut outputs);
                    assert_eq!(outputs, expected, "{kernel} with {hidden} on {position}");
                    let mut logits = vec![0.0; moves.len()];
                    evaluator.judge(position, &moves, &mut logits);
                    for (logit, output) in logits.into_iter().zip(outputs) {
                        let expected = f64::from(output) / (127.0 * 64.0) / 1.25;
                        assert!((f64::from(logit) - expected).abs() <= expected.abs() * 1e-6);
                    }
                }
            }
        }
    }
}

#[test]
fn networks_survive_their_files() {
    for hidden in [64, 192] {
        for is_narrow in [true, false] {
            let numbers = random(hidden, is_narrow, 7);
            let bytes = numbers.to_bytes();
            let network = PolicyNetwork::from_bytes(&bytes).unwrap();
            assert!(network.parameters() == numbers && network.to_bytes() == bytes);
            assert_eq!(network.hidden(), hidden);
            assert_eq!(network.description(), "of random numbers");
            assert_eq!(network.digest(), crate::Digest::of(&bytes));
            let wide = 2 * ROWS * hidden;
            assert_eq!(network.memory() < wide + SLOTS * hidden, is_narrow);
        }
    }
}

#[test]
fn numbers_that_make_no_network_are_refused() {
    let refused = |change: &dyn Fn(&mut PolicyParameters)| {
        let mut numbers = PolicyParameters::zero(64, "");
        change(&mut numbers);
        PolicyNetwork::from_parameters(&numbers).unwrap_err().to_string()
    };
    assert!(refused(&|numbers| numbers.hidden = 100).contains("has 100 neurons"));
    assert!(refused(&|numbers| numbers.temperature = 0.0).contains("temperature is 0"));
    assert!(refused(&|numbers| numbers.temperature = f32::NAN).contains("temperature is NaN"));
    refused(&|numbers| numbers.input_biases.truncate(63));
    refused(&|numbers| numbers.input_weights.push(1));
    refused(&|numbers| numbers.output_biases.truncate(SLOTS - 1));
    refused(&|numbers| numbers.output_weights.push(1));
}
