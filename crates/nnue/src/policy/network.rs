//! A policy network in memory.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use memmap2::MmapMut;

use super::inputs::ROWS;
use super::slots::SLOTS;
use super::{ACTIVE_UNIT, OUTPUT_UNIT, PolicyParameters, file, is_hidden_size};
use crate::digest::promised;
use crate::image::Image;
use crate::simd::{PolicyRows, PolicyWeights};
use crate::{Digest, LoadError, NetworkError};

/// A network that judges moves. It is read-only: share it between threads in an [`Arc`](std::sync::Arc).
pub struct PolicyNetwork {
    hidden: usize,
    temperature: f32,
    description: String,
    digest: Digest,
    layout: Layout,
    block: MmapMut,
}

/// Where each part of a network lies in its block, in bytes; every part starts on a cache line.
struct Layout {
    /// `i16[hidden]`.
    input_biases: Range<usize>,
    /// `i8[ROWS][hidden]` if all fit, `i16[ROWS][hidden]` otherwise: what is half as long is read twice as
    /// fast.
    input_weights: Range<usize>,
    is_narrow: bool,
    /// `i32[SLOTS]`.
    output_biases: Range<usize>,
    /// `i8[SLOTS][hidden]`.
    output_weights: Range<usize>,
    size: usize,
}

impl Layout {
    fn new(numbers: &PolicyParameters) -> Self {
        let is_narrow = numbers.input_weights.iter().all(|&weight| i8::try_from(weight).is_ok());
        let mut size = 0;
        let mut place = |bytes: usize| {
            let start = size;
            size = (start + bytes).next_multiple_of(64);
            start..start + bytes
        };
        let width = if is_narrow { 1 } else { 2 };
        Self {
            input_biases: place(2 * numbers.hidden),
            input_weights: place(width * ROWS * numbers.hidden),
            is_narrow,
            output_biases: place(4 * SLOTS),
            output_weights: place(SLOTS * numbers.hidden),
            size,
        }
    }
}

impl PolicyNetwork {
    /// Loads a `.policy` file. Where its name is `pn-` and twelve hex digits, the content must have the
    /// SHA-256 that the name promises.
    ///
    /// # Errors
    /// Where the file cannot be read, is damaged or is no policy network; the error says which.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_file(path).map_err(|reason| LoadError { path: path.to_owned(), reason })
    }

    fn load_file(path: &Path) -> Result<Self, NetworkError> {
        let mut bytes = Vec::new();
        // A longer file is no policy network, and one byte too many is enough to say so.
        File::open(path)?.take(file::MAX_LENGTH as u64 + 1).read_to_end(&mut bytes)?;
        let network = Self::from_bytes(&bytes)?;
        match promised(path) {
            Some(expected) if !network.digest.to_string().starts_with(&expected) => {
                let found = network.digest.to_string()[..expected.len()].to_owned();
                Err(NetworkError::Name { expected, found })
            }
            _ => Ok(network),
        }
    }

    /// The network that those bytes of a `.policy` file hold.
    ///
    /// # Errors
    /// Where the bytes are damaged or no policy network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::from_known_bytes(bytes, Digest::of(bytes))
    }

    /// The network that those bytes of a `.policy` file with that digest hold.
    ///
    /// # Errors
    /// Where the bytes are damaged or no policy network.
    pub fn from_known_bytes(bytes: &[u8], digest: Digest) -> Result<Self, NetworkError> {
        let numbers = file::read(bytes)?;
        let layout = Layout::new(&numbers);
        let mut block = Image::allocate(layout.size)?;
        let mut copy = |range: &Range<usize>, bytes: &[u8]| {
            block[range.clone()].copy_from_slice(bytes);
        };
        copy(&layout.input_biases, bytemuck::cast_slice(&numbers.input_biases));
        if layout.is_narrow {
            let narrow: Vec<u8> = numbers.input_weights.iter().map(|&w| w as u8).collect();
            copy(&layout.input_weights, &narrow);
        } else {
            copy(&layout.input_weights, bytemuck::cast_slice(&numbers.input_weights));
        }
        copy(&layout.output_biases, bytemuck::cast_slice(&numbers.output_biases));
        copy(&layout.output_weights, bytemuck::cast_slice(&numbers.output_weights));
        let PolicyParameters { hidden, temperature, description, .. } = numbers;
        Ok(Self { hidden, temperature, description, digest, layout, block })
    }

    /// The network with those numbers.
    ///
    /// # Errors
    /// Where there are more or fewer numbers than such a network has, or the size or the temperature is
    /// impossible.
    pub fn from_parameters(numbers: &PolicyParameters) -> Result<Self, NetworkError> {
        Self::from_bytes(&numbers.to_bytes())
    }

    /// A network of [random numbers](PolicyParameters::random).
    ///
    /// # Errors
    /// Where a hidden layer cannot have so many neurons.
    pub fn random(hidden: usize, seed: u64) -> Result<Self, NetworkError> {
        if !is_hidden_size(hidden) {
            return Err(NetworkError::Hidden { found: hidden });
        }
        Self::from_parameters(&PolicyParameters::random(hidden, seed))
    }

    /// All numbers of this network.
    #[must_use]
    pub fn parameters(&self) -> PolicyParameters {
        let weights = self.weights();
        PolicyParameters {
            hidden: self.hidden,
            temperature: self.temperature,
            description: self.description.clone(),
            input_biases: bytemuck::cast_slice(weights.input_biases).to_vec(),
            input_weights: match weights.rows {
                PolicyRows::Wide(rows) => bytemuck::cast_slice(rows).to_vec(),
                PolicyRows::Narrow(rows) => {
                    bytemuck::cast_slice(rows).iter().map(|&weight: &i8| weight.into()).collect()
                }
            },
            output_biases: weights.output_biases.to_vec(),
            output_weights: bytemuck::cast_slice(weights.output_weights).to_vec(),
        }
    }

    /// The bytes of the `.policy` file that holds this network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parameters().to_bytes()
    }

    /// Inputs, neurons and outputs, as text.
    #[must_use]
    pub fn architecture(&self) -> String {
        format!("{ROWS} -> {} -> {SLOTS}", self.hidden)
    }

    /// Neurons of the hidden layer.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// By what the outputs are divided, as calibrated by its makers.
    #[must_use]
    pub fn temperature(&self) -> f32 {
        self.temperature
    }

    /// What its makers wrote into the file.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The SHA-256 of the file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many bytes of memory the numbers take.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.layout.size
    }

    /// What an integer output has to be multiplied with to be the logarithm of a likelihood.
    #[must_use]
    pub fn scale(&self) -> f32 {
        1.0 / ((ACTIVE_UNIT * OUTPUT_UNIT) as f32 * self.temperature)
    }

    /// The numbers as inference reads them.
    #[inline]
    pub(super) fn weights(&self) -> PolicyWeights<'_> {
        let input_weights = &self.block[self.layout.input_weights.clone()];
        PolicyWeights {
            input_biases: bytemuck::cast_slice(&self.block[self.layout.input_biases.clone()]),
            rows: if self.layout.is_narrow {
                PolicyRows::Narrow(bytemuck::cast_slice(input_weights))
            } else {
                PolicyRows::Wide(bytemuck::cast_slice(input_weights))
            },
            output_biases: bytemuck::cast_slice(&self.block[self.layout.output_biases.clone()]),
            output_weights: bytemuck::cast_slice(&self.block[self.layout.output_weights.clone()]),
        }
    }
}

impl fmt::Debug for PolicyNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolicyNetwork({})", self.architecture())
    }
}
