//! What earlier cut-offs taught about moves.

use tandem_chess::{Color, Move, Piece, PieceType, Position, Square};

/// A number that moves towards what it is told and never leaves ±`LIMIT`: each step shrinks as the
/// limit comes nearer.
#[derive(Clone, Copy, Debug)]
pub struct Stat<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Stat<LIMIT> {
    const fn new(initial: i32) -> Self {
        Self(initial as i16)
    }

    /// The present value.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0 as i32
    }

    /// Pulls the value up or down.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

/// The plies from the root that have a history of their own.
pub const LOW_PLIES: usize = 5;
const PAWN_STRUCTURES: usize = 512;

type Butterfly = [[Stat<7183>; 4096]; 2];
type LowPly = [[Stat<7183>; 4096]; LOW_PLIES];
type Capture = [[[Stat<10692>; 8]; 64]; Piece::SLOTS];
type PawnStructure = [[[Stat<8192>; 64]; Piece::SLOTS]; PAWN_STRUCTURES];
/// How a piece on a square did after one earlier move.
pub type Continuation = [[Stat<30000>; 64]; Piece::SLOTS];
type CounterMoves = [[Option<Move>; 64]; Piece::SLOTS];

/// Which earlier move a continuation refers to: a piece and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuationKey(u16);

impl ContinuationKey {
    /// No earlier move: the root, or after a null move.
    pub const NONE: Self = Self(0);

    /// The move of that piece to that square.
    #[inline]
    pub const fn new(piece: Piece, to: Square) -> Self {
        Self((piece.slot() * 64 + to.index()) as u16)
    }

    /// A number below 1024, the place in tables by earlier move.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 1023
    }
}

/// Everything that one thread has learnt about moves.
pub struct Histories {
    butterfly: Box<Butterfly>,
    low_ply: Box<LowPly>,
    capture: Box<Capture>,
    pawns: Box<PawnStructure>,
    continuation: Box<[Continuation]>,
    counter: Box<CounterMoves>,
}

/// A boxed array of equal parts, built on the heap.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("N of them"))
}

impl Histories {
    /// What a thread knows before its first search (the paper's initial values).
    pub fn new() -> Self {
        Self {
            butterfly: boxed([Stat::new(68); 4096]),
            low_ply: boxed([Stat::new(97); 4096]),
            capture: boxed([[Stat::new(-689); 8]; 64]),
            pawns: boxed([[Stat::new(-1238); 64]; Piece::SLOTS]),
            continuation: vec![[[Stat::new(-529); 64]; Piece::SLOTS]; Piece::SLOTS * 64]
                .into_boxed_slice(),
            counter: boxed([None; 64]),
        }
    }

    /// Another search begins: distances to the root have changed.
    pub fn forget_low_plies(&mut self) {
        self.low_ply.fill([Stat::new(97); 4096]);
    }

    /// A quiet move of the root seems good before it is tried.
    pub fn expect_at_root(&mut self, m: Move, bonus: i32) {
        self.low_ply[0][from_to(m)].update(bonus);
    }

    /// How a quiet move from one square to another did.
    #[inline]
    pub fn butterfly(&self, side: Color, m: Move) -> i32 {
        self.butterfly[side.index()][from_to(m)].get()
    }

    /// The same near the root; 0 elsewhere.
    #[inline]
    pub fn low_ply(&self, ply: usize, m: Move) -> i32 {
        self.low_ply.get(ply).map_or(0, |table| table[from_to(m)].get())
    }

    /// How a piece on a square did with this pawn structure.
    #[inline]
    pub fn pawns(&self, position: &Position, piece: Piece, to: Square) -> i32 {
        self.pawns[structure(position)][piece.slot()][to.index()].get()
    }

    /// How a capture did.
    #[inline]
    pub fn capture(&self, piece: Piece, to: Square, captured: Option<PieceType>) -> i32 {
        self.capture[piece.slot()][to.index()][victim(captured)].get()
    }

    /// How pieces did after an earlier move.
    #[inline]
    pub fn after(&self, key: ContinuationKey) -> &Continuation {
        &self.continuation[key.index()]
    }

    /// The move that refuted an earlier move.
    #[inline]
    pub fn counter(&self, piece: Piece, to: Square) -> Option<Move> {
        self.counter[piece.slot()][to.index()]
    }

    /// Notes the move that refutes an earlier move.
    #[inline]
    pub fn set_counter(&mut self, piece: Piece, to: Square, m: Move) {
        self.counter[piece.slot()][to.index()] = Some(m);
    }

    /// Tells the tables of quiet moves how one did; `earlier` are the moves before it.
    pub fn update_quiet(
        &mut self,
        position: &Position,
        m: Move,
        ply: usize,
        earlier: &[ContinuationKey],
        bonus: i32,
    ) {
        let Some(piece) = position.piece_on(m.from()) else { return };
        self.butterfly[position.side_to_move().index()][from_to(m)].update(bonus);
        if let Some(table) = self.low_ply.get_mut(ply) {
            table[from_to(m)].update(bonus * 3 / 4);
        }
        let pawn_bonus = if bonus > 0 { bonus * 5 / 6 } else { bonus / 2 };
        self.pawns[structure(position)][piece.slot()][m.to().index()].update(pawn_bonus);
        self.update_continuations(piece, m.to(), earlier, bonus * 7 / 8);
    }

    /// Tells the continuation tables how a piece's move did after each of the earlier moves.
    pub fn update_continuations(
        &mut self,
        piece: Piece,
        to: Square,
        earlier: &[ContinuationKey],
        bonus: i32,
    ) {
        for &key in earlier.iter().filter(|&&key| key != ContinuationKey::NONE) {
            self.continuation[key.index()][piece.slot()][to.index()].update(bonus);
        }
    }

    /// Tells the butterfly table alone.
    pub fn update_butterfly(&mut self, side: Color, m: Move, bonus: i32) {
        self.butterfly[side.index()][from_to(m)].update(bonus);
    }

    /// Tells the capture table how a capture did.
    pub fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let Some(piece) = position.piece_on(m.from()) else { return };
        let captured = victim(position.captured_by(m));
        self.capture[piece.slot()][m.to().index()][captured].update(bonus);
    }
}

#[inline]
const fn from_to(m: Move) -> usize {
    m.from().index() << 6 | m.to().index()
}

#[inline]
fn victim(captured: Option<PieceType>) -> usize {
    captured.map_or(6, PieceType::index) & 7
}

#[inline]
const fn structure(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_STRUCTURES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_never_leaves_its_limits() {
        let mut stat = Stat::<1000>::new(0);
        for bonus in [900, 900, 900, 5000, 1000, 1000] {
            stat.update(bonus);
            assert!(stat.get() <= 1000);
        }
        for _ in 0..100 {
            stat.update(-999);
        }
        assert!(stat.get() >= -1000);
    }
}
