//! What stands in a frame.

use tandem_chess::Position;

use super::{Step, Value, VisitedGame, in_order};
use crate::end::End;
use crate::statistics::GameScore;

/// The first byte of a game.
const GAME: u8 = 0;
/// The first byte of a note.
const NOTE: u8 = 1;

/// In the first byte of a move: its position has a value.
const HAS_VALUE: u8 = 1;
/// In the first byte of a move: visits are known.
const HAS_VISITS: u8 = 2;

/// Results by their number in the file.
const RESULTS: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];

/// What a payload holds.
#[allow(clippy::large_enum_variant, reason = "nearly all are games")]
pub enum Payload {
    /// A game.
    Game(VisitedGame),
    /// A sentence about the file.
    Note(String),
}

/// The payload of a note.
pub fn note(text: &str) -> Vec<u8> {
    [&[NOTE], text.as_bytes()].concat()
}

/// The payload of a game.
pub fn game(game: &VisitedGame) -> Vec<u8> {
    let mut out = vec![GAME];
    push_number(&mut out, game.number);
    let start =
        if game.start == Position::startpos() { String::new() } else { game.start.shredder_fen() };
    push_number(&mut out, start.len() as u64);
    out.extend(start.as_bytes());
    push_number(&mut out, game.steps.len() as u64);
    let mut position = game.start;
    for step in &game.steps {
        push_step(&mut out, step, &position);
        position = position.after(step.m);
    }
    let result = RESULTS.iter().position(|&result| result == game.white);
    out.push(result.expect("all results are there") as u8);
    out.push(game.end as u8);
    out
}

fn push_step(out: &mut Vec<u8>, step: &Step, position: &Position) {
    let legal = in_order(position);
    let value = if step.value.is_some() { HAS_VALUE } else { 0 };
    let visits = if step.visits.is_empty() { 0 } else { HAS_VISITS };
    let place = legal.iter().position(|&m| m == step.m);
    out.extend([value | visits, place.expect("games have legal moves") as u8]);
    if let Some(value) = step.value {
        out.extend(value.q.to_le_bytes());
        out.extend(value.draw.to_le_bytes());
    }
    if visits != 0 {
        let mut known = step.visits.iter().peekable();
        for m in legal {
            let visits = known.next_if(|(visited, _)| *visited == m).map_or(0, |&(_, count)| count);
            push_number(out, visits);
        }
    }
}

/// Seven bits a byte, the lowest first; the highest bit of a byte says that another follows.
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The number of a game; none for a note.
pub fn number_of(bytes: &[u8]) -> Result<Option<u64>, String> {
    match bytes.split_first() {
        Some((&GAME, rest)) => Bytes(rest).number().map(Some),
        _ => Ok(None),
    }
}

/// Reads a payload. Its checksum was right, so what is wrong here was written wrongly.
pub fn read(bytes: &[u8]) -> Result<Payload, String> {
    match bytes.split_first() {
        Some((&GAME, rest)) => read_game(&mut Bytes(rest)).map(Payload::Game),
        Some((&NOTE, text)) => match str::from_utf8(text) {
            Ok(text) => Ok(Payload::Note(text.to_owned())),
            Err(_) => Err("a note that is not UTF-8".to_owned()),
        },
        Some((&other, _)) => Err(format!("a frame of unknown kind {other}: a newer format?")),
        None => Err("an empty frame".to_owned()),
    }
}

fn read_game(bytes: &mut Bytes<'_>) -> Result<VisitedGame, String> {
    let number = bytes.number()?;
    let length = bytes.number()?;
    let start = match bytes.take(length)? {
        [] => Position::startpos(),
        text => {
            let text = str::from_utf8(text).map_err(|_| "a position that is not UTF-8")?;
            text.parse().map_err(|error| format!("the start position: {error}"))?
        }
    };
    let mut position = start;
    let mut steps = Vec::new();
    for _ in 0..bytes.number()? {
        let step = bytes.step(&position)?;
        position = position.after(step.m);
        steps.push(step);
    }
    let [result, end] = bytes.next()?;
    let white = RESULTS.get(usize::from(result)).ok_or("a result of unknown kind")?;
    let end = End::ALL.get(usize::from(end)).ok_or("an ending of unknown kind")?;
    if !bytes.0.is_empty() {
        return Err("more bytes than a game".to_owned());
    }
    Ok(VisitedGame { number, start, steps, white: *white, end: *end })
}

/// What is left of a payload.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8], String> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (taken, rest) = self.0.split_at_checked(count).ok_or("a game that ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn next<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N as u64)?);
        Ok(out)
    }

    fn number(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number without an end".to_owned())
    }

    fn step(&mut self, position: &Position) -> Result<Step, String> {
        let legal = in_order(position);
        let [flags, place] = self.next()?;
        if flags & !(HAS_VALUE | HAS_VISITS) != 0 {
            return Err(format!("unknown flags {flags:#04x}: a newer format?"));
        }
        let m = legal.get(usize::from(place)).copied();
        let m = m.ok_or_else(|| format!("move {place} of {} legal ones", legal.len()))?;
        let value = if flags & HAS_VALUE == 0 {
            None
        } else {
            let (q, draw) = (i16::from_le_bytes(self.next()?), u16::from_le_bytes(self.next()?));
            Some(Value { q, draw })
        };
        let mut visits = Vec::new();
        if flags & HAS_VISITS != 0 {
            for m in legal {
                visits.push((m, self.number()?));
            }
            visits.retain(|&(_, count)| count > 0);
        }
        Ok(Step { m, value, visits })
    }
}
