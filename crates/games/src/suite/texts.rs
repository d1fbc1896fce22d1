//! Moves as people write them into suites.

use tandem_chess::{Move, MoveTextError, Position};

/// Marks that follow a move, sometimes after a space.
const MARKS: [char; 4] = ['+', '#', '!', '?'];

/// Whether a word only says something about the move before it, such as `+ ?`.
pub fn is_no_more_than_marks(word: &str) -> bool {
    word.trim_end_matches(MARKS).is_empty() || word == "e.p."
}

/// Reads a legal move in SAN or as UCI writes it, with or without marks.
///
/// # Errors
/// Says why the text is no legal move here.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveTextError> {
    let bare = text.trim_end_matches(MARKS);
    // Only a pawn's move looks the same in both notations, and then it means the same.
    let is_squares = bare.len() >= 4
        && [&bare.as_bytes()[..2], &bare.as_bytes()[2..4]]
            .iter()
            .all(|part| part[0].is_ascii_lowercase() && part[1].is_ascii_digit());
    if is_squares { position.parse_uci(bare) } else { position.parse_san(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_and_marks_are_understood() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        for (text, expected) in [
            ("Nxd7", "e5d7"),
            ("Nxd7!?", "e5d7"),
            ("e5d7+", "e5d7"),
            ("d5e6", "d5e6"),
            ("dxe6", "d5e6"),
            ("e2a6", "e2a6"),
            ("0-0", "e1h1"),
            ("e1g1", "e1h1"),
            ("O-O-O", "e1a1"),
            ("Ne5-c4", "e5c4"),
        ] {
            let m = read_move(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(m.to_string(), expected, "{text}");
        }
        for text in ["Nf9", "e5e6", "", "äöü", "e5d7x", "Nä5", "aä5b6"] {
            assert!(read_move(&position, text).is_err(), "{text}");
        }
    }

    #[test]
    fn promotions_are_understood() {
        let position: Position = "8/1P5k/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        for text in ["b8=Q", "b8Q", "b7b8q", "b8=Q!"] {
            assert_eq!(read_move(&position, text).unwrap().to_string(), "b7b8q", "{text}");
        }
    }

    #[test]
    fn marks_alone_are_no_move() {
        assert!(is_no_more_than_marks("+") && is_no_more_than_marks("?!"));
        assert!(is_no_more_than_marks("") && !is_no_more_than_marks("Nf3+"));
    }
}
