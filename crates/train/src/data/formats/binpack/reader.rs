//! Reading chunks and their chains.

use std::io::Read;

use super::{HEADER, MAGIC, MAX_CHUNK, chain};
use crate::data::formats::Reader;
use crate::data::io::Window;
use crate::data::{DataError, Record};

/// Reads binpack, a game for each chain. There are no checksums: damage is found where it breaks the
/// rules of chess or the frame, and everything up to the next chunk is passed over.
pub struct BinpackReader<R> {
    input: Window<R>,
    /// How many bytes of the chunk are still to come.
    left: usize,
}

impl<R: Read + Send> BinpackReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        Self { input: Window::new(input, file), left: 0 }
    }

    /// Goes into the next chunk; false at the end of the file.
    fn next_chunk(&mut self) -> Result<bool, DataError> {
        let offset = self.input.offset();
        let bytes = self.input.look(HEADER)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let Some(&[m0, m1, m2, m3, l0, l1, l2, l3]) = bytes.first_chunk() else {
            let error = self.input.damage(offset, false, "the file ends within a chunk's header");
            self.input.give_up();
            return Err(error);
        };
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        if [m0, m1, m2, m3] != MAGIC || length > MAX_CHUNK {
            self.input.take(1);
            let goes_on = self.find_chunk()?;
            return Err(self.input.damage(offset, goes_on, "no chunk of a binpack begins here"));
        }
        self.input.take(HEADER);
        self.left = length;
        Ok(true)
    }

    /// Goes on to the next magic, from here on, if there is one.
    fn find_chunk(&mut self) -> Result<bool, DataError> {
        self.left = 0;
        loop {
            let bytes = self.input.look(MAGIC.len())?;
            if let Some(place) = bytes.windows(MAGIC.len()).position(|window| window == MAGIC) {
                self.input.take(place);
                return Ok(true);
            }
            if bytes.len() < MAGIC.len() {
                self.input.give_up();
                return Ok(false);
            }
            let passed = bytes.len() - (MAGIC.len() - 1);
            self.input.take(passed);
        }
    }
}

impl<R: Read + Send> Reader for BinpackReader<R> {
    fn next_game(&mut self) -> Result<Option<Record>, DataError> {
        while self.left == 0 {
            if !self.next_chunk()? {
                return Ok(None);
            }
        }
        let (offset, left) = (self.input.offset(), self.left);
        let bytes = self.input.look(left)?;
        match chain::get(&bytes[..left.min(bytes.len())]) {
            Ok((record, length)) => {
                self.left -= length;
                self.input.take(length);
                Ok(Some(record))
            }
            Err((at, reason)) => {
                let goes_on = self.find_chunk()?;
                Err(self.input.damage(offset + at as u64, goes_on, reason))
            }
        }
    }

    fn offset(&self) -> u64 {
        self.input.offset()
    }
}
