//! Real network files.

mod common;

use std::time::Instant;

use tandem_nnue::{Encoding, Network};

#[test]
fn real_files_are_rewritten_byte_for_byte() {
    for name in common::NAMES {
        let path = common::path(name);
        let start = Instant::now();
        let network = Network::load(&path).unwrap();
        eprintln!("{name}: {} in {:?}", network.architecture(), start.elapsed());
        let bytes = std::fs::read(&path).unwrap();
        assert!(network.to_bytes(network.encoding()) == bytes, "{name} changed");
    }
}

#[test]
fn the_other_encoding_holds_the_same_network() {
    let path = common::path(common::SMALL);
    let network = Network::load(&path).unwrap();
    assert_eq!(network.encoding(), Encoding::Leb128);
    let raw = Network::from_bytes(&network.to_bytes(Encoding::Raw)).unwrap();
    assert_eq!(raw.encoding(), Encoding::Raw);
    assert!(raw.to_bytes(Encoding::Leb128) == std::fs::read(&path).unwrap());
}
