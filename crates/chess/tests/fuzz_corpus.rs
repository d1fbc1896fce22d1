//! The corpus of the fuzz targets, run without a fuzzer.

#[path = "../../../fuzz/bodies.rs"]
mod bodies;

use std::fs;
use std::path::PathBuf;

/// Runs every file of a target's corpus.
fn run(target: &str, body: fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut seeds = 0;
    for file in fs::read_dir(&folder).expect("the corpus is there") {
        let path = file.expect("the corpus can be read").path();
        let data = fs::read(&path).expect("a seed can be read");
        // Shown only if the test fails.
        println!("{}", path.display());
        body(&data);
        seeds += 1;
    }
    assert!(seeds >= 24, "only {seeds} seeds in {}", folder.display());
}

#[test]
fn the_corpus_of_fen_and_moves_holds() {
    run("fen_moves", bodies::fen_moves);
}

#[test]
fn the_corpus_of_san_holds() {
    run("san", bodies::san);
}
