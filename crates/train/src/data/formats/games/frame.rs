//! The frame around a payload.

/// Begins every frame.
pub const MARKER: [u8; 4] = *b"TDG1";
/// Marker, length and checksum.
pub const HEADER: usize = 12;
/// No payload is longer; a larger number is damage.
pub const MAX_PAYLOAD: usize = 1 << 20;

/// The frame of a payload.
pub fn wrap(payload: &[u8], out: &mut Vec<u8>) {
    debug_assert!(payload.len() <= MAX_PAYLOAD);
    out.extend(MARKER);
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
    /// Reads a header; a sentence says what is wrong with it.
    pub fn read(bytes: &[u8; HEADER]) -> Result<Self, String> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if bytes[..4] != MARKER {
            return Err("no game begins here".into());
        }
        let length = word(4) as usize;
        if length > MAX_PAYLOAD {
            return Err(format!("a game of {length} bytes, more than any has"));
        }
        Ok(Self { length, checksum: word(8) })
    }

    /// Whether that payload is the one that was written.
    pub fn fits(self, payload: &[u8]) -> bool {
        payload.len() == self.length && crc32fast::hash(payload) == self.checksum
    }
}
