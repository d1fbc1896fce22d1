//! Files that are whole or not there.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use crate::TrainError;

/// Writes a file under another name and renames it when all of it is on the disk, so that an
/// interruption or a full disk leaves the file as it was.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), TrainError> {
    let part = path.with_extension("part");
    let written = File::create(&part).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&part, path)
    });
    written.map_err(|reason| {
        // What is left of the attempt is of no use; the error matters more than its removal.
        let _ = fs::remove_file(&part);
        TrainError::Write { path: path.to_owned(), reason }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = std::env::temp_dir().join(format!("tandem-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file.bin");
        write_whole(&path, |out| out.write_all(b"old")).unwrap();
        let error = write_whole(&path, |out| {
            out.write_all(b"new")?;
            Err(std::io::Error::other("the disk is full"))
        });
        assert!(error.unwrap_err().to_string().contains("the disk is full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
