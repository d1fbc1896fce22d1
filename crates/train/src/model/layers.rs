//! The numbers that are not the feature transformer's weights: its biases and the layer stacks.

use tandem_nnue::BUCKETS;

use super::units;
use crate::kernels::{ByOutput, FC0, FC1, LINE, PANEL, Row, Square};

/// The layers of one stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stack {
    /// The first layer, panel by panel.
    pub fc0: Vec<ByOutput>,
    pub fc0_biases: Row<FC0>,
    /// The second layer, output by output.
    pub fc1: Square,
    pub fc1_biases: Row<FC1>,
    pub fc2: Row<FC1>,
    /// The first is the bias of the output; the others fill a vector.
    pub fc2_bias: Row<LINE>,
}

/// What all stacks have in common in their first layer: it is added to that of each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shared {
    pub fc0: Vec<ByOutput>,
    pub fc0_biases: Row<FC0>,
}

/// All stacks, their shared part, and the transformer's biases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layers {
    pub stacks: Vec<Stack>,
    pub shared: Shared,
    pub biases: Vec<Row<PANEL>>,
}

/// What a list of numbers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Weights of the first two layers.
    Weights,
    /// Biases of the first two layers.
    Biases,
    LastWeights,
    LastBias,
    TransformerBiases,
}

impl Part {
    /// What 1.0 is in the units of inference.
    pub fn unit(self) -> f32 {
        match self {
            Self::Weights => units::WEIGHT,
            Self::Biases => units::SUM,
            Self::LastWeights => units::LAST_WEIGHT,
            Self::LastBias => units::OUTPUT,
            Self::TransformerBiases => units::NEURON,
        }
    }

    /// The largest number that a file can carry.
    pub fn limit(self) -> f32 {
        match self {
            Self::Weights => units::WEIGHT_LIMIT,
            Self::LastWeights => units::LAST_WEIGHT_LIMIT,
            Self::TransformerBiases => units::TRANSFORMER_LIMIT,
            Self::Biases | Self::LastBias => f32::INFINITY,
        }
    }

    /// Whether weight decay applies.
    pub fn decays(self) -> bool {
        matches!(self, Self::Weights | Self::LastWeights)
    }
}

impl Stack {
    /// A stack of zeros for that many panels.
    pub fn zero(panels: usize) -> Self {
        Self {
            fc0: vec![[Row::ZERO; FC0]; panels],
            fc0_biases: Row::ZERO,
            fc1: [Row::ZERO; FC1],
            fc1_biases: Row::ZERO,
            fc2: Row::ZERO,
            fc2_bias: Row::ZERO,
        }
    }

    /// Its numbers, list by list.
    pub fn parts(&self) -> impl Iterator<Item = (Part, &[f32])> {
        let fc0 = self.fc0.iter().flatten().map(|row| (Part::Weights, &row.0[..]));
        let fc1 = self.fc1.iter().map(|row| (Part::Weights, &row.0[..]));
        fc0.chain(fc1).chain([
            (Part::Biases, &self.fc0_biases.0[..]),
            (Part::Biases, &self.fc1_biases.0[..]),
            (Part::LastWeights, &self.fc2.0[..]),
            (Part::LastBias, &self.fc2_bias.0[..]),
        ])
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = (Part, &mut [f32])> {
        let fc0 = self.fc0.iter_mut().flatten().map(|row| (Part::Weights, &mut row.0[..]));
        let fc1 = self.fc1.iter_mut().map(|row| (Part::Weights, &mut row.0[..]));
        fc0.chain(fc1).chain([
            (Part::Biases, &mut self.fc0_biases.0[..]),
            (Part::Biases, &mut self.fc1_biases.0[..]),
            (Part::LastWeights, &mut self.fc2.0[..]),
            (Part::LastBias, &mut self.fc2_bias.0[..]),
        ])
    }
}

impl Layers {
    /// All zeros for that many panels.
    pub fn zero(panels: usize) -> Self {
        let stack = Stack::zero(panels);
        Self {
            shared: Shared { fc0: stack.fc0.clone(), fc0_biases: stack.fc0_biases },
            stacks: vec![stack; BUCKETS],
            biases: vec![Row::ZERO; panels],
        }
    }

    /// All numbers, list by list.
    pub fn parts(&self) -> impl Iterator<Item = (Part, &[f32])> {
        let shared = self.shared.fc0.iter().flatten().map(|row| (Part::Weights, &row.0[..]));
        let biases = self.biases.iter().map(|row| (Part::TransformerBiases, &row.0[..]));
        let stacks = self.stacks.iter().flat_map(Stack::parts);
        stacks.chain(shared).chain([(Part::Biases, &self.shared.fc0_biases.0[..])]).chain(biases)
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = (Part, &mut [f32])> {
        let shared =
            self.shared.fc0.iter_mut().flatten().map(|row| (Part::Weights, &mut row.0[..]));
        let biases = self.biases.iter_mut().map(|row| (Part::TransformerBiases, &mut row.0[..]));
        let stacks = self.stacks.iter_mut().flat_map(Stack::parts_mut);
        stacks
            .chain(shared)
            .chain([(Part::Biases, &mut self.shared.fc0_biases.0[..])])
            .chain(biases)
    }

    /// Moves the weights of each stack's first layer so far that, with the shared part added, they
    /// are what a file can carry.
    pub fn clip_sums(&mut self) {
        let limit = Part::Weights.limit();
        for stack in &mut self.stacks {
            let rows = stack.fc0.iter_mut().flatten();
            for (row, shared) in rows.zip(self.shared.fc0.iter().flatten()) {
                for (weight, shared) in row.0.iter_mut().zip(&shared.0) {
                    let sum = *weight + shared;
                    if sum.abs() > limit {
                        *weight = sum.clamp(-limit, limit) - shared;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_name_every_number_once_and_in_one_order() {
        let mut layers = Layers::zero(3);
        let mut count = 0.0;
        for (_, values) in layers.parts_mut() {
            for value in values {
                *value = count;
                count += 1.0;
            }
        }
        let seen: Vec<_> = layers.parts().flat_map(|(_, values)| values.to_vec()).collect();
        assert!(seen.iter().enumerate().all(|(i, value)| value.to_bits() == (i as f32).to_bits()));
        let stack = FC0 * PANEL * 3 + FC0 + FC1 * FC1 + FC1 + FC1 + LINE;
        assert_eq!(seen.len(), BUCKETS * stack + FC0 * PANEL * 3 + FC0 + 3 * PANEL);
    }

    #[test]
    fn sums_with_the_shared_part_stay_within_the_limit() {
        let mut layers = Layers::zero(1);
        layers.shared.fc0[0][3].0[5] = 1.5;
        layers.stacks[2].fc0[0][3].0[5] = 1.5;
        layers.clip_sums();
        let sum = layers.stacks[2].fc0[0][3].0[5] + 1.5;
        assert!((sum - units::WEIGHT_LIMIT).abs() < 1e-6, "{sum}");
        assert!(layers.stacks[1].fc0[0][3].0[5].abs() < 1e-9);
    }
}
