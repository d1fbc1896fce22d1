//! Reading the text of one game.
//!
//! Stricter than most readers, which pass over what they do not understand: a word among the moves
//! that is no move, number, result or remark makes the game useless here, because the position behind
//! it is not known.

use tandem_chess::Position;

use super::{BrokenGame, PgnGame};
use crate::data::{GameResult, Record, Recorder};

/// Where in the text something is wrong, and what.
type Fault = (usize, String);

/// The game's moves and result; or what is broken.
pub fn parse(game: &PgnGame) -> Result<Record, BrokenGame> {
    read(&game.text).map_err(|(at, reason)| BrokenGame {
        number: game.number,
        offset: game.offset + at as u64,
        reason,
    })
}

fn read(text: &[u8]) -> Result<Record, Fault> {
    let mut input = Text { text, at: 0 };
    let (start, tagged) = read_tags(&mut input)?;
    let mut recorder = Recorder::new(start);
    let mut result = None;
    while let Some((at, word)) = input.next_word()? {
        if result.is_some() {
            return Err((at, format!("'{}' stands behind the result", shown(word))));
        }
        match word {
            b"1-0" => result = Some(GameResult::WhiteWins),
            b"0-1" => result = Some(GameResult::BlackWins),
            b"1/2-1/2" => result = Some(GameResult::Draw),
            b"*" => return Err((at, "the game has no result".into())),
            _ => play(&mut recorder, word).map_err(|reason| (at, reason))?,
        }
    }
    let result = result.ok_or((text.len(), "the moves end without a result".to_owned()))?;
    match tagged {
        Some(tagged) if tagged != result.pgn() && tagged != "*" => {
            let reason = format!("the moves end with {}, the tag says {tagged}", result.pgn());
            Err((text.len(), reason))
        }
        _ => Ok(recorder.finish(result)),
    }
}

/// The start position and what the result tag says.
fn read_tags(input: &mut Text<'_>) -> Result<(Position, Option<String>), Fault> {
    let (mut start, mut result) = (None, None);
    while let Some((at, name, value)) = input.next_tag()? {
        match name {
            b"FEN" => {
                let value = str::from_utf8(&value).map_err(|_| (at, "a FEN in no UTF-8".into()))?;
                let position = value.parse().map_err(|error| (at, format!("FEN tag: {error}")))?;
                start = Some(position);
            }
            b"Variant" if !is_chess(&value) => {
                return Err((at, format!("the variant '{}' is not chess", shown(&value))));
            }
            b"Result" => result = Some(String::from_utf8_lossy(&value).into_owned()),
            _ => {}
        }
    }
    Ok((start.unwrap_or_else(Position::startpos), result))
}

/// Whether that variant is played by the rules of chess, from whatever position.
fn is_chess(variant: &[u8]) -> bool {
    const NAMES: [&str; 8] = [
        "standard",
        "normal",
        "chess",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "freestyle",
        "from position",
    ];
    NAMES.iter().any(|name| variant.eq_ignore_ascii_case(name.as_bytes()))
}

/// Plays a move, which a number may precede; numbers and remarks alone change nothing.
fn play(recorder: &mut Recorder, word: &[u8]) -> Result<(), String> {
    let is_castling = word.starts_with(b"0-0");
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bare = if is_castling { word } else { &word[digits..] };
    let dots = bare.iter().take_while(|&&byte| byte == b'.').count();
    let bare = &bare[dots..];
    // A number without a dot is one only if nothing follows it.
    let is_number = bare.is_empty() && digits + dots > 0;
    let is_remark = bare.iter().all(|byte| b"+-=/~#".contains(byte)) && bare != b"--";
    if is_number || is_remark || bare == b"e.p." || bare == b"ep" {
        return Ok(());
    }
    if digits > 0 && dots == 0 && !is_castling {
        return Err(format!("'{}' is no move", shown(word)));
    }
    let text = str::from_utf8(bare).map_err(|_| format!("'{}' is no move", shown(word)))?;
    let m = recorder.position().parse_san(text).map_err(|error| error.to_string())?;
    recorder.play(m, None).map_err(|error| error.to_string())
}

/// A word of the file, printable and short.
fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    text.chars().flat_map(char::escape_debug).take(40).collect()
}

/// What is left of a text.
struct Text<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn skip_line(&mut self) {
        self.at += memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
    }

    /// Whether a line begins here.
    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.text[self.at - 1] == b'\n'
    }

    /// The next tag: where it stands, its name and its value; none where the moves begin.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn next_tag(&mut self) -> Result<Option<(usize, &'a [u8], Vec<u8>)>, Fault> {
        loop {
            self.skip_space();
            match self.rest().first() {
                Some(b'%') if self.is_at_line_start() => self.skip_line(),
                Some(b';') => self.skip_line(),
                Some(b'[') => break,
                _ => return Ok(None),
            }
        }
        let at = self.at;
        let fault = || (at, "a tag without an end".to_owned());
        let line = &self.rest()[1..];
        let quote = line.iter().position(|&byte| matches!(byte, b'"' | b'\n' | b']'));
        let quote = quote.filter(|&quote| line[quote] == b'"').ok_or_else(fault)?;
        let mut value = Vec::new();
        let mut bytes = line.iter().enumerate().skip(quote + 1);
        let end = loop {
            match bytes.next() {
                Some((end, b'"')) => break end,
                Some((_, b'\\')) => value.extend(bytes.next().map(|(_, byte)| byte)),
                Some((_, b'\n')) | None => return Err(fault()),
                Some((_, &byte)) => value.push(byte),
            }
        };
        let close = line[end..].iter().position(|&byte| matches!(byte, b']' | b'\n'));
        let close = close.filter(|&close| line[end + close] == b']').ok_or_else(fault)?;
        self.at += 1 + end + close + 1;
        Ok(Some((at, line[..quote].trim_ascii(), value)))
    }

    /// The next word of the moves and where it stands; comments, variations and glyphs are passed
    /// over.
    fn next_word(&mut self) -> Result<Option<(usize, &'a [u8])>, Fault> {
        loop {
            self.skip_space();
            let Some(&first) = self.rest().first() else { return Ok(None) };
            match first {
                b'{' => self.skip_comment()?,
                b'(' => self.skip_variation()?,
                b';' => self.skip_line(),
                b'%' if self.is_at_line_start() => self.skip_line(),
                b'$' => self.at += 1 + digits(&self.rest()[1..]),
                b'!' | b'?' => self.at += 1,
                b')' | b'}' | b'[' | b']' => {
                    return Err((self.at, format!("'{}' where a move should be", first as char)));
                }
                _ => {
                    let at = self.at;
                    let ends =
                        |&byte: &u8| byte.is_ascii_whitespace() || b"{}();$!?[]".contains(&byte);
                    let length = self.rest().iter().take_while(|byte| !ends(byte)).count();
                    self.at += length;
                    return Ok(Some((at, &self.text[at..at + length])));
                }
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), Fault> {
        let end = memchr::memchr(b'}', self.rest());
        self.at += 1 + end.ok_or_else(|| (self.at, "a comment without an end".to_owned()))?;
        Ok(())
    }

    fn skip_variation(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut depth = 0_u32;
        loop {
            match self.rest().first() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(b'{') => {
                    self.skip_comment()?;
                    continue;
                }
                Some(b';') => self.skip_line(),
                Some(_) => {}
                None => return Err((start, "a variation without an end".into())),
            }
            self.at = (self.at + 1).min(self.text.len());
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Result<Record, String> {
        let game = PgnGame { number: 3, offset: 1000, text: text.into() };
        parse(&game).map_err(|broken| broken.to_string())
    }

    fn moves(text: &str) -> String {
        let record = game(text).unwrap();
        record.plies().iter().map(|ply| ply.m.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_are_found_among_everything_else() {
        let text = "[Event \"a \\\" ] b\"]\n[Result \"1-0\"]\n\n% escaped e9\n1. e4 $1 {a (comment} e5 \
                    (1... c5 (1... e6 {)}) 2. Nf3) 2.Nf3!? Nc6 ; to the end of the line\n3 . Bb5 a6 4.\
                    Bxc6 dxc6 5. 0-0 += f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 Bg4 10.f3 \
                    Bd6 11.fxg4 0-0-0 1-0\n";
        assert_eq!(
            moves(text),
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1h1 f7f6 d2d4 e5d4 f3d4 c6c5 d4b3 d8d1 f1d1 \
             c8g4 f2f3 f8d6 f3g4 e8a8"
        );
        assert_eq!(game(text).unwrap().result(), GameResult::WhiteWins);
    }

    #[test]
    fn other_starts_and_chess960_are_read() {
        let text = "[FEN \"6k1/8/8/8/8/8/8/RK5R w HA - 0 1\"]\n[Variant \"Chess960\"]\n\n\
                    1. O-O Kg7 1/2-1/2";
        assert_eq!(moves(text), "b1h1 g8g7");
        let text = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N 1/2-1/2";
        assert_eq!(moves(text), "a7a8n");
    }

    #[test]
    fn broken_games_are_named_with_the_place() {
        for (text, expected) in [
            (
                "1. e4 e5 2. Ke3 1-0",
                "game 3 at byte 1012: 'Ke3' is not legal here: no king of White can go to e3",
            ),
            ("1. e4 hello 1-0", "game 3 at byte 1006: 'hello' is no move"),
            ("1. e4 e5", "game 3 at byte 1008: the moves end without a result"),
            ("1. e4 e5 *", "game 3 at byte 1009: the game has no result"),
            ("1. e4 1-0 e5", "game 3 at byte 1010: 'e5' stands behind the result"),
            ("1. e4 { e5 1-0", "game 3 at byte 1006: a comment without an end"),
            ("1. e4 (1. d4 1-0", "game 3 at byte 1006: a variation without an end"),
            ("1. e4 ) e5 1-0", "game 3 at byte 1006: ')' where a move should be"),
            ("1. e4 -- 2. d4 1-0", "game 3 at byte 1006: '--' is no move"),
            (
                "[Result \"0-1\"]\n1. e4 1-0",
                "game 3 at byte 1024: the moves end with 1-0, the tag says 0-1",
            ),
            ("[Event \"a\n1. e4 1-0", "game 3 at byte 1000: a tag without an end"),
            ("[Event \"a\"\n1. e4 1-0", "game 3 at byte 1000: a tag without an end"),
            ("[FEN \"x\"]\n1. e4 1-0", "game 3 at byte 1000: FEN tag: FEN field 1"),
            ("[Variant \"Atomic\"]\n1. e4 1-0", "game 3 at byte 1000: the variant 'Atomic' is not"),
            ("1. e4 12 e5 34x 1-0", "game 3 at byte 1012: '34x' is no move"),
        ] {
            let error = game(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn cut_and_changed_games_never_panic_and_a_cut_is_noticed() {
        let text = "[Event \"a\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {c} e5 (1... c5) 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2";
        for length in 0..text.len() {
            assert!(game(&text[..length]).is_err(), "{length}");
        }
        let mut random = tandem_chess::Random::new(1);
        for _ in 0..20_000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = random.bits() as u8;
            }
            let _ = parse(&PgnGame { number: 1, offset: 0, text: bytes });
        }
    }

    /// Reads moves as a published reader does.
    struct Moves;

    impl pgn_reader::Visitor for Moves {
        type Tags = ();
        type Movetext = Vec<String>;
        type Output = Vec<String>;

        fn begin_tags(&mut self) -> std::ops::ControlFlow<Self::Output, ()> {
            std::ops::ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> std::ops::ControlFlow<Self::Output, Vec<String>> {
            std::ops::ControlFlow::Continue(Vec::new())
        }

        fn san(
            &mut self,
            moves: &mut Vec<String>,
            san: pgn_reader::SanPlus,
        ) -> std::ops::ControlFlow<Self::Output> {
            moves.push(san.to_string());
            std::ops::ControlFlow::Continue(())
        }

        fn end_game(&mut self, moves: Vec<String>) -> Vec<String> {
            moves
        }
    }

    #[test]
    fn sound_games_read_as_in_a_published_reader() {
        let mut random = tandem_chess::Random::new(5);
        for number in 0..100 {
            let record = crate::data::testing::random_record(&mut random, false);
            let mut text = format!("[FEN \"{}\"]\n\n", record.start());
            let mut sans = Vec::new();
            record.visit(|sample| {
                let san = sample.position.san(sample.m.unwrap());
                let (before, after) = [
                    ("7. ", " "),
                    ("{ remark } ", "! "),
                    ("", " $4 (a1 b2 {)} ( x ) ) "),
                    ("", "\n"),
                ][random.below(4)];
                text.extend([before, &san, after]);
                sans.push(san);
            });
            text += record.result().pgn();
            let ours = game(&text).unwrap();
            assert_eq!(
                ours.plies(),
                record
                    .plies()
                    .iter()
                    .map(|ply| crate::data::Ply { label: None, ..*ply })
                    .collect::<Vec<_>>(),
                "{number}: {text}"
            );
            let mut reader = pgn_reader::Reader::new(text.as_bytes());
            assert_eq!(reader.read_game(&mut Moves).unwrap(), Some(sans));
        }
    }
}
