//! Our move generator beside `cozy-chess`, compiled with the same flags: `cargo bench -p
//! tandem-chess`. `tandem bench perft` runs the two in turns and prints the ratio.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tandem_chess::{Position, perft};

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
];

fn main() {
    divan::main();
}

#[divan::bench(args = [0, 1])]
fn tandem(bencher: Bencher, index: usize) {
    let (_, fen, depth) = POSITIONS[index];
    let position = Position::from_fen(fen).expect("a legal position");
    let nodes = perft(&position, depth);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft(black_box(&position), depth));
}

#[divan::bench(args = [0, 1])]
fn cozy_chess(bencher: Bencher, index: usize) {
    let (_, fen, depth) = POSITIONS[index];
    let board = fen.parse().expect("a legal position");
    let nodes = cozy_perft(&board, depth);
    bencher.counter(ItemsCount::new(nodes)).bench(|| cozy_perft(black_box(&board), depth));
}

#[divan::bench(args = [0, 1])]
fn tandem_legal_moves(bencher: Bencher, index: usize) {
    let position = Position::from_fen(POSITIONS[index].1).expect("a legal position");
    bencher.bench(|| black_box(&position).legal_moves());
}

#[divan::bench(args = [0, 1])]
fn tandem_make_every_move(bencher: Bencher, index: usize) {
    let position = Position::from_fen(POSITIONS[index].1).expect("a legal position");
    let moves = position.legal_moves();
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        for &m in &moves {
            black_box(position.after(m));
        }
    });
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}
