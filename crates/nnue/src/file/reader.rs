//! A stream of known length that names the part it failed in.

use std::io::{ErrorKind, Read};

use super::leb128::{self, Weight};
use crate::NetworkError;

/// Compressed blocks are decoded in pieces of this many bytes.
const PIECE: usize = 1 << 18;

pub(crate) struct Reader<R> {
    source: R,
    left: usize,
}

impl<R: Read> Reader<R> {
    /// Reads from a source that promises so many bytes.
    pub fn new(source: R, length: usize) -> Self {
        Self { source, left: length }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The next bytes, as many as `target` takes.
    pub fn bytes(&mut self, part: &'static str, target: &mut [u8]) -> Result<(), NetworkError> {
        self.require(part, target.len())?;
        self.left -= target.len();
        self.source.read_exact(target).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => NetworkError::Truncated { part, missing: 1 },
            _ => error.into(),
        })
    }

    fn require(&self, part: &'static str, count: usize) -> Result<(), NetworkError> {
        match count.checked_sub(self.left) {
            None | Some(0) => Ok(()),
            Some(missing) => Err(NetworkError::Truncated { part, missing }),
        }
    }

    /// The next word.
    pub fn word(&mut self, part: &'static str) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.bytes(part, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// The next word, which must be that hash.
    pub fn hash(&mut self, part: &'static str, expected: u32) -> Result<(), NetworkError> {
        let found = self.word(part)?;
        if found == expected { Ok(()) } else { Err(NetworkError::Hash { part, found, expected }) }
    }

    /// The next block of numbers, compressed or not.
    pub fn numbers<W: Weight + bytemuck::Pod>(
        &mut self,
        part: &'static str,
        values: &mut [W],
    ) -> Result<(), NetworkError> {
        const { assert!(cfg!(target_endian = "little"), "files are little-endian") };
        let mut lead = [0; leb128::MAGIC.len()];
        self.bytes(part, &mut lead)?;
        if lead == *leb128::MAGIC {
            return self.compressed(part, values);
        }
        // What was read to see whether the block is compressed are its first numbers.
        let raw: &mut [u8] = bytemuck::cast_slice_mut(values);
        let (first, rest) = raw.split_at_mut(lead.len());
        first.copy_from_slice(&lead);
        self.bytes(part, rest)
    }

    /// The rest of a compressed block: its length, and numbers.
    fn compressed<W: Weight>(
        &mut self,
        part: &'static str,
        values: &mut [W],
    ) -> Result<(), NetworkError> {
        let damaged = |reason| NetworkError::Compression { part, reason };
        let mut length = self.word(part)? as usize;
        self.require(part, length)?;
        let mut piece = vec![0; PIECE + W::MAX_BYTES];
        // Bytes of a number that the last piece did not hold whole.
        let mut kept = 0;
        let mut filled = 0;
        loop {
            let count = length.min(PIECE);
            self.bytes(part, &mut piece[kept..kept + count])?;
            length -= count;
            let end = kept + count;
            let (used, decoded) = leb128::decode(&piece[..end], &mut values[filled..], length == 0)
                .map_err(damaged)?;
            filled += decoded;
            if filled == values.len() {
                let is_all = used == end && length == 0;
                return is_all.then_some(()).ok_or(damaged("it holds more numbers than it should"));
            }
            piece.copy_within(used..end, 0);
            kept = end - used;
        }
    }
}
