//! Features that the host lists, as the kernels read them.

use tandem_chess::{Color, Position};
use tandem_nnue::Features;

use crate::kernels::{HEAD, Shape};
use crate::limits::MAX_FEATURES;

/// The rows that lead to an accumulator from the biases or from a parent's.
#[derive(Default)]
struct Rows {
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Rows {
    /// What is only in one of two sets of rows.
    fn between(before: &[u32], after: &[u32]) -> Self {
        let without = |rows: &[u32], others: &[u32]| {
            rows.iter().copied().filter(|row| !others.contains(row)).collect()
        };
        Self { added: without(after, before), removed: without(before, after) }
    }

    fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }
}

/// A position whose accumulators others start from.
pub(crate) struct Parent {
    side: Color,
    /// What White and Black see of it.
    features: [Features; 2],
}

impl Parent {
    pub fn new(position: &Position, shape: &Shape) -> Self {
        let of = |side| Features::of(position, side, shape.architecture);
        Self { side: position.side_to_move(), features: [of(Color::White), of(Color::Black)] }
    }
}

/// The lists of a batch, position by position, the side to move's first.
pub(crate) struct Lists<'a> {
    shape: &'a Shape,
    words: Vec<u32>,
}

impl<'a> Lists<'a> {
    pub fn new(shape: &'a Shape) -> Self {
        Self { shape, words: Vec::new() }
    }

    /// Adds a position; where a parent is given, as what leads from it, if that is less.
    pub fn push(&mut self, position: &Position, parent: Option<&Parent>) {
        let us = position.side_to_move();
        for side in [us, !us] {
            let after = Features::of(position, side, self.shape.architecture);
            let step = parent.map(|parent| {
                let before = &parent.features[usize::from(side == Color::Black)];
                let pieces = Rows::between(&before.pieces, &after.pieces);
                (pieces, Rows::between(&before.threats, &after.threats))
            });
            let step = step.filter(|(pieces, threats)| {
                pieces.len() + threats.len() < after.pieces.len() + after.threats.len()
            });
            let from_parent = step.is_some();
            let (pieces, threats) = step.unwrap_or_else(|| {
                let all = |added| Rows { added, removed: Vec::new() };
                (all(after.pieces), all(after.threats))
            });
            let bucket = (position.occupied().count() - 1) / 4;
            // The parent's accumulators lie by the parent's side to move.
            let flipped = parent.is_some_and(|parent| parent.side != us);
            self.write(&pieces, &threats, bucket, from_parent, flipped);
        }
    }

    fn write(
        &mut self,
        pieces: &Rows,
        threats: &Rows,
        bucket: u32,
        from_parent: bool,
        flipped: bool,
    ) {
        let counts = [pieces, threats].map(|rows| [rows.added.len(), rows.removed.len()]);
        let begin = self.words.len();
        self.words.extend(counts.as_flattened().iter().map(|&count| count as u32));
        self.words.extend([bucket, u32::from(from_parent), u32::from(flipped)]);
        self.words.resize(begin + HEAD, 0);
        self.words.extend(pieces.added.iter().chain(&pieces.removed));
        self.words.resize(begin + HEAD + MAX_FEATURES, 0);
        self.words.extend(threats.added.iter().chain(&threats.removed));
        self.words.resize(begin + self.shape.list_words(), 0);
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }
}
