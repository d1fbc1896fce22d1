//! The ways of many playouts, one behind the other.

use crate::worker::Step;

/// The ways of playouts that are not finished yet.
#[derive(Default)]
pub struct Ways {
    steps: Vec<Step>,
    /// Where each way ends.
    ends: Vec<usize>,
}

impl Ways {
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// One more.
    pub fn push(&mut self, way: &[Step]) {
        self.steps.extend_from_slice(way);
        self.ends.push(self.steps.len());
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Step]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.steps[start..end])
    }
}
