//! SHA-256, by which network files are named.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use sha2::Digest as _;

/// The SHA-256 of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of those bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest of everything that can be read.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_reader(source: impl Read) -> io::Result<Self> {
        Self::of_stream(source, 0).map(|(digest, _)| digest)
    }

    /// The digest of everything that can be read, and the first bytes of it, up to `head` of them.
    pub(crate) fn of_stream(mut source: impl Read, head: usize) -> io::Result<(Self, Vec<u8>)> {
        let mut hasher = sha2::Sha256::new();
        let (mut buffer, mut first) = (vec![0; 1 << 18], Vec::new());
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok((Self(hasher.finalize().into()), first)),
                Ok(count) => {
                    hasher.update(&buffer[..count]);
                    let wanted = head.saturating_sub(first.len()).min(count);
                    first.extend(&buffer[..wanted]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The customary name of a network with this digest: `nn-` and its first twelve digits.
    #[must_use]
    pub fn network_name(&self) -> String {
        format!("nn-{}", &self.to_string()[..12])
    }

    /// The customary name of a policy network with this digest: `pn-` and its first twelve digits.
    #[must_use]
    pub fn policy_name(&self) -> String {
        format!("pn-{}", &self.to_string()[..12])
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The digits that a file promises if its name is a customary one, `nn-0123456789ab.nnue` or
/// `pn-0123456789ab.policy`.
pub(crate) fn promised(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let between = |prefix, suffix| name.strip_prefix(prefix)?.strip_suffix(suffix);
    let digits = between("nn-", ".nnue").or_else(|| between("pn-", ".policy"))?;
    let is_hex = digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| digits.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_printed_as_everywhere() {
        let digest = Digest::of(b"abc");
        assert!(digest.to_string().starts_with("ba7816bf8f01cfea"));
        assert_eq!(digest.network_name(), "nn-ba7816bf8f01");
        assert_eq!(digest.policy_name(), "pn-ba7816bf8f01");
        assert_eq!(Digest::of_stream(&b"abc"[..], 2).unwrap(), (digest, b"ab".to_vec()));
    }

    #[test]
    fn only_customary_names_promise_something() {
        assert_eq!(promised(Path::new("a/nn-0123456789AB.nnue")).unwrap(), "0123456789ab");
        assert_eq!(promised(Path::new("pn-0123456789ab.policy")).unwrap(), "0123456789ab");
        for name in [
            "pn-0123456789ab.nnue",
            "nn-0123.nnue",
            "nn-0123456789zz.nnue",
            "0123456789ab.nnue",
            "nn-0123456789ab",
        ] {
            assert_eq!(promised(Path::new(name)), None);
        }
    }
}
