//! What can be wrong with a network file, each as one sentence.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::architecture::{MAX_L1, MIN_L1, VERSION};
use crate::policy::{HIDDEN_STEP, MAX_HIDDEN, MIN_HIDDEN};

/// Why bytes are not a network that this crate can evaluate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not exist or cannot be read.
    #[error("the file cannot be read ({0})")]
    Read(#[from] io::Error),
    /// The first word is not the version of the family.
    #[error(
        "this is no .nnue network of a supported version: it starts with {found:#010x}, \
         a supported one with {VERSION:#010x}"
    )]
    Version {
        /// The first word of the file.
        found: u32,
    },
    /// The features are of another family.
    #[error(
        "the network's features are unknown (hash {found:#010x}); supported are HalfKAv2_hm and \
         HalfKAv2_hm with FullThreats"
    )]
    Features {
        /// The hash of the feature transformer.
        found: u32,
    },
    /// The first hidden layer has a size that is not supported.
    #[error(
        "the network's first layer has {found} neurons; supported are multiples of 128 from \
         {MIN_L1} to {MAX_L1}"
    )]
    Size {
        /// The number of neurons that the header states.
        found: usize,
    },
    /// A hash inside the file is not the one its architecture has.
    #[error(
        "the {part} has the hash {found:#010x} where {expected:#010x} belongs: the file is damaged or of an unsupported architecture"
    )]
    Hash {
        /// Which part of the file.
        part: &'static str,
        /// What the file says.
        found: u32,
        /// What the architecture implies.
        expected: u32,
    },
    /// The file ends too early.
    #[error("the file ends inside the {part}: {missing} more bytes are needed")]
    Truncated {
        /// Which part of the file is cut.
        part: &'static str,
        /// How many bytes are missing at least.
        missing: usize,
    },
    /// The file goes on where it should end.
    #[error("the file has {extra} bytes too many after the last layer")]
    Trailing {
        /// How many bytes there are too many.
        extra: usize,
    },
    /// The description claims an absurd length.
    #[error("the description claims {found} bytes, more than a file of this kind has")]
    Description {
        /// The claimed length.
        found: usize,
    },
    /// A compressed block does not decode to the values it should hold.
    #[error("the compressed {part} is damaged: {reason}")]
    Compression {
        /// Which part of the file.
        part: &'static str,
        /// What the decoder stumbled over.
        reason: &'static str,
    },
    /// The first bytes are not those of a policy network.
    #[error(
        "this is no policy network: it starts with \"{}\", a policy network with \"TDP1\"",
        found.escape_ascii()
    )]
    PolicyMagic {
        /// The first bytes of the file.
        found: [u8; 4],
    },
    /// The policy network is of another version.
    #[error("the policy network is of version {found}; version 1 is supported")]
    PolicyVersion {
        /// The version that the header states.
        found: u32,
    },
    /// The hidden layer of a policy network has a size that is not supported.
    #[error(
        "the policy network's hidden layer has {found} neurons; supported are multiples of \
         {HIDDEN_STEP} from {MIN_HIDDEN} to {MAX_HIDDEN}"
    )]
    Hidden {
        /// The number of neurons that the header states.
        found: usize,
    },
    /// The temperature of a policy network is not above 0.
    #[error("the policy network's temperature is {found}; it has to be a number above 0")]
    Temperature {
        /// The temperature that the header states.
        found: f32,
    },
    /// The content does not add up to the checksum at its end.
    #[error(
        "the file is damaged: it ends with the checksum {expected:#018x}, its content has \
         {found:#018x}"
    )]
    Checksum {
        /// What the file says.
        expected: u64,
        /// What its content adds up to.
        found: u64,
    },
    /// The content is not what the file's name promises.
    #[error(
        "the file is damaged: its name promises a SHA-256 that begins {expected}, its content has \
         {found}"
    )]
    Name {
        /// The digits in the name.
        expected: String,
        /// The first digits of the content's hash.
        found: String,
    },
}

/// A network file that could not be loaded: which, and why.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct LoadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub reason: NetworkError,
}
