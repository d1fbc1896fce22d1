//! A chain: a stem and the moves that follow it.

use super::bits::{BitReader, BitWriter};
use super::stem::{self, Stem};
use super::{targets, unzigzag, zigzag};
use crate::data::{Record, Recorder};

/// What a chain is at least: a stem and the number of moves that follow.
pub const LEAST: usize = stem::SIZE + 2;

/// Adds the chain of a game that has at least one move; a sentence says what it cannot hold.
pub fn put(record: &Record, out: &mut Vec<u8>) -> Result<(), String> {
    let Some((first, rest)) = record.plies().split_first() else { return Ok(()) };
    let stem =
        Stem { position: *record.start(), m: first.m, label: first.label, result: record.result() };
    out.extend(stem.pack()?);
    out.extend((rest.len() as u16).to_be_bytes());
    let mut bits = BitWriter::default();
    let mut position = stem.position.after(first.m);
    let mut score = stem::score_to_file(first.label, stem.position.side_to_move());
    for ply in rest {
        targets::put(ply.m, &position, &mut bits);
        // The expectation is that the score stays the same, seen from the other side.
        let expected = score.wrapping_neg();
        score = stem::score_to_file(ply.label, position.side_to_move());
        bits.put_groups(zigzag(score.wrapping_sub(expected)));
        position = position.after(ply.m);
    }
    out.extend(bits.into_bytes());
    Ok(())
}

/// Reads a chain and says how long it is, or what is wrong at which of its bytes.
pub fn get(bytes: &[u8]) -> Result<(Record, usize), (usize, String)> {
    let early = || (bytes.len(), "the data end within a chain of positions".to_owned());
    let stem = bytes.first_chunk().ok_or_else(early)?;
    let stem = Stem::unpack(stem).map_err(|reason| (0, reason))?;
    let (&count, bits) = bytes[stem::SIZE..].split_first_chunk().ok_or_else(early)?;
    let mut recorder = Recorder::new(stem.position);
    recorder.play(stem.m, stem.label).map_err(|error| (24, error.to_string()))?;
    let mut score = stem::score_to_file(stem.label, stem.position.side_to_move());
    let mut input = BitReader::new(bits);
    for _ in 0..u16::from_be_bytes(count) {
        let at = LEAST + input.bytes_read().saturating_sub(1);
        let side = recorder.position().side_to_move();
        let m = targets::get(recorder.position(), &mut input);
        let m = m.ok_or_else(|| (at, "bits that are no move".to_owned()))?;
        let change = input.get_groups();
        let change = change.ok_or_else(|| (at, "bits that are no score".to_owned()))?;
        score = score.wrapping_neg().wrapping_add(unzigzag(change));
        let label = stem::score_from_file(score, side);
        recorder.play(m, label).map_err(|error| (at, error.to_string()))?;
    }
    Ok((recorder.finish(stem.result), LEAST + input.bytes_read()))
}
