//! How soon alpha-beta reaches a depth with little memory and with more: what it costs to have too little.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_chess::Game;
use tandem_engine::Limits;

use super::{POSITIONS, Run, Work, games};

/// The sizes of `Hash` that are tried, in MiB. Short searches fill no larger ones.
const SIZES: [u64; 4] = [1, 4, 16, 64];
/// A search takes no longer than so many times what the first one took.
const PATIENCE: u32 = 4;

/// Times to the same depths by the size of the table.
pub struct Memory(Vec<Row>);

#[derive(Clone, Copy, Default)]
struct Row {
    hash: u64,
    seconds: f64,
    nodes: u64,
}

impl Memory {
    pub(super) fn measure(work: &Work, time: Duration) -> Self {
        let slice = time / (POSITIONS.len() * (SIZES.len() + 1)) as u32;
        let mut rows: Vec<Row> = SIZES.iter().map(|&hash| Row { hash, ..Row::default() }).collect();
        for game in games() {
            work.next("time to depth by Hash");
            // All sizes have the same task, one after the other: what else the machine does meets all.
            let depth = reached(work, &game, slice);
            for row in &mut rows {
                let limits = Limits {
                    depth: Some(depth),
                    movetime: Some(PATIENCE * slice),
                    ..Limits::default()
                };
                let run = work.run(work.alpha_beta(1, row.hash).as_mut(), &game, &limits);
                row.seconds += run.time.as_secs_f64();
                row.nodes += run.nodes;
            }
        }
        Self(rows)
    }

    pub fn as_json(&self) -> Value {
        let row =
            |row: &Row| json!({ "hash": row.hash, "seconds": row.seconds, "nodes": row.nodes });
        self.0.iter().map(row).collect()
    }
}

/// The depth that a search completes in so much time.
fn reached(work: &Work, game: &Game, time: Duration) -> u32 {
    let largest = SIZES[SIZES.len() - 1];
    let Run { depth, .. } =
        work.run(work.alpha_beta(1, largest).as_mut(), game, &Limits::movetime(time));
    depth.max(1)
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash MiB   seconds to depth        nodes")?;
        for Row { hash, seconds, nodes } in &self.0 {
            write!(f, "\n{hash:>8}   {seconds:>16.2}   {nodes:>10}")?;
        }
        Ok(())
    }
}
