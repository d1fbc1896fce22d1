//! What the fuzz target of network files does with its bytes. The corpus also runs through here as
//! an ordinary test, without a fuzzer.

use std::sync::OnceLock;

use tandem_nnue::{Architecture, Encoding, FeatureSet, Network, Parameters};

/// The first byte chooses: 0 takes the rest as a file; 1, 2 and 3 take a whole network file, raw,
/// compressed or with threats, and change it. A change is a place of four bytes and the byte to put
/// there; a place behind the end cuts the file. Nothing panics, and what is accepted can be written
/// and read again.
pub fn nnue_load(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    match kind % 4 {
        0 => load(rest),
        kind => {
            let mut bytes = templates()[usize::from(kind) - 1].clone();
            for change in rest.as_chunks::<5>().0 {
                let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]);
                match bytes.get_mut(place as usize) {
                    Some(byte) => *byte = change[4],
                    None => bytes.truncate(bytes.len() - usize::from(change[4])),
                }
            }
            load(&bytes);
        }
    }
}

fn load(bytes: &[u8]) {
    match Network::from_bytes(bytes) {
        Ok(network) => {
            let again = network.to_bytes(network.encoding());
            let again = Network::from_bytes(&again).expect("what was written can be read");
            assert!(again.parameters() == network.parameters());
        }
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
        }
    }
}

/// Networks of the smallest width.
fn templates() -> &'static [Vec<u8>; 3] {
    static TEMPLATES: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    TEMPLATES.get_or_init(|| {
        let file = |features, encoding| {
            let shape = Architecture::new(features, 128).expect("the width is supported");
            let zero = Parameters::zero(shape, "zero");
            Network::from_parameters(&zero).expect("zero is a network").to_bytes(encoding)
        };
        [
            file(FeatureSet::HalfKa, Encoding::Raw),
            file(FeatureSet::HalfKa, Encoding::Leb128),
            file(FeatureSet::HalfKaThreats, Encoding::Leb128),
        ]
    })
}
