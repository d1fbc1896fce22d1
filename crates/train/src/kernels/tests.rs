use tandem_chess::Random;

use super::*;

/// Random numbers on both sides of what is clipped.
fn numbers<const N: usize>(random: &mut Random, width: f64) -> Row<N> {
    Row(std::array::from_fn(|_| ((random.unit() - 0.3) * width) as f32))
}

fn rows<const W: usize>(random: &mut Random, count: usize, width: f64) -> Vec<Row<W>> {
    (0..count).map(|_| numbers(random, width)).collect()
}

/// Sums have different orders and are rounded at different places.
fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs();
        assert!(error <= 1e-4 * expected.abs().max(1.0), "{found} {expected}");
    }
}

/// Runs the same with every kernel, and compares with the plain one.
fn compare<const N: usize>(run: impl Fn(&Kernels) -> [f32; N]) {
    let expected = run(&Kernels::new(tandem_nnue::Kernel::Scalar).unwrap());
    for kernels in Kernels::available() {
        assert_close(&run(&kernels), &expected);
    }
}

#[test]
fn sums_of_rows_are_those_of_plain_code() {
    let mut random = Random::new(1);
    let (wide, narrow) = (rows::<PANEL>(&mut random, 50, 2.0), rows::<LINE>(&mut random, 50, 2.0));
    let indices: Vec<_> = (0..40).map(|_| random.below(50) as u16).collect();
    let mut by_hand = [0.0; PANEL];
    for &index in &indices {
        by_hand.iter_mut().zip(wide[usize::from(index)].0).for_each(|(sum, value)| *sum += value);
    }
    compare(|kernels| {
        let mut out = Row::ZERO;
        kernels.accumulate_panel(&mut out, &wide, &indices);
        assert_close(&out.0, &by_hand);
        out.0
    });
    compare(|kernels| {
        let mut out = narrow[3];
        kernels.accumulate_psqt(&mut out, &narrow, &indices);
        out.0
    });
}

#[test]
fn products_and_their_gradients_are_those_of_plain_code() {
    let mut random = Random::new(2);
    let sums = numbers::<PANEL>(&mut random, 300.0);
    let gains = numbers::<PAIRS>(&mut random, 1.0);
    for is_floored in [false, true] {
        let by_hand: [f32; PAIRS] = std::array::from_fn(|i| {
            let product = sums.0[i].clamp(0.0, 127.0) * sums.0[PAIRS + i].clamp(0.0, 127.0) / 128.0;
            if is_floored { product.floor() } else { product }
        });
        assert!(by_hand.contains(&0.0) && by_hand.iter().any(|&product| product > 1.0));
        compare(|kernels| {
            let mut out = Row::ZERO;
            kernels.multiply_pairs(&sums, &mut out.0, is_floored);
            assert_close(&out.0, &by_hand);
            out.0
        });
    }
    compare(|kernels| {
        let mut out = sums;
        kernels.multiply_pairs_back(&mut out, &gains.0);
        out.0
    });
}

#[test]
fn combined_rows_are_those_of_plain_code() {
    let mut random = Random::new(3);
    let (weights, shared) = (numbers::<16>(&mut random, 3.0), numbers::<16>(&mut random, 3.0));
    for is_rounded in [false, true] {
        compare(|kernels| {
            let mut out = Row::<16>::ZERO;
            let shared = Some(&shared.0[..]);
            kernels.combine(&mut out.0, &weights.0, shared, 127.0, is_rounded);
            let is_whole = out.0.iter().all(|value| value.fract() == 0.0);
            assert_eq!(is_whole, is_rounded);
            out.0
        });
    }
}

#[test]
fn steps_of_the_optimiser_are_those_of_plain_code() {
    let mut random = Random::new(4);
    let [weights, first, gradient] = std::array::from_fn(|_| numbers::<32>(&mut random, 1.0));
    let second = Row(numbers::<32>(&mut random, 1.0).0.map(f32::abs));
    let step = AdamStep {
        gradient_scale: 0.5,
        first: (0.81, 0.1),
        second: (0.99, 0.001),
        decay: 0.99,
        rate: 0.3,
        epsilon: 1e-8,
    };
    compare(|kernels| {
        let (mut w, mut m, mut v) = (weights, first, second);
        kernels.adam(&mut w.0, &mut m.0, &mut v.0, &gradient.0, &step, 0.4);
        assert!(w.0.contains(&0.4) && w.0.iter().any(|w| w.abs() < 0.4));
        let all: [f32; 96] = std::array::from_fn(|i| [w, m, v][i / 32].0[i % 32]);
        all
    });
    compare(|kernels| {
        let mut w = weights;
        let change = CatchUp { decay: 0.9, push: 0.2, epsilon: 1e-3 };
        kernels.catch_up(&mut w.0, &first.0, &second.0, &change, 10.0);
        w.0
    });
    compare(|kernels| [kernels.sum_of_squares(&weights.0)]);
}

/// Not a multiple of the samples that a tile holds.
const SAMPLES: usize = 15;

#[test]
fn layers_are_those_of_plain_code() {
    let mut random = Random::new(5);
    let inputs = rows::<PANEL>(&mut random, SAMPLES, 100.0);
    let by_output: ByOutput = rows(&mut random, FC0, 1.0).try_into().unwrap();
    let by_input: ByInput = std::array::from_fn(|i| Row(by_output.map(|row| row.0[i])));
    let gains: [Row<FC0>; SAMPLES] = std::array::from_fn(|_| numbers(&mut random, 1.0));
    compare(|kernels| {
        let mut out = [Row([1.0; FC0]); SAMPLES];
        kernels.first_layer(&inputs, &by_input, &mut out);
        let by_hand: f32 = (0..PANEL).map(|i| inputs[6].0[i] * by_output[9].0[i]).sum();
        assert_close(&[out[6].0[9]], &[1.0 + by_hand]);
        let all: [f32; SAMPLES * FC0] = std::array::from_fn(|i| out[i / FC0].0[i % FC0]);
        all
    });
    compare(|kernels| {
        let mut gradient = [Row([0.5; PANEL]); FC0];
        kernels.first_layer_weights_back(&inputs, &gains, &mut gradient);
        let by_hand: f32 = (0..SAMPLES).map(|s| inputs[s].0[60] * gains[s].0[5]).sum();
        assert_close(&[gradient[5].0[60]], &[0.5 + by_hand]);
        let all: [f32; FC0 * PANEL] = std::array::from_fn(|i| gradient[i / PANEL].0[i % PANEL]);
        all
    });
    compare(|kernels| {
        let mut out = inputs.clone();
        kernels.first_layer_inputs_back(&gains, &by_output, &mut out);
        let by_hand: f32 = (0..FC0).map(|o| gains[6].0[o] * by_output[o].0[33]).sum();
        assert_close(&[out[6].0[33]], &[by_hand]);
        let all: [f32; SAMPLES * PANEL] = std::array::from_fn(|i| out[i / PANEL].0[i % PANEL]);
        all
    });
}

#[test]
fn square_matrices_are_those_of_plain_code() {
    let mut random = Random::new(6);
    let matrix: Square = std::array::from_fn(|_| numbers(&mut random, 1.0));
    let [vector, other] = std::array::from_fn(|_| numbers::<FC1>(&mut random, 1.0));
    compare(|kernels| {
        let mut out = other;
        kernels.weigh_rows(&vector, &matrix, &mut out);
        let by_hand: f32 = (0..FC1).map(|i| vector.0[i] * matrix[i].0[7]).sum();
        assert_close(&[out.0[7]], &[other.0[7] + by_hand]);
        out.0
    });
    compare(|kernels| {
        let mut out = matrix;
        kernels.add_outer(&vector, &other, &mut out);
        assert_close(&[out[3].0[8]], &[matrix[3].0[8] + vector.0[3] * other.0[8]]);
        let all: [f32; FC1 * FC1] = std::array::from_fn(|i| out[i / FC1].0[i % FC1]);
        all
    });
}

#[test]
fn squares_and_their_gradients_are_those_of_plain_code() {
    let mut random = Random::new(7);
    let sums = numbers::<PANEL>(&mut random, 600.0);
    let gains = numbers::<PANEL>(&mut random, 1.0);
    for is_floored in [false, true] {
        let by_hand: [f32; PANEL] = std::array::from_fn(|i| {
            let square = sums.0[i].clamp(0.0, 255.0).powi(2) / 512.0;
            if is_floored { square.floor() } else { square }
        });
        assert!(by_hand.contains(&0.0) && by_hand.iter().any(|&square| square > 120.0));
        compare(|kernels| {
            let mut out = Row::ZERO;
            kernels.square(&sums, &mut out, is_floored);
            assert_close(&out.0, &by_hand);
            out.0
        });
    }
    let by_hand: [f32; PANEL] = std::array::from_fn(|i| {
        let is_clipped = !(0.0..=255.0).contains(&sums.0[i]);
        if is_clipped { 0.0 } else { gains.0[i] * sums.0[i] / 256.0 }
    });
    compare(|kernels| {
        let mut out = sums;
        kernels.square_back(&mut out, &gains);
        assert_close(&out.0, &by_hand);
        out.0
    });
}

#[test]
fn rows_for_single_moves_are_those_of_plain_code() {
    let mut random = Random::new(8);
    let table = rows::<PANEL>(&mut random, 50, 2.0);
    let row = numbers::<PANEL>(&mut random, 2.0);
    let indices: [u16; 20] = std::array::from_fn(|_| random.below(50) as u16);
    let weights = numbers::<20>(&mut random, 1.0).0;
    let products = indices.map(|index| {
        1.0 + row.0.iter().zip(table[usize::from(index)].0).map(|(a, b)| a * b).sum::<f32>()
    });
    compare(|kernels| {
        let mut out = [1.0; 20];
        kernels.multiply_rows(&row, &table, &indices, &mut out);
        assert_close(&out, &products);
        out
    });
    let mut sums = row.0;
    for (&index, &weight) in indices.iter().zip(&weights) {
        let rows = sums.iter_mut().zip(table[usize::from(index)].0);
        rows.for_each(|(sum, value)| *sum += weight * value);
    }
    compare(|kernels| {
        let mut out = row;
        kernels.accumulate_weighted(&mut out, &table, &indices, &weights);
        assert_close(&out.0, &sums);
        out.0
    });
}

#[test]
fn confined_weights_keep_their_sums_within_the_limit() {
    let mut random = Random::new(9);
    let (weights, shared) = (numbers::<32>(&mut random, 2.0), numbers::<32>(&mut random, 0.5));
    let by_hand: [f32; 32] =
        std::array::from_fn(|i| (weights.0[i] + shared.0[i]).clamp(-0.5, 0.5) - shared.0[i]);
    assert!((0..32).any(|i| (by_hand[i] - weights.0[i]).abs() > 0.1));
    compare(|kernels| {
        let mut out = weights;
        kernels.confine(&mut out.0, &shared.0, 0.5);
        assert_close(&out.0, &by_hand);
        out.0
    });
}
