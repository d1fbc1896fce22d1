//! Moves in the order in which they are most likely to end the search.
//!
//! The table's move first, without generating any; then captures that do not lose material, the
//! best first; then quiet moves by their histories; then what loses material. Each stage is
//! generated only when the stages before it brought no cut-off.

use arrayvec::ArrayVec;
use tandem_chess::attacks::{bishop_attacks, knight_attacks, pawns_attack, rook_attacks};
use tandem_chess::{Bitboard, Checks, Color, Move, MoveList, PieceType, Position, see};

use crate::history::{ContinuationKey, Histories};

#[derive(Clone, Copy)]
struct Scored {
    m: Move,
    score: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Quiet moves below this come after the losing captures.
const GOOD_QUIET: i32 = -14_000;
const KILLER_BONUS: i32 = 24_000;
const COUNTER_BONUS: i32 = 8_000;

/// What a picker knows about the node beside the position.
pub struct Context<'a> {
    /// Plies from the root.
    pub ply: usize,
    /// The earlier moves whose continuations count: 1, 2, 3, 4 and 6 plies ago.
    pub earlier: &'a [ContinuationKey; 5],
    /// Quiet moves that cut off in sibling nodes.
    pub killers: [Option<Move>; 2],
    /// The quiet move that refuted the opponent's last move before.
    pub counter: Option<Move>,
}

/// Hands out the moves of a node, best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// Captures must win at least this much in the exchange to be good.
    threshold: Option<i32>,
    moves: ArrayVec<Scored, 256>,
    bad_captures: MoveList,
    next: usize,
    quiets_wanted: bool,
}

impl Picker {
    /// For a node of the main search: every legal move.
    pub fn new(position: &Position, table_move: Option<Move>) -> Self {
        let first =
            if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
        Self::starting(first, table_move, None, true)
    }

    /// For quiescence: evasions in check, captures otherwise.
    pub fn captures(position: &Position, table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|&m| position.in_check() || is_noisy(position, m));
        let first =
            if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
        Self::starting(first, table_move, None, false)
    }

    /// For `ProbCut`: captures that win at least `threshold`.
    pub fn winning_captures(position: &Position, table_move: Option<Move>, threshold: i32) -> Self {
        let table_move =
            table_move.filter(|&m| is_noisy(position, m) && position.see_at_least(m, threshold));
        Self::starting(Stage::GenerateCaptures, table_move, Some(threshold), false)
    }

    fn starting(
        first: Stage,
        table_move: Option<Move>,
        threshold: Option<i32>,
        quiets_wanted: bool,
    ) -> Self {
        Self {
            stage: if table_move.is_some() { Stage::TableMove } else { first },
            table_move,
            threshold,
            moves: ArrayVec::new(),
            bad_captures: MoveList::new(),
            next: 0,
            quiets_wanted,
        }
    }

    /// No more quiet moves are wanted.
    pub fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
    }

    /// The next move; none when all have been handed out.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context<'_>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = if position.in_check() && self.threshold.is_none() {
                        Stage::GenerateEvasions
                    } else {
                        Stage::GenerateCaptures
                    };
                    return self.table_move;
                }
                Stage::GenerateCaptures => {
                    self.fill(&position.captures(), |m| score_capture(position, histories, m));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(position) {
                    Some(m) => return Some(m),
                    None if self.threshold.is_some() => self.stage = Stage::Done,
                    None if self.quiets_wanted => self.stage = Stage::GenerateQuiets,
                    None => self.begin_bad_captures(),
                },
                Stage::GenerateQuiets => {
                    if self.quiets_wanted {
                        let threats = Threats::of(position);
                        let checks = position.checks();
                        self.fill(&position.quiets(), |m| {
                            score_quiet(position, histories, context, &threats, &checks, m)
                        });
                        self.stage = Stage::GoodQuiets;
                    } else {
                        self.begin_bad_captures();
                    }
                }
                Stage::GoodQuiets => match self.best().filter(|_| self.quiets_wanted) {
                    Some(scored) if scored.score > GOOD_QUIET => {
                        self.next += 1;
                        return Some(scored.m);
                    }
                    _ => self.begin_bad_captures(),
                },
                Stage::BadCaptures => match self.bad_captures.pop_at(0) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::BadQuiets,
                },
                Stage::BadQuiets | Stage::Evasions => {
                    let wanted = self.stage == Stage::Evasions || self.quiets_wanted;
                    match self.best().filter(|_| wanted) {
                        Some(scored) => {
                            self.next += 1;
                            return Some(scored.m);
                        }
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::GenerateEvasions => {
                    self.fill(&position.legal_moves(), |m| {
                        score_evasion(position, histories, context, m)
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Scores the moves of a new stage; the table's move has been handed out already.
    fn fill(&mut self, list: &MoveList, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        for &m in list.iter().filter(|&&m| Some(m) != self.table_move) {
            self.moves.push(Scored { m, score: score(m) });
        }
    }

    /// Moves the best of the rest to the front and shows it. A cut-off usually comes soon, so
    /// sorting them all would be wasted.
    fn best(&mut self) -> Option<Scored> {
        let rest = &mut self.moves[self.next..];
        let mut best = rest.first()?.score;
        let mut at = 0;
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best {
                (best, at) = (scored.score, i);
            }
        }
        rest.swap(0, at);
        Some(rest[0])
    }

    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some(scored) = self.best() {
            self.next += 1;
            let threshold = self.threshold.unwrap_or(-scored.score / 18);
            if position.see_at_least(scored.m, threshold) {
                return Some(scored.m);
            }
            if self.threshold.is_none() {
                self.bad_captures.push(scored.m);
            }
        }
        None
    }

    fn begin_bad_captures(&mut self) {
        if self.stage == Stage::GoodCaptures || self.stage == Stage::GenerateQuiets {
            // No quiet moves were generated: nothing is left behind the bad captures.
            self.moves.clear();
            self.next = 0;
        }
        self.stage = Stage::BadCaptures;
    }
}

/// Whether a legal move takes something or makes a queen.
#[inline]
pub fn is_noisy(position: &Position, m: Move) -> bool {
    position.is_capture(m) || m.becomes().is_some()
}

fn score_capture(position: &Position, histories: &Histories, m: Move) -> i32 {
    let captured = position.captured_by(m);
    let promotion = m.becomes().map_or(0, |kind| see::value(kind) - see::value(PieceType::Pawn));
    let victim = captured.map_or(0, see::value) + promotion;
    let history =
        position.piece_on(m.from()).map_or(0, |piece| histories.capture(piece, m.to(), captured));
    7 * victim + history
}

fn score_quiet(
    position: &Position,
    histories: &Histories,
    context: &Context<'_>,
    threats: &Threats,
    checks: &Checks,
    m: Move,
) -> i32 {
    let Some(piece) = position.piece_on(m.from()) else { return 0 };
    let (to, at) = (m.to(), |key| histories.after(key)[piece.slot()][m.to().index()].get());
    let [one, two, three, four, six] = *context.earlier;
    let mut score = 2 * histories.butterfly(position.side_to_move(), m)
        + 2 * histories.pawns(position, piece, to)
        + at(one)
        + at(two)
        + at(three) / 2
        + at(four)
        + at(six);
    if context.ply < crate::history::LOW_PLIES {
        score += 8 * histories.low_ply(context.ply, m) / (1 + context.ply as i32);
    }
    if context.killers.contains(&Some(m)) {
        score += KILLER_BONUS;
    }
    if context.counter == Some(m) {
        score += COUNTER_BONUS;
    }
    if checks.squares(piece.kind()).contains(to) && position.see_at_least(m, -75) {
        score += 16_000;
    }
    score + threats.bonus(piece.kind(), m)
}

fn score_evasion(
    position: &Position,
    histories: &Histories,
    context: &Context<'_>,
    m: Move,
) -> i32 {
    if is_noisy(position, m) {
        return (1 << 28) + score_capture(position, histories, m);
    }
    let Some(piece) = position.piece_on(m.from()) else { return 0 };
    histories.butterfly(position.side_to_move(), m)
        + histories.after(context.earlier[0])[piece.slot()][m.to().index()].get()
        + histories.low_ply(context.ply, m)
}

/// Squares that the opponent attacks with a pawn, with a minor piece at most, with a rook at most.
struct Threats {
    pawn: Bitboard,
    minor: Bitboard,
    rook: Bitboard,
}

impl Threats {
    fn of(position: &Position) -> Self {
        let them: Color = !position.side_to_move();
        let occupied = position.occupied();
        let each = |kind: PieceType, attacks: &dyn Fn(tandem_chess::Square) -> Bitboard| {
            position
                .pieces(them, kind)
                .into_iter()
                .fold(Bitboard::EMPTY, |set, from| set | attacks(from))
        };
        let by_pawn = pawns_attack(them, position.pieces(them, PieceType::Pawn));
        let by_minor = by_pawn
            | each(PieceType::Knight, &knight_attacks)
            | each(PieceType::Bishop, &|from| bishop_attacks(from, occupied));
        let by_rook = by_minor | each(PieceType::Rook, &|from| rook_attacks(from, occupied));
        Self { pawn: by_pawn, minor: by_minor, rook: by_rook }
    }

    /// A bonus for taking a piece out of danger, a malus for walking into it.
    fn bonus(&self, kind: PieceType, m: Move) -> i32 {
        let (danger, weight) = match kind {
            PieceType::Queen => (self.rook, 20_000),
            PieceType::Rook => (self.minor, 14_000),
            PieceType::Bishop | PieceType::Knight => (self.pawn, 14_000),
            PieceType::Pawn | PieceType::King => return 0,
        };
        match (danger.contains(m.from()), danger.contains(m.to())) {
            (true, false) => weight,
            (false, true) => -weight,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: Context<'_> = Context {
        ply: 20,
        earlier: &[ContinuationKey::NONE; 5],
        killers: [None; 2],
        counter: None,
    };

    fn all(mut picker: Picker, position: &Position) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories, &CONTEXT)).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let mut legal: Vec<_> = position.legal_moves().into_iter().collect();
            for table_move in [None, legal.first().copied(), legal.last().copied()] {
                let mut picked = all(Picker::new(&position, table_move), &position);
                if table_move.is_some() {
                    assert_eq!(picked.first().copied(), table_move);
                }
                picked.sort_by_key(|m| m.bits());
                legal.sort_by_key(|m| m.bits());
                assert_eq!(picked, legal, "{fen}");
            }
        }
    }

    #[test]
    fn quiescence_sees_captures_only() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        let picked = all(Picker::captures(&position, None), &position);
        assert_eq!(picked.len(), position.captures().len());
        assert!(picked.iter().all(|&m| is_noisy(&position, m)));
    }
}
