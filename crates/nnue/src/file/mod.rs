//! Reading and writing `.nnue` files.
//!
//! `version | hash | description | transformer | 8 layer stacks`, everything little-endian. The
//! transformer's numbers are raw or LEB128; a written network keeps the form it was read in unless
//! another is asked for, so that reading and writing gives the same bytes.

mod leb128;
mod reader;
mod writer;

use std::io::Read;

use memmap2::MmapMut;

pub(crate) use self::reader::Reader;
pub(crate) use self::writer::{shorter_numbers, write};
use crate::architecture::{
    Architecture, BUCKETS, FC0_OUT, FC1_IN, FC1_OUT, FeatureSet, HALFKA_ROWS, VERSION,
};
use crate::image::{Image, Layout, Stack};
use crate::{Encoding, NetworkError};

/// The longest description that is believed.
pub(crate) const MAX_DESCRIPTION: usize = 1 << 16;

/// What the head of a file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub architecture: Architecture,
    pub description: Vec<u8>,
    pub encoding: Encoding,
}

impl Header {
    /// How many bytes of the file the header takes; the parameters follow.
    pub fn size(&self) -> usize {
        4 * size_of::<u32>() + self.description.len()
    }
}

/// The header and how the parameters begin fit into so many bytes.
pub(crate) const HEAD: usize = MAX_DESCRIPTION + 64;

/// Reads the header from the first bytes of a file of that length, up to [`HEAD`] of them, and
/// checks that its hashes and the length are possible.
pub(crate) fn parse_header(head: &[u8], length: usize) -> Result<Header, NetworkError> {
    let mut reader = Reader::new(head, length);
    let version = reader.word("version")?;
    if version != VERSION {
        return Err(NetworkError::Version { found: version });
    }
    let hash = reader.word("header")?;
    let description_length = reader.word("header")? as usize;
    if description_length > MAX_DESCRIPTION {
        return Err(NetworkError::Description { found: description_length });
    }
    let mut description = vec![0; description_length];
    reader.bytes("description", &mut description)?;
    let architecture = Architecture::from_transformer_hash(reader.word("transformer's hash")?)?;
    let expected = architecture.hash();
    if hash != expected {
        return Err(NetworkError::Hash { part: "header", found: hash, expected });
    }
    let start = head.get(length - reader.left()..).unwrap_or_default();
    let is_compressed = start.starts_with(leb128::MAGIC);
    let encoding = if is_compressed { Encoding::Leb128 } else { Encoding::Raw };
    match least_size(architecture, encoding).checked_sub(reader.left()) {
        None | Some(0) => Ok(Header { architecture, description, encoding }),
        Some(missing) => Err(NetworkError::Truncated { part: "parameters", missing }),
    }
}

/// Reads the parameters, for which the source has `length` bytes, into a new block of memory.
pub(crate) fn parse_parameters(
    header: &Header,
    source: impl Read,
    length: usize,
) -> Result<MmapMut, NetworkError> {
    let mut reader = Reader::new(source, length);
    let shape = header.architecture;
    let layout = Layout::new(shape);
    let mut image = Image::allocate(layout.size())?;
    transformer(&mut reader, shape, &layout, &mut image)?;
    for bucket in 0..BUCKETS {
        reader.hash("layer stack", shape.stack_hash())?;
        stack(&mut reader, shape, &mut image[layout.stack(bucket)])?;
    }
    match reader.left() {
        0 => Ok(image),
        extra => Err(NetworkError::Trailing { extra }),
    }
}

/// The fewest bytes that the parameters of such a network can take: every compressed number takes
/// at least one. Memory is only asked for when the file has them.
fn least_size(shape: Architecture, encoding: Encoding) -> usize {
    let (word, integer) = match encoding {
        Encoding::Raw => (2, 4),
        Encoding::Leb128 => (1, 1),
    };
    let rows = HALFKA_ROWS + shape.threat_rows();
    let stack = 4 + FC0_OUT * (4 + shape.l1) + FC1_OUT * (4 + FC1_IN) + 4 + FC1_OUT;
    word * shape.l1 * (HALFKA_ROWS + 1)
        + shape.l1 * shape.threat_rows()
        + integer * BUCKETS * rows
        + BUCKETS * stack
}

fn transformer(
    reader: &mut Reader<impl Read>,
    shape: Architecture,
    layout: &Layout,
    image: &mut [u8],
) -> Result<(), NetworkError> {
    fn words(bytes: &mut [u8]) -> &mut [i16] {
        bytemuck::cast_slice_mut(bytes)
    }
    fn integers(bytes: &mut [u8]) -> &mut [i32] {
        bytemuck::cast_slice_mut(bytes)
    }
    reader.numbers("biases", words(&mut image[layout.biases.clone()]))?;
    if shape.features == FeatureSet::HalfKaThreats {
        reader.bytes("threat weights", &mut image[layout.threat_weights.clone()])?;
    }
    reader.numbers("weights", words(&mut image[layout.weights.clone()]))?;
    let psqt = layout.threat_psqt.start..layout.psqt.end;
    reader.numbers("piece-square values", integers(&mut image[psqt]))
}

fn stack(
    reader: &mut Reader<impl Read>,
    shape: Architecture,
    stack: &mut [u8],
) -> Result<(), NetworkError> {
    const PART: &str = "layer stack";
    let mut copy = |at: usize, count: usize| reader.bytes(PART, &mut stack[at..at + count]);
    copy(Stack::FC0_BIASES, 4 * FC0_OUT)?;
    copy(Stack::FC0_WEIGHTS, FC0_OUT * shape.l1)?;
    copy(Stack::FC1_BIASES, 4 * FC1_OUT)?;
    copy(Stack::FC1_WEIGHTS, FC1_OUT * FC1_IN)?;
    copy(Stack::FC2_BIAS, 4)?;
    copy(Stack::FC2_WEIGHTS, FC1_OUT)?;
    let group = |weights: &mut [u8], inputs: usize| {
        let rows = weights.to_vec();
        for (to, from) in grouped(rows.len() / inputs, inputs).enumerate() {
            weights[to] = rows[from];
        }
    };
    group(&mut stack[Stack::FC0_WEIGHTS..], shape.l1);
    group(&mut stack[Stack::FC1_WEIGHTS..Stack::FC0_WEIGHTS], FC1_IN);
    Ok(())
}

/// For each place of the grouped order (see [`Stack`]), the place of its weight in a file, where
/// weights are stored output by output.
pub(crate) fn grouped(outputs: usize, inputs: usize) -> impl Iterator<Item = usize> {
    (0..inputs).step_by(4).flat_map(move |first| {
        (0..outputs).flat_map(move |output| (0..4).map(move |i| output * inputs + first + i))
    })
}
