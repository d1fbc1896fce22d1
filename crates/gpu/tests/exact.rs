//! The device gives the processor's integers: for every network, kernel and way in.

mod common;

use std::sync::Arc;

use common::{assert_no_complaint, device_with, embedded, expected, positions, random, real};
use tandem_chess::Position;
use tandem_gpu::kernels::{Reading, Variant};
use tandem_gpu::{Checks, Device, Direct, Model, Transfer};
use tandem_nnue::{FeatureSet, Network, Outputs};

fn compare(what: &str, positions: &[Position], found: &[Outputs], expected: &[Outputs]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for ((position, found), expected) in positions.iter().zip(found).zip(expected) {
        assert_eq!(found, expected, "{what}: {position}");
    }
}

/// Both variants, with features listed on either side, twice; and children from their parents.
fn agrees(name: &str, network: &Arc<Network>, checks: Checks, count: usize) {
    for reading in [Reading::Images, Reading::Buffers] {
        let device = device_with(Transfer::Shortest, reading);
        agrees_on(&device, &format!("{name}, {reading:?}"), network, checks, count);
    }
}

fn agrees_on(device: &Device, name: &str, network: &Arc<Network>, checks: Checks, count: usize) {
    let model = Model::new(device, network, checks).unwrap();
    assert_eq!(model.shape().reading, device.reading());
    let mut direct = Direct::new(&model).unwrap();
    let positions = positions(count);
    let expected = expected(network, &positions);
    for variant in [Variant::Plain, Variant::Subgroup] {
        assert!(model.has(variant), "{variant} kernels are not tested on this device");
        for run in 0..2 {
            let what = format!("{name}, {variant}, run {run}");
            let (found, _) = direct.evaluate(&positions, variant).unwrap();
            compare(&what, &positions, &found, &expected);
        }
        let found = direct.evaluate_lists(&positions[..100], variant).unwrap();
        compare(&format!("{name}, {variant}, lists"), &positions, &found, &expected[..100]);
    }
    for parent in positions.iter().step_by(positions.len() / 12) {
        let children: Vec<_> = parent.legal_moves().iter().map(|&m| parent.after(m)).collect();
        let expected = common::expected(network, &children);
        for variant in [Variant::Plain, Variant::Subgroup] {
            let found = direct.evaluate_children(parent, &children, variant).unwrap();
            let what = format!("{name}, {variant}, children of {parent}");
            compare(&what, &children, &found, &expected);
        }
    }
    assert_no_complaint(device);
}

#[test]
fn the_network_in_the_program() {
    agrees("embedded", &embedded(), Checks::Off, 5000);
}

#[test]
fn the_same_with_checks_in_the_kernels() {
    agrees("embedded", &embedded(), Checks::On, 1000);
}

#[test]
fn the_same_where_batches_are_copied_to_the_device_and_back() {
    let device = device_with(Transfer::Copied, Reading::Buffers);
    agrees_on(&device, "embedded", &embedded(), Checks::Off, 5000);
    agrees_on(&device, common::THREATS, &real(common::THREATS), Checks::On, 400);
}

#[test]
fn real_networks() {
    for name in common::NAMES {
        agrees(name, &real(name), Checks::Off, 700);
    }
}

#[test]
fn the_threat_network_with_checks() {
    agrees(common::THREATS, &real(common::THREATS), Checks::On, 400);
}

#[test]
fn random_networks_of_every_width() {
    for l1 in [128, 256, 384, 512, 1024] {
        agrees(&format!("random {l1}"), &random(FeatureSet::HalfKa, l1, false), Checks::Off, 400);
    }
}

#[test]
fn a_wide_network_is_spread_over_two_bindings() {
    let network = random(FeatureSet::HalfKa, 3072, false);
    agrees("random 3072", &network, Checks::Off, 400);
}

#[test]
fn random_threat_networks() {
    for l1 in [128, 256] {
        let network = random(FeatureSet::HalfKaThreats, l1, false);
        agrees(&format!("random threats {l1}"), &network, Checks::Off, 400);
    }
}

#[test]
fn sums_that_overflow_wrap_as_on_the_processor() {
    for features in [FeatureSet::HalfKa, FeatureSet::HalfKaThreats] {
        agrees("huge", &random(features, 128, true), Checks::Off, 400);
    }
}
