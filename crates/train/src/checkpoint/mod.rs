//! The whole state of a training in one file.
//!
//! Eight bytes that say what is trained, the length of a JSON header as a little-endian `u64`, the
//! header, then all arrays as 32-bit numbers, in the order in which the network shows them; at the end
//! a checksum of all numbers.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::TrainError;
use crate::files::write_whole;
use crate::stream::DataPosition;

/// No header comes near this.
const MAX_HEADER: u64 = 1 << 28;

/// What arrays are shown to; numbers of 32 bits as bytes.
pub type Show<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;
/// What fills arrays; numbers of 32 bits as bytes.
pub type Fill<'a> = &'a mut dyn FnMut(&mut [u8]) -> io::Result<()>;

/// A network in training whose arrays can be saved.
pub trait Saved {
    /// Begins its files.
    const MAGIC: &'static [u8; 8];

    /// Shows all arrays.
    ///
    /// # Errors
    /// What the callback says.
    fn show(&self, each: Show<'_>) -> io::Result<()>;

    /// Has all arrays filled, in the same order.
    ///
    /// # Errors
    /// What the callback says.
    fn fill(&mut self, each: Fill<'_>) -> io::Result<()>;
}

/// Everything that is not an array: settings, sums of the superbatch, records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header<C, T, R> {
    pub config: C,
    /// Steps taken.
    pub step: u64,
    pub position: DataPosition,
    /// What the superbatch came to so far.
    pub running: T,
    pub history: Vec<R>,
}

/// Saves the state; the file is whole or as it was.
pub(crate) fn save<M: Saved>(
    path: &Path,
    header: &impl Serialize,
    model: &M,
) -> Result<(), TrainError> {
    write_whole(path, |out| {
        let text = serde_json::to_vec(header)?;
        out.write_all(M::MAGIC)?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)?;
        let mut sum = Checksum::default();
        model.show(&mut |bytes| sum.write(out, bytes))?;
        out.write_all(&sum.0.to_le_bytes())
    })
}

/// Opens a saved state: its header, and what fills a model that fits it.
pub(crate) fn open<M: Saved, H: DeserializeOwned>(path: &Path) -> Result<(H, Arrays), TrainError> {
    let failure = |reason: String| TrainError::Checkpoint { path: path.to_owned(), reason };
    let unreadable = |error: io::Error| failure(format!("cannot be read ({error})"));
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
    let mut magic = [0; 8];
    file.read_exact(&mut magic).map_err(unreadable)?;
    if magic != *M::MAGIC {
        return Err(failure("is no saved training of this kind".into()));
    }
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(unreadable)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_HEADER {
        return Err(failure("is damaged: its header has an absurd length".into()));
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(unreadable)?;
    let header = serde_json::from_slice(&text)
        .map_err(|error| failure(format!("has a header that cannot be understood ({error})")))?;
    Ok((header, Arrays { file, path: path.to_owned() }))
}

/// The numbers of a saved state.
pub(crate) struct Arrays {
    file: BufReader<File>,
    path: PathBuf,
}

impl Arrays {
    /// Fills the model, which has the shape that the header's settings say.
    pub fn fill(mut self, model: &mut impl Saved) -> Result<(), TrainError> {
        self.read(model).map_err(|error| TrainError::Checkpoint {
            path: self.path.clone(),
            reason: format!("is damaged ({error})"),
        })
    }

    fn read(&mut self, model: &mut impl Saved) -> io::Result<()> {
        let mut sum = Checksum::default();
        model.fill(&mut |bytes| sum.read(&mut self.file, bytes))?;
        let mut expected = [0; 8];
        self.file.read_exact(&mut expected)?;
        if sum.0 != u64::from_le_bytes(expected) {
            return Err(io::Error::other("its checksum is wrong"));
        }
        Ok(())
    }
}

/// A checksum that sees every bit and the order.
#[derive(Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for word in bytes.as_chunks::<4>().0 {
            let word = u64::from(u32::from_le_bytes(*word));
            self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }

    fn write(&mut self, out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        self.add(bytes);
        out.write_all(bytes)
    }

    fn read(&mut self, from: &mut impl Read, bytes: &mut [u8]) -> io::Result<()> {
        from.read_exact(bytes)?;
        self.add(bytes);
        Ok(())
    }
}
