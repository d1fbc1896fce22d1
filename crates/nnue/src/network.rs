//! A network in memory.

use std::path::Path;
use std::{fmt, fs, thread};

use sha2::{Digest, Sha256};

use crate::architecture::Architecture;
use crate::file::{self, Header};
use crate::image::{Image, Layout, Stack};
use crate::simd::{Bytes, Psqt, Words};
use crate::{LoadError, NetworkError};

/// How the numbers of a feature transformer are stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As they lie in memory.
    Raw,
    /// As signed LEB128, about half the size.
    Leb128,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Raw => "raw",
            Self::Leb128 => "LEB128",
        })
    }
}

/// A network that can be evaluated. It is read-only: share it between threads in an
/// [`Arc`](std::sync::Arc).
pub struct Network {
    header: Header,
    layout: Layout,
    image: Image,
}

impl Network {
    /// Loads a `.nnue` file. Where its name is `nn-` and twelve hex digits, the content must have
    /// the SHA-256 that the name promises.
    ///
    /// # Errors
    /// Where the file cannot be read, is damaged or is not of the supported family; the error says
    /// which.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_file(path).map_err(|reason| LoadError { path: path.to_owned(), reason })
    }

    fn load_file(path: &Path) -> Result<Self, NetworkError> {
        let bytes = fs::read(path)?;
        let Some(promised) = promised_digest(path) else {
            return Self::from_bytes(&bytes);
        };
        // Hashing takes about as long as decoding, so both go on together.
        thread::scope(|scope| {
            let digest = scope.spawn(|| hex(&Sha256::digest(&bytes)));
            let network = Self::from_bytes(&bytes)?;
            let mut found = digest.join().expect("hashing does not panic");
            found.truncate(promised.len());
            if found == promised {
                Ok(network)
            } else {
                Err(NetworkError::Name { expected: promised, found })
            }
        })
    }

    /// The network that those bytes of a `.nnue` file hold.
    ///
    /// # Errors
    /// Where the bytes are damaged or not of the supported family.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, image) = file::parse(bytes)?;
        let layout = Layout::new(header.architecture);
        Ok(Self { header, layout, image: Image::Private(image) })
    }

    /// The bytes of the `.nnue` file that holds this network.
    #[must_use]
    pub fn to_bytes(&self, encoding: Encoding) -> Vec<u8> {
        let header = Header { encoding, ..self.header.clone() };
        file::write(&header, &self.layout, self.image.bytes())
    }

    /// The shape of the network.
    #[inline]
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.header.architecture
    }

    /// How the file stored it.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.header.encoding
    }

    /// What its makers wrote into the file.
    #[must_use]
    pub fn description(&self) -> String {
        String::from_utf8_lossy(&self.header.description).into_owned()
    }

    /// How many bytes of memory the parameters take.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.layout.size()
    }

    pub(crate) fn biases(&self) -> &[Words] {
        bytemuck::cast_slice(&self.image.bytes()[self.layout.biases.clone()])
    }

    pub(crate) fn weights(&self) -> &[Words] {
        bytemuck::cast_slice(&self.image.bytes()[self.layout.weights.clone()])
    }

    pub(crate) fn psqt(&self) -> &[Psqt] {
        bytemuck::cast_slice(&self.image.bytes()[self.layout.psqt.clone()])
    }

    pub(crate) fn threat_weights(&self) -> &[Bytes] {
        bytemuck::cast_slice(&self.image.bytes()[self.layout.threat_weights.clone()])
    }

    pub(crate) fn threat_psqt(&self) -> &[Psqt] {
        bytemuck::cast_slice(&self.image.bytes()[self.layout.threat_psqt.clone()])
    }

    pub(crate) fn stack(&self, bucket: usize) -> Stack<'_> {
        Stack::new(&self.image.bytes()[self.layout.stack(bucket)])
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({})", self.architecture())
    }
}

/// The digits of `nn-0123456789ab.nnue`, the customary name of a network.
fn promised_digest(path: &Path) -> Option<String> {
    let digits = path.file_name()?.to_str()?.strip_prefix("nn-")?.strip_suffix(".nnue")?;
    let is_hex = digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| digits.to_ascii_lowercase())
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
