//! What the search keeps for each ply of the line it looks at.

use arrayvec::ArrayVec;
use tandem_chess::{Move, Piece, Square};

use crate::history::ContinuationKey;
use crate::value::{MAX_PLY, NONE, Value};

/// A principal variation.
pub type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// One ply of the present line.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move made here; none after a null move.
    pub current: Option<Move>,
    /// What moved and where to.
    pub moved: Option<(Piece, Square)>,
    /// The same as a key into the continuation tables.
    pub continuation: ContinuationKey,
    /// The corrected static evaluation; [`NONE`] in check.
    pub static_eval: Value,
    /// Quiet moves that cut off here in sibling nodes.
    pub killers: [Option<Move>; 2],
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// How often nodes one ply below have cut off.
    pub cutoffs: u32,
    /// How well the histories thought of the move made here.
    pub history: i32,
    /// By how much the move made here was reduced, in 1024ths of a ply.
    pub reduction: i32,
    /// Whether the position has been on a principal variation.
    pub was_pv: bool,
    /// Whether the move made here was quiet.
    pub quiet: bool,
    /// The best line from here.
    pub pv: Line,
}

impl Ply {
    const fn new() -> Self {
        Self {
            current: None,
            moved: None,
            continuation: ContinuationKey::NONE,
            static_eval: NONE,
            killers: [None; 2],
            excluded: None,
            cutoffs: 0,
            history: 0,
            reduction: 0,
            was_pv: false,
            quiet: false,
            pv: Line::new_const(),
        }
    }
}

/// The plies of a line, with room before the root so that looking back needs no special case.
pub struct Stack(Vec<Ply>);

impl Stack {
    const BEFORE: usize = 7;

    pub fn new() -> Self {
        Self(vec![Ply::new(); Self::BEFORE + MAX_PLY + 10])
    }

    /// Forgets the last search.
    pub fn reset(&mut self) {
        self.0.fill(Ply::new());
    }

    /// A search of another position begins: what its first plies would read before they write it is
    /// forgotten. Costs little, unlike [`reset`](Self::reset), as principal variations stay.
    pub fn refresh(&mut self, plies: usize) {
        for ply in self.0.iter_mut().skip(Self::BEFORE).take(plies) {
            ply.static_eval = NONE;
            ply.killers = [None; 2];
            ply.cutoffs = 0;
            ply.history = 0;
        }
    }

    /// The ply that many before another.
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &Ply {
        &self.0[Self::BEFORE + ply - back]
    }

    /// The same, to be changed.
    #[inline]
    pub fn before_mut(&mut self, ply: usize, back: usize) -> &mut Ply {
        &mut self.0[Self::BEFORE + ply - back]
    }

    /// The keys of the moves 1, 2, 3, 4 and 6 plies before.
    #[inline]
    pub fn earlier(&self, ply: usize) -> [ContinuationKey; 5] {
        [1, 2, 3, 4, 6].map(|back| self.before(ply, back).continuation)
    }

    /// The best line from a ply becomes a move and the best line after it.
    pub fn extend_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.0.split_at_mut(Self::BEFORE + ply + 1);
        let pv = &mut head[Self::BEFORE + ply].pv;
        pv.clear();
        pv.push(m);
        let room = pv.remaining_capacity();
        pv.extend(tail[0].pv.iter().copied().take(room));
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Ply;

    #[inline]
    fn index(&self, ply: usize) -> &Ply {
        &self.0[Self::BEFORE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.0[Self::BEFORE + ply]
    }
}
