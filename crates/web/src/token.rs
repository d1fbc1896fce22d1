//! The secret without which nobody gets a session.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Bytes of chance in a token.
const BYTES: usize = 24;

/// Why there is no token.
#[derive(Debug, Error)]
pub enum TokenError {
    /// The system gives no random numbers.
    #[error("the system gives no random numbers: {0}")]
    NoChance(getrandom::Error),
    /// The file cannot be read or written.
    #[error("the page's token cannot be kept in {0} ({1})")]
    File(PathBuf, io::Error),
}

/// The secret without which nobody gets a session.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one, by chance.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn random() -> Result<Self, TokenError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(TokenError::NoChance)?;
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        Ok(Self(digits.collect()))
    }

    /// The one in that file, which only its owner can read; a new one if there is none. With the same token
    /// after a restart, open pages connect again by themselves.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn kept_in(file: &Path) -> Result<Self, TokenError> {
        if let Some(token) = Self::read(file) {
            return Ok(token);
        }
        let token = Self::random()?;
        token.write(file).map_err(|error| TokenError::File(file.to_owned(), error))?;
        Ok(token)
    }

    /// The token in a file, if the file is whole and for its owner alone.
    fn read(file: &Path) -> Option<Self> {
        let opened = File::open(file).ok()?;
        if !is_private(&opened) {
            return None;
        }
        let mut text = String::new();
        opened.take(1024).read_to_string(&mut text).ok()?;
        let text = text.trim();
        let is_whole = text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_whole.then(|| Self(text.to_owned()))
    }

    fn write(&self, file: &Path) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        // One that others could have read is no secret, and its file keeps its rights when written to.
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(file)?.write_all(format!("{}\n", self.0).as_bytes())
    }

    /// Whether somebody knows it. How long this takes tells nothing about how much of it was right.
    #[must_use]
    pub fn is(&self, given: &str) -> bool {
        let differences = self.0.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        std::hint::black_box(differences) == 0 && given.len() == self.0.len()
    }

    /// Where tokens are kept for this user; nowhere if the user has no home.
    #[must_use]
    pub fn usual_file() -> Option<PathBuf> {
        let variable =
            |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = variable("XDG_STATE_HOME")
            .or_else(|| variable("LOCALAPPDATA"))
            .or_else(|| variable("HOME").map(|home| home.join(".local/state")))?;
        Some(folder.join("tandem").join("page-token"))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A secret does not belong into messages for debugging.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(...)")
    }
}

#[cfg(unix)]
fn is_private(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    // The last six bits are the rights of the group and of others.
    file.metadata().is_ok_and(|about| about.permissions().mode().trailing_zeros() >= 6)
}

/// Where there are no such rights, a folder of the user's own has to do.
#[cfg(not(unix))]
fn is_private(_file: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_never_the_same() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(a, b);
        assert_eq!(a.to_string().len(), 48);
        assert!(!format!("{a:?}").contains(&a.to_string()));
    }

    #[test]
    fn only_the_whole_token_will_do() {
        let token = Token("abcd".to_owned());
        assert!(token.is("abcd"));
        for wrong in ["", "abc", "abcde", "abce", "Abcd"] {
            assert!(!token.is(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_kept_token_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/tandem/page-token");
        let token = Token::kept_in(&file).unwrap();
        assert_eq!(Token::kept_in(&file).unwrap(), token);
        fs::write(&file, "short").unwrap();
        assert_ne!(Token::kept_in(&file).unwrap(), token, "a damaged file gives a new one");
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_replaced() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page-token");
        let token = Token::kept_in(&file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_ne!(Token::kept_in(&file).unwrap(), token);
    }
}
