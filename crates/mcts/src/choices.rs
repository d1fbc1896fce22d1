//! What a choice costs: one drawn by the shares of a frozen position, and one by PUCT in the same
//! position.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tandem_search::Evaluate;

use crate::arena::Handle;
use crate::node::Link;
use crate::search::Mcts;
use crate::select::Puct;
use crate::tree::Tree;

/// So many positions are asked in turn one way and then the other.
const RUN: usize = 64;
/// The most positions that are asked.
const MOST: usize = 20_000;

/// Times of choices in frozen positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choices {
    /// How many positions chose.
    pub positions: usize,
    /// How often each way.
    pub choices: u64,
    /// How long all of them took that were drawn.
    pub drawn: Duration,
    /// How long all of them took by PUCT.
    pub puct: Duration,
}

impl Choices {
    /// Nanoseconds of a draw, and of a choice by PUCT.
    #[must_use]
    pub fn nanoseconds(&self) -> [f64; 2] {
        [self.drawn, self.puct].map(|time| time.as_secs_f64() * 1e9 / self.choices.max(1) as f64)
    }
}

impl<E: Evaluate> Mcts<E> {
    /// Has the frozen positions of the tree choose so many times, by their shares and by PUCT in turns. It
    /// changes nothing.
    #[must_use]
    pub fn time_choices(&self, rounds: usize) -> Choices {
        let tree = self.tree();
        let Some(freeze) = tree.freezes() else { return Choices::default() };
        let puct = Puct::new(self.params());
        let mut frozen = Vec::new();
        collect(tree, tree.root(), &mut frozen);
        let mut choices = Choices { positions: frozen.len(), ..Choices::default() };
        for round in 0..rounds as u64 {
            for (i, run) in frozen.chunks(RUN).enumerate() {
                let draw = || {
                    for &(handle, link) in run {
                        let key = u64::from(handle.bits());
                        black_box(freeze.draw(tree, link, key, freeze.limit + round));
                    }
                };
                let choose = || {
                    for &(handle, link) in run {
                        black_box(puct.choose(tree, tree.node(handle), link, |_| true));
                    }
                };
                // What one way brings into the caches serves the other, so both come after a first look,
                // and each is the earlier one in half of the runs.
                draw();
                choose();
                if (i as u64 + round).is_multiple_of(2) {
                    choices.drawn += time(draw);
                    choices.puct += time(choose);
                } else {
                    choices.puct += time(choose);
                    choices.drawn += time(draw);
                }
                choices.choices += run.len() as u64;
            }
        }
        choices
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The frozen positions at that one and below it, until there are enough.
fn collect(tree: &Tree, handle: Handle, frozen: &mut Vec<(Handle, Link)>) {
    let link = tree.node(handle).link();
    if link.is_frozen {
        frozen.push((handle, link));
    }
    for (_, edge) in tree.edges(link) {
        if frozen.len() >= MOST {
            return;
        }
        if let Some(child) = tree.peek(handle, edge) {
            collect(tree, child, frozen);
        }
    }
}
