//! How the speed of both searches grows with their threads.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::Work;

/// What is that close to the best is as good: no machine is quieter.
const CLOSE: f64 = 0.97;
/// MiB for each thread of alpha-beta.
const TABLE: u64 = 16;

/// Speeds by the number of threads.
pub struct Threads(Vec<Row>);

#[derive(Clone, Copy)]
struct Row {
    threads: usize,
    /// Nodes of alpha-beta a second.
    nodes: f64,
    /// MiB of its table that it fills in a second.
    table: f64,
    /// Playouts of Monte Carlo tree search a second.
    playouts: f64,
    /// MiB that its tree needs for a second.
    tree: f64,
}

/// The powers of two up to all cores, and all cores.
pub fn counts(cores: usize) -> Vec<usize> {
    let powers = (0..).map(|power| 1 << power).take_while(|&count| count < cores);
    powers.chain([cores]).collect()
}

impl Threads {
    pub(super) fn measure(work: &Work, counts: &[usize], time: Duration) -> Self {
        let slice = time / (2 * counts.len() as u32);
        let row = |&threads: &usize| {
            work.next(&format!("speed with Threads {threads}"));
            // Small enough to fill visibly in a short search.
            let small = TABLE * threads as u64;
            let nodes = work.speed(work.alpha_beta(threads, small).as_mut(), slice);
            let ample = work.ample(threads);
            let playouts = work.speed(&mut work.mcts(threads, ample, 1, None), slice);
            Row {
                threads,
                nodes: nodes.rate(),
                table: nodes.fill_rate * small as f64,
                playouts: playouts.rate(),
                tree: playouts.fill_rate * ample as f64,
            }
        };
        Self(counts.iter().map(row).collect())
    }

    /// The fewest threads with which both searches together are about as fast as they get.
    pub fn best(&self) -> usize {
        self.row().threads
    }

    /// MiB that the search which needs more memory fills in a second with them.
    pub fn filled(&self) -> f64 {
        let Row { table, tree, .. } = self.row();
        table.max(tree)
    }

    fn row(&self) -> Row {
        // The geometric mean, so that neither search counts for more because its numbers are larger.
        let speed = |row: &Row| (row.nodes * row.playouts).sqrt();
        let most = self.0.iter().map(speed).fold(0.0, f64::max);
        let is_fast = |row: &&Row| speed(row) >= CLOSE * most;
        self.0.iter().find(is_fast).copied().expect("the fastest is close to itself")
    }

    pub fn as_json(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "threads": row.threads, "nodes_per_second": row.nodes,
                "table_mib_per_second": row.table, "playouts_per_second": row.playouts,
                "tree_mib_per_second": row.tree,
            })
        };
        self.0.iter().map(row).collect()
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "threads   alpha-beta nodes/s   MiB/s   MCTS playouts/s   MiB/s")?;
        for Row { threads, nodes, table, playouts, tree } in &self.0 {
            write!(
                f,
                "\n{threads:>7}   {nodes:>18.0}   {table:>5.1}   {playouts:>15.0}   {tree:>5.1}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: usize, nodes: f64, playouts: f64) -> Row {
        Row { threads, nodes, table: 3.0, playouts, tree: 2.0 }
    }

    #[test]
    fn all_cores_are_tried_and_powers_of_two_below() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1, 2]);
        assert_eq!(counts(12), [1, 2, 4, 8, 12]);
        assert_eq!(counts(16), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn threads_that_gain_nothing_are_not_recommended() {
        let rows = [row(1, 1e6, 3e5), row(2, 2e6, 6e5), row(4, 2.01e6, 6.1e5)];
        let threads = Threads(rows.into());
        assert_eq!(threads.best(), 2);
        assert!((threads.filled() - 3.0).abs() < 1e-9);
        let rows = [row(1, 1e6, 3e5), row(2, 1.5e6, 5e5), row(4, 2.5e6, 7e5)];
        assert_eq!(Threads(rows.into()).best(), 4);
        // What one search gains, the other loses.
        let rows = [row(1, 1e6, 3e5), row(2, 1.2e6, 2e5)];
        assert_eq!(Threads(rows.into()).best(), 1);
    }
}
