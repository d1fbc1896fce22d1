//! The fuzzer's way into `bodies::fen_moves`.
#![no_main]

#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::fen_moves(data));
