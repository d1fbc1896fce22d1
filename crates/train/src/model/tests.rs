use tandem_nnue::{BUCKETS, FeatureSet, Kernel};

use super::*;
use crate::batch::Builder;
use crate::loss::StepLoss;
use crate::optimiser::{LearningRate, Optimiser};
use crate::stream::Pack as _;
use crate::testing::random_samples;
use crate::{Loss, Ramp};

fn model(kernel: Kernel, threads: usize) -> Model {
    let shape = Architecture::new(FeatureSet::HalfKa, 128).unwrap();
    let mut model = Model::zero(shape, true, Kernels::new(kernel).unwrap(), threads);
    model.randomise(3);
    // Layers that have learnt something, so that every path carries a gradient.
    for stack in &mut model.layers.stacks {
        stack.fc0_biases.0.fill(0.3);
        stack.fc0.iter_mut().flatten().for_each(|row| row.0.iter_mut().for_each(|w| *w *= 4.0));
        stack.fc0.iter_mut().for_each(|panel| panel[15].0.fill(0.01));
    }
    model
}

fn loss() -> StepLoss {
    Loss { power: 2.0, lambda: Ramp { start: 0.7, end: 0.7 }, ..Loss::default() }.at(0, 1)
}

fn clock() -> Clock {
    let rate = LearningRate { start: 1e-3, warmup: 0, ..LearningRate::default() };
    Clock::new(Optimiser::default(), rate, 100, 0)
}

/// The slope of the mean loss as one number is moved, by the difference of two losses.
fn slope(model: &mut Model, batch: &Batch, place: impl Fn(&mut Model) -> &mut f32) -> f64 {
    let mut mean = |moved: f32| {
        let before = *place(model);
        *place(model) = before + moved;
        let loss = model.assess(batch, &loss(), false).loss / batch.len() as f64;
        *place(model) = before;
        loss
    };
    let delta = 4e-3;
    (mean(delta) - mean(-delta)) / (2.0 * f64::from(delta))
}

fn assert_slope(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= 0.05 * expected.abs() + 2e-6, "{what}: {found} instead of {expected}");
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    let mut model = model(Kernel::Scalar, 1);
    let batch = Builder::default().build(&random_samples(21, 300));
    let mut clock = clock();
    clock.advance();
    let plan = Plan::new(&batch, &clock, &model.last);
    let (_, gradient) = model.there_and_back(&batch, &plan, &loss(), false);
    let layers = gradient.layers;
    let mut seen = 0;

    // A layer of each kind, in the stack that most samples use.
    let stack = (0..BUCKETS).max_by_key(|&s| batch.stacks[s + 1] - batch.stacks[s]).unwrap();
    let of = &layers.stacks[stack];
    let mut check = |found: f32, unit: f32, place: &dyn Fn(&mut Model) -> &mut f32, what: &str| {
        let found = f64::from(found * unit);
        seen += usize::from(found.abs() > 1e-5);
        assert_slope(found, slope(&mut model, &batch, place), what);
    };
    for i in 0..6 {
        let (panel, output, column) = (i % 2, 5 * i % 16, 11 * i % 64);
        check(
            of.fc0[panel][output].0[column],
            units::WEIGHT,
            &|m| &mut m.layers.stacks[stack].fc0[panel][output].0[column],
            "first layer",
        );
        check(
            layers.shared.fc0[panel][15].0[column],
            units::WEIGHT,
            &|m| &mut m.layers.shared.fc0[panel][15].0[column],
            "shared layer",
        );
        check(
            of.fc0_biases.0[output],
            units::SUM,
            &|m| &mut m.layers.stacks[stack].fc0_biases.0[output],
            "first biases",
        );
        check(
            of.fc1[column / 2].0[5 * i],
            units::WEIGHT,
            &|m| &mut m.layers.stacks[stack].fc1[column / 2].0[5 * i],
            "second layer",
        );
        check(
            of.fc1_biases.0[5 * i],
            units::SUM,
            &|m| &mut m.layers.stacks[stack].fc1_biases.0[5 * i],
            "second biases",
        );
        check(
            of.fc2.0[5 * i],
            units::LAST_WEIGHT,
            &|m| &mut m.layers.stacks[stack].fc2.0[5 * i],
            "last layer",
        );
        check(
            layers.biases[panel].0[column],
            units::NEURON,
            &|m| &mut m.layers.biases[panel].0[column],
            "transformer's biases",
        );
    }
    check(
        of.fc2_bias.0[0],
        units::OUTPUT,
        &|m| &mut m.layers.stacks[stack].fc2_bias.0[0],
        "last bias",
    );
    assert!(seen > 25, "only {seen} of the slopes are not flat");

    // Real and virtual rows of the tables.
    for slot in
        [0, batch.rows.len() / 2, batch.rows.len(), batch.rows.len() + batch.virtual_rows.len() / 2]
    {
        let row = plan.rows[slot].0 as usize;
        for column in [0, 33] {
            let found = f64::from(model.panels[1].table.gradients[slot].0[column] * units::NEURON);
            let expected =
                slope(&mut model, &batch, |m| &mut m.panels[1].table.weights[row].0[column]);
            assert_slope(found, expected, "transformer");
        }
        let found = f64::from(model.psqt.gradients[slot].0[stack] * units::OUTPUT);
        let expected = slope(&mut model, &batch, |m| &mut m.psqt.weights[row].0[stack]);
        assert_slope(found, expected, "piece-square values");
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let samples = random_samples(22, 1500);
    let train = |threads| {
        let mut model = model(Kernel::chosen().unwrap(), threads);
        let (mut clock, mut builder) = (clock(), Builder::default());
        let mut losses = Vec::new();
        for samples in samples.chunks(500) {
            clock.advance();
            let batch = builder.build(samples);
            losses.push(model.learn(&batch, &clock, &loss(), false, 0.01).loss);
        }
        model.settle(&clock);
        (losses, model.panels[0].table.weights.clone(), model.layers)
    };
    let alone = train(1);
    for threads in [2, 3] {
        assert!(train(threads) == alone, "{threads} threads");
    }
}

#[test]
fn kernels_learn_alike() {
    let samples = random_samples(23, 2000);
    let train = |kernel| {
        let mut model = model(kernel, 1);
        let (mut clock, mut builder) = (clock(), Builder::default());
        let learn = |samples: &[_]| {
            clock.advance();
            model.learn(&builder.build(samples), &clock, &loss(), true, 1.0).loss
        };
        samples.chunks(500).map(learn).collect::<Vec<_>>()
    };
    let plain = train(Kernel::Scalar);
    for kernel in Kernel::available() {
        for (found, expected) in train(kernel).iter().zip(&plain) {
            assert!((found / expected - 1.0).abs() < 0.01, "{kernel}: {found} {expected}");
        }
    }
}
