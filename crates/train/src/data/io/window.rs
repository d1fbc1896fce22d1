//! A stretch of a stream that can be looked at before it is taken.

use std::io::{self, Read};
use std::sync::Arc;

use super::{Damage, DataError};

/// How much is asked of the system at once.
const STEP: usize = 1 << 18;

/// Reads a stream through a buffer that grows as far as somebody wants to look ahead, and knows
/// where in the stream it is.
pub struct Window<R> {
    input: R,
    file: Arc<str>,
    buffer: Vec<u8>,
    /// Where in the buffer the untaken part begins and ends.
    start: usize,
    end: usize,
    offset: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    /// A stream from its beginning; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        Self::at(input, file, 0)
    }

    /// A stream from that byte on, to which it has been wound forward.
    pub fn at(input: R, file: &str, offset: u64) -> Self {
        Self {
            input,
            file: file.into(),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset,
            ended: false,
        }
    }

    /// The name for errors.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where the next byte stands in the stream.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// What has been read but not taken.
    pub fn seen(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Reads on until that many bytes can be seen, or all that there are.
    pub fn look(&mut self, count: usize) -> Result<&[u8], DataError> {
        while self.end - self.start < count && !self.ended {
            self.fill(count)?;
        }
        Ok(self.seen())
    }

    fn fill(&mut self, count: usize) -> Result<(), DataError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let wanted = count.max(self.end + STEP);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        match self.input.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(read) => self.end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => {
                let offset = self.offset + (self.end - self.start) as u64;
                return Err(DataError::Read { file: self.file.clone(), offset, source });
            }
        }
        Ok(())
    }

    /// Goes on by that many bytes, which have been seen.
    pub fn take(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }

    /// Goes on to the end; nothing behind is of use.
    pub fn give_up(&mut self) {
        self.take(self.end - self.start);
        self.ended = true;
    }

    /// Damage from `offset` to where the window is now, or to the end if nothing follows.
    pub fn damage(&self, offset: u64, goes_on: bool, reason: impl Into<String>) -> DataError {
        DataError::Damage(Damage {
            file: self.file.clone(),
            offset,
            until: goes_on.then_some(self.offset),
            reason: reason.into(),
        })
    }
}
