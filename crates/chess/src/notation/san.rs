//! Standard algebraic notation.

use super::uci::MoveTextError;
use super::{CastlingNotation, quote};
use crate::{Bitboard, Move, Piece, PieceType, Position, Square};

const EXPECTED: &str = "algebraic notation as in e4, Nf3, exd5, O-O or e8=Q";

/// What a SAN text says about its move.
struct Description {
    kind: PieceType,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    becomes: Option<PieceType>,
}

impl Position {
    /// A legal move in standard algebraic notation, with `+` or `#`.
    #[must_use]
    pub fn san(&self, m: Move) -> String {
        let mut text = self.san_without_check(m);
        let next = self.after(m);
        if next.in_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn san_without_check(&self, m: Move) -> String {
        let kind = self.piece_on(m.from()).map_or(PieceType::Pawn, Piece::kind);
        let takes = if self.is_capture(m) { "x" } else { "" };
        if m.is_castling() {
            let short = m.to().file() > m.from().file();
            return if short { "O-O".to_owned() } else { "O-O-O".to_owned() };
        }
        if kind != PieceType::Pawn {
            let letter = kind.letter().to_ascii_uppercase();
            return format!("{letter}{}{takes}{}", self.origin_needed(m, kind), m.to());
        }
        let from = if takes.is_empty() { String::new() } else { file_letter(m.from()).to_string() };
        let becomes =
            m.becomes().map_or(String::new(), |k| format!("={}", k.letter().to_ascii_uppercase()));
        format!("{from}{takes}{}{becomes}", m.to())
    }

    /// As much of the origin as tells the move from others of the same kind to the same square.
    fn origin_needed(&self, m: Move, kind: PieceType) -> String {
        let same_kind = self.pieces(self.side_to_move(), kind);
        let rivals: Bitboard = self
            .legal_moves()
            .iter()
            .filter(|other| {
                other.to() == m.to()
                    && other.from() != m.from()
                    && !other.is_castling()
                    && same_kind.contains(other.from())
            })
            .map(|other| other.from())
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if (rivals & Bitboard::file(m.from().file())).is_empty() {
            file_letter(m.from()).to_string()
        } else if (rivals & Bitboard::rank(m.from().rank())).is_empty() {
            (m.from().rank() + 1).to_string()
        } else {
            m.from().to_string()
        }
    }

    /// Reads a legal move in SAN. Check marks, `!` and `?`, a missing `=`, zeros for castling and
    /// more origin than needed are all accepted.
    ///
    /// # Errors
    /// Says whether the text is no move at all, not legal here, or fits several moves.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveTextError> {
        let unreadable = || MoveTextError::Unreadable(quote(text), EXPECTED);
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let bare = bare.strip_suffix("e.p.").map_or(bare, str::trim_end);
        let legal = self.legal_moves();
        let fits: Vec<Move> = match bare {
            "O-O" | "0-0" => castling(&legal, true),
            "O-O-O" | "0-0-0" => castling(&legal, false),
            _ => {
                let wanted = describe(bare).ok_or_else(unreadable)?;
                legal.into_iter().filter(|&m| self.fits(m, &wanted)).collect()
            }
        };
        match *fits.as_slice() {
            [m] => Ok(m),
            [] => Err(MoveTextError::Illegal(quote(text), self.why_no_san(bare))),
            _ => {
                let names: Vec<_> =
                    fits.iter().map(|&m| self.uci(m, CastlingNotation::Standard)).collect();
                Err(MoveTextError::Ambiguous(quote(text), names.join(" or ")))
            }
        }
    }

    fn fits(&self, m: Move, wanted: &Description) -> bool {
        m.to() == wanted.to
            && !m.is_castling()
            && m.becomes() == wanted.becomes
            && self.piece_on(m.from()).is_some_and(|p| p.kind() == wanted.kind)
            && wanted.from_file.is_none_or(|file| file == m.from().file())
            && wanted.from_rank.is_none_or(|rank| rank == m.from().rank())
    }

    fn why_no_san(&self, bare: &str) -> String {
        let side = self.side_to_move();
        match describe(bare) {
            None => format!("{side} cannot castle like that now"),
            Some(wanted) => format!("no {} of {side} can go to {}", wanted.kind.name(), wanted.to),
        }
    }
}

fn castling(legal: &[Move], short: bool) -> Vec<Move> {
    legal
        .iter()
        .copied()
        .filter(|m| m.is_castling() && (m.to().file() > m.from().file()) == short)
        .collect()
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// Takes a SAN text apart from its end: promotion, target, capture mark, origin, piece letter.
fn describe(text: &str) -> Option<Description> {
    if !text.is_ascii() {
        return None;
    }
    let (kind, rest) = match text.chars().next()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => (PieceType::from_letter(letter)?, &text[1..]),
        'P' => (PieceType::Pawn, &text[1..]),
        _ => (PieceType::Pawn, text),
    };
    let (becomes, rest) = match rest.chars().last()? {
        letter @ ('N' | 'B' | 'R' | 'Q') if kind == PieceType::Pawn => {
            let rest = &rest[..rest.len() - 1];
            (PieceType::from_letter(letter), rest.strip_suffix('=').unwrap_or(rest))
        }
        _ => (None, rest),
    };
    let split = rest.len().checked_sub(2)?;
    let to = rest[split..].parse().ok()?;
    let origin = rest[..split].trim_end_matches(['x', ':', '-']);
    let (from_file, from_rank) = match *origin.as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(Description { kind, from_file, from_rank, to, becomes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn only_as_much_origin_as_needed_is_written() {
        let board = position("6k1/8/8/8/R6R/8/8/R3K3 w - - 0 1");
        for (uci, san) in [("a4d4", "Rad4"), ("h4d4", "Rhd4"), ("a1a3", "R1a3"), ("a1d1", "Rd1")] {
            assert_eq!(board.san(board.parse_uci(uci).unwrap()), san);
        }
        let queens = position("8/6k1/8/8/Q6Q/8/8/2K4Q w - - 0 1");
        assert_eq!(queens.san(queens.parse_uci("h4e4").unwrap()), "Qh4e4");
    }

    #[test]
    fn sloppy_but_clear_texts_are_read() {
        let board = position("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
        for (text, uci) in [
            ("0-0", "e1g1"),
            ("O-O-O+!", "e1c1"),
            ("b8Q+", "b7b8q"),
            ("bxa8=N", "b7a8n"),
            ("exd6 e.p.", "e5d6"),
            ("e5xd6", "e5d6"),
            ("Ra1-b1", "a1b1"),
        ] {
            assert_eq!(board.parse_san(text), board.parse_uci(uci).map_err(|e| panic!("{e}")));
        }
    }

    #[test]
    fn unreadable_illegal_and_ambiguous_texts_are_told_apart() {
        let board = position("6k1/8/8/8/R6R/8/8/4K3 w - - 0 1");
        for (text, reason) in [
            ("Rd4", "ambiguous"),
            ("Nf3", "no knight of White can go to f3"),
            ("O-O", "cannot castle"),
            ("hello", "is no move"),
            ("", "is no move"),
            ("=", "is no move"),
            ("Q", "is no move"),
        ] {
            let error = board.parse_san(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
