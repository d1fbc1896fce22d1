//! In which order the moves of a node are tried. Alpha-beta is the better the earlier it meets the
//! move that refutes a line.

mod captures_first;
mod informed;

pub use captures_first::CapturesFirst;
pub use informed::{Experience, Informed, is_tactical};

use tandem_chess::{Move, Position};

use crate::Rules;

/// What a search already knows about a node when it looks for an order.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// The best move of an earlier search of the same position.
    pub table_move: Option<Move>,
    /// What refuted other lines.
    pub experience: &'a Experience,
    /// How far the node is from the root.
    pub ply: usize,
}

/// An order of the legal moves.
pub trait Order: Sized {
    /// Whether the order gets better if cutoffs are noted in the [`Experience`].
    const LEARNS: bool;

    /// Takes from the hints what it needs.
    fn new<R: Rules>(position: &Position, hints: Hints) -> Self;

    /// Calls `visit` with each legal move, in order, until it answers with an error. (The
    /// innermost loop of the program is twice as fast this way round as with an iterator.)
    ///
    /// # Errors
    /// What `visit` returned.
    fn visit<R: Rules, E>(
        self,
        position: &Position,
        visit: impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E>;
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::testing::{busy_positions, random_positions};
    use crate::{ChessRules, PaperRules};
    use tandem_chess::{MoveKind, PieceType};

    fn in_order<O: Order, R: Rules>(position: &Position, table_move: Option<Move>) -> Vec<Move> {
        let hints = Hints { table_move, experience: &Experience::default(), ply: 0 };
        let mut moves = Vec::new();
        let Ok(()) = O::new::<R>(position, hints).visit::<R, Infallible>(position, |m| {
            moves.push(m);
            Ok(())
        });
        moves
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_by_key(|m| m.bits());
        moves
    }

    #[test]
    fn every_order_gives_every_legal_move_once() {
        for position in [random_positions(300, 2), busy_positions()].concat() {
            let legal = position.legal_moves().to_vec();
            let without: Vec<Move> =
                legal.iter().copied().filter(|m| m.kind() != MoveKind::EnPassant).collect();
            let (legal, without) = (sorted(legal), sorted(without));
            let captures_first = in_order::<CapturesFirst, ChessRules>(&position, None);
            assert_eq!(sorted(captures_first), legal, "{position}");
            let informed = in_order::<Informed, ChessRules>(&position, None);
            assert_eq!(sorted(informed), legal, "{position}");
            let captures_first = in_order::<CapturesFirst, PaperRules>(&position, None);
            assert_eq!(sorted(captures_first), without, "{position}");
            let informed = in_order::<Informed, PaperRules>(&position, None);
            assert_eq!(sorted(informed), without, "{position}");
        }
    }

    #[test]
    fn the_paper_s_classes_come_one_after_the_other() {
        for position in [random_positions(300, 3), busy_positions()].concat() {
            let score = |m: &Move| {
                10_000 * i32::from(position.is_capture(*m))
                    + 9_000 * i32::from(m.becomes() == Some(PieceType::Queen))
            };
            let moves = in_order::<CapturesFirst, PaperRules>(&position, None);
            assert!(moves.is_sorted_by(|a, b| score(a) >= score(b)), "{position}");
        }
    }

    #[test]
    fn the_table_s_move_is_tried_first() {
        for position in busy_positions() {
            for m in position.legal_moves() {
                let moves = in_order::<Informed, ChessRules>(&position, Some(m));
                assert_eq!(moves.first(), Some(&m));
            }
        }
    }

    #[test]
    fn a_pawn_takes_a_queen_before_a_queen_takes_a_guarded_pawn() {
        let position: Position = "4k3/2p5/3p4/4q3/3P4/8/8/3QK3 w - - 0 1".parse().unwrap();
        let moves = in_order::<Informed, ChessRules>(&position, None);
        assert_eq!(moves[0].to_string(), "d4e5");
        let position: Position = "4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1".parse().unwrap();
        let moves = in_order::<Informed, ChessRules>(&position, None);
        assert_eq!(moves.last().map(ToString::to_string).as_deref(), Some("d1d6"));
    }
}
