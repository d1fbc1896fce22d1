//! What the fuzz targets do with their bytes. The corpus also runs through here as an ordinary
//! test, without a fuzzer.
#![allow(dead_code, reason = "each target uses its own body")]

use std::error::Error;

use tandem_chess::{CastlingNotation, Game, Move, Position};

/// Longer lines show nothing that short ones do not.
const MAX_MOVES: usize = 16;

/// The first line is a FEN. Each further word is a move in UCI, or a number that picks one of the
/// legal moves. Nothing panics, what is refused changes nothing, and each position is sound.
pub fn fen_moves(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (fen, moves) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(mut game) = start(fen) else {
        return;
    };
    for word in moves.split_whitespace().take(MAX_MOVES) {
        let before = *game.position();
        let legal = before.legal_moves();
        let chosen = match word.parse::<usize>() {
            Ok(_) if legal.is_empty() => break,
            Ok(number) => Ok(legal[number % legal.len()]),
            Err(_) => before.parse_uci(word),
        };
        match chosen {
            Ok(m) => play(&mut game, m),
            Err(error) => assert_sentence(&error),
        }
    }
}

/// The first line is a FEN. Each further line is a move in SAN.
pub fn san(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (fen, moves) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(mut game) = start(fen) else {
        return;
    };
    for line in moves.lines().take(MAX_MOVES) {
        match game.position().parse_san(line) {
            Ok(m) => play(&mut game, m),
            Err(error) => assert_sentence(&error),
        }
    }
}

/// A game from that FEN; an empty one stands for the start position.
fn start(fen: &str) -> Option<Game> {
    if fen.is_empty() {
        return Some(Game::default());
    }
    match Position::from_fen(fen) {
        Ok(position) => {
            assert_sound(&position);
            Some(Game::new(position))
        }
        Err(error) => {
            assert_sentence(&error);
            None
        }
    }
}

fn play(game: &mut Game, m: Move) {
    let next = game.position().after(m);
    game.play(m).expect("a move that was read is legal");
    assert_eq!(*game.position(), next);
    assert!(game.repetitions() >= 1);
    let _ = (game.outcome(), game.history().can_repeat(&next, MAX_MOVES));
    assert_sound(&next);
}

/// What must hold in every position that was ever accepted.
fn assert_sound(position: &Position) {
    let fen = position.to_string();
    assert_eq!(Position::from_fen(&fen), Ok(*position), "{fen}");
    let shredder = position.shredder_fen();
    assert_eq!(Position::from_fen(&shredder), Ok(*position), "{shredder}");

    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal() as usize, "{fen}");
    let parts = [position.captures(), position.quiets()].concat();
    assert_eq!(moves.len(), parts.len(), "{fen}");
    assert!(parts.iter().all(|m| moves.contains(m)), "{fen}");
    for m in moves {
        assert!(position.is_legal(m), "{m} in {fen}");
        let next = position.after(m);
        assert_eq!(position.gives_check(m), next.in_check(), "{m} in {fen}");
        let reread = Position::from_fen(&next.to_string());
        assert_eq!(reread, Ok(next), "{m} in {fen}");
        let san = position.san(m);
        assert_eq!(position.parse_san(&san), Ok(m), "{san} in {fen}");
        let uci = position.uci(m, CastlingNotation::Chess960);
        assert_eq!(position.parse_uci(&uci), Ok(m), "{uci} in {fen}");
        let worth = [-1000, 0, 1000].map(|threshold| position.see_at_least(m, threshold));
        assert!(worth.is_sorted_by(|a, b| a >= b), "{m} in {fen}");
    }
}

/// An error is one line that can be shown to a person.
fn assert_sentence(error: &dyn Error) {
    let sentence = error.to_string();
    assert!(!sentence.trim().is_empty());
    assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
    assert!(sentence.chars().count() <= 600, "{sentence}");
}
