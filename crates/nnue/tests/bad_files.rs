//! Whatever a file holds, loading it answers with a network or with one sentence.

mod common;

use std::fs;
use std::path::PathBuf;

use common::Random;
use tandem_nnue::{Architecture, Encoding, FeatureSet, Network, Parameters};

/// A file in the temporary folder that disappears with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, content: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("tandem-bad-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        Self(path)
    }

    /// What loading it says.
    fn sentence(&self) -> String {
        let sentence = Network::load(&self.0).unwrap_err().to_string();
        assert!(sentence.contains(self.0.to_str().unwrap()), "{sentence}");
        assert!(!sentence.contains('\n'), "{sentence}");
        sentence
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.0.parent().unwrap());
    }
}

fn small() -> Vec<u8> {
    fs::read(common::path(common::SMALL)).unwrap()
}

fn says(name: &str, content: &[u8], words: &str) {
    let sentence = Temporary::new(name, content).sentence();
    assert!(sentence.contains(words), "{name}: {sentence}");
}

#[test]
fn a_missing_file_is_named() {
    let sentence = Network::load("no/such/file.nnue").unwrap_err().to_string();
    assert!(sentence.starts_with("no/such/file.nnue: the file cannot be read"), "{sentence}");
}

#[test]
fn other_files_are_told_apart() {
    let bytes = small();
    let with = |at: usize, word: u32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        changed
    };
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let transformer = 12 + length;
    says("empty", b"", "ends inside the version");
    says("text", b"not a network at all", "no .nnue network of a supported version");
    says("version", &with(0, 0x7AF3_2F21), "it starts with 0x7af32f21");
    says("features", &with(transformer, 0x5D69_D7B8), "features are unknown");
    says("wide", &with(transformer, 0x7F23_4CB8 ^ 0x3_0D40), "first layer has 100000 neurons");
    says("odd", &with(transformer, 0x7F23_4CB8 ^ 0xC8), "first layer has 100 neurons");
    says("hash", &with(4, 0x1234_5678), "the header has the hash 0x12345678");
    says("description", &with(8, u32::MAX), "description claims 4294967295 bytes");
    let huge = FeatureSet::HalfKaThreats;
    let huge = Architecture { features: huge, l1: 8192 };
    let mut claim = with(transformer, huge.transformer_hash());
    claim[4..8].copy_from_slice(&huge.hash().to_le_bytes());
    says("claim", &claim, "more bytes are needed");
}

#[test]
fn damage_is_told_from_the_name_or_from_the_structure() {
    let bytes = small();
    let mut flipped = bytes.clone();
    flipped[2_000_000] ^= 1;
    says("nn-37f18f62d772.nnue", &flipped, "name promises a SHA-256 that begins 37f18f62d772");
    let trailing = [&bytes[..], &[0; 7]].concat();
    says("trailing", &trailing, "7 bytes too many");
    says("half", &bytes[..bytes.len() / 2], "more bytes are needed");
    let last_stack = bytes.len() - 100;
    says("cut", &bytes[..last_stack], "ends inside the layer stack: ");
}

#[test]
fn mutated_files_never_panic() {
    let originals = [small(), {
        let shape = Architecture { features: FeatureSet::HalfKa, l1: 128 };
        Network::from_parameters(&Parameters::zero(shape, "zero")).unwrap().to_bytes(Encoding::Raw)
    }];
    let mut random = Random(3);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..240 {
        let mut bytes = originals[round % 2].clone();
        for _ in 0..=random.below(4) {
            // Half of the changes hit the head or the beginning of the first block.
            let range = if random.below(2) == 0 { 200 } else { bytes.len() };
            let at = random.below(range);
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.next() as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(bytes.len() - random.below(1000)),
            }
        }
        match Network::from_bytes(&bytes) {
            Ok(network) => {
                accepted += 1;
                let again = Network::from_bytes(&network.to_bytes(network.encoding())).unwrap();
                assert!(again.parameters() == network.parameters());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 10 && refused > 100, "{accepted} accepted, {refused} refused");
}
