//! Finding the files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, Tablebase};
use thiserror::Error;

use super::Tablebases;

/// Stands between folders, as in the system's own search path.
pub const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Why no tables were loaded.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder cannot be read.
    #[error("the folder '{0}' cannot be read ({1})")]
    Folder(String, io::Error),
    /// No folder holds a table.
    #[error("there are no Syzygy tables (.rtbw, .rtbz) in '{0}'")]
    Empty(String),
    /// There is no table but a file that should be one.
    #[error("'{0}' is damaged, and there are no other Syzygy tables")]
    Damaged(String),
}

impl Tablebases {
    /// The tables in those folders, separated by `:` (on Windows `;`). Files that are no whole
    /// tables are left out and named in what [`Display`](std::fmt::Display) says.
    ///
    /// # Errors
    /// A folder cannot be read, or there is no table in any.
    pub fn load(folders: &str) -> Result<Self, TablebaseError> {
        let mut found = Self { tables: empty(), wdl_files: 0, dtz_files: 0, damaged: Vec::new() };
        let mut names = HashSet::new();
        for folder in folders.split(SEPARATOR).filter(|folder| !folder.is_empty()) {
            let failed = |error| TablebaseError::Folder(folder.to_owned(), error);
            let mut files: Vec<_> = std::fs::read_dir(folder)
                .and_then(Iterator::collect::<io::Result<_>>)
                .map_err(failed)?;
            files.sort_by_key(std::fs::DirEntry::path);
            for file in files {
                // The same table in a second folder is not a second table.
                if !names.contains(&file.file_name()) && found.add(&file.path()) {
                    names.insert(file.file_name());
                }
            }
        }
        if found.wdl_files + found.dtz_files > 0 {
            return Ok(found);
        }
        Err(match found.damaged.first() {
            Some(file) => TablebaseError::Damaged(file.clone()),
            None => TablebaseError::Empty(folders.to_owned()),
        })
    }

    /// Adds a file if it is a table. Answers whether it is.
    fn add(&mut self, path: &Path) -> bool {
        let magic = match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension == Chess::TBW.ext => Chess::TBW.magic,
            Some(extension) if extension == Chess::TBZ.ext => Chess::TBZ.magic,
            _ => return false,
        };
        match begins_with(path, magic).and_then(|()| self.tables.add_file(path)) {
            Ok(()) if magic == Chess::TBW.magic => self.wdl_files += 1,
            Ok(()) => self.dtz_files += 1,
            // A name that no table has.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return false,
            Err(_) => {
                self.damaged.push(path.display().to_string());
                return false;
            }
        }
        true
    }
}

fn begins_with(path: &Path, magic: [u8; 4]) -> io::Result<()> {
    let mut begin = [0; 4];
    File::open(path)?.read_exact(&mut begin)?;
    if begin == magic { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Memory maps answer a probe more than twice as fast as reads, and hold no file open: complete
/// sets have more files than a process may open.
#[cfg(target_pointer_width = "64")]
fn empty() -> Tablebase<Chess> {
    // SAFETY: tables are published once and never change, so that nobody writes to a file while it
    // is mapped. A disk that fails ends the process, as it does in every engine.
    unsafe { Tablebase::with_mmap_filesystem() }
}

#[cfg(not(target_pointer_width = "64"))]
fn empty() -> Tablebase<Chess> {
    Tablebase::new()
}
