//! Rows of the feature transformer, for squares as the side to move sees them.
//!
//! The real rows are those of `HalfKAv2_hm`. A virtual row stands for a piece on a square wherever
//! the king stands; what it learns is added to all real rows of that piece and square.

/// Buckets of the own king's square.
pub(crate) const KING_BUCKETS: usize = 32;
/// Rows of a king's bucket: five kinds of two colours and one plane for both kings.
pub(crate) const BUCKET_ROWS: usize = 11 * 64;
/// Rows that a network file has.
pub(crate) const REAL_ROWS: usize = KING_BUCKETS * BUCKET_ROWS;
/// Rows that exist only in training: with a plane for each of the two kings.
pub(crate) const VIRTUAL_ROWS: usize = 12 * 64;

const KING_PLANE: usize = 10;

/// How a side sees the board.
pub(super) struct View {
    /// Whether it is the opponent of the side to move.
    is_enemy: bool,
    flip: u8,
    pub bucket: u8,
}

impl View {
    pub fn new(king: u8, is_enemy: bool) -> Self {
        let vertical = 56 * u8::from(is_enemy);
        let (file, rank) = (king & 7, (king ^ vertical) >> 3);
        let horizontal = if file < 4 { 7 } else { 0 };
        let bucket = (7 - rank) * 4 + file.min(7 - file);
        Self { is_enemy, flip: vertical ^ horizontal, bucket }
    }

    /// The row of a piece within the king's bucket.
    pub fn row(&self, square: u8, kind: u8, is_enemy: bool) -> u16 {
        let plane =
            (2 * u16::from(kind) + u16::from(is_enemy != self.is_enemy)).min(KING_PLANE as u16);
        u16::from(square ^ self.flip) + 64 * plane
    }
}

/// The virtual row whose weights are added to those of a real one.
pub(crate) fn virtual_row(row: usize) -> usize {
    let (bucket, local) = (row / BUCKET_ROWS, row % BUCKET_ROWS);
    // Where the own king stands is known from the bucket: another king's square is the opponent's.
    let own_king = (7 - bucket / 4) * 8 + 7 - bucket % 4;
    let is_enemy_king = local / 64 == KING_PLANE && local % 64 != own_king;
    if is_enemy_king { local + 64 } else { local }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_positions;
    use crate::{GameResult, Sample};

    #[test]
    fn both_kings_have_virtual_rows_of_their_own() {
        let mut rows = [Vec::new(), Vec::new()];
        for position in random_positions(3, 200) {
            let sample = Sample::new(&position, 0, GameResult::Draw).unwrap();
            let buckets = sample.rows(&mut rows);
            for side in 0..2 {
                let shared = rows[side].iter().map(|&row| {
                    virtual_row(usize::from(buckets[side]) * BUCKET_ROWS + usize::from(row))
                });
                let mut planes = [0; 12];
                for row in shared {
                    planes[row / 64] += 1;
                }
                assert_eq!((planes[10], planes[11]), (1, 1), "{position}");
            }
        }
    }
}
