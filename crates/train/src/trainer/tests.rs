use std::path::PathBuf;
use std::sync::Arc;

use tandem_chess::Position;
use tandem_nnue::{Encoding, Evaluator, Network, Networks};

use super::value::{self, Trainer};
use super::*;
use crate::batch::Builder;
use crate::report::Record;
use crate::source::Memory;
use crate::stream::Pack as _;
use crate::testing::{game_positions, labelled, random_positions, random_samples};
use crate::{Config, Sample, Settings as _};

/// A folder that is gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("tandem-trainer-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tiny(batches: u64, superbatches: u64) -> Config {
    let mut config = Config::default();
    config.model.l1 = 128;
    config.training.batch = 512;
    config.training.batches = batches;
    config.training.superbatches = superbatches;
    config.data.shuffle = 5000;
    config.learning_rate.start = 4e-3;
    config.learning_rate.end = 1e-4;
    config.learning_rate.warmup = 10;
    config
}

fn source(seed: u64, count: usize) -> Memory {
    Memory(random_samples(seed, count).chunks(2000).map(<[_]>::to_vec).collect())
}

fn run(trainer: &mut Trainer, train: &Memory, folder: &Scratch) -> Finish {
    trainer.run(train, None, &folder.0, &mut (), &AtomicBool::new(false)).unwrap()
}

/// Mean and largest distance, in points of the score, between what training computes without
/// rounding and what the exported network says of positions.
fn export_error(trainer: &mut Trainer, positions: &[Position]) -> (f64, f64) {
    let networks = Networks::new(Arc::new(trainer.network().unwrap()), None).unwrap();
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let mut builder = Builder::default();
    let (mut sum, mut largest) = (0.0, 0.0_f64);
    for position in positions {
        let batch = builder.build(&[labelled(position)]);
        let (psqt, positional) = trainer.model.outputs(&batch, false)[0];
        evaluator.reset(position);
        let outputs = evaluator.outputs();
        let difference = psqt + positional - (outputs.psqt + outputs.positional) as f32;
        let error = f64::from(difference.abs()) / 16.0;
        sum += error;
        largest = largest.max(error);
    }
    (sum / positions.len() as f64, largest)
}

#[test]
fn a_tiny_network_learns_the_plain_evaluation_and_exports_what_it_learnt() {
    let (train, validation) = (source(31, 150_000), source(32, 4000));
    let folder = Scratch::new("learns");
    let mut trainer = Trainer::new(tiny(150, 4)).unwrap();
    let before = assess(&mut trainer, &validation.0.concat(), false);
    let never = AtomicBool::new(false);
    trainer.run(&train, Some(&validation), &folder.0, &mut (), &never).unwrap();
    let losses: Vec<_> = trainer.history.iter().map(|r| r.validation_loss.unwrap()).collect();
    println!("before {before}, then {losses:?}");
    assert!(losses[3] < 0.0022, "{losses:?}");
    assert!(losses[3] < before / 2.0, "{before} {losses:?}");

    // Rounding the numbers moves scores by a few points of the 208 that a pawn is worth.
    let positions: Vec<_> =
        game_positions().into_iter().step_by(7).chain(random_positions(33, 300)).collect();
    let (mean, largest) = export_error(&mut trainer, &positions);
    println!("mean error {mean}, largest {largest}");
    assert!(mean < 4.0 && largest < 25.0, "{mean} {largest}");
}

#[test]
fn the_folder_holds_a_network_that_loads_with_settings_log_and_curves() {
    let (train, folder) = (source(34, 3000), Scratch::new("folder"));
    let mut config = tiny(3, 2);
    config.training.keep = 1;
    let mut trainer = Trainer::new(config.clone()).unwrap();
    assert_eq!(run(&mut trainer, &train, &folder), Finish::Complete);
    let network = Network::load(folder.0.join("network.nnue")).unwrap();
    assert_eq!(network.encoding(), Encoding::Leb128);
    assert_eq!(network.description(), config.model.description);
    assert!(network.parameters() == trainer.network().unwrap().parameters());
    let last = std::fs::read(folder.0.join("network-0002.nnue")).unwrap();
    assert!(last == network.to_bytes(Encoding::Leb128));
    assert!(folder.0.join("network-0001.nnue").exists());
    assert_eq!(Config::load(&folder.0.join("config.toml")).unwrap(), config);
    let log = std::fs::read_to_string(folder.0.join("log.jsonl")).unwrap();
    let records: Vec<Record> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records, trainer.history);
    assert!(std::fs::read_to_string(folder.0.join("loss.svg")).unwrap().contains("<svg"));
}

fn assess(trainer: &mut Trainer, samples: &[Sample], is_rounded: bool) -> f64 {
    let step = trainer.step();
    value::mean_loss(&mut trainer.model, samples, &trainer.config, step, is_rounded)
}

/// Everything that must not depend on interruptions.
fn bits(trainer: &Trainer) -> impl PartialEq + use<> {
    let model = &trainer.model;
    let tables: Vec<_> = model
        .panels
        .iter()
        .map(|panel| &panel.table)
        .map(|table| (table.weights.clone(), table.first.clone(), table.second.clone()))
        .collect();
    let psqt = (model.psqt.weights.clone(), model.psqt.first.clone(), model.psqt.second.clone());
    let layers = (model.layers.clone(), model.first.clone(), model.second.clone());
    let losses: Vec<_> = trainer.history.iter().map(|r| (r.step, r.train_loss)).collect();
    (tables, psqt, layers, model.last.clone(), losses, trainer.position.clone())
}

/// Sets the flag after so many steps.
struct StopAfter<'a>(u64, &'a AtomicBool);

impl Observer for StopAfter<'_> {
    fn step(&mut self, progress: &Progress) {
        assert!(progress.samples_per_second > 0.0 && progress.seconds_left >= 0.0);
        if progress.step >= self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
    fn superbatch(&mut self, _: &Record) {}
}

#[test]
fn a_training_that_was_interrupted_ends_with_the_same_bits() {
    let train = source(35, 6000);
    let whole = Scratch::new("whole");
    let mut expected = Trainer::new(tiny(6, 3)).unwrap();
    run(&mut expected, &train, &whole);

    // In the middle of a superbatch and of a portion, at an end, and with rounding in force.
    let parts = Scratch::new("parts");
    let mut trainer = Trainer::new(tiny(6, 3)).unwrap();
    for end in [4, 12, 17] {
        let stop = AtomicBool::new(false);
        let mut observer = StopAfter(end, &stop);
        let finish = trainer.run(&train, None, &parts.0, &mut observer, &stop).unwrap();
        assert_eq!((finish, trainer.step()), (Finish::Interrupted, end));
        trainer = Trainer::resume(&parts.0).unwrap();
        assert_eq!(trainer.step(), end);
    }
    assert_eq!(run(&mut trainer, &train, &parts), Finish::Complete);
    assert!(bits(&trainer) == bits(&expected));
    let network = |folder: &Scratch| std::fs::read(folder.0.join("network.nnue")).unwrap();
    assert!(network(&parts) == network(&whole));
    let again = Trainer::resume(&parts.0).unwrap();
    assert!(bits(&again) == bits(&trainer), "saved at the end");
}

#[test]
fn a_damaged_state_is_refused() {
    let folder = Scratch::new("damaged");
    let mut trainer = Trainer::new(tiny(1, 1)).unwrap();
    run(&mut trainer, &source(36, 1000), &folder);
    let path = folder.0.join("state.bin");
    let whole = std::fs::read(&path).unwrap();
    let mut turned = whole.clone();
    let middle = turned.len() / 2;
    turned[middle] ^= 4;
    let mut named = whole.clone();
    named[0] = b'X';
    for (bytes, reason) in [
        (&turned[..], "checksum"),
        (&named, "no saved training"),
        (&whole[..whole.len() - 3], "damaged"),
        (&whole[..100], "cannot be read"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = Trainer::resume(&folder.0).err().unwrap().to_string();
        assert!(error.contains("state.bin") && error.contains(reason), "{error}");
    }
}

#[test]
fn training_goes_on_from_a_network_file() {
    let (train, folder) = (source(37, 2000), Scratch::new("fine"));
    let mut first = Trainer::new(tiny(20, 1)).unwrap();
    run(&mut first, &train, &folder);
    let mut config = tiny(2, 1);
    config.model.init = Some(folder.0.join("network.nnue"));
    let mut second = Trainer::new(config.clone()).unwrap();
    let samples = train.0.concat();
    let (end, begin) = (assess(&mut first, &samples, true), assess(&mut second, &samples, true));
    assert!((begin / end - 1.0).abs() < 1e-6, "{begin} {end}");

    config.model.init = Some(folder.0.join("nothing.nnue"));
    let error = Trainer::new(config).err().unwrap().to_string();
    assert!(error.contains("model.init") && error.contains("nothing.nnue"), "{error}");
}

#[test]
fn data_without_samples_is_an_error() {
    let folder = Scratch::new("empty");
    let mut trainer = Trainer::new(tiny(1, 1)).unwrap();
    let never = AtomicBool::new(false);
    let error = trainer.run(&Memory::default(), None, &folder.0, &mut (), &never).unwrap_err();
    assert!(error.to_string().contains("data.train"), "{error}");
    let (train, nothing) = (source(38, 600), Memory::default());
    let error = trainer.run(&train, Some(&nothing), &folder.0, &mut (), &never).unwrap_err();
    assert!(error.to_string().contains("data.validation"), "{error}");
}
