//! Portions of samples, read from many shards and shuffled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem_chess::Random;

use super::Place;
use crate::source::{Samples, Source, SourceError};

/// So many samples are read from a shard before it is the next one's turn.
const RUN: usize = 256;

/// How samples are mixed.
#[derive(Clone)]
pub struct Recipe<S> {
    /// So many samples are mixed at a time.
    pub shuffle: usize,
    /// So many shards are read side by side.
    pub interleave: usize,
    /// Chance in the order of the samples.
    pub seed: u64,
    /// Whether a sample is to be learnt from.
    pub wants: Arc<dyn Fn(&S) -> bool + Send + Sync>,
}

/// Reads portions one after the other.
pub(crate) struct Mixer<'a, S> {
    source: &'a dyn Source<S>,
    recipe: Recipe<S>,
    place: Place,
    /// The open shards, in the order of the place's list.
    streams: Vec<Samples<'a, S>>,
}

impl<'a, S> Mixer<'a, S> {
    /// Begins with the portion at that place.
    pub fn new(
        source: &'a dyn Source<S>,
        recipe: Recipe<S>,
        place: Place,
    ) -> Result<Self, SourceError> {
        let streams = place.open.iter().map(|&(shard, read)| source.open(shard, read));
        Ok(Self { source, recipe, streams: streams.collect::<Result<_, _>>()?, place })
    }

    /// The next portion with the place where it begins; none if asked to stop before it is whole, or
    /// if a whole pass has no samples.
    pub fn portion(&mut self, stop: &AtomicBool) -> Result<Option<(Place, Vec<S>)>, SourceError> {
        let begin = self.place.clone();
        let mut samples = Vec::with_capacity(self.recipe.shuffle.min(1 << 24));
        let mut turn = 0;
        let mut empty_passes = 0;
        while samples.len() < self.recipe.shuffle {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            self.open_shards()?;
            if self.streams.is_empty() {
                self.place.pass += 1;
                self.place.opened = 0;
                empty_passes += 1;
                if !samples.is_empty() {
                    break;
                }
                if empty_passes > 1 {
                    return Ok(None);
                }
                continue;
            }
            turn %= self.streams.len();
            if self.read_run(turn, &mut samples)? {
                turn += 1;
            } else {
                drop(self.streams.remove(turn));
                self.place.open.remove(turn);
            }
        }
        self.place.portion += 1;
        shuffle(&mut samples, self.random(begin.portion, 1));
        Ok(Some((begin, samples)))
    }

    /// Opens shards until enough are open or none is left in this pass.
    fn open_shards(&mut self) -> Result<(), SourceError> {
        let shards = self.source.shards();
        if self.streams.len() >= self.recipe.interleave || self.place.opened >= shards {
            return Ok(());
        }
        let mut order: Vec<_> = (0..shards).collect();
        shuffle(&mut order, self.random(self.place.pass, 2));
        while self.streams.len() < self.recipe.interleave && self.place.opened < shards {
            let shard = order[self.place.opened];
            self.streams.push(self.source.open(shard, 0)?);
            self.place.open.push((shard, 0));
            self.place.opened += 1;
        }
        Ok(())
    }

    /// Reads a run of one shard; false if the shard ended.
    fn read_run(&mut self, turn: usize, samples: &mut Vec<S>) -> Result<bool, SourceError> {
        for _ in 0..RUN {
            if samples.len() >= self.recipe.shuffle {
                return Ok(true);
            }
            let Some(sample) = self.streams[turn].next().transpose()? else { return Ok(false) };
            self.place.open[turn].1 += 1;
            if (self.recipe.wants)(&sample) {
                samples.push(sample);
            }
        }
        Ok(true)
    }

    /// A generator for one purpose and number.
    fn random(&self, number: u64, purpose: u64) -> Random {
        let mut random = Random::new(self.recipe.seed);
        let start = random.bits() ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Random::new(start.wrapping_add(purpose))
    }
}

fn shuffle<T>(values: &mut [T], mut random: Random) {
    for i in (1..values.len()).rev() {
        values.swap(i, random.below(i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;
    use crate::config::Data;
    use crate::source::Memory;
    use crate::testing::random_samples;

    fn source() -> Memory {
        let samples = random_samples(9, 10_000);
        // Shards of different sizes, one of them empty.
        let bounds = [0, 700, 700, 4000, 4100, 7000, 10_000];
        Memory(bounds.windows(2).map(|bound| samples[bound[0]..bound[1]].to_vec()).collect())
    }

    fn settings() -> Data {
        Data { shuffle: 2345, interleave: 3, max_score: 32_767, ..Data::default() }
    }

    fn portions(source: &Memory, data: &Data, place: Place, count: usize) -> Vec<Portion> {
        let mut mixer = Mixer::new(source, data.recipe(), place).unwrap();
        let never = AtomicBool::new(false);
        (0..count).map(|_| mixer.portion(&never).unwrap().unwrap()).collect()
    }

    type Portion = (Place, Vec<Sample>);

    fn sorted(samples: impl IntoIterator<Item = Sample>) -> Vec<[u8; 32]> {
        let mut bytes: Vec<_> = samples.into_iter().map(bytemuck::cast).collect();
        bytes.sort_unstable();
        bytes
    }

    #[test]
    fn a_pass_yields_every_sample_once() {
        let (source, data) = (source(), settings());
        let all = sorted(source.0.concat());
        let portions = portions(&source, &data, Place::default(), 10);
        for pass in portions.chunks(5) {
            assert_eq!(sorted(pass.iter().flat_map(|(_, samples)| samples.clone())), all);
        }
        assert_ne!(portions[0].1, portions[5].1, "the second pass has another order");
        assert_ne!(portions[0].1[..700], source.0[0], "the order is not that of the files");
    }

    #[test]
    fn reading_can_begin_with_any_portion() {
        let (source, data) = (source(), settings());
        let all = portions(&source, &data, Place::default(), 9);
        for start in 0..9 {
            let rest = portions(&source, &data, all[start].0.clone(), 9 - start);
            assert_eq!(rest, all[start..]);
        }
        let other = Data { seed: 2, ..data };
        assert_ne!(portions(&source, &other, Place::default(), 1)[0], all[0]);
    }

    #[test]
    fn large_scores_are_left_out() {
        let source = source();
        let data = Data { max_score: 400, ..settings() };
        let portions = portions(&source, &data, Place::default(), 3);
        assert!(portions.iter().flat_map(|(_, s)| s).all(|sample| sample.score().abs() <= 400));
    }

    #[test]
    fn data_without_samples_ends_at_once() {
        let never = AtomicBool::new(false);
        for source in [Memory(vec![]), Memory(vec![vec![], vec![]])] {
            let mut mixer = Mixer::new(&source, settings().recipe(), Place::default()).unwrap();
            assert_eq!(mixer.portion(&never).unwrap(), None);
        }
    }
}
