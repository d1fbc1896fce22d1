//! A cursor over the bytes of a file that names the part it failed in.

use super::leb128::{self, Weight};
use crate::NetworkError;

pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next `count` bytes.
    pub fn take(&mut self, part: &'static str, count: usize) -> Result<&'a [u8], NetworkError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(NetworkError::Truncated { part, missing: count - self.rest.len() });
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next word.
    pub fn word(&mut self, part: &'static str) -> Result<u32, NetworkError> {
        let bytes = self.take(part, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// The next word, which must be that hash.
    pub fn hash(&mut self, part: &'static str, expected: u32) -> Result<(), NetworkError> {
        let found = self.word(part)?;
        if found == expected { Ok(()) } else { Err(NetworkError::Hash { part, found, expected }) }
    }

    /// Whether a compressed block comes next.
    pub fn compressed(&self) -> bool {
        self.rest.starts_with(leb128::MAGIC)
    }

    /// The next block of numbers, compressed or not.
    pub fn numbers<W: Weight + bytemuck::Pod>(
        &mut self,
        part: &'static str,
        values: &mut [W],
    ) -> Result<(), NetworkError> {
        if self.compressed() {
            self.take(part, leb128::MAGIC.len())?;
            let length = self.word(part)? as usize;
            leb128::decode(part, self.take(part, length)?, values)
        } else {
            self.raw(part, values)
        }
    }

    /// The next numbers, uncompressed.
    pub fn raw<W: bytemuck::Pod>(
        &mut self,
        part: &'static str,
        values: &mut [W],
    ) -> Result<(), NetworkError> {
        const { assert!(cfg!(target_endian = "little"), "files are little-endian") };
        let target: &mut [u8] = bytemuck::cast_slice_mut(values);
        target.copy_from_slice(self.take(part, target.len())?);
        Ok(())
    }
}
