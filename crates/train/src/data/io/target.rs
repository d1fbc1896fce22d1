//! Writing units that are either wholly in the file or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use super::DataError;

/// Something to write to that can take back its end.
pub trait Target: Write {
    /// Cuts everything behind the first `length` bytes that were written through this target.
    ///
    /// # Errors
    /// What the system says.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Makes sure that what was written survives a failure of power.
    ///
    /// # Errors
    /// What the system says.
    fn settle(&mut self) -> io::Result<()>;
}

/// A file that is written from its beginning or behind what it holds.
#[derive(Debug)]
pub struct Appended {
    file: File,
    /// What stood there before.
    before: u64,
}

impl Appended {
    /// Goes on at the file's end, which is at that byte.
    pub const fn new(file: File, before: u64) -> Self {
        Self { file, before }
    }
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Target for Appended {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(self.before + length)
    }

    fn settle(&mut self) -> io::Result<()> {
        // A pipe or a device has nothing to settle.
        if self.file.metadata()?.is_file() { self.file.sync_data() } else { Ok(()) }
    }
}

impl Target for Vec<u8> {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.truncate(length as usize);
        Ok(())
    }

    fn settle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Units are gathered until they fill this.
const GATHERED: usize = 1 << 18;

/// Where a unit ends, and how many games there are up to there.
#[derive(Clone, Copy, Default)]
struct Mark {
    end: u64,
    games: u64,
}

/// Writes units of one or more games. When writing fails, the file is cut behind the last unit that
/// is wholly in it.
pub struct UnitWriter<T: Target> {
    target: T,
    file: Arc<str>,
    gathered: Vec<u8>,
    /// The units in `gathered`.
    marks: Vec<Mark>,
    /// What is in the file.
    written: Mark,
    added: Mark,
    failed: bool,
}

impl<T: Target> UnitWriter<T> {
    /// Writes to that target; the name is for errors.
    pub fn new(target: T, file: &str) -> Self {
        Self {
            target,
            file: file.into(),
            gathered: Vec::new(),
            marks: Vec::new(),
            written: Mark::default(),
            added: Mark::default(),
            failed: false,
        }
    }

    /// Adds a unit with that many games.
    pub fn add(&mut self, unit: &[u8], games: u64) -> Result<(), DataError> {
        self.gathered.extend_from_slice(unit);
        self.added.end += unit.len() as u64;
        self.added.games += games;
        self.marks.push(self.added);
        if self.gathered.len() >= GATHERED { self.write_out() } else { Ok(()) }
    }

    /// How many bytes there are, in the file and still to be written.
    pub const fn len(&self) -> u64 {
        self.added.end
    }

    /// Puts everything in the file.
    pub fn write_out(&mut self) -> Result<(), DataError> {
        if self.failed {
            return Err(self.error(io::Error::other("an earlier attempt failed"), ""));
        }
        let mut done = 0;
        while done < self.gathered.len() {
            match self.target.write(&self.gathered[done..]) {
                Ok(0) => return Err(self.fail(done, io::ErrorKind::WriteZero.into())),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.fail(done, error)),
            }
        }
        self.gathered.clear();
        self.marks.clear();
        self.written = self.added;
        Ok(())
    }

    /// Puts everything in the file for good.
    pub fn finish(&mut self) -> Result<(), DataError> {
        self.write_out()?;
        let settled = self.target.flush().and_then(|()| self.target.settle());
        settled.map_err(|source| self.error(source, ", as far as the system tells"))
    }

    fn fail(&mut self, done: usize, source: io::Error) -> DataError {
        self.failed = true;
        let reached = self.written.end + done as u64;
        let whole = self.marks.iter().rev().find(|mark| mark.end <= reached).copied();
        self.written = whole.unwrap_or(self.written);
        let cut = self.written.end == reached || self.target.cut(self.written.end).is_ok();
        let rest = if cut { "" } else { ", but a part of the next stands behind them" };
        self.error(source, rest)
    }

    fn error(&self, source: io::Error, rest: &'static str) -> DataError {
        DataError::Write { file: self.file.clone(), safe: self.written.games, source, rest }
    }

    #[cfg(test)]
    pub fn into_target(mut self) -> T
    where
        T: Default,
    {
        self.write_out().unwrap();
        std::mem::take(&mut self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes and then says that the disk is full.
    struct Small {
        room: usize,
        held: Vec<u8>,
    }

    impl Write for Small {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room - self.held.len()).min(7);
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.held.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Target for Small {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.held.cut(length)
        }

        fn settle(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_whole_units_only() {
        for room in 0..100 {
            let mut writer = UnitWriter::new(Small { room, held: Vec::new() }, "data");
            for unit in 0..10_u8 {
                writer.add(&[unit; 10], 1).unwrap();
            }
            let error = writer.finish().unwrap_err();
            assert_eq!(writer.target.held.len(), room / 10 * 10);
            let text = error.to_string();
            assert!(text.contains(&format!("the {} games before are safe", room / 10)), "{text}");
            assert!(writer.finish().is_err(), "nothing more is tried");
            assert_eq!(writer.target.held.len(), room / 10 * 10);
        }
    }
}
