//! Sorting samples into a batch.

use tandem_nnue::BUCKETS;

use super::{Batch, Bucket, Entry, Group, Target};
use crate::Sample;
use crate::sample::{BUCKET_ROWS, KING_BUCKETS, VIRTUAL_ROWS, virtual_row};
use crate::stream::Pack;

/// Items of a group: with 256 bytes of a panel for each, they fit a second-level cache.
const GROUP: usize = 1024;
const NONE: u32 = u32::MAX;

/// Makes batches, and keeps its memory from one to the next.
pub struct Builder {
    /// The virtual row of every real one.
    parents: Vec<u16>,
    rows: [Vec<u16>; 2],
    /// For each item in the order of the samples: its features, and the king's bucket.
    features: Vec<u16>,
    starts: Vec<u32>,
    kings: Vec<u8>,
    numbers: Vec<u32>,
}

impl Default for Builder {
    fn default() -> Self {
        let rows = KING_BUCKETS * BUCKET_ROWS;
        Self {
            parents: (0..rows).map(|row| virtual_row(row) as u16).collect(),
            rows: [Vec::new(), Vec::new()],
            features: Vec::new(),
            starts: Vec::new(),
            kings: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

impl Pack for Builder {
    type Sample = Sample;
    type Batch = Batch;

    fn build(&mut self, samples: &[Sample]) -> Batch {
        let mut batch = Batch::default();
        self.sort_by_stack(samples, &mut batch);
        self.collect_features(samples);
        self.sort_by_king(&mut batch);
        self.list_members(&mut batch);
        batch
    }
}

impl Builder {
    fn sort_by_stack(&mut self, samples: &[Sample], batch: &mut Batch) {
        for sample in samples {
            batch.stacks[sample.stack() + 1] += 1;
        }
        for stack in 0..BUCKETS {
            batch.stacks[stack + 1] += batch.stacks[stack];
        }
        let mut next = batch.stacks;
        batch.targets = vec![Target { score: 0.0, result: None, scale: 0.0 }; samples.len()];
        self.numbers.clear();
        for sample in samples {
            let place = &mut next[sample.stack()];
            batch.targets[*place] = Target {
                score: sample.score() as f32,
                result: sample.result().points(),
                scale: sample.scale(),
            };
            self.numbers.push(*place as u32);
            *place += 1;
        }
    }

    fn collect_features(&mut self, samples: &[Sample]) {
        self.features.clear();
        self.kings.clear();
        self.starts.clear();
        self.starts.push(0);
        for sample in samples {
            let kings = sample.rows(&mut self.rows);
            for (king, rows) in kings.into_iter().zip(&self.rows) {
                self.kings.push(king);
                self.features.extend(rows);
                self.starts.push(self.features.len() as u32);
            }
        }
    }

    fn sort_by_king(&self, batch: &mut Batch) {
        let mut starts = [0; KING_BUCKETS + 1];
        for &king in &self.kings {
            starts[usize::from(king) + 1] += 1;
        }
        for king in 0..KING_BUCKETS {
            starts[king + 1] += starts[king];
            if starts[king + 1] > starts[king] {
                let items = starts[king]..starts[king + 1];
                batch.buckets.push(Bucket { king, items, rows: 0..0 });
            }
        }
        let mut order = vec![0; self.kings.len()];
        for (item, &king) in self.kings.iter().enumerate() {
            let place = &mut starts[usize::from(king)];
            order[*place] = item;
            *place += 1;
        }
        batch.features.reserve_exact(self.features.len());
        batch.starts.reserve_exact(order.len() + 1);
        batch.starts.push(0);
        for item in order {
            batch.destinations.push(2 * self.numbers[item / 2] + item as u32 % 2);
            let range = self.starts[item] as usize..self.starts[item + 1] as usize;
            batch.features.extend(&self.features[range]);
            batch.starts.push(batch.features.len() as u32);
        }
    }

    fn list_members(&self, batch: &mut Batch) {
        let mut parents = vec![NONE; VIRTUAL_ROWS];
        batch.members = vec![0; batch.features.len()];
        let mut filled = 0;
        let mut buckets = std::mem::take(&mut batch.buckets);
        for bucket in &mut buckets {
            let mut slots = [NONE; BUCKET_ROWS];
            let first_row = batch.rows.len();
            for start in bucket.items.clone().step_by(GROUP) {
                let items = start..bucket.items.end.min(start + GROUP);
                let range = batch.starts[items.start] as usize..batch.starts[items.end] as usize;
                let mut counts = [0_u32; BUCKET_ROWS];
                for &row in &batch.features[range] {
                    counts[usize::from(row)] += 1;
                }
                let first_entry = batch.entries.len();
                for (row, count) in counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
                    if slots[row] == NONE {
                        slots[row] = batch.rows.len() as u32;
                        let row = bucket.king * BUCKET_ROWS + row;
                        batch.rows.push(row as u32);
                        let parent = &mut parents[usize::from(self.parents[row])];
                        if *parent == NONE {
                            *parent = batch.virtual_rows.len() as u32;
                            batch.virtual_rows.push(u32::from(self.parents[row]));
                        }
                        batch.parents.push(*parent);
                    }
                    let members = filled..filled + *count;
                    // From here on the count is the place of the next member.
                    *count = filled;
                    filled = members.end;
                    batch.entries.push(Entry { slot: slots[row], members });
                }
                for (local, item) in items.clone().enumerate() {
                    let range = batch.starts[item] as usize..batch.starts[item + 1] as usize;
                    for &row in &batch.features[range] {
                        let place = &mut counts[usize::from(row)];
                        batch.members[*place as usize] = local as u16;
                        *place += 1;
                    }
                }
                batch.groups.push(Group { items, entries: first_entry..batch.entries.len() });
            }
            bucket.rows = first_row..batch.rows.len();
        }
        batch.buckets = buckets;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::random_samples;

    #[test]
    fn every_feature_of_every_sample_is_found_forwards_and_backwards() {
        let samples = random_samples(5, 3000);
        let batch = Builder::default().build(&samples);
        assert_eq!(batch.len(), samples.len());

        let mut forwards = BTreeSet::new();
        for bucket in &batch.buckets {
            for item in bucket.items.clone() {
                for &row in batch.features_of(item) {
                    forwards.insert((item, bucket.king * BUCKET_ROWS + usize::from(row)));
                }
            }
        }
        let mut backwards = BTreeSet::new();
        for group in &batch.groups {
            for entry in &batch.entries[group.entries.clone()] {
                for &member in
                    &batch.members[entry.members.start as usize..entry.members.end as usize]
                {
                    let row = batch.rows[entry.slot as usize] as usize;
                    backwards.insert((group.items.start + usize::from(member), row));
                }
            }
        }
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.len(), batch.features.len());

        let mut views: Vec<_> = batch.destinations.clone();
        views.sort_unstable();
        assert!(views.into_iter().eq(0..2 * samples.len() as u32));
    }

    #[test]
    fn targets_stand_with_their_stack() {
        let samples = random_samples(6, 500);
        let batch = Builder::default().build(&samples);
        for stack in 0..BUCKETS {
            let range = batch.stacks[stack]..batch.stacks[stack + 1];
            let mut found: Vec<_> = batch.targets[range].iter().map(|t| t.score as i32).collect();
            let of_stack = samples.iter().filter(|sample| sample.stack() == stack);
            let mut expected: Vec<_> = of_stack.map(Sample::score).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
