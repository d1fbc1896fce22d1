//! How much is under way at once: little while the tree is small, because a visit under way counts as
//! lost and sends others where they would not go.

use crate::params::thousandths;
use crate::shared::Shared;
use crate::tunables as t;

/// Batches on their way while a thread gathers the next, at the most. One keeps a device busy that is
/// slower than the gathering; the second bridges the way to the device and back.
const MOST_FLIGHTS: u64 = 2;

/// What a thread may have under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Leaves in a batch.
    pub leaves: usize,
    /// Batches on their way while the next is gathered.
    pub flights: usize,
    /// Playouts that meet another under way before the gathering ends.
    pub collisions: usize,
}

impl Size {
    /// What a thread may have under way now, with so many leaves in a batch at the most.
    pub fn of(shared: &Shared<'_>, most: usize) -> Self {
        let visits = shared.tree.node(shared.tree.root()).visits();
        Self::new(visits, shared.threads as u64, most as u64)
    }

    fn new(visits: u64, threads: u64, most: u64) -> Self {
        let all = visits * t::batch_share() as u64 / 1000;
        let each = all / threads.max(1);
        // One batch is gathered while another is on its way.
        let leaves = (each / 2).clamp(1, most.max(1));
        let flights = (each / leaves).saturating_sub(1).clamp(1, MOST_FLIGHTS);
        let collisions = (leaves as f32 * thousandths(t::batch_collisions())) as usize;
        Self { leaves: leaves as usize, flights: flights as usize, collisions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_with_the_tree() {
        let leaves = |visits| Size::new(visits, 1, 256).leaves;
        assert_eq!((leaves(0), leaves(10)), (1, 1));
        assert!((0..20).is_sorted_by_key(|i| leaves(1 << i)));
        assert!(leaves(1000) < 100 && leaves(1 << 20) == 256);
    }

    #[test]
    fn all_threads_together_keep_to_a_share_of_the_visits() {
        for (visits, threads, most) in [(500, 1, 64), (10_000, 4, 4096), (1 << 30, 8, 1024)] {
            let size = Size::new(visits, threads, most);
            let under_way = (size.flights as u64 + 1) * size.leaves as u64 * threads;
            assert!(under_way as f64 / visits as f64 <= f64::from(t::batch_share()) / 1000.0);
            assert!((1..=MOST_FLIGHTS as usize).contains(&size.flights));
        }
    }

    #[test]
    fn a_second_batch_is_on_its_way_once_the_tree_is_large() {
        assert_eq!(Size::new(1000, 1, 256).flights, 1);
        assert_eq!(Size::new(1 << 20, 1, 256).flights, 2);
    }
}
