//! Threads that read and pack while others compute.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use super::{DataPosition, Mixer, Place, Recipe};
use crate::source::{Source, SourceError};

/// Makes batches of samples.
pub trait Pack: Default {
    /// What is packed.
    type Sample;
    /// What comes out.
    type Batch;

    /// The batch of those samples.
    fn build(&mut self, samples: &[Self::Sample]) -> Self::Batch;
}

/// So many batches wait to be computed.
const AHEAD: usize = 3;

/// A batch, and how far the data is used when it has been computed.
type Packed<B> = (B, DataPosition);
type Portion<S> = (Place, Vec<S>);

/// Two threads: one reads and shuffles the next portion, one packs batches from the present one.
pub(crate) struct Loader<'a, B> {
    batches: Receiver<Result<Packed<B>, SourceError>>,
    stop: &'a AtomicBool,
}

impl<'a, B: Send> Loader<'a, B> {
    /// Begins to load batches of `size` samples. When `stop` is set, the threads end.
    pub fn start<'scope, P>(
        scope: &'scope Scope<'scope, '_>,
        source: &'scope dyn Source<P::Sample>,
        recipe: Recipe<P::Sample>,
        size: usize,
        position: DataPosition,
        stop: &'a AtomicBool,
    ) -> Self
    where
        P: Pack<Batch = B>,
        P::Sample: Clone + Send + 'scope,
        B: 'scope,
        'a: 'scope,
    {
        let (portion_sender, portions) = sync_channel(0);
        let (batch_sender, batches) = sync_channel(AHEAD);
        let place = position.place;
        scope.spawn(move || read(source, recipe, place, &portion_sender, stop));
        scope.spawn(move || pack::<P>(&portions, size, position.used, &batch_sender));
        Self { batches, stop }
    }

    /// The next batch; none if there are no samples at all.
    pub fn next(&self) -> Result<Option<Packed<B>>, SourceError> {
        self.batches.recv().ok().transpose()
    }
}

impl<B> Drop for Loader<'_, B> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn read<S>(
    source: &dyn Source<S>,
    recipe: Recipe<S>,
    place: Place,
    portions: &SyncSender<Result<Portion<S>, SourceError>>,
    stop: &AtomicBool,
) {
    let mut mixer = match Mixer::new(source, recipe, place) {
        Ok(mixer) => mixer,
        Err(error) => {
            // If nobody listens, nobody needs the error.
            let _ = portions.send(Err(error));
            return;
        }
    };
    while let Some(portion) = mixer.portion(stop).transpose() {
        let is_last = portion.is_err();
        if portions.send(portion).is_err() || is_last {
            return;
        }
    }
}

fn pack<P: Pack>(
    portions: &Receiver<Result<Portion<P::Sample>, SourceError>>,
    size: usize,
    mut used: usize,
    batches: &SyncSender<Result<Packed<P::Batch>, SourceError>>,
) where
    P::Sample: Clone,
{
    let mut builder = P::default();
    let mut samples = Vec::with_capacity(size);
    while let Ok(portion) = portions.recv() {
        let (place, portion) = match portion {
            Ok(portion) => portion,
            Err(error) => {
                let _ = batches.send(Err(error));
                return;
            }
        };
        while used < portion.len() {
            let count = (size - samples.len()).min(portion.len() - used);
            samples.extend_from_slice(&portion[used..used + count]);
            used += count;
            // The last samples of a portion make a batch with the first of the next.
            if samples.len() < size {
                continue;
            }
            let position = DataPosition { place: place.clone(), used };
            let batch = builder.build(&samples);
            samples.clear();
            if batches.send(Ok((batch, position))).is_err() {
                return;
            }
        }
        used = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::batch::{Batch, Builder};
    use crate::config::Data;
    use crate::source::Memory;
    use crate::testing::random_samples;

    type Loaded = Packed<Batch>;

    fn data() -> Data {
        Data { shuffle: 1000, interleave: 2, max_score: 32_767, ..Data::default() }
    }

    fn start<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        source: &'scope dyn Source,
        position: DataPosition,
        stop: &'a AtomicBool,
    ) -> Loader<'a, Batch> {
        Loader::start::<Builder>(scope, source, data().recipe(), 300, position, stop)
    }

    fn load(source: &Memory, position: DataPosition, count: usize) -> Vec<Loaded> {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let loader = start(scope, source, position, &stop);
            (0..count).map(|_| loader.next().unwrap().unwrap()).collect()
        })
    }

    #[test]
    fn batches_go_on_from_any_position() {
        let samples = random_samples(10, 2500);
        let source = Memory(samples.chunks(600).map(<[_]>::to_vec).collect());
        let all = load(&source, DataPosition::default(), 20);
        assert!(all.iter().all(|(batch, _)| batch.len() == 300));
        for start in [1, 2, 3, 7, 8, 9, 19] {
            let rest = load(&source, all[start - 1].1.clone(), 20 - start);
            assert!(rest == all[start..], "{start}");
        }
    }

    #[test]
    fn errors_arrive_and_end_the_loading() {
        struct Broken;
        impl Source for Broken {
            fn shards(&self) -> usize {
                1
            }
            fn open(&self, _: usize, _: u64) -> Result<crate::source::Samples<'_>, SourceError> {
                Err(SourceError { path: "x".into(), place: None, reason: "gone".into() })
            }
        }
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let loader = start(scope, &Broken, DataPosition::default(), &stop);
            assert_eq!(loader.next().unwrap_err().to_string(), "x: gone");
            assert!(loader.next().unwrap().is_none());
        });
        let (stop, nothing) = (AtomicBool::new(false), Memory::default());
        thread::scope(|scope| {
            let loader = start(scope, &nothing, DataPosition::default(), &stop);
            assert!(loader.next().unwrap().is_none());
        });
    }
}
