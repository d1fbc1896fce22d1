//! Reading one game.

use tandem_chess::{Game, Position};

use super::split::is_header;
use super::{BrokenGame, PgnGame, Ply, Remark};

/// The variants that are played by the rules of chess, from whatever position.
const CHESS: [&str; 8] = [
    "standard",
    "normal",
    "chess",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
    "from position",
];

/// The signs that are written behind a move, the longer before the shorter, with their numbers.
pub const SIGNS: [(&str, u16); 6] =
    [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// Reads the game that stands in those lines, of which the first has that number in the file.
pub fn parse(number: usize, first: usize, lines: &[&str]) -> Result<PgnGame, BrokenGame> {
    let broken = |(line, reason)| BrokenGame { number, line, reason };
    let is_head = |line: &&&str| line.trim().is_empty() || is_header(line);
    let head = lines.iter().take_while(is_head).count();
    let mut game = headers(number, first, &lines[..head]).map_err(broken)?;
    let text = lines[head..].join("\n");
    Movetext { rest: &text, line: first + head }.read(&mut game).map_err(broken)?;
    Ok(game)
}

/// The line in which something is wrong, and what.
type Fault = (usize, String);

fn headers(number: usize, first: usize, lines: &[&str]) -> Result<PgnGame, Fault> {
    let mut game = PgnGame {
        number,
        line: first,
        tags: Vec::new(),
        start: Position::startpos(),
        chess960: false,
        before: Vec::new(),
        plies: Vec::new(),
        result: "*".to_owned(),
    };
    for (line, text) in lines.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = first + line;
        let (name, value) =
            header(text).ok_or_else(|| (line, format!("'{}' is no header", shown(text))))?;
        match name.as_str() {
            "FEN" => {
                game.start =
                    Position::from_fen(&value).map_err(|error| (line, error.to_string()))?;
            }
            "Variant" => {
                let is_known = CHESS.iter().any(|known| known.eq_ignore_ascii_case(&value));
                if !is_known {
                    return Err((line, format!("the variant '{}' is not chess", shown(&value))));
                }
                game.chess960 = value.to_ascii_lowercase().contains("960")
                    || value.to_ascii_lowercase().starts_with("fischer");
            }
            "Result" if matches!(value.as_str(), "1-0" | "0-1" | "1/2-1/2") => {
                game.result.clone_from(&value);
            }
            _ => {}
        }
        game.tags.push((name, value));
    }
    Ok(game)
}

/// Name and value of a header.
fn header(line: &str) -> Option<(String, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let end = inner.find(|letter: char| letter.is_whitespace() || letter == '"')?;
    let name = &inner[..end];
    let quoted = &inner[end..].trim_start();
    let quoted = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        value.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some((name.to_owned(), value))
}

/// What is left of the moves.
struct Movetext<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Movetext<'a> {
    fn read(mut self, into: &mut PgnGame) -> Result<(), Fault> {
        let mut game = Game::new(into.start);
        let mut is_over = false;
        loop {
            self.skip_space();
            let line = self.line;
            let Some(letter) = self.rest.chars().next() else { return Ok(()) };
            let remarks = match into.plies.last_mut() {
                Some(ply) => &mut ply.remarks,
                None => &mut into.before,
            };
            match letter {
                '{' => {
                    let missing = (line, "a comment has no end".to_owned());
                    let length = self.rest.find('}').ok_or(missing)?;
                    let comment = self.take(length + 1);
                    remarks.push(Remark::Comment(one_line(&comment[1..length])));
                }
                ';' => {
                    let length = self.rest.find('\n').unwrap_or(self.rest.len());
                    let comment = self.take(length);
                    remarks.push(Remark::Comment(one_line(&comment[1..])));
                }
                '(' => {
                    let missing = (line, "a variation has no end".to_owned());
                    let length = variation(self.rest).ok_or(missing)?;
                    let inner = &self.take(length)[1..length - 1];
                    remarks.push(Remark::Variation(as_one_line(inner)));
                }
                '$' => {
                    let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    let sign = self.take(1 + digits);
                    match sign[1..].parse() {
                        Ok(sign) => remarks.push(Remark::Sign(sign)),
                        Err(_) => return Err((line, format!("'{}' is no sign", shown(sign)))),
                    }
                }
                ')' | '}' => return Err((line, format!("a '{letter}' closes nothing"))),
                _ => {
                    let word = self.word();
                    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                        word.clone_into(&mut into.result);
                        is_over = true;
                    } else if is_over {
                        return Err((line, format!("'{}' stands behind the result", shown(word))));
                    } else {
                        play(word, &mut game, into).map_err(|reason| (line, reason))?;
                    }
                }
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn skip_space(&mut self) {
        loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            let is_line_start = self.take(space).ends_with('\n');
            if !(is_line_start && self.rest.starts_with('%')) {
                return;
            }
            // A line with a percent sign is not for us.
            self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn word(&mut self) -> &'a str {
        let is_end = |letter: char| letter.is_whitespace() || "{}();$".contains(letter);
        let length = self.rest.find(is_end).unwrap_or(self.rest.len());
        self.take(length.max(1))
    }
}

/// How long the variation is with which a text begins, its brackets included; none if it has no end.
fn variation(text: &str) -> Option<usize> {
    let (mut depth, mut is_comment, mut is_rest) = (0, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => is_rest = false,
            _ if is_rest => {}
            '}' => is_comment = false,
            _ if is_comment => {}
            '{' => is_comment = true,
            ';' => is_rest = true,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// A variation without line ends: what stands behind a semicolon becomes a comment in braces.
fn as_one_line(variation: &str) -> String {
    let (mut text, mut is_comment, mut is_rest) = (String::new(), false, false);
    for letter in variation.chars() {
        match letter {
            '\n' if is_rest => {
                text.push('}');
                is_rest = false;
            }
            '}' if is_rest => text.push(')'),
            ';' if !is_comment && !is_rest => {
                text.push('{');
                is_rest = true;
            }
            _ => {
                is_comment = !is_rest && (letter == '{' || is_comment && letter != '}');
                text.push(letter);
            }
        }
    }
    one_line(&text)
}

/// Plays a move, which a number may precede and signs may follow; numbers and remarks alone change nothing.
fn play(word: &str, game: &mut Game, into: &mut PgnGame) -> Result<(), String> {
    let is_castling = word.starts_with("0-0");
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let bare = if is_castling { word } else { &word[digits..] };
    let dots = bare.bytes().take_while(|&byte| byte == b'.').count();
    let mut bare = &bare[dots..];
    let is_remark = bare.chars().all(|letter| "+-=/~#.".contains(letter)) && bare != "--";
    if is_remark || matches!(bare, "e.p." | "ep") {
        return Ok(());
    }
    let mut sign = None;
    for (text, number) in SIGNS {
        if let Some(before) = bare.strip_suffix(text).filter(|_| sign.is_none()) {
            (bare, sign) = (before, Some(number));
        }
    }
    let sign = sign.map(Remark::Sign);
    if bare.is_empty() {
        // A sign by itself belongs to the move before.
        let ply = into.plies.last_mut().ok_or_else(|| format!("'{}' is no move", shown(word)))?;
        ply.remarks.extend(sign);
        return Ok(());
    }
    if digits > 0 && dots == 0 && !is_castling {
        return Err(format!("'{}' is no move", shown(word)));
    }
    let m = game.position().parse_san(bare).map_err(|error| error.to_string())?;
    game.play(m).map_err(|error| error.to_string())?;
    into.plies.push(Ply { m, remarks: sign.into_iter().collect() });
    Ok(())
}

/// A text as one line, without space around it.
fn one_line(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A word of the file, printable and short.
fn shown(word: &str) -> String {
    word.chars().flat_map(char::escape_debug).take(40).collect()
}
