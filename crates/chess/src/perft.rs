//! Counting the leaves of the game tree: the yardstick of a move generator.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::{Move, Position};

/// How many sequences of that many legal moves there are. The last ply is counted, not made.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => {
            let mut nodes = 0;
            position.visit_moves(|set| {
                set.for_each(|m| nodes += perft(&position.after(m), depth - 1));
            });
            nodes
        }
    }
}

/// [`perft`] that gives up soon after `stop` is set.
#[must_use]
pub fn perft_until(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 4 {
        return Some(perft(position, depth));
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        nodes += perft_until(&position.after(m), depth - 1, stop)?;
    }
    Some(nodes)
}

/// The same count for each first move, in the order of generation.
#[must_use]
pub fn perft_divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut counts: Vec<_> = moves.iter().map(|&m| (m, 0)).collect();
    if below < 2 || threads < 2 {
        for (m, nodes) in &mut counts {
            *nodes = perft(&position.after(*m), below);
        }
        return counts;
    }
    // Pairs of moves are small enough to keep all threads busy to the end.
    let mut jobs = Vec::new();
    for (root, &m) in moves.iter().enumerate() {
        let next = position.after(m);
        jobs.extend(next.legal_moves().iter().map(|&reply| (root, next.after(reply))));
    }
    for (root, nodes) in in_parallel(&jobs, below - 1, threads) {
        counts[root].1 += nodes;
    }
    counts
}

/// [`perft`] on several threads.
#[must_use]
pub fn perft_parallel(position: &Position, depth: u32, threads: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    perft_divide(position, depth, threads).iter().map(|&(_, nodes)| nodes).sum()
}

/// Counts below each job; threads take the next one as they finish.
fn in_parallel(jobs: &[(usize, Position)], depth: u32, threads: usize) -> Vec<(usize, u64)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((root, position)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((*root, perft(position, depth)));
        }
        done
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().expect("counting does not panic"));
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_and_divide_add_up_to_the_plain_count() {
        let position = Position::startpos();
        for depth in 0..5 {
            let nodes = perft(&position, depth);
            assert_eq!(perft_parallel(&position, depth, 1), nodes);
            assert_eq!(perft_parallel(&position, depth, 3), nodes);
        }
        assert_eq!(perft(&position, 4), 197_281);
        assert_eq!(perft_until(&position, 5, &AtomicBool::new(false)), Some(4_865_609));
        assert_eq!(perft_until(&position, 5, &AtomicBool::new(true)), None);
    }
}
