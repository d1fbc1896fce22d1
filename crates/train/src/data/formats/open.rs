//! Which format a file has, and opening files.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::games::sound_length;
use super::{
    BinpackReader, BinpackWriter, BulletReader, BulletWriter, GamesReader, GamesWriter, Mark,
    Reader, ViriReader, ViriWriter, Writer,
};
use crate::data::io::Appended;
use crate::data::{DataError, Record};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tandem's own: games in frames with a checksum.
    Games,
    /// viriformat: whole games.
    Viri,
    /// bulletformat: single positions.
    Bullet,
    /// Stockfish's binpack: chains of positions.
    Binpack,
}

/// A name or file whose format nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the format of '{0}' is not known: expected one of games, viri, bullet, binpack (a file's \
         name ends with it, or it is given)"
)]
pub struct FormatError(String);

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Games, Self::Viri, Self::Bullet, Self::Binpack];

    /// The name, which is also how files of this format end.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Viri => "viri",
            Self::Bullet => "bullet",
            Self::Binpack => "binpack",
        }
    }

    /// The format that a file's name tells.
    ///
    /// # Errors
    /// The name ends with none of the formats' names.
    pub fn of(path: &Path) -> Result<Self, FormatError> {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        end.parse().map_err(|_| FormatError(path.display().to_string()))
    }

    /// Whether the format keeps moves.
    #[must_use]
    pub const fn has_moves(self) -> bool {
        !matches!(self, Self::Bullet)
    }

    /// Whether the format can keep positions in which no move is played.
    #[must_use]
    pub const fn has_bare_positions(self) -> bool {
        matches!(self, Self::Bullet | Self::Games)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| FormatError(text.to_owned()))
    }
}

/// Opens a file of that format for reading.
///
/// # Errors
/// What the system says.
pub fn open(path: &Path, format: Format) -> Result<Box<dyn Reader>, DataError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| cannot_open(&name, source))?;
    Ok(match format {
        Format::Games => Box::new(GamesReader::new(file, &name)),
        Format::Viri => Box::new(ViriReader::new(file, &name)),
        Format::Bullet => Box::new(BulletReader::new(file, &name)),
        Format::Binpack => Box::new(BinpackReader::new(file, &name)),
    })
}

/// Begins a file of that format. One that is there already is not touched, unless it is a device.
///
/// # Errors
/// What the system says.
pub fn create(path: &Path, format: Format) -> Result<Box<dyn Writer>, DataError> {
    let name = path.display().to_string();
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).create_new(is_file);
    let file = options.open(path).map_err(|source| cannot_open(&name, source))?;
    let target = Appended::new(file, 0);
    Ok(match format {
        Format::Games => Box::new(GamesWriter::new(target, &name)),
        Format::Viri => Box::new(ViriWriter::new(target, &name)),
        Format::Bullet => Box::new(BulletWriter::new(target, &name)),
        Format::Binpack => Box::new(BinpackWriter::new(target, &name)),
    })
}

/// Goes on with a file of Tandem's games, or begins one. A game that was not written to its end is
/// cut off first; the answer says how many bytes that were.
///
/// # Errors
/// What the system says; or the file is damaged before its end.
pub fn append(path: &Path) -> Result<(Box<dyn Writer>, u64), DataError> {
    let name = path.display().to_string();
    let open =
        |options: &mut OpenOptions| options.open(path).map_err(|source| cannot_open(&name, source));
    let file = open(OpenOptions::new().read(true).append(true).create(true))?;
    let length = file.metadata().map_err(|source| cannot_open(&name, source))?.len();
    let (sound, has_more) = sound_length(&file, &name)?;
    if has_more {
        // Whole games behind the place are a sign of damage, not of an interrupted writer.
        let mut rest = GamesReader::new(open(OpenOptions::new().read(true))?, &name);
        loop {
            match rest.next_game() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(DataError::Damage(damage)) if damage.until.is_none() => break,
                Err(error) => return Err(error),
            }
        }
        file.set_len(sound).map_err(|source| cannot_open(&name, source))?;
    }
    let writer = GamesWriter::new(Appended::new(file, sound), &name);
    Ok((Box::new(writer), length - sound))
}

/// A file whose making was interrupted.
pub struct Resumed {
    /// Goes on behind the last mark.
    pub writer: Box<dyn Writer>,
    /// How far each source had been worked through.
    pub marks: Vec<Mark>,
    /// What the file says about itself.
    pub notes: Vec<String>,
    /// How many bytes behind the last mark were cut off.
    pub cut: u64,
}

/// Goes on with a file of Tandem's games whose making was interrupted. What stands behind its last
/// mark is cut off; the games before it are shown to `each`.
///
/// # Errors
/// What the system says; or the file is damaged before its end.
pub fn resume(path: &Path, each: &mut dyn FnMut(&Record)) -> Result<Resumed, DataError> {
    let name = path.display().to_string();
    let broken = |source| cannot_open(&name, source);
    let file = OpenOptions::new().read(true).append(true).open(path).map_err(broken)?;
    let length = file.metadata().map_err(broken)?.len();
    let mut reader = GamesReader::new(&file, &name);
    let (mut marked, mut pending) = (0, Vec::new());
    loop {
        let next = match reader.next_game() {
            Ok(next) => next,
            Err(DataError::Damage(damage)) if damage.until.is_none() => None,
            Err(error) => return Err(error),
        };
        if reader.marked() > marked {
            marked = reader.marked();
            pending.drain(..).for_each(|record| each(&record));
        }
        match next {
            Some(record) => pending.push(record),
            None => break,
        }
    }
    let (marks, notes) = (reader.marks().to_vec(), reader.notes().to_vec());
    file.set_len(marked).map_err(broken)?;
    let notes = if marked == 0 { Vec::new() } else { notes };
    let writer = Box::new(GamesWriter::new(Appended::new(file, marked), &name));
    Ok(Resumed { writer, marks, notes, cut: length - marked })
}

fn cannot_open(name: &str, source: std::io::Error) -> DataError {
    DataError::Open { file: name.into(), source }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::data::testing::random_record;

    fn read(path: &Path, format: Format) -> Vec<Record> {
        let mut reader = open(path, format).unwrap();
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    #[test]
    fn an_interrupted_file_is_continued_behind_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.games");
        let mut random = Random::new(1);
        let records: Vec<_> = (0..4).map(|_| random_record(&mut random, true)).collect();
        let mut writer = append(&path).unwrap().0;
        for record in &records[..3] {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let (mut writer, cut) = append(&path).unwrap();
        assert!(cut > 0);
        writer.write(&records[3]).unwrap();
        writer.finish().unwrap();
        assert_eq!(read(&path, Format::Games), [&records[..2], &records[3..]].concat());
        let (mut writer, cut) = append(&path).unwrap();
        assert_eq!(cut, 0);
        writer.write(&records[2]).unwrap();
        writer.finish().unwrap();
        assert_eq!(read(&path, Format::Games).len(), 4);
    }

    #[test]
    fn a_file_with_damage_in_its_middle_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.games");
        let mut random = Random::new(2);
        let mut writer = append(&path).unwrap().0;
        for _ in 0..3 {
            writer.write(&random_record(&mut random, true)).unwrap();
        }
        writer.finish().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[20] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(append(&path), Err(DataError::Damage(_))));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_full_disk_is_an_error_in_every_format() {
        let path = Path::new("/dev/full");
        for format in Format::ALL {
            let mut writer = create(path, format).unwrap();
            let mut random = Random::new(3);
            let record = crate::data::testing::random_record_from(
                &mut random,
                tandem_chess::Position::startpos(),
                false,
            );
            let outcome = writer.write(&record).and_then(|()| writer.finish());
            let error = outcome.unwrap_err().to_string();
            assert!(error.starts_with("/dev/full: cannot be written: "), "{error}");
            assert!(error.contains("the 0 games before are safe"), "{error}");
        }
    }

    #[test]
    fn an_existing_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.viri");
        std::fs::write(&path, "precious").unwrap();
        assert!(matches!(create(&path, Format::Viri), Err(DataError::Open { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    }

    #[test]
    fn names_tell_formats() {
        assert_eq!(Format::of(Path::new("a/b.binpack")), Ok(Format::Binpack));
        let error = Format::of(Path::new("a/b.bin")).unwrap_err().to_string();
        assert!(error.contains("'a/b.bin'") && error.contains("games, viri"), "{error}");
    }
}
