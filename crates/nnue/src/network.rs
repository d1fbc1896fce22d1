//! A network in memory.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use memmap2::MmapMut;

use crate::architecture::Architecture;
use crate::digest::promised;
use crate::file::{self, Header};
use crate::image::{Image, Layout, Stack};
use crate::images::{Images, Keeper};
use crate::simd::{Bytes, Psqt, Words};
use crate::{Digest, LoadError, NetworkError};

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

/// Networks that take less memory are not worth sharing.
const SHARED_FROM: usize = 8 << 20;

/// A network that can be evaluated. It is read-only: share it between threads in an
/// [`Arc`](std::sync::Arc).
pub struct Network {
    header: Header,
    layout: Layout,
    image: Image,
    /// Ends when the image has been kept for other processes.
    #[allow(dead_code, reason = "it acts by being dropped")]
    keeper: Option<Keeper>,
}

impl Network {
    /// Loads a `.nnue` file. Where its name is `nn-` and twelve hex digits, the content must have
    /// the SHA-256 that the name promises.
    ///
    /// A large network is decoded once and kept in the user's cache, from where every later process
    /// maps the same copy; the environment variable `TANDEM_IMAGES` names another folder for it, or is
    /// `off`.
    ///
    /// # Errors
    /// Where the file cannot be read, is damaged or is not of the supported family; the error says
    /// which.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_file(path, Images::of_user())
            .map_err(|reason| LoadError { path: path.to_owned(), reason })
    }

    fn load_file(path: &Path, images: Option<Images>) -> Result<Self, NetworkError> {
        let mut file = File::open(path)?;
        let state = State::of(&file)?;
        let (digest, head) = Digest::of_stream(&mut file, file::HEAD)?;
        if let Some(expected) = promised(path) {
            let found = digest.to_string()[..expected.len()].to_owned();
            if found != expected {
                return Err(NetworkError::Name { expected, found });
            }
        }
        let header = file::parse_header(&head, state.length)?;
        let start = header.size();
        Self::find_or_decode(header, digest, images, |header| {
            file.seek(SeekFrom::Start(start as u64))?;
            let image = file::parse_parameters(header, &file, state.length - start)?;
            // A file that changes while it is read may be a network, but not the one of that digest.
            Ok((image, State::of(&file)? == state))
        })
    }

    /// The block that another process has decoded, or else what is decoded now; that is kept for others
    /// if it is what the digest says.
    fn find_or_decode(
        header: Header,
        digest: Digest,
        images: Option<Images>,
        decode: impl FnOnce(&Header) -> Result<(MmapMut, bool), NetworkError>,
    ) -> Result<Self, NetworkError> {
        let layout = Layout::new(header.architecture);
        let images = images.filter(|_| layout.size() >= SHARED_FROM);
        if let Some(mapping) =
            images.as_ref().and_then(|images| images.find(&digest, layout.size()))
        {
            return Ok(Self { header, layout, image: Image::Shared(mapping), keeper: None });
        }
        let (image, is_same) = decode(&header)?;
        let image = Arc::new(image);
        let keeper =
            images.filter(|_| is_same).map(|images| images.keep_later(digest, Arc::clone(&image)));
        Ok(Self { header, layout, image: Image::Private(image), keeper })
    }

    /// The network that those bytes of a `.nnue` file with that digest hold. Like a
    /// [loaded](Self::load) one it is decoded once for all processes.
    ///
    /// # Errors
    /// Where the bytes are damaged or not of the supported family.
    pub fn from_known_bytes(bytes: &[u8], digest: Digest) -> Result<Self, NetworkError> {
        Self::known_bytes(bytes, digest, Images::of_user())
    }

    fn known_bytes(
        bytes: &[u8],
        digest: Digest,
        images: Option<Images>,
    ) -> Result<Self, NetworkError> {
        let header = file::parse_header(&bytes[..bytes.len().min(file::HEAD)], bytes.len())?;
        Self::find_or_decode(header, digest, images, |header| {
            let parameters = &bytes[header.size()..];
            Ok((file::parse_parameters(header, parameters, parameters.len())?, true))
        })
    }

    /// The network that those bytes of a `.nnue` file hold.
    ///
    /// # Errors
    /// Where the bytes are damaged or not of the supported family.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let header = file::parse_header(&bytes[..bytes.len().min(file::HEAD)], bytes.len())?;
        let parameters = &bytes[header.size()..];
        let image = file::parse_parameters(&header, parameters, parameters.len())?;
        let layout = Layout::new(header.architecture);
        Ok(Self { header, layout, image: Image::Private(Arc::new(image)), keeper: None })
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

    pub(crate) fn description_bytes(&self) -> &[u8] {
        &self.header.description
    }

    /// How many bytes of memory the parameters take.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.layout.size()
    }

    /// Whether other processes that load the same network use the same memory.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.image, Image::Shared(_))
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

/// What changes when a file is written to.
#[derive(PartialEq, Eq)]
struct State {
    length: usize,
    modified: Option<SystemTime>,
}

impl State {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        Ok(Self { length, modified: metadata.modified().ok() })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    use super::*;
    use crate::{FeatureSet, Parameters};

    #[test]
    fn the_second_load_shares_what_the_first_decoded() {
        let folder = std::env::temp_dir().join(format!("tandem-sharing-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let shape = Architecture { features: FeatureSet::HalfKa, l1: 256 };
        let mut numbers = Parameters::zero(shape, "to be shared");
        for (i, weight) in numbers.weights.iter_mut().enumerate() {
            *weight = (i % 251) as i16;
        }
        let bytes = Network::from_parameters(&numbers).unwrap().to_bytes(Encoding::Leb128);
        let path = folder.join("network.nnue");
        fs::write(&path, &bytes).unwrap();

        let images = || Some(Images::in_folder(folder.join("images")));
        let load = || Network::load_file(&path, images()).unwrap();
        let first = load();
        assert!(!first.is_shared());
        let start = Instant::now();
        let mut second = load();
        while !second.is_shared() && start.elapsed() < Duration::from_mins(1) {
            thread::sleep(Duration::from_millis(20));
            second = load();
        }
        assert!(second.is_shared());
        assert_eq!(second.description(), "to be shared");
        assert!(second.parameters() == numbers && first.parameters() == numbers);
        let third = Network::known_bytes(&bytes, Digest::of(&bytes), images()).unwrap();
        assert!(third.is_shared() && third.parameters() == numbers);
        drop((second, third));
        fs::remove_dir_all(folder).unwrap();
    }
}
