use tandem_nnue::Kernel;

use super::*;
use crate::optimiser::{Clock, LearningRate, Optimiser};
use crate::policy::batch::{BLOCK, Batch, Builder};
use crate::policy::tests::samples;
use crate::stream::Pack as _;
use crate::trainer::Tally as _;

fn model(kernel: Kernel, threads: usize) -> Model {
    let mut model = Model::zero(128, true, false, Kernels::new(kernel).unwrap(), threads);
    model.randomise(3);
    model
}

fn clock() -> Clock {
    let rate = LearningRate { start: 3e-2, warmup: 0, ..LearningRate::default() };
    Clock::new(Optimiser::default(), rate, 100, 0)
}

/// The slope of the mean loss as one number is moved, by the difference of two losses.
fn slope(model: &mut Model, batch: &Batch, place: impl Fn(&mut Model) -> &mut f32) -> f64 {
    let mut mean = |moved: f32| {
        let before = *place(model);
        *place(model) = before + moved;
        let loss = model.there_and_back(batch, false).0.loss();
        *place(model) = before;
        loss
    };
    let delta = 1e-2;
    (mean(delta) - mean(-delta)) / (2.0 * f64::from(delta))
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    // Outputs that differ, so that every path carries a gradient.
    let lively = || {
        let mut model = model(Kernel::Scalar, 1);
        let rows = model.panels.iter_mut().flat_map(|panel| &mut panel.outputs.weights);
        rows.flat_map(|row| &mut row.0).for_each(|weight| *weight *= 4.0);
        model
    };
    let (mut model, mut known) = (lively(), lively());
    let batch = Builder::default().build(&samples(81, 300));
    let (_, squares) = known.there_and_back(&batch, false);
    assert!(squares > 0.0);
    let block = &batch.blocks[0];
    // The inputs and slots that most positions have, and some others.
    let often = |users: &crate::policy::batch::Users| {
        let most = |&at: &usize| users.lists.range(at).len();
        let mut keys: Vec<_> = (0..users.keys.len()).collect();
        keys.sort_by_key(|at| std::cmp::Reverse(most(at)));
        [0, 1, 2, 9, 40].map(|at| usize::from(users.keys[keys[at]]))
    };
    let (rows, slots): ([usize; 5], [usize; 5]) = (often(&block.by_row), often(&block.by_slot));
    let mut seen = 0;
    let mut check = |found: f32, unit: f32, place: &dyn Fn(&mut Model) -> &mut f32, what: &str| {
        let found = f64::from(found * unit);
        let expected = slope(&mut model, &batch, place);
        let error = (found - expected).abs();
        assert!(error <= 0.03 * expected.abs() + 2e-6, "{what}: {found} instead of {expected}");
        seen += usize::from(found.abs() > 1e-4);
    };
    for (i, (&row, &slot)) in rows.iter().zip(&slots).enumerate() {
        let (panel, column) = (i % 2, 13 * i % PANEL);
        let shared = ROWS + row % SHARED;
        let tables = &known.panels[panel];
        check(
            tables.inputs.gradients[row].0[column],
            units::INPUT,
            &|m| &mut m.panels[panel].inputs.weights[row].0[column],
            "input",
        );
        check(
            tables.inputs.gradients[shared].0[column],
            units::INPUT,
            &|m| &mut m.panels[panel].inputs.weights[shared].0[column],
            "shared input",
        );
        check(
            tables.biases.gradients[0].0[column],
            units::INPUT,
            &|m| &mut m.panels[panel].biases.weights[0].0[column],
            "bias of a neuron",
        );
        check(
            tables.outputs.gradients[slot].0[column],
            units::OUTPUT,
            &|m| &mut m.panels[panel].outputs.weights[slot].0[column],
            "output",
        );
        check(
            known.biases.gradients[slot / LINE].0[slot % LINE],
            units::SUM,
            &|m| &mut m.biases.weights[slot / LINE].0[slot % LINE],
            "bias of an output",
        );
    }
    assert!(seen > 15, "only {seen} of the slopes are not flat");
}

/// The losses of some steps, and the bits of what they lead to.
fn train(kernel: Kernel, threads: usize) -> (Vec<f64>, Vec<[f32; PANEL]>) {
    let samples = samples(82, 2 * BLOCK + 600);
    let mut model = model(kernel, threads);
    let (mut clock, mut builder) = (clock(), Builder::default());
    let mut losses = Vec::new();
    for samples in [&samples[..], &samples[..700], &samples[300..]] {
        clock.advance();
        losses.push(model.learn(&builder.build(samples), &clock, false, 0.1).loss());
    }
    let panels = model.panels.iter().flat_map(|panel| [&panel.inputs, &panel.outputs]);
    (losses, panels.flat_map(|table| table.weights.iter().map(|row| row.0)).collect())
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let alone = train(Kernel::chosen().unwrap(), 1);
    assert!(alone.0[1] < alone.0[0]);
    for threads in [2, 3] {
        assert!(train(Kernel::chosen().unwrap(), threads) == alone, "{threads} threads");
    }
}

#[test]
fn kernels_learn_alike() {
    let plain = train(Kernel::Scalar, 2).0;
    for kernel in Kernel::available() {
        for (found, expected) in train(kernel, 2).0.iter().zip(&plain) {
            assert!((found / expected - 1.0).abs() < 1e-3, "{kernel}: {found} {expected}");
        }
    }
}

#[test]
fn no_weight_of_a_file_leaves_its_bounds() {
    let batch = Builder::default().build(&samples(83, 300));
    let mut model = Model::zero(64, true, true, Kernels::chosen().unwrap(), 1);
    model.randomise(5);
    let rate = LearningRate { start: 1.0, end: 1.0, warmup: 0, ..LearningRate::default() };
    let mut clock = Clock::new(Optimiser::default(), rate, 10, 0);
    for _ in 0..4 {
        clock.advance();
        model.learn(&batch, &clock, true, 0.0);
    }
    model.prepare(true);
    let largest = |table: &Table<PANEL>| {
        table.ready.iter().flat_map(|row| row.0).fold(0.0, |most: f32, w| most.max(w.abs()))
    };
    let panel = &model.panels[0];
    assert_eq!((largest(&panel.inputs), largest(&panel.outputs)), (127.0, 127.0));
    assert!(largest(&panel.biases) <= 993.0);
}
