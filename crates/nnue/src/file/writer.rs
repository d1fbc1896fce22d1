//! Writing a network in the form of its family.

use super::Header;
use super::leb128::{self, Weight};
use crate::Encoding;
use crate::architecture::{BUCKETS, FC1_IN, FeatureSet, VERSION};
use crate::image::{Layout, Stack};
use crate::parameters::ungrouped;

/// The bytes of the file that holds that network.
pub(crate) fn write(header: &Header, layout: &Layout, image: &[u8]) -> Vec<u8> {
    let shape = header.architecture;
    let mut out = Vec::with_capacity(image.len());
    for word in [VERSION, shape.hash(), header.description.len() as u32] {
        out.extend(word.to_le_bytes());
    }
    out.extend(&header.description);
    out.extend(shape.transformer_hash().to_le_bytes());

    let encoding = header.encoding;
    numbers::<i16>(&image[layout.biases.clone()], encoding, &mut out);
    if shape.features == FeatureSet::HalfKaThreats {
        out.extend(&image[layout.threat_weights.clone()]);
    }
    numbers::<i16>(&image[layout.weights.clone()], encoding, &mut out);
    numbers::<i32>(&image[layout.threat_psqt.start..layout.psqt.end], encoding, &mut out);

    for bucket in 0..BUCKETS {
        out.extend(shape.stack_hash().to_le_bytes());
        stack(&Stack::new(&image[layout.stack(bucket)]), shape.l1, &mut out);
    }
    out
}

fn numbers<W: Weight + bytemuck::Pod>(bytes: &[u8], encoding: Encoding, out: &mut Vec<u8>) {
    match encoding {
        Encoding::Raw => out.extend(bytes),
        Encoding::Leb128 => {
            out.extend(leb128::MAGIC);
            let length_at = out.len();
            out.extend([0; 4]);
            leb128::encode::<W>(bytemuck::cast_slice(bytes), out);
            let length = (out.len() - length_at - 4) as u32;
            out[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
        }
    }
}

/// Appends a block of numbers, compressed if that is shorter.
pub(crate) fn shorter_numbers<W: Weight + bytemuck::Pod>(values: &[W], out: &mut Vec<u8>) {
    let raw: &[u8] = bytemuck::cast_slice(values);
    let start = out.len();
    numbers::<W>(raw, Encoding::Leb128, out);
    if out.len() - start >= raw.len() {
        out.truncate(start);
        out.extend(raw);
    }
}

fn stack(stack: &Stack, l1: usize, out: &mut Vec<u8>) {
    let bytes = |weights: &[i8]| bytemuck::cast_slice::<i8, u8>(weights).to_vec();
    out.extend(bytemuck::bytes_of(stack.fc0_biases));
    out.extend(bytes(&ungrouped(stack.fc0_weights, l1)));
    out.extend(bytemuck::bytes_of(stack.fc1_biases));
    out.extend(bytes(&ungrouped(stack.fc1_weights, FC1_IN)));
    out.extend(stack.fc2_bias.to_le_bytes());
    out.extend(bytes(stack.fc2_weights));
}
