//! Cutting a text into games.

use super::parse::parse;
use super::{BrokenGame, PgnGame};

/// The games of a text, each read or with what is wrong with it.
///
/// A game begins with its first header. Where one is broken, for instance by a comment without an end, the
/// next `Event` header still begins a new one.
#[must_use]
pub fn read(text: &str) -> Vec<Result<PgnGame, BrokenGame>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut games = Vec::new();
    let mut first = None;
    let mut place = Place::Between;
    for (index, line) in lines.iter().enumerate() {
        let begins = match place {
            Place::Between => !line.trim().is_empty(),
            Place::Headers => false,
            Place::Moves => is_header(line),
            Place::Comment => line.starts_with("[Event \""),
        };
        if begins {
            games.extend(first.replace(index).map(|first| (first, index)));
            place = Place::Headers;
        }
        place = place.after(line);
    }
    games.extend(first.map(|first| (first, lines.len())));
    let numbered = games.into_iter().zip(1..);
    numbered.map(|((first, end), number)| parse(number, first + 1, &lines[first..end])).collect()
}

/// Where in a game a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Between,
    Headers,
    Moves,
    Comment,
}

impl Place {
    fn after(self, line: &str) -> Self {
        let is_blank = line.trim().is_empty();
        match self {
            Self::Between => Self::Between,
            Self::Headers if is_blank || is_header(line) => Self::Headers,
            Self::Moves if line.starts_with('%') => Self::Moves,
            _ => {
                let mut is_comment = self == Self::Comment;
                for letter in line.chars() {
                    match letter {
                        '{' => is_comment = true,
                        '}' => is_comment = false,
                        ';' if !is_comment => break,
                        _ => {}
                    }
                }
                if is_comment { Self::Comment } else { Self::Moves }
            }
        }
    }
}

/// Whether a line is a header.
pub fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    let name = line.strip_prefix('[').and_then(|rest| rest.chars().next());
    name.is_some_and(|letter| letter.is_ascii_alphabetic())
        && line.contains('"')
        && line.ends_with(']')
}
