//! A stream of bits, the highest of each byte first.

/// Scores are written in groups of so many bits, each with one more that says whether another
/// follows.
const GROUP: u32 = 4;

/// How many bits a number below `count` needs.
pub const fn needed(count: u32) -> u32 {
    if count == 0 { 0 } else { 32 - (count - 1).leading_zeros() }
}

/// Writes bits.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Free bits in the last byte.
    free: u32,
}

impl BitWriter {
    /// Adds the lowest `count` bits, at most 8.
    pub fn put(&mut self, value: u32, count: u32) {
        for place in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            let bit = (value >> place & 1) as u8;
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << self.free;
            }
        }
    }

    /// Adds a number in groups, the lowest first.
    pub fn put_groups(&mut self, mut value: u16) {
        loop {
            let group = u32::from(value) & ((1 << GROUP) - 1);
            value >>= GROUP;
            self.put(group | u32::from(value != 0) << GROUP, GROUP + 1);
            if value == 0 {
                return;
            }
        }
    }

    /// The bytes, the last filled with zeros.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads bits.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// How many bits have been read.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the first bit on.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `count` bits, at most 8; none if they are not there.
    pub fn get(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    /// A number in groups; none if it is cut off or has more than 16 bits.
    pub fn get_groups(&mut self) -> Option<u16> {
        let mut value = 0_u32;
        for place in 0..4 {
            let group = self.get(GROUP + 1)?;
            value |= (group & ((1 << GROUP) - 1)) << (place * GROUP);
            if group >> GROUP == 0 {
                return u16::try_from(value).ok();
            }
        }
        None
    }

    /// How many bytes have been begun.
    pub const fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut writer = BitWriter::default();
        for value in 0..300_u16 {
            writer.put(u32::from(value) % 32, 5);
            writer.put_groups(value * 211);
            writer.put(0, 0);
        }
        let bytes = writer.into_bytes();
        let mut reader = BitReader::new(&bytes);
        for value in 0..300_u16 {
            assert_eq!(reader.get(5), Some(u32::from(value) % 32));
            assert_eq!(reader.get_groups(), Some(value * 211));
        }
        assert_eq!(reader.bytes_read(), bytes.len());
        assert_eq!(reader.get(8), None);
        assert_eq!(BitReader::new(&[0xff; 9]).get_groups(), None, "a number without an end");
    }

    #[test]
    fn as_many_bits_as_needed() {
        assert_eq!([0, 1, 2, 3, 4, 5, 16, 17].map(needed), [0, 0, 1, 2, 2, 3, 4, 5]);
    }
}
