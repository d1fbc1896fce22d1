//! The order of the later steps: the table's move, winning and even captures by victim and
//! attacker, killers, quiet moves by their history, losing captures last.

use arrayvec::ArrayVec;
use tandem_chess::{FullMove, Move, MoveKind, PieceType, Position, see};

use super::{Hints, Order};
use crate::Rules;

/// Quiet moves that refuted lines before.
#[derive(Clone, Debug)]
pub struct Experience {
    /// Two refutations at each distance from the root (Akl and Newborn's killer heuristic): what
    /// refutes one move often refutes its neighbours.
    killers: Vec<[Option<Move>; 2]>,
    /// Schaeffer's history heuristic: for each origin and target, how much work a move has saved.
    history: Vec<[i32; 64]>,
}

impl Default for Experience {
    fn default() -> Self {
        Self { killers: vec![[None; 2]; crate::MAX_DEPTH as usize + 1], history: vec![[0; 64]; 64] }
    }
}

impl Experience {
    /// Beyond this all histories are halved, so that they never reach the captures' scores.
    const HISTORY_LIMIT: i32 = 1 << 18;

    /// Notes that a quiet move refuted a line with that much depth to go.
    pub fn note_refutation(&mut self, m: Move, ply: usize, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let saved = &mut self.history[m.from().index()][m.to().index()];
        *saved += (depth * depth) as i32;
        if *saved > Self::HISTORY_LIMIT {
            self.history.as_flattened_mut().iter_mut().for_each(|h| *h /= 2);
        }
    }
}

/// A list with a score for each move, from which the best of the rest is taken each time: most
/// nodes end after a move or two, so sorting them all would be wasted.
#[derive(Clone, Debug)]
pub struct Informed {
    moves: ArrayVec<(Move, i32), 256>,
    taken: usize,
}

impl Informed {
    const TABLE_MOVE: i32 = i32::MAX;
    const CAPTURE: i32 = 1 << 24;
    const KILLERS: [i32; 2] = [(1 << 20) + 1, 1 << 20];
    const LOSING_CAPTURE: i32 = -(1 << 24);

    /// The captures and queen promotions that lose no material, as quiescence wants them.
    #[must_use]
    pub fn captures<R: Rules>(position: &Position) -> Self {
        let is_wanted =
            |m: &Move| is_known::<R>(*m) && m.becomes().is_none_or(|kind| kind == PieceType::Queen);
        let moves = position.captures().into_iter().filter(is_wanted);
        let scored = moves.map(|m| (m, Self::capture(position, m)));
        Self { moves: scored.filter(|&(_, score)| score > 0).collect(), taken: 0 }
    }

    fn score(position: &Position, m: Move, hints: &Hints) -> i32 {
        if hints.table_move == Some(m) {
            return Self::TABLE_MOVE;
        }
        if is_tactical(position, m) {
            return Self::capture(position, m);
        }
        let Experience { killers, history } = hints.experience;
        let killers = killers.get(hints.ply).copied().unwrap_or_default();
        match killers.iter().position(|&killer| killer == Some(m)) {
            Some(place) => Self::KILLERS[place],
            None => history[m.from().index()][m.to().index()],
        }
    }

    /// The most valuable victim first, among equals the least valuable attacker; behind all quiet
    /// moves whatever loses material when the exchange is played out.
    fn capture(position: &Position, m: Move) -> i32 {
        let full = FullMove::new(position, m);
        let gain = full.captured().map_or(0, see::value)
            + m.becomes().map_or(0, |kind| see::value(kind) - see::value(PieceType::Pawn));
        let score = 8 * gain - full.moving() as i32;
        let class = if gain >= see::value(full.moving()) || position.see_at_least(m, 0) {
            Self::CAPTURE
        } else {
            Self::LOSING_CAPTURE
        };
        class + score
    }
}

/// The moves from first to last.
impl Iterator for Informed {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let rest = &mut self.moves[self.taken..];
        let mut best = 0;
        for place in 1..rest.len() {
            if rest[place].1 > rest[best].1 {
                best = place;
            }
        }
        let found = rest.get(best)?.0;
        rest.swap(0, best);
        self.taken += 1;
        Some(found)
    }
}

impl Order for Informed {
    const LEARNS: bool = true;

    fn new<R: Rules>(position: &Position, hints: Hints) -> Self {
        let moves = position.legal_moves().into_iter().filter(|&m| is_known::<R>(m));
        Self { moves: moves.map(|m| (m, Self::score(position, m, &hints))).collect(), taken: 0 }
    }

    fn visit<R: Rules, E>(
        mut self,
        _position: &Position,
        visit: impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        self.try_for_each(visit)
    }
}

/// Whether a move changes the material on the board for good: it is no killer and has no history.
#[must_use]
pub fn is_tactical(position: &Position, m: Move) -> bool {
    position.is_capture(m) || m.becomes() == Some(PieceType::Queen)
}

/// Whether the rules know this legal move.
fn is_known<R: Rules>(m: Move) -> bool {
    R::EN_PASSANT || m.kind() != MoveKind::EnPassant
}
