//! Signed LEB128, the compression inside `.nnue` files: seven bits a byte, lowest first.

/// The bytes that open a compressed block.
pub(super) const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// A number that networks store compressed.
pub(crate) trait Weight: Copy + Default + Into<i64> + TryFrom<i64> {
    /// The most bytes that one such number can take.
    const MAX_BYTES: usize;

    /// The number in the low seven bits of a byte.
    fn from_single(byte: u8) -> Self;
}

impl Weight for i16 {
    const MAX_BYTES: usize = 3;

    #[inline]
    fn from_single(byte: u8) -> Self {
        Self::from(((byte << 1) as i8) >> 1)
    }
}

impl Weight for i32 {
    const MAX_BYTES: usize = 5;

    #[inline]
    fn from_single(byte: u8) -> Self {
        Self::from(((byte << 1) as i8) >> 1)
    }
}

/// Decodes numbers from `data` until there are no more, or no room for more in `values`. Unless it is
/// the last piece of a block, a number that may go on in the next one is left. Answers how many
/// bytes were used and how many numbers they gave.
///
/// Most weights are small, so eight bytes are looked at together: those before the first long
/// number are numbers by themselves.
pub(super) fn decode<W: Weight>(
    data: &[u8],
    values: &mut [W],
    is_last: bool,
) -> Result<(usize, usize), &'static str> {
    let (mut at, mut filled) = (0, 0);
    while filled < values.len() && (is_last || data.len() - at >= W::MAX_BYTES) {
        if let (Some(chunk), Some(slots)) =
            (data[at..].first_chunk::<8>(), values[filled..].first_chunk_mut::<8>())
        {
            for (slot, &byte) in slots.iter_mut().zip(chunk) {
                *slot = W::from_single(byte);
            }
            let long = u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080;
            let singles = long.trailing_zeros() as usize / 8;
            at += singles;
            filled += singles;
            // Where the long number is one of the last bytes, it may not be there whole.
            if long == 0 || !is_last && data.len() - at < W::MAX_BYTES {
                continue;
            }
        }
        let (value, length) = decode_one::<W>(&data[at..])?;
        values[filled] = value;
        at += length;
        filled += 1;
    }
    Ok((at, filled))
}

/// The first number of `data` and how many bytes it takes.
#[inline]
fn decode_one<W: Weight>(data: &[u8]) -> Result<(W, usize), &'static str> {
    let mut value = 0_i64;
    for (i, &byte) in data.iter().take(W::MAX_BYTES).enumerate() {
        value |= i64::from(byte & 0x7F) << (7 * i);
        if byte & 0x80 == 0 {
            let unused = 64 - 7 * (i + 1);
            let value = value << unused >> unused;
            return W::try_from(value)
                .map(|value| (value, i + 1))
                .map_err(|_| "a number is too large");
        }
    }
    Err(if data.len() < W::MAX_BYTES { "it ends inside a number" } else { "a number is too long" })
}

/// Appends the shortest form of every number to `out`.
pub(super) fn encode<W: Weight>(values: &[W], out: &mut Vec<u8>) {
    for &value in values {
        let mut rest: i64 = value.into();
        loop {
            let byte = rest as u8 & 0x7F;
            rest >>= 7;
            let done = rest == if byte & 0x40 == 0 { 0 } else { -1 };
            out.push(if done { byte } else { byte | 0x80 });
            if done {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<W: Weight>(values: &[W]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(values, &mut out);
        out
    }

    #[test]
    fn every_word_survives_the_round_trip() {
        let values: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut back = vec![0; values.len()];
        let data = bytes(&values);
        assert_eq!(decode(&data, &mut back, true), Ok((data.len(), values.len())));
        assert_eq!(back, values);
    }

    #[test]
    fn extreme_integers_survive_the_round_trip() {
        let values = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, i32::MIN, i32::MAX];
        let mut back = [0; 11];
        decode(&bytes(&values), &mut back, true).unwrap();
        assert_eq!(back, values);
    }

    #[test]
    fn a_piece_leaves_what_may_go_on() {
        let values: Vec<i16> = (0..800).map(|i| (i * 37) % 300 - 150).collect();
        let data = bytes(&values);
        for cut in 0..data.len() {
            let mut back = vec![0; values.len()];
            let (used, filled) = decode(&data[..cut], &mut back, false).unwrap();
            assert!(used <= cut && cut - used < i16::MAX_BYTES);
            let rest = decode(&data[used..], &mut back[filled..], true).unwrap();
            assert_eq!(rest, (data.len() - used, values.len() - filled));
            assert_eq!(back, values);
        }
    }

    #[test]
    fn known_encodings_are_the_shortest() {
        assert_eq!(bytes(&[2_i16, -2, 127, -127, 128]), [2, 0x7E, 0xFF, 0, 0x81, 0x7F, 0x80, 1]);
    }

    #[test]
    fn damage_is_named() {
        let mut room = [0_i16; 2];
        for (data, words) in [
            (&[1_u8][..], "ends inside"),
            (&[1, 0x80][..], "ends inside"),
            (&[1, 0x80, 0x80, 0x80, 1][..], "too long"),
            (&[1, 0xFF, 0xFF, 0x07][..], "too large"),
        ] {
            let reason = decode(data, &mut room, true).unwrap_err();
            assert!(reason.contains(words), "{reason}");
        }
        assert_eq!(decode(&[1, 2, 3], &mut room, true), Ok((2, 2)));
    }
}
