//! Writing a game with what was found.

use std::fmt::Write as _;

use tandem_chess::{Color, Move, Position};

use super::parse::SIGNS;
use super::{PgnGame, Remark};
use crate::record::ScoreRecord;
use crate::review::Mark;

const WIDTH: usize = 80;

/// What was found about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// The evaluation after it, for White.
    pub score: Option<ScoreRecord>,
    /// What kind of mistake it was, if one.
    pub mark: Option<Mark>,
    /// What would have been better, from its position on.
    pub better: Vec<Move>,
}

/// Writes a game with a note for each of its moves. Headers, comments, signs and variations stay as they
/// are; an evaluation that somebody wrote before makes way for the new one.
#[must_use]
pub fn write(game: &PgnGame, notes: &[Note], annotator: &str) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        push_tag(&mut text, name, value);
    }
    if game.tag("Annotator").is_none() {
        push_tag(&mut text, "Annotator", annotator);
    }
    text.push('\n');
    wrap(&mut text, &words(game, notes));
    text.push_str("\n\n");
    text
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Everything behind the headers, in pieces between which a line may end.
fn words(game: &PgnGame, notes: &[Note]) -> Vec<String> {
    let mut words: Vec<String> = game.before.iter().map(spell).collect();
    let nothing = Note::default();
    let mut position = game.start;
    // A number is written for White's moves, and where something stands before Black's.
    let mut needs_number = true;
    for (ply, note) in game.plies.iter().zip(notes.iter().chain(std::iter::repeat(&nothing))) {
        let mut san = position.san(ply.m);
        // Who judged it first is right.
        let judged = ply.remarks.iter().find_map(judgement);
        san.push_str(judged.or(note.mark.map(Mark::sign)).unwrap_or_default());
        words.push(numbered(&position, &san, needs_number));
        let is_other =
            |remark: &&Remark| matches!(remark, Remark::Sign(_)) && judgement(remark).is_none();
        let signs = ply.remarks.iter().filter(is_other);
        let before = words.len();
        words.extend(signs.map(spell));
        if let Some(score) = note.score {
            words.push(format!("{{[%eval {}]}}", evaluation(score)));
        }
        let has_score = note.score.is_some();
        let own = ply.remarks.iter().filter(|remark| matches!(remark, Remark::Comment(_)));
        words.extend(own.filter_map(|remark| without_evaluation(remark, has_score)));
        if !note.better.is_empty() {
            words.push(line(position, &note.better));
        }
        let others = ply.remarks.iter().filter(|remark| matches!(remark, Remark::Variation(_)));
        words.extend(others.map(spell));
        needs_number = words.len() > before;
        position = position.after(ply.m);
    }
    words.push(game.result.clone());
    words
}

/// What is written behind a move that somebody has judged: good, bad or doubtful.
fn judgement(remark: &Remark) -> Option<&'static str> {
    match remark {
        Remark::Sign(number) => {
            SIGNS.iter().find(|(_, known)| known == number).map(|(text, _)| *text)
        }
        _ => None,
    }
}

fn numbered(position: &Position, san: &str, needs_number: bool) -> String {
    let number = position.fullmove_number();
    match position.side_to_move() {
        Color::White => format!("{number}. {san}"),
        Color::Black if needs_number => format!("{number}... {san}"),
        Color::Black => san.to_owned(),
    }
}

/// A variation.
fn line(mut position: Position, moves: &[Move]) -> String {
    let mut words = Vec::new();
    for &m in moves {
        words.push(numbered(&position, &position.san(m), words.is_empty()));
        position = position.after(m);
    }
    format!("({})", words.join(" "))
}

fn spell(remark: &Remark) -> String {
    match remark {
        // What came from the rest of a line may hold what would end the comment.
        Remark::Comment(text) => format!("{{{}}}", text.replace('}', ")")),
        Remark::Sign(sign) => format!("${sign}"),
        Remark::Variation(text) => format!("({text})"),
    }
}

/// A comment without the evaluation in it, where there is a new one; nothing if nothing else was in it.
fn without_evaluation(remark: &Remark, is_replaced: bool) -> Option<String> {
    let Remark::Comment(text) = remark else { return None };
    let start = text.find("[%eval ").filter(|_| is_replaced);
    let end = start.and_then(|start| Some(start + text[start..].find(']')?));
    let (Some(start), Some(end)) = (start, end) else { return Some(spell(remark)) };
    let rest = format!("{}{}", &text[..start], &text[end + 1..]);
    let rest = rest.trim();
    (!rest.is_empty()).then(|| spell(&Remark::Comment(rest.to_owned())))
}

/// A score as comments hold it: pawns, or `#` and the moves to mate; for White.
fn evaluation(score: ScoreRecord) -> String {
    match score {
        ScoreRecord::Cp(value) => format!("{:.2}", f64::from(value) / 100.0),
        ScoreRecord::Mate(moves) => format!("#{moves}"),
    }
}

/// Adds words in lines that are not too long.
fn wrap(text: &mut String, words: &[String]) {
    let mut width = 0;
    // Some readers look for an evaluation in one piece.
    let pieces = |word: &String| -> Vec<String> {
        let is_whole = word.starts_with("{[%eval ");
        if is_whole { vec![word.clone()] } else { word.split(' ').map(str::to_owned).collect() }
    };
    for word in words.iter().flat_map(pieces) {
        let gap = usize::from(width > 0);
        if width + gap + word.len() > WIDTH && width > 0 {
            text.push('\n');
            width = 0;
        } else if gap > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += word.len();
    }
}
