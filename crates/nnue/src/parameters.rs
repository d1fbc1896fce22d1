//! All numbers of a network in the order of its file: for trainers that write networks, and for
//! devices that want them in an order of their own.

use crate::architecture::{Architecture, BUCKETS, FC0_OUT, FC1_IN, FC1_OUT, HALFKA_ROWS, VERSION};
use crate::file::grouped;
use crate::simd::{Bytes, Psqt, Words};
use crate::{Network, NetworkError};

/// The layers of one bucket; weights output by output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerParameters {
    /// Biases of the first layer.
    pub fc0_biases: [i32; FC0_OUT],
    /// Weights of the first layer, as many inputs as the transformer has neurons per side.
    pub fc0_weights: Vec<i8>,
    /// Biases of the second layer.
    pub fc1_biases: [i32; FC1_OUT],
    /// Weights of the second layer; of its 32 inputs 30 are used.
    pub fc1_weights: Vec<i8>,
    /// Bias of the output.
    pub fc2_bias: i32,
    /// Weights of the output.
    pub fc2_weights: [i8; FC1_OUT],
}

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The shape that the numbers fill.
    pub architecture: Architecture,
    /// What the file says about itself.
    pub description: Vec<u8>,
    /// Biases of the transformer.
    pub biases: Vec<i16>,
    /// Weights of the pieces, row by row.
    pub weights: Vec<i16>,
    /// Weights of the threats, row by row.
    pub threat_weights: Vec<i8>,
    /// Piece-square values of the threats, row by row.
    pub threat_psqt: Vec<i32>,
    /// Piece-square values of the pieces, row by row.
    pub psqt: Vec<i32>,
    /// The layers, one stack for each bucket.
    pub layers: Vec<LayerParameters>,
}

impl Parameters {
    /// A network of that shape in which every number is 0.
    #[must_use]
    pub fn zero(architecture: Architecture, description: &str) -> Self {
        let (l1, threats) = (architecture.l1, architecture.threat_rows());
        let stack = LayerParameters {
            fc0_biases: [0; FC0_OUT],
            fc0_weights: vec![0; FC0_OUT * l1],
            fc1_biases: [0; FC1_OUT],
            fc1_weights: vec![0; FC1_OUT * FC1_IN],
            fc2_bias: 0,
            fc2_weights: [0; FC1_OUT],
        };
        Self {
            architecture,
            description: description.into(),
            biases: vec![0; l1],
            weights: vec![0; l1 * HALFKA_ROWS],
            threat_weights: vec![0; l1 * threats],
            threat_psqt: vec![0; BUCKETS * threats],
            psqt: vec![0; BUCKETS * HALFKA_ROWS],
            layers: vec![stack; BUCKETS],
        }
    }

    /// The bytes of the uncompressed file.
    fn to_bytes(&self) -> Vec<u8> {
        fn push<T: bytemuck::Pod>(out: &mut Vec<u8>, values: &[T]) {
            out.extend(bytemuck::cast_slice::<T, u8>(values));
        }
        let shape = self.architecture;
        let mut out = Vec::new();
        push(&mut out, &[VERSION, shape.hash(), self.description.len() as u32]);
        out.extend(&self.description);
        push(&mut out, &[shape.transformer_hash()]);
        push(&mut out, &self.biases);
        push(&mut out, &self.threat_weights);
        push(&mut out, &self.weights);
        push(&mut out, &self.threat_psqt);
        push(&mut out, &self.psqt);
        for layer in &self.layers {
            push(&mut out, &[shape.stack_hash()]);
            push(&mut out, &layer.fc0_biases);
            push(&mut out, &layer.fc0_weights);
            push(&mut out, &layer.fc1_biases);
            push(&mut out, &layer.fc1_weights);
            push(&mut out, &[layer.fc2_bias]);
            push(&mut out, &layer.fc2_weights);
        }
        out
    }
}

impl Network {
    /// The network with those numbers.
    ///
    /// # Errors
    /// Where there are more or fewer numbers than the shape has.
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, NetworkError> {
        Self::from_bytes(&parameters.to_bytes())
    }

    /// All numbers of this network.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        let architecture = self.architecture();
        let psqt = |rows: &[Psqt]| bytemuck::cast_slice(rows).to_vec();
        let words = |lines: &[Words]| bytemuck::cast_slice(lines).to_vec();
        let layers = (0..BUCKETS).map(|bucket| {
            let stack = self.stack(bucket);
            LayerParameters {
                fc0_biases: *stack.fc0_biases,
                fc0_weights: ungrouped(stack.fc0_weights, architecture.l1),
                fc1_biases: *stack.fc1_biases,
                fc1_weights: ungrouped(stack.fc1_weights, FC1_IN),
                fc2_bias: stack.fc2_bias,
                fc2_weights: *stack.fc2_weights,
            }
        });
        Parameters {
            architecture,
            description: self.description_bytes().to_vec(),
            biases: words(self.biases()),
            weights: words(self.weights()),
            threat_weights: bytemuck::cast_slice(self.threat_weights()).to_vec(),
            threat_psqt: psqt(self.threat_psqt()),
            psqt: psqt(self.psqt()),
            layers: layers.collect(),
        }
    }
}

/// The weights of a layer output by output.
pub(crate) fn ungrouped(weights: &[Bytes], inputs: usize) -> Vec<i8> {
    let weights: &[i8] = bytemuck::cast_slice(weights);
    let mut rows = vec![0; weights.len()];
    for (&weight, at) in weights.iter().zip(grouped(weights.len() / inputs, inputs)) {
        rows[at] = weight;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, FeatureSet};

    /// A network of random numbers.
    fn random(architecture: Architecture) -> Parameters {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as i32
        };
        let mut numbers = Parameters::zero(architecture, "of random numbers");
        numbers.biases.fill_with(|| next() as i16);
        numbers.weights.fill_with(|| next() as i16 >> 8);
        numbers.threat_weights.fill_with(|| next() as i8);
        numbers.threat_psqt.fill_with(&mut next);
        numbers.psqt.fill_with(&mut next);
        for layer in &mut numbers.layers {
            layer.fc0_biases.fill_with(&mut next);
            layer.fc0_weights.fill_with(|| next() as i8);
            layer.fc1_biases.fill_with(&mut next);
            layer.fc1_weights.fill_with(|| next() as i8);
            layer.fc2_bias = next();
            layer.fc2_weights.fill_with(|| next() as i8);
        }
        numbers
    }

    #[test]
    fn random_networks_survive_both_encodings() {
        for features in [FeatureSet::HalfKa, FeatureSet::HalfKaThreats] {
            for l1 in [128, 256] {
                let numbers = random(Architecture { features, l1 });
                let network = Network::from_parameters(&numbers).unwrap();
                assert_eq!(network.description(), "of random numbers");
                for encoding in [Encoding::Raw, Encoding::Leb128] {
                    let back = Network::from_bytes(&network.to_bytes(encoding)).unwrap();
                    assert_eq!(back.encoding(), encoding);
                    assert!(back.parameters() == numbers);
                }
            }
        }
    }

    #[test]
    fn a_missing_number_is_noticed() {
        let shape = Architecture { features: FeatureSet::HalfKa, l1: 128 };
        let mut numbers = Parameters::zero(shape, "");
        numbers.weights.pop();
        assert!(Network::from_parameters(&numbers).is_err());
    }
}
