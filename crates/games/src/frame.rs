//! Frames: stretches of a file that are known by their marker and checked by their checksum. A file made
//! of frames can be joined with others and cut behind any of them.

/// Begins every frame; each format has its own.
pub type Marker = [u8; 4];
/// Marker, length and checksum.
pub const HEADER: usize = 12;
/// No payload is longer; a larger number is damage.
pub const MAX_PAYLOAD: usize = 1 << 20;

/// The frame of a payload.
pub fn wrap(marker: Marker, payload: &[u8], out: &mut Vec<u8>) {
    debug_assert!(payload.len() <= MAX_PAYLOAD);
    out.extend(marker);
    out.extend((payload.len() as u32).to_le_bytes());
    out.extend(crc32fast::hash(payload).to_le_bytes());
    out.extend(payload);
}

/// What a frame says about its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How long the payload is.
    pub length: usize,
    checksum: u32,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// A sentence says what is wrong with it.
    pub fn read(marker: Marker, bytes: &[u8; HEADER]) -> Result<Self, String> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if bytes[..4] != marker {
            return Err("no game begins here".into());
        }
        let length = word(4) as usize;
        if length > MAX_PAYLOAD {
            return Err(format!("a game of {length} bytes, more than any has"));
        }
        Ok(Self { length, checksum: word(8) })
    }

    /// Whether that payload is the one that was written.
    #[must_use]
    pub fn fits(self, payload: &[u8]) -> bool {
        payload.len() == self.length && crc32fast::hash(payload) == self.checksum
    }
}
