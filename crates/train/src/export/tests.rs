use std::sync::Arc;

use tandem_chess::Position;
use tandem_nnue::{Architecture, Encoding, Evaluator, Networks, Outputs};

use super::*;
use crate::batch::Builder;
use crate::kernels::Kernels;
use crate::stream::Pack as _;
use crate::testing::{game_positions, labelled, random_positions};

fn model(l1: usize, is_factorised: bool) -> Model {
    let shape = Architecture::new(FeatureSet::HalfKa, l1).unwrap();
    let mut model = Model::zero(shape, is_factorised, Kernels::chosen().unwrap(), 2);
    model.randomise(11);
    model
}

/// What the model says of positions, one at a time so that their order stays.
fn outputs(model: &mut Model, positions: &[Position], is_rounded: bool) -> Vec<(f32, f32)> {
    let mut builder = Builder::default();
    let one = |position| model.outputs(&builder.build(&[labelled(position)]), is_rounded)[0];
    positions.iter().map(one).collect()
}

fn inference(network: Network, positions: &[Position]) -> Vec<Outputs> {
    let networks = Networks::new(Arc::new(network), None).unwrap();
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let evaluate = |position| {
        evaluator.reset(position);
        evaluator.outputs()
    };
    positions.iter().map(evaluate).collect()
}

fn positions() -> Vec<Position> {
    game_positions().into_iter().step_by(9).chain(random_positions(8, 200)).collect()
}

#[test]
fn with_rounding_training_computes_the_exported_network_number_for_number() {
    let positions = positions();
    for (l1, is_factorised) in [(128, true), (256, false), (384, true)] {
        let mut model = model(l1, is_factorised);
        // A shared layer that is not 0 must be folded in.
        model.layers.shared.fc0[1][2].0.fill(0.21);
        model.layers.shared.fc0_biases.0[4] = -0.3;
        let found = outputs(&mut model, &positions, true);
        let expected = inference(export(&model, "").unwrap(), &positions);
        assert!(expected.iter().any(|o| o.positional != expected[0].positional));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(*found, (expected.psqt as f32, expected.positional as f32));
        }
    }
}

#[test]
fn a_network_survives_import_and_export() {
    let network = export(&model(128, true), "twice").unwrap();
    let shape = network.architecture();
    for is_factorised in [false, true] {
        let mut other = Model::zero(shape, is_factorised, Kernels::chosen().unwrap(), 1);
        import(&mut other, &network).unwrap();
        let again = export(&other, "twice").unwrap();
        assert!(again.to_bytes(Encoding::Leb128) == network.to_bytes(Encoding::Leb128));
    }
}

#[test]
fn networks_of_another_kind_are_refused() {
    let mut model = model(128, false);
    let network = |features, l1| {
        let shape = Architecture::new(features, l1).unwrap();
        Network::from_parameters(&Parameters::zero(shape, "")).unwrap()
    };
    let wide = import(&mut model, &network(FeatureSet::HalfKa, 256)).unwrap_err();
    assert!(wide.to_string().contains("256") && wide.to_string().contains("model.l1"), "{wide}");
    let threats = import(&mut model, &network(FeatureSet::HalfKaThreats, 128)).unwrap_err();
    assert!(matches!(threats, ImportError::Features(_)));
}
