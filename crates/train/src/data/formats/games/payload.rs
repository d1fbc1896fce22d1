//! What stands in a frame.

use tandem_chess::Position;

use super::super::{board, moves};
use crate::data::{Branch, GameResult, Label, Record, Recorder};

/// The first byte of a game.
const GAME: u8 = 0;
/// The first byte of a note.
const NOTE: u8 = 1;
/// The first byte of a mark.
const MARK: u8 = 2;
/// In the second byte of a game: it begins with the start position of standard chess.
const STANDARD_START: u8 = 4;

/// How far a source has been worked through: the games before the mark are all that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The source's name.
    pub source: String,
    /// The byte of the source at which work goes on.
    pub offset: u64,
    /// How many games of the source lie before that.
    pub games: u64,
}

/// What a payload holds.
#[allow(clippy::large_enum_variant, reason = "nearly all are games")]
#[derive(Debug, PartialEq, Eq)]
pub enum Payload {
    /// A game.
    Game(Record),
    /// A sentence about the file.
    Note(String),
    /// How far a source has been worked through.
    Mark(Mark),
}

/// The payload of a game.
pub fn game(record: &Record) -> Vec<u8> {
    let (plies, branches) = (record.plies(), record.branches());
    let mut out = Vec::with_capacity(40 + 4 * plies.len() + 8 * branches.len());
    let result = record.result();
    if *record.start() == Position::startpos() {
        out.extend([GAME, STANDARD_START | result.index() as u8]);
    } else {
        out.extend([GAME, result.index() as u8]);
        out.extend(board::pack(record.start(), result));
    }
    out.extend((plies.len() as u16).to_le_bytes());
    out.extend((branches.len() as u16).to_le_bytes());
    for ply in plies {
        out.extend(moves::to_bits(ply.m).to_le_bytes());
        out.extend(Label::to_file(ply.label).to_le_bytes());
    }
    for branch in branches {
        out.extend((branch.at as u16).to_le_bytes());
        out.push(branch.moves.len() as u8);
        for &m in &branch.moves {
            out.extend(moves::to_bits(m).to_le_bytes());
        }
        out.extend(Label::to_file(branch.label).to_le_bytes());
    }
    out
}

/// The payload of a note.
pub fn note(text: &str) -> Vec<u8> {
    let mut out = vec![NOTE];
    out.extend(text.as_bytes());
    out
}

/// The payload of a mark.
pub fn mark(mark: &Mark) -> Vec<u8> {
    let mut out = vec![MARK];
    out.extend(mark.offset.to_le_bytes());
    out.extend(mark.games.to_le_bytes());
    out.extend(mark.source.as_bytes());
    out
}

/// Reads a payload. Its checksum was right, so what is wrong here was written wrongly.
pub fn read(bytes: &[u8]) -> Result<Payload, String> {
    match bytes.split_first() {
        Some((&GAME, rest)) => read_game(rest).map(Payload::Game),
        Some((&NOTE, text)) => read_text(text).map(Payload::Note),
        Some((&MARK, rest)) => {
            let mut bytes = Bytes(rest);
            let offset = u64::from_le_bytes(bytes.next()?);
            let games = u64::from_le_bytes(bytes.next()?);
            Ok(Payload::Mark(Mark { source: read_text(bytes.0)?, offset, games }))
        }
        Some((&other, _)) => Err(format!("a frame of unknown kind {other}: a newer format?")),
        None => Err("an empty frame".into()),
    }
}

fn read_text(bytes: &[u8]) -> Result<String, String> {
    str::from_utf8(bytes).map(str::to_owned).map_err(|_| "a text that is not UTF-8".into())
}

fn read_game(bytes: &[u8]) -> Result<Record, String> {
    let mut bytes = Bytes(bytes);
    let [flags] = bytes.next()?;
    let result = GameResult::from_index(flags & 3).ok_or("a result number 3, expected 0 to 2")?;
    let start = match flags & !3 {
        STANDARD_START => Position::startpos(),
        0 => board::unpack(&bytes.next()?)?.position,
        other => return Err(format!("unknown flags {other:#04x}: a newer format?")),
    };
    let plies = bytes.number()?;
    let branches = bytes.number()?;
    let mut line = Bytes(bytes.take(4 * usize::from(plies))?);
    let mut recorder = Recorder::new(start);
    let mut branch = bytes.branch(branches > 0)?;
    let mut left = branches;
    for ply in 0..=usize::from(plies) {
        while let Some(now) = branch.take_if(|branch| branch.at == ply) {
            recorder.branch(&now.moves, now.label).map_err(|error| error.to_string())?;
            left -= 1;
            branch = bytes.branch(left > 0)?;
        }
        if ply < usize::from(plies) {
            let m = line.legal_looking()?;
            let label = line.label()?;
            recorder.play(m, label).map_err(|error| error.to_string())?;
        }
    }
    if branch.is_some() || !bytes.0.is_empty() {
        return Err("positions off the line in the wrong order, or more bytes than a game".into());
    }
    Ok(recorder.finish(result))
}

/// What is left of a payload.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("a game that ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn next<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn number(&mut self) -> Result<u16, String> {
        Ok(u16::from_le_bytes(self.next()?))
    }

    fn label(&mut self) -> Result<Option<Label>, String> {
        Ok(Label::from_file(i16::from_le_bytes(self.next()?)))
    }

    fn legal_looking(&mut self) -> Result<tandem_chess::Move, String> {
        let bits = self.number()?;
        moves::from_bits(bits).ok_or_else(|| format!("{bits:#06x} is no move"))
    }

    fn branch(&mut self, expected: bool) -> Result<Option<Branch>, String> {
        if !expected {
            return Ok(None);
        }
        let at = usize::from(self.number()?);
        let [count] = self.next()?;
        if usize::from(count) > Branch::MAX_MOVES {
            return Err(format!("a position {count} moves off the line"));
        }
        let moves = (0..count).map(|_| self.legal_looking()).collect::<Result<_, _>>()?;
        Ok(Some(Branch { at, moves, label: self.label()? }))
    }
}
