//! The shapes of the family, and the hashes by which files name them.

use std::fmt;

use crate::NetworkError;

/// The version word at the start of every file of the family.
pub(crate) const VERSION: u32 = 0x7AF3_2F20;

/// How many layer stacks a network has; the number of pieces on the board chooses one.
pub const BUCKETS: usize = 8;
/// Outputs of the first layer after the transformer; the last one goes straight to the result.
pub const FC0_OUT: usize = 16;
/// Outputs of the second layer.
pub const FC1_OUT: usize = 32;
/// Inputs of the second layer: squares and values of the first 15 outputs, padded.
pub const FC1_IN: usize = 32;
/// Rows of the `HalfKAv2_hm` feature set: 32 king buckets of 11 planes of 64 squares.
pub const HALFKA_ROWS: usize = 32 * 11 * 64;
/// Rows of the `FullThreats` feature set.
pub const THREAT_ROWS: usize = 79_856;
/// The smallest supported first layer.
pub const MIN_L1: usize = 128;
/// The largest supported first layer.
pub const MAX_L1: usize = 8192;

/// What a network sees of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSet {
    /// Every piece on its square, relative to the own king's square, mirrored so that the king
    /// stands on the right half of the board.
    HalfKa,
    /// The same, and every attack of a piece on a piece.
    HalfKaThreats,
}

impl FeatureSet {
    /// The part of the transformer's hash that does not depend on its size.
    const fn hash(self) -> u32 {
        match self {
            Self::HalfKa => 0x7F23_4CB8,
            Self::HalfKaThreats => 0x8F23_4CB8,
        }
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::HalfKa => "HalfKAv2_hm",
            Self::HalfKaThreats => "HalfKAv2_hm + FullThreats",
        })
    }
}

/// The shape of a network: what it sees and how wide its first layer is. The rest is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Architecture {
    /// What the network sees.
    pub features: FeatureSet,
    /// Neurons per side in the first layer.
    pub l1: usize,
}

impl Architecture {
    /// The shape with those features and that width.
    ///
    /// # Errors
    /// Where the width is not a multiple of 128 between 128 and 8192.
    pub const fn new(features: FeatureSet, l1: usize) -> Result<Self, NetworkError> {
        if l1 < MIN_L1 || l1 > MAX_L1 || !l1.is_multiple_of(128) {
            return Err(NetworkError::Size { found: l1 });
        }
        Ok(Self { features, l1 })
    }

    /// The shape that a feature transformer's hash names.
    pub(crate) const fn from_transformer_hash(hash: u32) -> Result<Self, NetworkError> {
        let halfka = hash ^ FeatureSet::HalfKa.hash();
        let threats = hash ^ FeatureSet::HalfKaThreats.hash();
        // Twice the width of any network one could hold in memory stays far below this bound, and
        // the two feature sets differ above it.
        if halfka < 1 << 20 && halfka.is_multiple_of(2) {
            Self::new(FeatureSet::HalfKa, halfka as usize / 2)
        } else if threats < 1 << 20 && threats.is_multiple_of(2) {
            Self::new(FeatureSet::HalfKaThreats, threats as usize / 2)
        } else {
            Err(NetworkError::Features { found: hash })
        }
    }

    /// The hash that stands before the feature transformer.
    #[must_use]
    pub const fn transformer_hash(self) -> u32 {
        self.features.hash() ^ (2 * self.l1 as u32)
    }

    /// The hash that stands before each layer stack.
    #[must_use]
    pub const fn stack_hash(self) -> u32 {
        const fn affine(hash: u32, outputs: u32) -> u32 {
            (0xCC03_DAE4 + outputs) ^ (hash >> 1) ^ (hash << 31)
        }
        const fn relu(hash: u32) -> u32 {
            hash.wrapping_add(0x538D_24C7)
        }
        let input = 0xEC42_E90D ^ (2 * self.l1 as u32);
        let first = relu(affine(input, FC0_OUT as u32));
        let second = relu(affine(first, FC1_OUT as u32));
        affine(second, 1)
    }

    /// The hash of the whole network, the second word of its file.
    #[must_use]
    pub const fn hash(self) -> u32 {
        self.transformer_hash() ^ self.stack_hash()
    }

    /// How many threat features the network sees.
    #[must_use]
    pub const fn threat_rows(self) -> usize {
        match self.features {
            FeatureSet::HalfKa => 0,
            FeatureSet::HalfKaThreats => THREAT_ROWS,
        }
    }

    /// The upper bound of a neuron's value before two are multiplied.
    pub(crate) const fn clip(self) -> i16 {
        match self.features {
            FeatureSet::HalfKa => 127,
            FeatureSet::HalfKaThreats => 255,
        }
    }

    /// How many numbers the network consists of.
    #[must_use]
    pub const fn parameters(self) -> usize {
        let rows = HALFKA_ROWS + self.threat_rows();
        let stack = FC0_OUT * (self.l1 + 1) + FC1_OUT * (FC1_IN + 1) + FC1_OUT + 1;
        rows * (self.l1 + BUCKETS) + self.l1 + BUCKETS * stack
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = HALFKA_ROWS + self.threat_rows();
        write!(f, "{} ({inputs} -> {})x2 -> {FC0_OUT} -> {FC1_OUT} -> 1", self.features, self.l1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformer_hashes_are_those_of_the_published_networks() {
        for (features, l1, hash) in [
            (FeatureSet::HalfKa, 1024, 0x7F23_44B8),
            (FeatureSet::HalfKa, 1536, 0x7F23_40B8),
            (FeatureSet::HalfKaThreats, 1024, 0x8F23_44B8),
        ] {
            let shape = Architecture { features, l1 };
            assert_eq!(shape.transformer_hash(), hash);
            assert_eq!(Architecture::from_transformer_hash(hash).unwrap(), shape);
        }
    }

    #[test]
    fn absurd_widths_are_refused() {
        for l1 in [0, 64, 100, 1000, 8193, 16384, 100_000] {
            let shape = Architecture { features: FeatureSet::HalfKa, l1 };
            assert!(Architecture::new(FeatureSet::HalfKa, l1).is_err());
            assert!(matches!(
                Architecture::from_transformer_hash(shape.transformer_hash()),
                Err(NetworkError::Size { .. })
            ));
        }
        assert!(matches!(
            Architecture::from_transformer_hash(0x1234_5678),
            Err(NetworkError::Features { .. })
        ));
    }
}
