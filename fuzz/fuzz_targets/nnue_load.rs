//! The fuzzer's way into `nnue_bodies::nnue_load`.
#![no_main]

#[path = "../nnue_bodies.rs"]
mod nnue_bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| nnue_bodies::nnue_load(data));
