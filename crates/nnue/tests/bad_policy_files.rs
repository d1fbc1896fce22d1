//! Whatever a file holds, loading it answers with a policy network or with one sentence.

mod common;

use std::fs;

use common::Random;
use tandem_nnue::{Digest, PolicyNetwork, PolicyParameters};

const HIDDEN: usize = 64;

/// A network, with weights that are worth compressing.
fn whole() -> Vec<u8> {
    PolicyParameters::random(HIDDEN, 1).to_bytes()
}

/// The arrays and where they begin, behind a head of 20 bytes and the description. A compressed block has
/// its length behind 17 letters.
fn sections() -> [(&'static str, usize); 6] {
    let (numbers, bytes) = (PolicyParameters::random(HIDDEN, 1), whole());
    let input_biases = 20 + numbers.description.len();
    let block = |at: usize| {
        assert!(bytes[at..].starts_with(b"COMPRESSED_LEB128"));
        at + 21 + u32::from_le_bytes(bytes[at + 17..at + 21].try_into().unwrap()) as usize
    };
    let input_weights = block(input_biases);
    let output_biases = block(input_weights);
    let output_weights = block(output_biases);
    [
        ("input biases", input_biases),
        ("input weights", input_weights),
        ("output biases", output_biases),
        ("output weights", output_weights),
        ("checksum", bytes.len() - 8),
        ("end", bytes.len()),
    ]
}

fn refused(bytes: &[u8]) -> String {
    let sentence = PolicyNetwork::from_bytes(bytes).unwrap_err().to_string();
    assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
    sentence
}

fn says(bytes: &[u8], words: &str) {
    let sentence = refused(bytes);
    assert!(sentence.contains(words), "{words}: {sentence}");
}

fn with(at: usize, word: u32) -> Vec<u8> {
    let mut bytes = whole();
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

#[test]
fn other_files_are_told_apart() {
    says(b"", "ends inside the first word");
    says(b"<html>not a network", "starts with \"<htm\"");
    says(&with(0, 0x7AF3_2F20), "no policy network");
    says(&with(4, 2), "of version 2");
    for hidden in [0, 1, 63, 100, 2112, 1 << 20, u32::MAX] {
        says(&with(8, hidden), &format!("has {hidden} neurons"));
    }
    says(&with(8, 2048), "more bytes are needed");
    for temperature in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        says(&with(12, f32::to_bits(temperature)), "temperature is");
    }
    says(&with(16, u32::MAX), "description claims 4294967295 bytes");
    says(&with(16, 65_536), "more bytes are needed");
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let bytes = whole();
    for end in 0..20 {
        says(&bytes[..end], "ends inside the");
    }
    let sections = sections();
    for pair in sections.windows(2) {
        let (start, end) = (pair[0].1, pair[1].1);
        for cut in [start, start + 1, usize::midpoint(start, end), end - 1] {
            says(&bytes[..cut], "more bytes are needed");
        }
    }
    // A block that is too short for its numbers, though the file goes on.
    for &(name, at) in &sections[..3] {
        let mut bytes = bytes.clone();
        let length = u32::from_le_bytes(bytes[at + 17..at + 21].try_into().unwrap());
        bytes[at + 17..at + 21].copy_from_slice(&(length - 10).to_le_bytes());
        says(&bytes, name);
    }
    says(&[&bytes[..], &[0; 7]].concat(), "7 bytes too many");
}

#[test]
fn one_wrong_bit_anywhere_is_noticed() {
    let bytes = whole();
    let mut random = Random(5);
    let starts = sections();
    let anywhere = (0..200).map(|_| random.below(bytes.len())).collect::<Vec<_>>();
    for at in anywhere.into_iter().chain(starts[..5].iter().map(|section| section.1)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        refused(&damaged);
    }
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 0x80;
    says(&damaged, "ends with the checksum");
    let mut damaged = bytes;
    damaged[starts[3].1 + 5] ^= 1;
    says(&damaged, "ends with the checksum");
}

#[test]
fn a_file_has_to_keep_what_its_name_promises() {
    let folder = std::env::temp_dir().join(format!("tandem-policy-names-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let bytes = whole();
    let name = format!("{}.policy", Digest::of(&bytes).policy_name());
    let (right, wrong) = (folder.join(&name), folder.join("pn-0123456789ab.policy"));
    for path in [&right, &wrong] {
        fs::write(path, &bytes).unwrap();
    }
    assert_eq!(PolicyNetwork::load(&right).unwrap().hidden(), HIDDEN);
    let sentence = PolicyNetwork::load(&wrong).unwrap_err().to_string();
    assert!(sentence.starts_with(wrong.to_str().unwrap()), "{sentence}");
    assert!(sentence.contains("promises a SHA-256 that begins 0123456789ab"), "{sentence}");
    let sentence = PolicyNetwork::load(folder.join("none.policy")).unwrap_err().to_string();
    assert!(sentence.contains("cannot be read"), "{sentence}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mutated_files_never_panic() {
    let original = whole();
    let mut random = Random(3);
    for _ in 0..300 {
        let mut bytes = original.clone();
        for _ in 0..=random.below(4) {
            let range = if random.below(2) == 0 { 200 } else { bytes.len() };
            let at = random.below(range);
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.next() as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(bytes.len() - random.below(1000)),
            }
        }
        if bytes != original {
            refused(&bytes);
        }
    }
}
