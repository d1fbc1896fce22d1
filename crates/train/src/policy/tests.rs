use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem_chess::{Move, Position};
use tandem_nnue::policy::inputs::View;
use tandem_nnue::policy::slots::{geometric, is_bad};
use tandem_nnue::{PolicyEvaluator, PolicyNetwork};

use super::batch::Builder;
use super::model::{Model, SUM};
use super::subject::validate;
use super::*;
use crate::checkpoint::Saved as _;
use crate::report::{Observer, Progress};
use crate::source::Memory;
use crate::stream::Pack as _;
use crate::testing::random_positions;
use crate::{Finish, Settings as _};

/// A player who is easily foreseen: takes the most that can be taken without loss, and otherwise has
/// fixed likings for certain ways on the board.
fn choice(position: &Position) -> Option<Move> {
    let view = View::of(position);
    let worth = |m: &Move| {
        let taken = position.captured_by(*m).map_or(0, |kind| kind.index() as u32 + 1);
        let gain = if is_bad(&view, position, *m) { 0 } else { taken };
        let liking = u32::from(geometric(&view, *m)).wrapping_mul(0x9E37_79B9) >> 16;
        (gain, liking)
    };
    position.legal_moves().into_iter().max_by_key(worth)
}

/// What that player does in positions of random play.
pub fn samples(seed: u64, count: usize) -> Vec<PolicySample> {
    let of = |position: &Position| PolicySample::played(position, choice(position)?);
    let samples: Vec<_> = random_positions(seed, count + count / 4).iter().filter_map(of).collect();
    assert!(samples.len() >= count);
    samples[..count].to_vec()
}

fn source(seed: u64, count: usize) -> Memory<PolicySample> {
    Memory(samples(seed, count).chunks(2000).map(<[_]>::to_vec).collect())
}

fn tiny(batches: u64, superbatches: u64) -> PolicyConfig {
    let mut config = PolicyConfig::default();
    config.model.hidden = 64;
    config.training.batch = 256;
    config.training.batches = batches;
    config.training.superbatches = superbatches;
    config.data.shuffle = 5000;
    config.learning_rate.start = 1e-2;
    config.learning_rate.end = 1e-3;
    config.learning_rate.warmup = 10;
    config
}

fn run(trainer: &mut PolicyTrainer, train: &Memory<PolicySample>, folder: &Path) -> Finish {
    trainer.run(train, None, folder, &mut (), &AtomicBool::new(false)).unwrap()
}

/// What training computes for each move of each sample, and what the exported network says of it.
fn outputs(model: &mut Model, samples: &[PolicySample], is_rounded: bool) -> Vec<(f32, i32)> {
    let numbers = export::export(model, "", 1.0);
    let network = Arc::new(PolicyNetwork::from_parameters(&numbers).unwrap());
    let mut evaluator = PolicyEvaluator::new(network).unwrap();
    let mut pairs = Vec::new();
    let batch = Builder::default().build(samples);
    let found = model.outputs(&batch, is_rounded).flatten().copied().collect::<Vec<_>>();
    let mut found = found.into_iter();
    for sample in samples {
        let position = sample.position();
        let moves = position.legal_moves();
        let mut expected = vec![0; moves.len()];
        evaluator.outputs(&position, &moves, &mut expected);
        pairs.extend(found.by_ref().take(moves.len()).zip(expected));
    }
    assert!(found.next().is_none());
    pairs
}

#[test]
fn a_tiny_network_learns_to_foresee_a_player_and_exports_what_it_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let (train, held_out) = (source(71, 60_000), samples(72, 3000));
    let mut trainer = PolicyTrainer::new(tiny(150, 2)).unwrap();
    let before = validate(&mut trainer.model, &held_out, 1000).measures;
    assert!(before.top1 < 0.15, "{before:?}");
    let validation = Memory(vec![held_out.clone()]);
    let never = AtomicBool::new(false);
    trainer.run(&train, Some(&validation), folder.path(), &mut (), &never).unwrap();
    let found = trainer.history()[1].validation.clone().unwrap();
    println!("before {before:?}, then {found:?}");
    assert!(found.measures.top1 > 0.5 && found.measures.top5 > 0.82, "{found:?}");
    assert!(found.measures.cross_entropy < 1.7, "{found:?}");
    assert!(found.measures.cross_entropy <= found.uncalibrated, "{found:?}");

    // The file that plays foresees as much, with the temperature that was found.
    let network = Arc::new(PolicyNetwork::load(folder.path().join("network.policy")).unwrap());
    assert!((f64::from(network.temperature()) - found.temperature).abs() < 1e-6);
    let played = evaluate(&network, &validation, u64::MAX).unwrap();
    assert_eq!((played.positions, played.top5), (3000, found.measures.top5));
    assert!((played.top1 - found.measures.top1).abs() < 1e-9, "{played:?}");
    assert!((played.cross_entropy - found.measures.cross_entropy).abs() < 1e-5, "{played:?}");
    assert_eq!(evaluate(&network, &validation, 100).unwrap().positions, 100);

    // Rounding moves what moves get by little.
    let pairs = outputs(&mut trainer.model, &held_out[..500], false);
    let error = |&(found, expected): &(f32, i32)| f64::from((found - expected as f32).abs() / SUM);
    let mean = pairs.iter().map(error).sum::<f64>() / pairs.len() as f64;
    let largest = pairs.iter().map(error).fold(0.0, f64::max);
    println!("mean error {mean}, largest {largest}");
    assert!(mean < 0.05 && largest < 0.5, "{mean} {largest}");
}

#[test]
fn with_rounding_training_computes_the_exported_network_number_for_number() {
    let samples = samples(73, 1500);
    for (hidden, is_factorised, is_narrow) in
        [(64, true, true), (192, false, true), (128, true, false)]
    {
        let mut config = tiny(1, 1);
        config.model.hidden = hidden;
        config.model.factorised = is_factorised;
        config.model.narrow = is_narrow;
        let mut model = PolicyTrainer::new(config).unwrap().model;
        // Shared and own rows that are both not 0, and biases.
        for panel in &mut model.panels {
            for (row, weights) in panel.inputs.weights.iter_mut().enumerate() {
                weights.0[row % 64] += 0.017 * (row % 7) as f32;
            }
        }
        model.biases.weights.iter_mut().for_each(|row| row.0[3] = -0.3);
        let pairs = outputs(&mut model, &samples, true);
        assert!(pairs.iter().any(|pair| pair.1 != pairs[0].1));
        for (found, expected) in pairs {
            // Both are whole numbers.
            assert!((found - expected as f32).abs() < 0.1, "{found} {expected}");
        }
    }
}

#[test]
fn the_folder_holds_network_settings_log_and_curves() {
    let (folder, train) = (tempfile::tempdir().unwrap(), source(74, 3000));
    let mut config = tiny(3, 2);
    config.training.keep = 2;
    config.model.description = "a test".into();
    let mut trainer = PolicyTrainer::new(config.clone()).unwrap();
    assert_eq!(run(&mut trainer, &train, folder.path()), Finish::Complete);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let network = PolicyNetwork::from_bytes(&read("network.policy")).unwrap();
    assert_eq!((network.description(), network.temperature()), ("a test", 1.0));
    assert!(read("network-0002.policy") == read("network.policy"));
    assert!(!folder.path().join("network-0001.policy").exists());
    assert_eq!(PolicyConfig::load(&folder.path().join("config.toml")).unwrap(), config);
    let log = String::from_utf8(read("log.jsonl")).unwrap();
    let records: Vec<PolicyRecord> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records, trainer.history());
    for picture in ["loss.svg", "accuracy.svg"] {
        assert!(String::from_utf8(read(picture)).unwrap().contains("<svg"));
    }
}

/// Everything that must not depend on interruptions.
fn bits(trainer: &PolicyTrainer) -> impl PartialEq + use<> {
    let mut bytes = Vec::new();
    trainer
        .model
        .show(&mut |part| {
            bytes.extend_from_slice(part);
            Ok(())
        })
        .unwrap();
    let records: Vec<_> = trainer
        .history
        .iter()
        .map(|record| (record.step, record.train_loss, record.validation.clone()))
        .collect();
    (bytes, records, trainer.position.clone(), trainer.running)
}

/// Sets the flag after so many steps.
struct StopAfter<'a>(u64, &'a AtomicBool);

impl Observer<PolicyRecord> for StopAfter<'_> {
    fn step(&mut self, progress: &Progress) {
        assert!(progress.top1.is_some_and(|share| (0.0..=1.0).contains(&share)));
        if progress.step >= self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
    fn superbatch(&mut self, _: &PolicyRecord) {}
}

#[test]
fn a_training_that_was_interrupted_ends_with_the_same_bits() {
    let (train, validation) = (source(75, 6000), source(76, 500));
    let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let never = AtomicBool::new(false);
    let mut expected = PolicyTrainer::new(tiny(6, 3)).unwrap();
    expected.run(&train, Some(&validation), whole.path(), &mut (), &never).unwrap();

    // In the middle of a superbatch and of a portion, at an end, and with rounding in force.
    let mut trainer = PolicyTrainer::new(tiny(6, 3)).unwrap();
    for end in [4, 12, 17] {
        let stop = AtomicBool::new(false);
        let mut observer = StopAfter(end, &stop);
        let finish =
            trainer.run(&train, Some(&validation), parts.path(), &mut observer, &stop).unwrap();
        assert_eq!((finish, trainer.step()), (Finish::Interrupted, end));
        trainer = PolicyTrainer::resume(parts.path()).unwrap();
        assert_eq!(trainer.step(), end);
    }
    trainer.run(&train, Some(&validation), parts.path(), &mut (), &never).unwrap();
    assert!(bits(&trainer) == bits(&expected));
    let network = |folder: &Path| std::fs::read(folder.join("network.policy")).unwrap();
    assert!(network(parts.path()) == network(whole.path()));

    let state = parts.path().join("state.bin");
    let mut bytes = std::fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&state, &bytes).unwrap();
    let error = PolicyTrainer::resume(parts.path()).err().unwrap().to_string();
    assert!(error.contains("state.bin") && error.contains("checksum"), "{error}");
    let error = crate::Trainer::resume(parts.path()).err().unwrap().to_string();
    assert!(error.contains("no saved training of this kind"), "{error}");
}

#[test]
fn training_goes_on_from_a_policy_file() {
    let (folder, train) = (tempfile::tempdir().unwrap(), source(77, 2000));
    let mut first = PolicyTrainer::new(tiny(20, 1)).unwrap();
    run(&mut first, &train, folder.path());
    let file = folder.path().join("network.policy");
    let mut config = tiny(2, 1);
    config.model.init = Some(file.clone());
    for is_factorised in [true, false] {
        config.model.factorised = is_factorised;
        let mut second = PolicyTrainer::new(config.clone()).unwrap();
        let network = PolicyNetwork::load(&file).unwrap().parameters();
        assert!(export::export(&mut second.model, &network.description, 1.0) == network);
    }

    let refused =
        |config: &PolicyConfig| PolicyTrainer::new(config.clone()).err().unwrap().to_string();
    config.model.hidden = 128;
    let error = refused(&config);
    assert!(error.contains("model.hidden") && error.contains("64"), "{error}");
    config.model.hidden = 64;
    let mut wide = PolicyNetwork::load(&file).unwrap().parameters();
    wide.input_weights[5] = -200;
    std::fs::write(&file, wide.to_bytes()).unwrap();
    let error = refused(&config);
    assert!(error.contains("model.narrow"), "{error}");
    config.model.narrow = false;
    assert!(PolicyTrainer::new(config.clone()).is_ok());
    config.model.init = Some(folder.path().join("nothing.policy"));
    let error = refused(&config);
    assert!(error.contains("model.init") && error.contains("nothing.policy"), "{error}");
}

#[test]
fn data_without_moves_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut trainer = PolicyTrainer::new(tiny(1, 1)).unwrap();
    let (never, nothing) = (AtomicBool::new(false), Memory::default());
    let error = trainer.run(&nothing, None, folder.path(), &mut (), &never).unwrap_err();
    assert!(error.to_string().contains("data.train"), "{error}");
    let train = source(78, 600);
    let error = trainer.run(&train, Some(&nothing), folder.path(), &mut (), &never).unwrap_err();
    assert!(error.to_string().contains("data.validation"), "{error}");
}
