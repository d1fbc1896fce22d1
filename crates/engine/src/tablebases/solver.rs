//! Small endgames solved backwards from the mates with our own move generator: knowledge that owes
//! nothing to the tables.

use std::collections::HashMap;

use tandem_chess::{Builder, Color, Piece, PieceType, Position, Square};

/// Every legal position of king and that piece against king, with the plies to mate if White can
/// force it.
pub fn solve(kind: PieceType) -> Vec<(Position, Option<u32>)> {
    let positions = all_positions(kind);
    let places: HashMap<u64, usize> =
        positions.iter().enumerate().map(|(place, position)| (position.key(), place)).collect();
    // A successor that is not in the list has lost the piece.
    let successors: Vec<Vec<Option<usize>>> = positions
        .iter()
        .map(|position| {
            let moves = position.legal_moves();
            moves.iter().map(|&m| places.get(&position.after(m).key()).copied()).collect()
        })
        .collect();
    let mut mates: Vec<Option<u32>> =
        positions.iter().map(|position| position.is_checkmate().then_some(0)).collect();
    for plies in 1.. {
        let is_mate = |next: &Option<usize>| next.is_some_and(|place| mates[place].is_some());
        let fresh: Vec<usize> = (0..positions.len())
            .filter(|&place| mates[place].is_none() && !successors[place].is_empty())
            .filter(|&place| match positions[place].side_to_move() {
                Color::White => successors[place].iter().any(is_mate),
                Color::Black => successors[place].iter().all(is_mate),
            })
            .collect();
        if fresh.is_empty() {
            break;
        }
        for place in fresh {
            mates[place] = Some(plies);
        }
    }
    positions.into_iter().zip(mates).collect()
}

fn all_positions(kind: PieceType) -> Vec<Position> {
    let mut positions = Vec::new();
    for number in 0..64 * 64 * 64 {
        let square = |part: u32| Square::from_index((number >> (6 * part)) as u8);
        let (white, black, piece) = (square(0), square(1), square(2));
        if white == black || black == piece || piece == white {
            continue;
        }
        let mut builder = Builder::empty();
        builder.board[white.index()] = Some(Piece::new(Color::White, PieceType::King));
        builder.board[black.index()] = Some(Piece::new(Color::Black, PieceType::King));
        builder.board[piece.index()] = Some(Piece::new(Color::White, kind));
        for side in Color::ALL {
            builder.side = side;
            positions.extend(builder.build());
        }
    }
    positions
}
