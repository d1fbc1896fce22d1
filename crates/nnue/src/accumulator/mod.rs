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
use crate::features::{Difference, Rows, View, distance};
use crate::simd::{self, Activations, Base, Bytes, Kernels, Psqt, Source, Words};
use crate::{Network, Outputs};

pub use self::work::Work;

/// How far back in the line a starting point is looked for.
const LOOK_BACK: usize = 64;
/// How far back it is taken without looking for a better one.
const NEAR: usize = 2;
/// One in so many evaluations is checked in builds with debug assertions.
const SAMPLE: u64 = 64;

/// The accumulators of both sides for one position of the line.
struct Ply {
    sides: [Accumulator; 2],
    computed: [bool; 2],
}

/// What an accumulator is computed from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// An earlier place of the line.
    Line(usize),
    /// The last position in which the king stood there.
    Cache,
    /// The biases.
    Nothing,
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
    rows: [Rows; 2],
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
            rows: Default::default(),
            activations: Activations::new(),
            fresh: [Accumulator::new(width), Accumulator::new(width)],
            work: Work::default(),
        }
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

    /// The raw outputs for the last position of the line. With `siblings`, others will follow after
    /// the same move before it.
    pub fn outputs(&mut self, line: &[Position], siblings: bool) -> Outputs {
        let bucket = bucket(&line[line.len() - 1]);
        self.catch_up(line, siblings);
        self.activate(line);
        self.propagate(line, bucket)
    }

    /// The raw outputs of every bucket for the last position of the line.
    pub fn outputs_by_bucket(&mut self, line: &[Position]) -> [Outputs; BUCKETS] {
        self.catch_up(line, false);
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
        let [us, them] = [us, !us].map(|side| sides[side.index()].psqt(bucket));
        let positional = self.kernels.propagate(&self.network.stack(bucket), &self.activations);
        Outputs { psqt: us.wrapping_sub(them) / 2, positional }
    }

    /// Computes the accumulators of the line's last position, and with `siblings` those of the one
    /// before where they are on the way: its other children will start from there.
    fn catch_up(&mut self, line: &[Position], siblings: bool) {
        let width = self.network.architecture().l1;
        while self.plies.len() < line.len() {
            let sides = [Accumulator::new(width), Accumulator::new(width)];
            self.plies.push(Ply { sides, computed: [false; 2] });
        }
        self.difference_of = None;
        let last = line.len() - 1;
        if last > 0 && siblings {
            for side in Color::ALL {
                let same_view = line[last].king(side) == line[last - 1].king(side);
                if same_view && !self.plies[last].computed[side.index()] {
                    self.compute(line, last - 1, side);
                }
            }
        }
        let plans = Color::ALL.map(|side| self.plan(line, last, side));
        for (side, plan) in Color::ALL.into_iter().zip(plans) {
            if let Some(origin) = plan {
                self.carry_out(origin, line, last, side);
            }
        }
    }

    /// Computes one side's accumulator at one place of the line, if it is not known.
    fn compute(&mut self, line: &[Position], ply: usize, side: Color) {
        if let Some(origin) = self.plan(line, ply, side) {
            self.carry_out(origin, line, ply, side);
        }
    }

    /// Finds from where to compute one side's accumulator, and which rows lead there. Their weights
    /// are asked for at once, so that they arrive while the other side is looked at.
    fn plan(&mut self, line: &[Position], ply: usize, side: Color) -> Option<Origin> {
        if self.plies[ply].computed[side.index()] {
            return None;
        }
        let origin = self.origin(line, ply, side);
        let after = &line[ply];
        let before = match origin {
            Origin::Line(from) => Some(&line[from]),
            Origin::Cache => self.cache.entry(after, side).position.as_ref(),
            Origin::Nothing => None,
        };
        let between = match origin {
            Origin::Line(from) => Some((from, ply)),
            _ => None,
        };
        if between.is_none() || self.difference_of != between {
            let with_threats = self.network.architecture().threat_rows() > 0;
            self.difference.find(before, after, with_threats);
            self.difference_of = between;
        }
        let rows = &mut self.rows[side.index()];
        rows.fill(&self.difference, before, after, View::of(after, side));
        prefetch(&self.network, rows);
        self.work.count(rows, between.is_none());
        Some(origin)
    }

    /// Where the way to a side's accumulator is shortest. The position before is taken at once if
    /// it will do; else the line, the refresh cache and the empty board are compared.
    fn origin(&mut self, line: &[Position], ply: usize, side: Color) -> Origin {
        let after = &line[ply];
        let king = after.king(side);
        let ancestor = (ply.saturating_sub(LOOK_BACK)..ply)
            .rev()
            .find(|&from| self.plies[from].computed[side.index()] && line[from].king(side) == king);
        if let Some(from) = ancestor
            && from + NEAR >= ply
        {
            return Origin::Line(from);
        }
        let in_line = ancestor.map(|from| (distance(&line[from], after), Origin::Line(from)));
        let cached = &self.cache.entry(after, side).position;
        let in_cache = cached.as_ref().map(|before| (distance(before, after), Origin::Cache));
        let from_nothing = (after.occupied().count(), Origin::Nothing);
        let ways = [in_line, in_cache, Some(from_nothing)];
        let shortest = ways.into_iter().flatten().min_by_key(|(rows, _)| *rows);
        shortest.map_or(Origin::Nothing, |(_, origin)| origin)
    }

    /// Adds and subtracts the rows that the plan found. What did not come from the line is kept in
    /// the refresh cache.
    fn carry_out(&mut self, origin: Origin, line: &[Position], ply: usize, side: Color) {
        let change = self.rows[side.index()].change();
        let source = source(&self.network);
        let (earlier, this) = self.plies.split_at_mut(ply);
        let target = &mut this[0].sides[side.index()];
        if let Origin::Line(from) = origin {
            let base = earlier[from].sides[side.index()].base();
            self.kernels.update(&source, base, &change, &mut target.target());
        } else {
            let entry = self.cache.entry(&line[ply], side);
            let base = match origin {
                Origin::Cache => entry.accumulator.base(),
                _ => Base { neurons: self.network.biases(), psqt: &Psqt::ZERO },
            };
            self.kernels.update(&source, base, &change, &mut target.target());
            entry.accumulator.copy_from(target);
            entry.position = Some(line[ply]);
        }
        this[0].computed[side.index()] = true;
    }

    /// The raw outputs for a position, computed from nothing, whatever is known of it.
    pub fn outputs_from_scratch(&mut self, position: &Position) -> Outputs {
        for side in Color::ALL {
            self.add_up(position, side);
        }
        let (us, them) = (position.side_to_move(), !position.side_to_move());
        let [us, them] = [us, them].map(|side| &self.fresh[side.index()]);
        let clip = self.network.architecture().clip();
        self.kernels.activate(us.neurons(), them.neurons(), clip, &mut self.activations);
        self.work.evaluations += 1;
        let bucket = bucket(position);
        let positional = self.kernels.propagate(&self.network.stack(bucket), &self.activations);
        Outputs { psqt: us.psqt(bucket).wrapping_sub(them.psqt(bucket)) / 2, positional }
    }

    /// Whether the accumulators of the line's last position, where they are known, are what adding
    /// up its features gives.
    pub fn agree_with_scratch(&mut self, line: &[Position]) -> bool {
        let last = line.len() - 1;
        Color::ALL.into_iter().all(|side| {
            if self.plies.get(last).is_none_or(|ply| !ply.computed[side.index()]) {
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
        let rows = &mut self.rows[side.index()];
        rows.fill(&self.difference, None, position, View::of(position, side));
        self.work.count(rows, true);
        let biases = Base { neurons: self.network.biases(), psqt: &Psqt::ZERO };
        let mut target = self.fresh[side.index()].target();
        self.kernels.update(&source(&self.network), biases, &rows.change(), &mut target);
    }
}

/// Which layer stack the number of pieces chooses.
#[inline]
pub(crate) fn bucket(position: &Position) -> usize {
    let pieces = position.occupied().count() as usize;
    (pieces.saturating_sub(1) / 4).min(BUCKETS - 1)
}

/// Asks the memory for the weights of those rows.
#[inline]
fn prefetch(network: &Network, rows: &Rows) {
    let width = network.architecture().l1;
    let change = rows.change();
    let source = source(network);
    let (lines, threat_lines) = (width / Words::LEN, width / size_of::<Bytes>());
    for &row in change.removed.iter().chain(change.added) {
        let row = row as usize;
        simd::prefetch(&source.weights[row * lines..][..lines]);
    }
    for &row in change.threats_removed.iter().chain(change.threats_added) {
        let row = row as usize;
        simd::prefetch(&source.threat_weights[row * threat_lines..][..threat_lines]);
    }
}

fn source(network: &Network) -> Source<'_> {
    Source {
        weights: network.weights(),
        psqt: network.psqt(),
        threat_weights: network.threat_weights(),
        threat_psqt: network.threat_psqt(),
    }
}
