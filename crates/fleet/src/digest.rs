//! Files by what they hold.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_engine::Digest;

use crate::FleetError;

/// A file as it was when it was noted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNote {
    /// Where it stands, usually beside the note.
    pub name: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

/// Notes a file under a name, and makes sure that the disk has it.
///
/// # Errors
/// It cannot be read.
pub fn note(path: &Path, name: &Path) -> Result<FileNote, FleetError> {
    let file = File::open(path).map_err(FleetError::file(path))?;
    // What is promised by a note must outlive a power cut. Not every file system can be asked.
    let _ = file.sync_all();
    let bytes = file.metadata().map_err(FleetError::file(path))?.len();
    let sha256 = Digest::of_reader(file).map_err(FleetError::file(path))?.to_string();
    Ok(FileNote { name: name.to_owned(), bytes, sha256 })
}

/// Looks whether the file at that path is the one that was noted.
///
/// # Errors
/// It is not there, or is another.
pub fn check(path: &Path, noted: &FileNote) -> Result<(), FleetError> {
    let name = path.display();
    let found = match note(path, &noted.name) {
        Ok(found) => found,
        Err(FleetError::File(_, error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(FleetError::Damaged(format!("{name}: the file is missing")));
        }
        Err(error) => return Err(error),
    };
    if found.bytes != noted.bytes {
        let (found, noted) = (found.bytes, noted.bytes);
        let sentence = format!("{name}: has {found} bytes, and {noted} were written");
        return Err(FleetError::Damaged(sentence));
    }
    if found.sha256 != noted.sha256 {
        let digits = |text: &str| text[..text.len().min(12)].to_owned();
        let (found, noted) = (digits(&found.sha256), digits(&noted.sha256));
        let sentence = format!("{name}: is damaged (SHA-256 {found}..., expected {noted}...)");
        return Err(FleetError::Damaged(sentence));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_in_any_way_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "some bytes").unwrap();
        let noted = note(&path, Path::new("file")).unwrap();
        assert!(check(&path, &noted).is_ok());
        for (text, said) in [("some bytez", "is damaged"), ("some", "has 4 bytes, and 10")] {
            std::fs::write(&path, text).unwrap();
            let error = check(&path, &noted).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(check(&path, &noted).unwrap_err().to_string().contains("missing"));
    }
}
