//! The layers behind the transformer, a block of samples at a time.
//!
//! The first layer sees its inputs panel by panel: a row of a panel holds a sample's 32 products of
//! the side to move and the 32 of its opponent.

#![allow(clippy::needless_range_loop, reason = "tiles are indexed alike on both sides")]

use super::{FC0, FC1, PANEL, Row, Vectors};

/// The first layer's weights for the inputs of a panel, input by input.
pub(crate) type ByInput = [Row<FC0>; PANEL];
/// The same, output by output.
pub(crate) type ByOutput = [Row<PANEL>; FC0];
/// A square matrix of the second layer.
pub(crate) type Square = [Row<FC1>; FC1];

/// Adds to the first layer's outputs what the inputs of a panel contribute. `N` vectors hold the outputs
/// of a sample, and `TILE` samples are computed together.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn first_layer<V: Vectors, const N: usize, const TILE: usize>(
    inputs: &[Row<PANEL>],
    weights: &ByInput,
    outputs: &mut [Row<FC0>],
) {
    assert!(inputs.len() == outputs.len());
    let mut done = 0;
    // SAFETY: the caller's promise; both slices are cut at the same places.
    unsafe {
        while done + TILE <= inputs.len() {
            let (x, y) = (&inputs[done..done + TILE], &mut outputs[done..done + TILE]);
            first_layer_tile::<V, N, TILE>(x, weights, y);
            done += TILE;
        }
        for i in done..inputs.len() {
            first_layer_tile::<V, N, 1>(&inputs[i..=i], weights, &mut outputs[i..=i]);
        }
    }
}

#[inline(always)]
unsafe fn first_layer_tile<V: Vectors, const N: usize, const TILE: usize>(
    inputs: &[Row<PANEL>],
    weights: &ByInput,
    outputs: &mut [Row<FC0>],
) {
    const { assert!(N * V::LANES == FC0) };
    assert!(inputs.len() == TILE && outputs.len() == TILE);
    // SAFETY: an output row holds `N` vectors, as does a row of weights.
    unsafe {
        let mut sums = [[V::splat(0.0); N]; TILE];
        for s in 0..TILE {
            for v in 0..N {
                sums[s][v] = V::load(outputs[s].0.as_ptr().add(v * V::LANES));
            }
        }
        for (i, row) in weights.iter().enumerate() {
            let mut w = [V::splat(0.0); N];
            for v in 0..N {
                w[v] = V::load(row.0.as_ptr().add(v * V::LANES));
            }
            for s in 0..TILE {
                let x = V::splat(inputs[s].0[i]);
                for v in 0..N {
                    sums[s][v] = V::multiply_add(x, w[v], sums[s][v]);
                }
            }
        }
        for s in 0..TILE {
            for v in 0..N {
                V::store(outputs[s].0.as_mut_ptr().add(v * V::LANES), sums[s][v]);
            }
        }
    }
}

/// Adds to the gradient of a panel's weights what a block of samples contributes.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn first_layer_weights_back<V: Vectors>(
    inputs: &[Row<PANEL>],
    gains: &[Row<FC0>],
    gradient: &mut ByOutput,
) {
    const OUTPUTS: usize = 4;
    const VECTORS: usize = 2;
    assert!(inputs.len() == gains.len());
    for first in (0..FC0).step_by(OUTPUTS) {
        for column in (0..PANEL).step_by(VECTORS * V::LANES) {
            // SAFETY: the tile lies inside the gradient and inside every row.
            unsafe {
                let mut sums = [[V::splat(0.0); VECTORS]; OUTPUTS];
                for o in 0..OUTPUTS {
                    let row = gradient[first + o].0.as_ptr();
                    for v in 0..VECTORS {
                        sums[o][v] = V::load(row.add(column + v * V::LANES));
                    }
                }
                for (x, gain) in inputs.iter().zip(gains) {
                    let x = x.0.as_ptr().add(column);
                    let x = [V::load(x), V::load(x.add(V::LANES))];
                    for o in 0..OUTPUTS {
                        let gain = V::splat(gain.0[first + o]);
                        for v in 0..VECTORS {
                            sums[o][v] = V::multiply_add(gain, x[v], sums[o][v]);
                        }
                    }
                }
                for o in 0..OUTPUTS {
                    let row = gradient[first + o].0.as_mut_ptr();
                    for v in 0..VECTORS {
                        V::store(row.add(column + v * V::LANES), sums[o][v]);
                    }
                }
            }
        }
    }
}

/// Replaces the inputs of a panel by what the loss gains from each.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn first_layer_inputs_back<V: Vectors>(
    gains: &[Row<FC0>],
    weights: &ByOutput,
    inputs: &mut [Row<PANEL>],
) {
    assert!(inputs.len() == gains.len());
    let pairs = inputs.len() / 2;
    // SAFETY: the caller's promise; both slices are cut at the same places.
    unsafe {
        for pair in 0..pairs {
            let range = 2 * pair..2 * pair + 2;
            first_layer_inputs_tile::<V, 2>(&gains[range.clone()], weights, &mut inputs[range]);
        }
        for i in 2 * pairs..inputs.len() {
            first_layer_inputs_tile::<V, 1>(&gains[i..=i], weights, &mut inputs[i..=i]);
        }
    }
}

#[inline(always)]
unsafe fn first_layer_inputs_tile<V: Vectors, const N: usize>(
    gains: &[Row<FC0>],
    weights: &ByOutput,
    inputs: &mut [Row<PANEL>],
) {
    const VECTORS: usize = 4;
    assert!(inputs.len() == N && gains.len() == N);
    for column in (0..PANEL).step_by(VECTORS * V::LANES) {
        // SAFETY: the tile lies inside every row.
        unsafe {
            let mut sums = [[V::splat(0.0); VECTORS]; N];
            for (o, row) in weights.iter().enumerate() {
                let mut w = [V::splat(0.0); VECTORS];
                for v in 0..VECTORS {
                    w[v] = V::load(row.0.as_ptr().add(column + v * V::LANES));
                }
                for s in 0..N {
                    let gain = V::splat(gains[s].0[o]);
                    for v in 0..VECTORS {
                        sums[s][v] = V::multiply_add(gain, w[v], sums[s][v]);
                    }
                }
            }
            for s in 0..N {
                for v in 0..VECTORS {
                    let to = inputs[s].0.as_mut_ptr().add(column + v * V::LANES);
                    V::store(to, sums[s][v]);
                }
            }
        }
    }
}

/// Adds `vector * matrix` to `out`: each row of the matrix, weighed by an entry of the vector. `N`
/// vectors hold a row.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn weigh_rows<V: Vectors, const N: usize>(
    vector: &Row<FC1>,
    matrix: &Square,
    out: &mut Row<FC1>,
) {
    const { assert!(N * V::LANES == FC1) };
    // SAFETY: rows and `out` hold `N` vectors.
    unsafe {
        let out = out.0.as_mut_ptr();
        let mut sums = [V::splat(0.0); N];
        for v in 0..N {
            sums[v] = V::load(out.add(v * V::LANES));
        }
        for (&weight, row) in vector.0.iter().zip(matrix) {
            let weight = V::splat(weight);
            for v in 0..N {
                let row = V::load(row.0.as_ptr().add(v * V::LANES));
                sums[v] = V::multiply_add(weight, row, sums[v]);
            }
        }
        for v in 0..N {
            V::store(out.add(v * V::LANES), sums[v]);
        }
    }
}

/// Adds the outer product of two vectors to a matrix: `rows` by `columns`.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn add_outer<V: Vectors>(
    rows: &Row<FC1>,
    columns: &Row<FC1>,
    matrix: &mut Square,
) {
    // SAFETY: every row is some whole vectors.
    unsafe {
        for (&weight, row) in rows.0.iter().zip(matrix) {
            let (weight, row) = (V::splat(weight), row.0.as_mut_ptr());
            for at in (0..FC1).step_by(V::LANES) {
                let sum = V::load(row.add(at));
                let sum = V::multiply_add(weight, V::load(columns.0.as_ptr().add(at)), sum);
                V::store(row.add(at), sum);
            }
        }
    }
}
