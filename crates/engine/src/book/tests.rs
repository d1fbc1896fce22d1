//! Real books, and files that are none.

use std::collections::HashMap;

use tandem_chess::{CastlingNotation, Game, Random};

use super::{Book, key};
use crate::testing::book;

fn after(moves: &str) -> Game {
    let mut game = Game::default();
    for text in moves.split_whitespace() {
        game.play(game.position().parse_uci(text).unwrap()).unwrap();
    }
    game
}

fn proposed(book: &Book, game: &Game) -> Vec<(String, u16)> {
    let text = |m| game.position().uci(m, CastlingNotation::Standard);
    book.moves(game).unwrap().into_iter().map(|b| (text(b.m), b.weight)).collect()
}

/// A book of entries for one game's position.
fn made_of(game: &Game, entries: &[(&str, u16)]) -> (tempfile::NamedTempFile, Book) {
    let mut bytes = Vec::new();
    for &(text, weight) in entries {
        let digit = |i: usize, from: u8| u16::from(text.as_bytes()[i] - from);
        let code = digit(2, b'a') | digit(3, b'1') << 3 | digit(0, b'a') << 6 | digit(1, b'1') << 9;
        let becomes = text.chars().nth(4).map_or(0, |c| " nbrqk".find(c).unwrap() as u16);
        bytes.extend(key::of(game).to_be_bytes());
        bytes.extend((code | becomes << 12).to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let book = Book::open(file.path().to_str().unwrap()).unwrap();
    (file, book)
}

/// What python-chess reads in the same files.
#[test]
fn real_books_are_read_as_others_read_them() {
    let performance = Book::open(&book("performance.bin")).unwrap();
    assert_eq!(performance.len(), 92_954);
    for (moves, expected) in [
        ("", "e2e4 1, d2d4 1, c2c4 1"),
        ("e2e4 e7e5 g1f3 b8c6 f1b5", "a7a6 96, g8f6 5"),
        ("d2d4 g8f6 c2c4 e7e6 b1c3 f8b4", "d1c2 19, g1f3 6"),
        ("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "c1e3 39, c1g5 15, f1c4 8, f2f4 5"),
        ("e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1b5 f8b4", "e1g1 222"),
        ("e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1b5 f8b4 e1g1", "e8g8 5"),
        ("a2a4 a7a5 a1a2", ""),
    ] {
        let found: Vec<_> = proposed(&performance, &after(moves))
            .into_iter()
            .map(|(m, weight)| format!("{m} {weight}"))
            .collect();
        assert_eq!(found.join(", "), expected, "{moves}");
    }
    let lasker = Book::open(&book("lasker-trap.bin")).unwrap();
    let trap = after("d2d4 d7d5 c2c4 e7e5 d4e5 d5d4 e2e3 f8b4 c1d2 d4e3 d2b4 e3f2 e1e2");
    assert_eq!(proposed(&lasker, &trap), [("f2g1n".to_owned(), 2)]);
}

#[test]
fn weights_are_chances_and_the_best_is_the_heaviest() {
    let performance = Book::open(&book("performance.bin")).unwrap();
    let game = after("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6");
    let best = performance.choose(&game, None).unwrap().unwrap();
    assert_eq!(best.to_string(), "c1e3");
    let draw = |seed| {
        let mut random = Random::new(seed);
        (0..670)
            .map(|_| performance.choose(&game, Some(&mut random)).unwrap().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(draw(1), draw(1));
    let mut counts: HashMap<String, i32> = HashMap::new();
    for m in draw(1) {
        *counts.entry(m).or_default() += 1;
    }
    for (m, expected) in [("c1e3", 390), ("c1g5", 150), ("f1c4", 80), ("f2f4", 50)] {
        assert!((counts[m] - expected).abs() < 45, "{m}: {} for {expected}", counts[m]);
    }
    assert_eq!(
        performance.choose(&after("a2a4 a7a5 a1a2"), Some(&mut Random::new(1))).unwrap(),
        None
    );
}

#[test]
fn foreign_and_unwanted_entries_are_skipped() {
    let game = Game::default();
    let (_file, book) = made_of(
        &game,
        &[("e2e5", 9), ("e7e5", 9), ("e2e4q", 9), ("a1a1", 9), ("d2d4", 0), ("g1f3", 1)],
    );
    assert_eq!(proposed(&book, &game), [("g1f3".to_owned(), 1)]);
    let (_file, book) = made_of(&game, &[("d2d4", 0)]);
    assert_eq!(book.choose(&game, Some(&mut Random::new(1))).unwrap(), None);
}

#[test]
fn castling_is_understood_in_both_spellings_and_kings_steps_stay_steps() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let game = Game::new(castling.parse().unwrap());
    let (_file, book) = made_of(&game, &[("e1h1", 4), ("e1c1", 3), ("e1f1", 2), ("h1g1", 1)]);
    let expected = [("e1g1", 4), ("e1c1", 3), ("e1f1", 2), ("h1g1", 1)];
    assert_eq!(proposed(&book, &game), expected.map(|(m, w)| (m.to_owned(), w)));
    // Black's moves too, and promotions.
    let game = Game::new("r3k2r/8/8/8/8/8/p7/4K3 b kq - 0 1".parse().unwrap());
    let (_file, book) = made_of(&game, &[("e8a8", 3), ("a2a1n", 2), ("a2a1", 1)]);
    assert_eq!(proposed(&book, &game), [("e8c8".to_owned(), 3), ("a2a1n".to_owned(), 2)]);
}

#[test]
fn what_is_no_book_is_refused_with_a_sentence() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let sentence = |bytes: &[u8]| {
        std::fs::write(path, bytes).unwrap();
        Book::open(path).unwrap_err().to_string()
    };
    assert!(sentence(b"").contains("its 0 bytes are not a number of 16-byte entries"));
    assert!(sentence(b"hello").contains("is no Polyglot book: its 5 bytes"));
    let unsorted: Vec<u8> = (0..64 * 16).map(|i: u32| (i * 37 % 251) as u8).collect();
    assert!(sentence(&unsorted).contains("not in the order of their keys"));
    let missing = Book::open("/no/such/book.bin").unwrap_err().to_string();
    assert!(missing.contains("the book '/no/such/book.bin' cannot be read (No such"), "{missing}");
    assert!(Book::open("/").is_err());
}
