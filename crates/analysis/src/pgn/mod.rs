//! Games as portable game notation, read with everything that somebody wrote between the moves, and written
//! again with what was found.

mod parse;
mod split;
mod write;

use tandem_chess::{Game, Move, Position};
use thiserror::Error;

pub use split::read;
pub use write::{Note, write};

/// A game and what stands beside its moves.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Names and values of its headers, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Position,
    /// Whether its headers say that it is Chess960.
    pub chess960: bool,
    /// What stands before the first move.
    pub before: Vec<Remark>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// What stands behind it.
    pub remarks: Vec<Remark>,
}

/// Something between the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Words.
    Comment(String),
    /// A sign by its number in the standard: 1 is a good move, 4 a blunder.
    Sign(u16),
    /// Other moves, as they stand in the file, without the outer brackets.
    Variation(String),
}

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number}, line {line}: {reason}")]
pub struct BrokenGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line in which something is wrong.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl PgnGame {
    /// The value of a header.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The game after each number of moves, from none to all.
    #[must_use]
    pub fn turns(&self) -> Vec<Game> {
        let mut game = Game::new(self.start);
        let mut turns = vec![game.clone()];
        for ply in &self.plies {
            game.play(ply.m).expect("it was read by the rules");
            turns.push(game.clone());
        }
        turns
    }

    /// The players, as far as they are known.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        ["White", "Black"].map(|side| self.tag(side).unwrap_or("?"))
    }
}

/// The text of a file, whether it is in UTF-8 or, like many older ones, in Latin-1.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ScoreRecord;
    use crate::review::Mark;

    const GAME: &str = "[Event \"a \\\"test\\\"\"]\n[Result \"1-0\"]\n\n{ before } 1. e4! e5 $14 \
        { words\n[%eval 0.99] } (1... c5 { a ) in a comment } (1... e6 2. d4) 2. Nf3) 2. Nf3 ; rest } of it\n\
        2... Nc6 3.Bb5?! a6 e.p. *\n";

    fn one(text: &str) -> PgnGame {
        let mut games = read(text);
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).expect("it can be read")
    }

    fn broken(text: &str) -> Vec<(usize, usize)> {
        let broken = |game: Result<PgnGame, BrokenGame>| game.err().map(|b| (b.number, b.line));
        read(text).into_iter().filter_map(broken).collect()
    }

    #[test]
    fn everything_between_the_moves_is_kept() {
        let game = one(GAME);
        assert_eq!(game.tag("Event"), Some("a \"test\""));
        assert_eq!((game.plies.len(), game.result.as_str()), (6, "*"));
        assert_eq!(game.before, [Remark::Comment("before".to_owned())]);
        assert_eq!(game.plies[0].remarks, [Remark::Sign(1)]);
        let variation = "1... c5 { a ) in a comment } (1... e6 2. d4) 2. Nf3".to_owned();
        let comment = Remark::Comment("words [%eval 0.99]".to_owned());
        let second = [Remark::Sign(14), comment, Remark::Variation(variation)];
        assert_eq!(game.plies[1].remarks, second);
        assert_eq!(game.plies[2].remarks, [Remark::Comment("rest } of it".to_owned())]);
        assert_eq!(game.plies[4].remarks, [Remark::Sign(6)]);
    }

    #[test]
    fn what_is_written_reads_back_with_what_was_found() {
        let game = one(GAME);
        let turns = game.turns();
        let best = turns[3].position().parse_san("d6").expect("legal");
        let mut notes = vec![Note { score: Some(ScoreRecord::Cp(-7)), ..Note::default() }; 6];
        notes[3].mark = Some(Mark::Blunder);
        notes[3].better = vec![best];
        notes[4].mark = Some(Mark::Mistake);
        let text = write(&game, &notes, "somebody");
        let line = text.replace('\n', " ");
        assert!(line.contains("2... Nc6?? {[%eval -0.07]} (2... d6)"), "{text}");
        let again = one(&text);
        assert_eq!(again.tag("Annotator"), Some("somebody"));
        assert_eq!(again.tags[..2], game.tags[..]);
        let moves = |game: &PgnGame| game.plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
        assert_eq!(moves(&again), moves(&game));
        let eval = Remark::Comment("[%eval -0.07]".to_owned());
        assert_eq!(
            again.plies[1].remarks[..3],
            [Remark::Sign(14), eval.clone(), Remark::Comment("words".to_owned()),]
        );
        assert_eq!(
            again.plies[3].remarks,
            [Remark::Sign(4), eval.clone(), Remark::Variation("2... d6".to_owned()),]
        );
        assert_eq!(
            again.plies[4].remarks,
            [Remark::Sign(6), eval],
            "whoever judged it first is right"
        );
        assert_eq!(write(&again, &[], "another"), text, "nothing is lost or added");
    }

    #[test]
    fn broken_games_are_named_with_number_and_line_and_others_are_read() {
        let text = "[Event \"a\"]\n\n1. e4 e5\n2. Ke3 *\n\n[Event \"b\"]\n\n1. d4 { no end\n\n\
            [Event \"c\"]\n\n1. c4 *\n\n[Event \"d\"]\n[FEN \"8/8\"]\n\n*\n";
        assert_eq!(broken(text), [(1, 4), (2, 8), (4, 15)]);
        assert_eq!(read(text).into_iter().flatten().count(), 1);
        for text in ["1. e4 )", "1. e4 (e5", "1. e4 * e5", "1. e4 $x", "1. --", "1. e4 1-1"] {
            assert_eq!(broken(text), [(1, 1)], "{text}");
        }
        assert!(read("").is_empty() && read(" \n\n").is_empty());
    }

    #[test]
    fn older_files_are_read_too() {
        let text = decode(b"[White \"M\xfcller\"]\n\n1. e4 *".to_vec());
        assert_eq!(one(&text).tag("White"), Some("Müller"));
        assert_eq!(decode("\u{feff}1. e4".as_bytes().to_vec()), "1. e4");
    }

    #[test]
    fn no_text_whatever_stops_the_reader() {
        let mut random = tandem_chess::Random::new(5);
        for _ in 0..4000 {
            let mut bytes = GAME.repeat(2).into_bytes();
            for _ in 0..=random.below(8) {
                let place = random.below(bytes.len());
                bytes[place] = b"{}()[];$%\\\"\n \xff1*e"[random.below(17)];
            }
            bytes.truncate(random.below(bytes.len()) + 1);
            for game in read(&decode(bytes)).into_iter().flatten() {
                let text = write(&game, &[], "x");
                let again = read(&text);
                assert!(again.iter().flatten().count() == 1, "{text}");
            }
        }
    }
}
