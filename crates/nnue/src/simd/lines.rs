//! Cache lines: the unit in which vectors read and write, so that alignment is part of the type.

use bytemuck::{Pod, Zeroable};

use crate::architecture::BUCKETS;

macro_rules! line {
    ($(#[$doc:meta])* $name:ident([$number:ty; $count:expr]), align $alignment:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(C, align($alignment))]
        pub(crate) struct $name(pub [$number; $count]);

        const _: () = assert!(size_of::<$name>() == $count * size_of::<$number>());
        // SAFETY: an array of integers without padding, as just checked; all zero is a value.
        unsafe impl Zeroable for $name {}
        // SAFETY: as above; every pattern of bits is a value.
        unsafe impl Pod for $name {}
    };
}

line!(
    /// Neurons, or weights of pieces.
    Words([i16; 32]), align 64
);
line!(
    /// Weights of threats, or of the layers.
    Bytes([i8; 64]), align 64
);
line!(
    /// A piece-square value, or a sum of them, for each bucket.
    Psqt([i32; BUCKETS]), align 32
);

impl Words {
    /// Neurons in a line.
    pub const LEN: usize = 32;
}

impl Bytes {
    /// Weights in a line.
    pub const LEN: usize = 64;
}

impl Psqt {
    /// Nothing.
    pub const ZERO: Self = Self([0; BUCKETS]);
}
