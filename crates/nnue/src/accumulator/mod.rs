//! The first layer of a network along the line of positions that a thread looks at.
//!
//! Nothing is computed when a position comes or goes. When one is evaluated, its accumulators are
//! updated from the nearest ancestor that has them, or from the refresh cache where the king's move
//! has changed every feature.

mod buffer;
mod cache;
mod work;

use std::sync::Arc;

use tandem_chess::{Color, Position};

use self::buffer::Accumulator;
use self::cache::RefreshCache;
use crate::architecture::BUCKETS;
use crate::features::{Difference, Rows, View};
use crate::simd::{Activations, Kernels, Source};
use crate::{Network, Outputs};

pub use self::work::Work;

/// How far back an ancestor may lie. Beyond, the refresh cache is nearer.
const LOOK_BACK: usize = 8;
/// One in so many evaluations is checked in builds with debug assertions.
const SAMPLE: u64 = 64;

/// The accumulators of both sides for one position of the line.
struct Ply {
    sides: [Accumulator; 2],
    computed: [bool; 2],
}

/// The state of one network for one thread.
pub(crate) struct Accumulators {
    network: Arc<Network>,
    kernels: Kernels,
    plies: Vec<Ply>,
    cache: RefreshCache,
    difference: Difference,
    /// The plies between which `difference` leads.
    difference_of: Option<(usize, usize)>,
    rows: Rows,
    activations: Box<Activations>,
    /// Accumulators that are computed from nothing.
    fresh: [Accumulator; 2],
    work: Work,
}

impl Accumulators {
    pub fn new(network: Arc<Network>, kernels: Kernels) -> Self {
        let width = network.architecture().l1;
        Self {
            network,
            kernels,
            plies: Vec::new(),
            cache: RefreshCache::new(width),
            difference: Difference::default(),
            difference_of: None,
            rows: Rows::default(),
            activations: Activations::new(),
            fresh: [Accumulator::new(width), Accumulator::new(width)],
            work: Work::default(),
        }
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// What has been done since the start.
    pub fn work(&self) -> Work {
        self.work
    }

    /// The position at that place of the line is another one now.
    #[inline]
    pub fn forget(&mut self, ply: usize) {
        if let Some(ply) = self.plies.get_mut(ply) {
            ply.computed = [false; 2];
        }
    }

    /// The raw outputs for the last position of the line.
    pub fn outputs(&mut self, line: &[Position]) -> Outputs {
        let bucket = bucket(&line[line.len() - 1]);
        self.catch_up(line);
        self.activate(line);
        self.propagate(line, bucket)
    }

    /// The raw outputs of every bucket for the last position of the line.
    pub fn outputs_by_bucket(&mut self, line: &[Position]) -> [Outputs; BUCKETS] {
        self.catch_up(line);
        self.activate(line);
        std::array::from_fn(|bucket| self.propagate(line, bucket))
    }

    /// Multiplies the last position's accumulators into activations.
    fn activate(&mut self, line: &[Position]) {
        let us = line[line.len() - 1].side_to_move();
        let sides = &self.plies[line.len() - 1].sides;
        let [us, them] = [us, !us].map(|side| sides[side.index()].neurons());
        let clip = self.network.architecture().clip();
        self.kernels.activate(us, them, clip, &mut self.activations);
        self.work.evaluations += 1;
    }

    fn propagate(&self, line: &[Position], bucket: usize) -> Outputs {
        let us = line[line.len() - 1].side_to_move();
        let sides = &self.plies[line.len() - 1].sides;
        let [us, them] = [us, !us].map(|side| sides[side.index()].psqt[bucket]);
        let positional = self
            .kernels
            .propagate(&self.network.stack(bucket), &self.activations);
        Outputs {
            psqt: us.wrapping_sub(them) / 2,
            positional,
        }
    }

    /// Computes the accumulators of the line's last position, and those of the one before where
    /// they are on the way: its other children will start from there.
    fn catch_up(&mut self, line: &[Position]) {
        let width = self.network.architecture().l1;
        while self.plies.len() < line.len() {
            let sides = [Accumulator::new(width), Accumulator::new(width)];
            self.plies.push(Ply {
                sides,
                computed: [false; 2],
            });
        }
        self.difference_of = None;
        let last = line.len() - 1;
        if last > 0 {
            for side in Color::ALL {
                let same_view = line[last].king(side) == line[last - 1].king(side);
                if same_view && !self.plies[last].computed[side.index()] {
                    self.compute(line, last - 1, side);
                }
            }
        }
        for side in Color::ALL {
            self.compute(line, last, side);
        }
    }

    /// Computes one side's accumulator at one place of the line, if it is not known.
    fn compute(&mut self, line: &[Position], ply: usize, side: Color) {
        if self.plies[ply].computed[side.index()] {
            return;
        }
        match self.ancestor(line, ply, side) {
            Some(from) => self.update(line, from, ply, side),
            None => self.refresh(&line[ply], ply, side),
        }
        self.plies[ply].computed[side.index()] = true;
    }

    /// The nearest place of the line from where that side's features are only updated.
    fn ancestor(&self, line: &[Position], ply: usize, side: Color) -> Option<usize> {
        let king = line[ply].king(side);
        (ply.saturating_sub(LOOK_BACK)..ply)
            .rev()
            .find(|&from| self.plies[from].computed[side.index()] && line[from].king(side) == king)
    }

    fn update(&mut self, line: &[Position], from: usize, to: usize, side: Color) {
        let (before, after) = (&line[from], &line[to]);
        if self.difference_of != Some((from, to)) {
            let with_threats = self.network.architecture().threat_rows() > 0;
            self.difference.find(Some(before), after, with_threats);
            self.difference_of = Some((from, to));
        }
        self.rows
            .fill(&self.difference, Some(before), after, View::of(after, side));
        self.work.count_update(&self.rows);
        let (before, after) = self.plies.split_at_mut(to);
        self.kernels.update(
            &source(&self.network),
            before[from].sides[side.index()].base(),
            &self.rows.change(),
            after[0].sides[side.index()].target(),
        );
    }

    /// Updates from the last position in which the king stood there, or from the biases.
    fn refresh(&mut self, position: &Position, ply: usize, side: Color) {
        let entry = self.cache.entry(position, side);
        let before = entry.position.as_ref();
        let with_threats = self.network.architecture().threat_rows() > 0;
        self.difference.find(before, position, with_threats);
        self.difference_of = None;
        self.rows
            .fill(&self.difference, before, position, View::of(position, side));
        self.work.count_refresh(&self.rows);
        let target = &mut self.plies[ply].sides[side.index()];
        let biases = (self.network.biases(), &[0; BUCKETS]);
        let base = if before.is_some() {
            entry.accumulator.base()
        } else {
            biases
        };
        self.kernels.update(
            &source(&self.network),
            base,
            &self.rows.change(),
            target.target(),
        );
        entry.accumulator.copy_from(target);
        entry.position = Some(*position);
    }

    /// The raw outputs for a position, computed from nothing, whatever is known of it.
    pub fn outputs_from_scratch(&mut self, position: &Position) -> Outputs {
        for side in Color::ALL {
            self.add_up(position, side);
        }
        let (us, them) = (position.side_to_move(), !position.side_to_move());
        let [us, them] = [us, them].map(|side| &self.fresh[side.index()]);
        let clip = self.network.architecture().clip();
        self.kernels
            .activate(us.neurons(), them.neurons(), clip, &mut self.activations);
        self.work.evaluations += 1;
        let bucket = bucket(position);
        let positional = self
            .kernels
            .propagate(&self.network.stack(bucket), &self.activations);
        Outputs {
            psqt: us.psqt[bucket].wrapping_sub(them.psqt[bucket]) / 2,
            positional,
        }
    }

    /// Whether the accumulators of the line's last position, where they are known, are what adding
    /// up its features gives.
    pub fn agree_with_scratch(&mut self, line: &[Position]) -> bool {
        let last = line.len() - 1;
        Color::ALL.into_iter().all(|side| {
            if self
                .plies
                .get(last)
                .is_none_or(|ply| !ply.computed[side.index()])
            {
                return true;
            }
            self.add_up(&line[last], side);
            self.plies[last].sides[side.index()] == self.fresh[side.index()]
        })
    }

    /// The same for one evaluation in [`SAMPLE`], so that a build with debug assertions checks
    /// every search a little without becoming slow.
    pub fn sample_agrees(&mut self, line: &[Position]) -> bool {
        !self.work.evaluations.is_multiple_of(SAMPLE) || self.agree_with_scratch(line)
    }

    /// Adds up a side's features from nothing.
    fn add_up(&mut self, position: &Position, side: Color) {
        let with_threats = self.network.architecture().threat_rows() > 0;
        self.difference.find(None, position, with_threats);
        self.difference_of = None;
        self.rows
            .fill(&self.difference, None, position, View::of(position, side));
        self.work.count_refresh(&self.rows);
        let biases = (self.network.biases(), &[0; BUCKETS]);
        let target = self.fresh[side.index()].target();
        self.kernels
            .update(&source(&self.network), biases, &self.rows.change(), target);
    }

    /// How many groups of four inputs of the first layer were not zero in the last evaluation.
    pub fn active_groups(&self) -> usize {
        self.activations.active_groups()
    }
}

/// Which layer stack the number of pieces chooses.
#[inline]
pub(crate) fn bucket(position: &Position) -> usize {
    let pieces = position.occupied().count() as usize;
    (pieces.saturating_sub(1) / 4).min(BUCKETS - 1)
}

fn source(network: &Network) -> Source<'_> {
    Source {
        weights: network.weights(),
        psqt: network.psqt(),
        threat_weights: network.threat_weights(),
        threat_psqt: network.threat_psqt(),
    }
}
