//! The outputs of real networks are those of the programs that they come from.

mod common;

use std::sync::Arc;

use tandem_chess::{Color, Position};
use tandem_nnue::{Evaluator, Kernel, Network, Networks, Outputs, WinRateModel, material};

const GOLDEN: &str = include_str!("data/golden.tsv");

/// The positions and the outputs of the network with that name.
fn golden(name: &str) -> Vec<(Position, Outputs)> {
    let mut lines = GOLDEN.lines();
    let heads: Vec<_> = lines.next().unwrap().split('\t').collect();
    let column = |what: &str| heads.iter().position(|head| *head == format!("{name} {what}"));
    let (psqt, positional) = (column("psqt").unwrap(), column("positional").unwrap());
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        let number = |column: usize| fields[column].parse().unwrap();
        let outputs = Outputs { psqt: number(psqt), positional: number(positional) };
        (fields[0].parse().unwrap(), outputs)
    };
    lines.map(row).collect()
}

#[test]
fn raw_outputs_are_golden_on_every_kernel() {
    for name in common::NAMES {
        let network = Arc::new(Network::load(common::path(name)).unwrap());
        let networks = Networks::new(network, None).unwrap();
        let golden = golden(name);
        assert_eq!(golden.len(), 300);
        for kernel in Kernel::ALL {
            let networks = match networks.clone().with_kernel(kernel) {
                Ok(networks) => networks,
                Err(error) => {
                    println!("NOT RUN for {kernel}: {error}");
                    continue;
                }
            };
            let mut evaluator = Evaluator::new(&networks, &Position::startpos());
            for (position, expected) in &golden {
                evaluator.reset(position);
                assert_eq!(evaluator.outputs_from_scratch(), *expected, "{name} {position}");
                assert_eq!(evaluator.outputs(), *expected, "{name} {position}");
            }
        }
    }
}

/// What `eval` of Stockfish 18 with its two networks says of the positions not in check.
const STOCKFISH_18: &str = include_str!("data/stockfish18.tsv");

#[test]
fn final_scores_of_the_pair_are_those_of_stockfish_18() {
    let load = |name| Arc::new(Network::load(common::path(name)).unwrap());
    let networks = Networks::new(load(common::THREATS), Some(load(common::SMALL))).unwrap();
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let rows: Vec<_> = STOCKFISH_18.lines().skip(1).collect();
    assert!(rows.len() > 250);
    for row in rows {
        let (fen, expected) = row.split_once('\t').unwrap();
        let position: Position = fen.parse().unwrap();
        evaluator.reset(&position);
        let stockfish = WinRateModel::STOCKFISH.at(material(&position));
        let score = stockfish.centipawns(evaluator.evaluate().value());
        let white = if position.side_to_move() == Color::White { score } else { -score };
        assert_eq!(white, expected.parse().unwrap(), "{fen}");
    }
}
