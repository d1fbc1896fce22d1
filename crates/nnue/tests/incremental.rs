//! Accumulators that are updated equal those that are added up from nothing.

mod common;

use std::sync::Arc;

use common::Random;
use tandem_chess::Position;
use tandem_nnue::{Evaluator, Network, Networks};

const PLIES: usize = 100_000;

/// Plays random games from Chess960 start positions, forward and back, and compares at random
/// moments, so that one to many plies are caught up at once.
fn compare_along_random_games(name: &str) {
    let network = Arc::new(Network::load(common::path(name)).unwrap());
    let networks = Networks::new(network, None).unwrap();
    let mut random = Random(name.bytes().map(u64::from).sum());
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let (mut plies, mut compared, mut castled) = (0, 0, 0);
    while plies < PLIES {
        let mut line = vec![random.chess960_position()];
        evaluator.reset(&line[0]);
        for _ in 0..300 {
            let position = line[line.len() - 1];
            let moves = position.legal_moves();
            if line.len() > 1 && (moves.is_empty() || random.below(4) == 0) {
                line.pop();
                evaluator.pop();
            } else if !position.in_check() && random.below(20) == 0 {
                let mut next = position;
                next.make_null();
                line.push(next);
                evaluator.push(&next);
            } else if let Some(&m) = moves.get(random.below(moves.len())) {
                castled += usize::from(m.is_castling());
                let next = position.after(m);
                line.push(next);
                evaluator.push(&next);
                plies += 1;
            }
            if random.below(3) > 0 {
                let updated = evaluator.outputs();
                assert!(evaluator.agrees_with_scratch(), "{name} {}", evaluator.position());
                assert_eq!(updated, evaluator.outputs_from_scratch());
                compared += 1;
            }
        }
    }
    println!("{name}: {plies} plies, {compared} comparisons, {castled} castlings");
    assert!(castled > 100 && compared > PLIES / 2);
}

#[test]
fn updates_equal_refreshes_for_the_small_network() {
    compare_along_random_games(common::SMALL);
}

#[test]
fn updates_equal_refreshes_for_a_raw_network() {
    compare_along_random_games(common::L1_1024);
}

#[test]
fn updates_equal_refreshes_for_a_wide_network() {
    compare_along_random_games(common::L1_1536);
}

#[test]
fn updates_equal_refreshes_for_the_threat_network() {
    compare_along_random_games(common::THREATS);
}
