//! Reading and writing `.policy` files.
//!
//! `magic | version | hidden | temperature | description | input biases | input weights | output biases |
//! output weights | checksum`, everything little-endian. The first three arrays are LEB128 blocks as in
//! `.nnue` files where that is shorter, and raw otherwise.

use super::inputs::ROWS;
use super::slots::SLOTS;
use super::{PolicyParameters, is_hidden_size};
use crate::NetworkError;
use crate::file::{MAX_DESCRIPTION, Reader, shorter_numbers};

/// The first bytes of every file.
pub const MAGIC: [u8; 4] = *b"TDP1";
/// The version that is read and written.
const VERSION: u32 = 1;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// No file is longer: the longest numbers of the largest network.
pub(super) const MAX_LENGTH: usize = {
    const HEAD: usize = 20 + MAX_DESCRIPTION + 3 * 32 + CHECKSUM;
    HEAD + super::MAX_HIDDEN * (3 + 3 * ROWS + SLOTS) + 5 * SLOTS
};

/// The numbers in those bytes.
pub(super) fn read(bytes: &[u8]) -> Result<PolicyParameters, NetworkError> {
    let mut reader = Reader::new(bytes, bytes.len());
    let magic = reader.word("first word")?.to_le_bytes();
    if magic != MAGIC {
        return Err(NetworkError::PolicyMagic { found: magic });
    }
    let version = reader.word("version")?;
    if version != VERSION {
        return Err(NetworkError::PolicyVersion { found: version });
    }
    let hidden = reader.word("header")? as usize;
    if !is_hidden_size(hidden) {
        return Err(NetworkError::Hidden { found: hidden });
    }
    let temperature = f32::from_bits(reader.word("header")?);
    if !(temperature.is_finite() && temperature > 0.0) {
        return Err(NetworkError::Temperature { found: temperature });
    }
    let length = reader.word("header")? as usize;
    if length > MAX_DESCRIPTION {
        return Err(NetworkError::Description { found: length });
    }
    let mut description = vec![0; length];
    reader.bytes("description", &mut description)?;
    let description = String::from_utf8_lossy(&description);

    // Every compressed number takes a byte at least. Memory is only asked for when the file has them.
    let least = hidden * (1 + ROWS + SLOTS) + SLOTS + CHECKSUM;
    if let Some(missing @ 1..) = least.checked_sub(reader.left()) {
        return Err(NetworkError::Truncated { part: "weights", missing });
    }
    let mut numbers = PolicyParameters::zero(hidden, &description);
    numbers.temperature = temperature;
    reader.numbers("input biases", &mut numbers.input_biases)?;
    reader.numbers("input weights", &mut numbers.input_weights)?;
    reader.numbers("output biases", &mut numbers.output_biases)?;
    reader.bytes("output weights", bytemuck::cast_slice_mut(&mut numbers.output_weights))?;

    let content = &bytes[..bytes.len() - reader.left()];
    let mut expected = [0; CHECKSUM];
    reader.bytes("checksum", &mut expected)?;
    match reader.left() {
        0 => {}
        extra => return Err(NetworkError::Trailing { extra }),
    }
    let (expected, found) = (u64::from_le_bytes(expected), checksum(content));
    if found == expected { Ok(numbers) } else { Err(NetworkError::Checksum { expected, found }) }
}

/// The bytes of the file that holds those numbers.
pub(super) fn write(numbers: &PolicyParameters) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(MAGIC);
    for word in [
        VERSION,
        numbers.hidden as u32,
        numbers.temperature.to_bits(),
        numbers.description.len() as u32,
    ] {
        out.extend(word.to_le_bytes());
    }
    out.extend(numbers.description.as_bytes());
    shorter_numbers(&numbers.input_biases, &mut out);
    shorter_numbers(&numbers.input_weights, &mut out);
    shorter_numbers(&numbers.output_biases, &mut out);
    out.extend(bytemuck::cast_slice::<i8, u8>(&numbers.output_weights));
    let sum = checksum(&out);
    out.extend(sum.to_le_bytes());
    out
}

/// 64-bit FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    bytes.iter().fold(BASIS, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
