//! An evaluation taken apart for people.

use tandem_chess::{Builder, Color, Piece, PieceType, Position, Square};

use crate::accumulator::bucket;
use crate::architecture::BUCKETS;
use crate::{Evaluator, Networks, Outputs, Score, Wdl, WinRate};

/// What the networks make of a position.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What each layer stack of the large network would answer.
    pub buckets: [Outputs; BUCKETS],
    /// The stack that the number of pieces chooses.
    pub bucket: usize,
    /// Whether the small network has the last word.
    pub by_small: bool,
    /// The score from the side to move's view.
    pub score: Score,
    /// The same in hundredths of a pawn, from White's view.
    pub centipawns: i32,
    /// The chances of the side to move.
    pub wdl: Wdl,
    /// What each piece except the kings is worth.
    pub pieces: Vec<Contribution>,
}

/// What a piece is worth where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Where the piece stands.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// By how many hundredths of a pawn the large network's score, from White's view, is higher
    /// with the piece than without; none where the position without it would be illegal.
    pub centipawns: Option<i32>,
}

impl Networks {
    /// Takes the evaluation of a position apart.
    #[must_use]
    pub fn explain(&self, position: &Position) -> Explanation {
        let mut evaluator = Evaluator::new(self, position);
        let (score, by_small) = evaluator.evaluate_and_tell(false);
        let scale = WinRate::of(position);
        let sign = |position: &Position| match position.side_to_move() {
            Color::White => 1,
            Color::Black => -1,
        };
        let mut for_white = |position: &Position| {
            evaluator.reset(position);
            sign(position) * evaluator.outputs().score(position).value()
        };
        let whole = for_white(position);
        let pieces = (position.occupied() - position.kind(PieceType::King))
            .into_iter()
            .filter_map(|square| {
                let piece = position.piece_on(square)?;
                let without = without(position, square).map(|rest| for_white(&rest));
                let centipawns = without.map(|value| scale.centipawns(whole - value));
                Some(Contribution { square, piece, centipawns })
            })
            .collect();
        evaluator.reset(position);
        Explanation {
            buckets: evaluator.outputs_by_bucket(),
            bucket: bucket(position),
            by_small,
            score,
            centipawns: sign(position) * scale.centipawns(score.value()),
            wdl: scale.wdl(score.value()),
            pieces,
        }
    }
}

/// The position without the piece on a square, if that is legal.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut board = [None; 64];
    for square in position.occupied() {
        board[square.index()] = position.piece_on(square);
    }
    board[square.index()] = None;
    let builder = Builder {
        board,
        side: position.side_to_move(),
        castling: position.castling_rooks() - square.into(),
        en_passant: None,
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
    };
    builder.build().ok()
}
