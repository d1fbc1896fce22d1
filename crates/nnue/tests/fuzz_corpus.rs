//! The corpus of the fuzz target, run without a fuzzer.

#[path = "../../../fuzz/nnue_bodies.rs"]
mod nnue_bodies;

use std::fs;
use std::path::PathBuf;

#[test]
fn the_corpus_of_network_files_holds() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/nnue_load");
    let mut seeds = 0;
    for file in fs::read_dir(&folder).expect("the corpus is there") {
        let path = file.expect("the corpus can be read").path();
        // Shown only if the test fails.
        println!("{}", path.display());
        nnue_bodies::nnue_load(&fs::read(&path).expect("a seed can be read"));
        seeds += 1;
    }
    assert!(seeds >= 16, "only {seeds} seeds in {}", folder.display());
}
