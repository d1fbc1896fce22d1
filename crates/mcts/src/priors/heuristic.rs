//! Priors by chess knowledge: the kinds of knowledge that the hybrid paper names, with the numbers of
//! its public code as a starting point.

use tandem_chess::{Move, PieceType, Position, Square, see};

use super::{Policy, Priors};
use crate::tunables as t;

/// Knows captures and exchanges, promotions, checks, the centre, development, castling and the king's
/// safety.
pub struct Heuristic;

impl Priors for Heuristic {
    fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]) {
        let checks = position.checks();
        let pieces = position.occupied().count();
        let unit = 1.0 / t::prior_unit() as f32;
        for (&m, logit) in moves.iter().zip(logits) {
            let mut points = quiet_points(position, m, pieces);
            if let Some(victim) = position.captured_by(m) {
                points += capture_points(position, m, victim);
            }
            match m.becomes() {
                Some(PieceType::Queen) => points += t::prior_queen(),
                Some(PieceType::Knight) => points += t::prior_knight(),
                _ => {}
            }
            if position.gives_check_by(m, &checks) {
                points += t::prior_check();
            }
            *logit = points as f32 * unit;
        }
    }

    fn policy(&self) -> Policy {
        Policy::Heuristic
    }
}

/// The most valuable victim by the least valuable attacker, and whether the exchange holds.
fn capture_points(position: &Position, m: Move, victim: PieceType) -> i32 {
    let attacker = position.piece_on(m.from()).map_or(0, |piece| worth(piece.kind()));
    let exchange = if position.see_at_least(m, 0) { t::prior_exchange() } else { 0 };
    t::prior_victim() * worth(victim) / 10 - attacker + exchange
}

/// A king takes like a pawn: it can only take what is not defended.
const fn worth(kind: PieceType) -> i32 {
    match kind {
        PieceType::King => 100,
        kind => see::value(kind),
    }
}

/// Centre, development, castling and the king's safety.
fn quiet_points(position: &Position, m: Move, pieces: u32) -> i32 {
    if m.is_castling() {
        return if pieces > t::prior_opening() as u32 { t::prior_castling() } else { 0 };
    }
    let Some(kind) = position.piece_on(m.from()).map(tandem_chess::Piece::kind) else { return 0 };
    let mut points = (7 - from_centre(m.to())) * t::prior_centre();
    if matches!(kind, PieceType::Knight | PieceType::Bishop)
        && pieces > t::prior_opening() as u32
        && is_home(position, m.from())
    {
        points += t::prior_development();
    }
    if kind == PieceType::King && pieces > t::prior_middlegame() as u32 {
        points -= t::prior_king();
    }
    points
}

/// Whether a square is on the side to move's first rank.
const fn is_home(position: &Position, square: Square) -> bool {
    let home = if position.side_to_move().index() == 0 { 0 } else { 7 };
    square.rank() == home
}

/// Steps to the four squares in the centre, files and ranks together.
fn from_centre(square: Square) -> i32 {
    let outside = |line: u8| i32::from(if line < 4 { 3 - line } else { line - 4 });
    outside(square.file()) + outside(square.rank())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::priors::softmax;

    /// The moves of a position, the likeliest first.
    fn order(fen: &str) -> Vec<(String, f32)> {
        let position: Position = fen.parse().unwrap();
        let moves = position.legal_moves();
        let mut likelihoods = vec![0.0; moves.len()];
        Heuristic.judge(&position, &moves, &mut likelihoods);
        softmax(&mut likelihoods, 1.0);
        let mut order: Vec<_> = moves.into_iter().map(|m| m.to_string()).zip(likelihoods).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order
    }

    #[test]
    fn each_kind_of_knowledge_is_heeded() {
        // A free queen before everything else, a pawn that is defended last among the captures.
        let order_of = order("4k3/8/3p4/2p1q3/8/5N2/3Q4/4K3 w - - 0 1");
        assert_eq!(order_of[0].0, "f3e5");
        // A promotion, first of all to a queen.
        let promotion = order("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!((promotion[0].0.as_str(), promotion[1].0.as_str()), ("a7a8q", "a7a8n"));
        // A check before another move of the same piece.
        let place = |order: &[(String, f32)], m: &str| order.iter().position(|x| x.0 == m).unwrap();
        let check = order("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert!(place(&check, "a1a8") < place(&check, "a1a7"));
        let start = order("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(place(&start, "g1f3") < place(&start, "g1h3"));
        assert!(place(&start, "e2e4") < place(&start, "a2a4"));
        let castling = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let castling = order(castling);
        assert!(place(&castling, "e1h1") < place(&castling, "e1e2"));
        assert!(place(&castling, "e1h1") < place(&castling, "h1g1"));
    }

    #[test]
    fn a_losing_exchange_is_less_likely_than_a_winning_one() {
        let order = order("4k3/8/3p2p1/4p2p/8/8/4Q2R/4K3 w - - 0 1");
        let likelihood = |m: &str| order.iter().find(|x| x.0 == m).unwrap().1;
        assert!(likelihood("h2h5") < likelihood("e2e5") || likelihood("e2e5") < 0.2);
    }
}
