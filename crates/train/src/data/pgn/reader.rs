//! Cutting a stream of PGN into the texts of single games.

use std::io::Read;

use super::BrokenGame;
use crate::data::io::Window;
use crate::data::{DataError, Mark};

/// No game is longer; a larger one is something else.
const MAX_GAME: usize = 4 << 20;
/// How much more is looked at when the end of a game is not yet in sight.
const STEP: usize = 1 << 16;

/// The text of one game and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins.
    pub offset: u64,
    /// Tags and moves.
    pub text: Vec<u8>,
}

/// Cuts a stream of PGN into games. A game begins with its first tag; where a game is broken, for
/// instance by a comment without an end, the next `Event` tag at the beginning of a line still begins
/// a new one.
pub struct PgnReader<R> {
    input: Window<R>,
    number: u64,
}

impl<R: Read> PgnReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        Self { input: Window::new(input, file), number: 0 }
    }

    /// Goes on where a mark says, to which the stream has been wound forward.
    pub fn resume(input: R, mark: &Mark) -> Self {
        let number = mark.games;
        Self { input: Window::at(input, &mark.source, mark.offset), number }
    }

    /// How far the stream has been read.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark { source: self.input.file().to_owned(), offset: self.offset(), games: self.number }
    }

    /// How many bytes have been read.
    pub const fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// The next game, or what is broken about it; none at the end.
    ///
    /// # Errors
    /// The system cannot read.
    pub fn next_game(&mut self) -> Result<Option<Result<PgnGame, BrokenGame>>, DataError> {
        self.skip_space()?;
        let offset = self.input.offset();
        let Some(length) = self.find_end()? else {
            if self.input.seen().is_empty() {
                return Ok(None);
            }
            self.number += 1;
            self.skip_overlong()?;
            let reason = format!("no end within {} MiB", MAX_GAME >> 20);
            return Ok(Some(Err(BrokenGame { number: self.number, offset, reason })));
        };
        self.number += 1;
        let text = self.input.seen()[..length].to_vec();
        self.input.take(length);
        Ok(Some(Ok(PgnGame { number: self.number, offset, text })))
    }

    /// Passes over white space and a byte-order mark.
    fn skip_space(&mut self) -> Result<(), DataError> {
        if self.input.offset() == 0 && self.input.look(3)?.starts_with(b"\xef\xbb\xbf") {
            self.input.take(3);
        }
        loop {
            let bytes = self.input.look(1)?;
            let space = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let is_all = space == bytes.len();
            if space == 0 {
                return Ok(());
            }
            self.input.take(space);
            if !is_all {
                return Ok(());
            }
        }
    }

    /// How long the game here is; none if there is none or its end is too far away.
    fn find_end(&mut self) -> Result<Option<usize>, DataError> {
        let mut scanned = 0;
        let mut wanted = STEP;
        loop {
            let seen = self.input.look(wanted)?;
            let is_rest = seen.len() < wanted;
            // A tag must be in sight as far as its name, or it is not one.
            let limit = if is_rest { seen.len() } else { seen.len() - EVENT.len() - 2 };
            if let Some(end) = boundary(seen, scanned, limit) {
                return Ok(Some(end));
            }
            if seen.is_empty() || seen.len() > MAX_GAME {
                return Ok(None);
            }
            if is_rest {
                return Ok(Some(seen.len()));
            }
            scanned = limit.saturating_sub(1);
            wanted += STEP.max(wanted / 2);
        }
    }

    /// Goes on to the next game behind one that has no end.
    fn skip_overlong(&mut self) -> Result<(), DataError> {
        loop {
            let seen = self.input.look(STEP)?;
            if let Some(end) = boundary(seen, 0, seen.len().saturating_sub(EVENT.len() + 2)) {
                self.input.take(end);
                return Ok(());
            }
            let is_rest = seen.len() < STEP;
            let passed = if is_rest { seen.len() } else { seen.len() - EVENT.len() - 3 };
            self.input.take(passed);
            if is_rest {
                return Ok(());
            }
        }
    }
}

const EVENT: &[u8] = b"[Event";

/// Where behind `from` the next game begins; line ends are looked at before `limit`.
fn boundary(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let lines = memchr::memchr_iter(b'\n', &text[from.min(limit)..limit]);
    lines.map(|end| from + end + 1).find(|&start| begins_game(text, start))
}

/// Whether the line that starts there is the first of a game.
fn begins_game(text: &[u8], start: usize) -> bool {
    let [b'[', letter, ..] = &text[start..] else { return false };
    if !letter.is_ascii_uppercase() {
        return false;
    }
    let before = text[..start].trim_ascii_end();
    let last_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let after_tag = last_line.starts_with(b"[") && last_line.ends_with(b"]");
    let after_blank = memchr::memchr_iter(b'\n', &text[before.len()..start]).count() > 1;
    let is_event = text[start..].starts_with(EVENT)
        && text.get(start + EVENT.len()).is_some_and(|&byte| matches!(byte, b' ' | b'"' | b'\t'));
    if is_event { !after_tag || after_blank } else { !after_tag && after_blank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<PgnGame> {
        let mut reader = PgnReader::new(text, "data");
        std::iter::from_fn(|| reader.next_game().unwrap()).map(Result::unwrap).collect()
    }

    #[test]
    fn games_begin_with_their_tags() {
        let one =
            "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 { a comment\n[%clk 1]\n\n[Not a tag] } *\n\n";
        let other = "[White \"b\"]\r\n[Event \"c\"]\r\n\r\n1. d4 *\r\n";
        let text = format!("\u{feff}  \n{one}{other}\n{one}");
        let found = games(text.as_bytes());
        let starts: Vec<_> = found.iter().map(|game| game.offset as usize).collect();
        assert_eq!(starts, [6, 6 + one.len(), 7 + one.len() + other.len()]);
        assert!(found.iter().zip(1..).all(|(game, number)| game.number == number));
        assert_eq!(found[2].text, one.as_bytes());
    }

    #[test]
    fn a_comment_without_end_breaks_one_game_only() {
        let text = b"[Event \"a\"]\n\n1. e4 { oh\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(games(text).len(), 2);
    }

    #[test]
    fn cuts_do_not_depend_on_how_the_stream_comes() {
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                let count = self.0.len().min(7).min(out.len());
                out[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        let text = "[Event \"a\"]\n[Site \"s\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(5000);
        let whole = games(text.as_bytes());
        assert_eq!(whole.len(), 5000);
        let mut slow = PgnReader::new(Slow(text.as_bytes()), "data");
        for game in whole {
            assert_eq!(slow.next_game().unwrap(), Some(Ok(game)));
        }
        assert_eq!(slow.next_game().unwrap(), None);
    }

    #[test]
    fn what_is_far_too_long_is_passed_over_up_to_the_next_game() {
        let mut text = b"[Event \"a\"]\n\n".to_vec();
        text.resize(6 << 20, b'x');
        text.extend(b"\n\n[Event \"b\"]\n\n1. e4 *\n");
        let mut reader = PgnReader::new(text.as_slice(), "data");
        let broken = reader.next_game().unwrap().unwrap().unwrap_err();
        assert_eq!(broken.to_string(), "game 1 at byte 0: no end within 4 MiB");
        let game = reader.next_game().unwrap().unwrap().unwrap();
        assert_eq!((game.number, game.offset), (2, (6 << 20) + 2));
        assert_eq!(reader.next_game().unwrap(), None);
    }
}
