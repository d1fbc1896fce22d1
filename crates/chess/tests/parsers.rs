//! What people and programs may type: FEN, SAN, UCI moves and squares. Nothing panics, what is
//! valid comes back unchanged, and what is not is refused in one sentence.

mod support;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed};
use tandem_chess::{Bitboard, CastlingNotation, Move, Position, Square};

use support::random::Random;
use support::{starts, suite};

/// The same cases on every machine, and no files left behind.
fn seeded(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(64), failure_persistence: None, ..Config::default() }
}

/// What an error must look like to be shown to a person.
fn assert_sentence(error: &dyn std::error::Error, input: &str) {
    let sentence = error.to_string();
    let start: String = sentence.chars().take(600).collect();
    assert!(!sentence.trim().is_empty(), "no words about {input:?}");
    assert!(!sentence.chars().any(char::is_control), "{start:?} is more than one line");
    assert!(start == sentence, "too much about {input:?}: {start}…");
}

/// A text is refused with a sentence, or it gives a position that is sound.
fn check_fen(text: &str) {
    match Position::from_fen(text) {
        Err(error) => assert_sentence(&error, text),
        Ok(position) => {
            let fen = position.to_string();
            assert_eq!(Position::from_fen(&fen), Ok(position), "{text:?} written as {fen}");
            let shredder = position.shredder_fen();
            assert_eq!(Position::from_fen(&shredder), Ok(position), "{text:?} as {shredder}");
            let moves = position.legal_moves();
            assert_eq!(moves.len(), position.count_legal() as usize, "{fen}");
            for m in moves {
                let next = position.after(m);
                let fen = next.to_string();
                assert_eq!(Position::from_fen(&fen), Ok(next), "{m:?} in {text:?} gives {fen}");
            }
        }
    }
}

fn check_san(position: &Position, text: &str) {
    match position.parse_san(text) {
        Err(error) => assert_sentence(&error, text),
        Ok(m) => {
            assert!(position.is_legal(m), "{text:?} gives {m:?} in {position}");
            assert_eq!(position.parse_san(&position.san(m)), Ok(m), "{text:?} in {position}");
        }
    }
}

fn check_uci(position: &Position, text: &str) {
    match position.parse_uci(text) {
        Err(error) => assert_sentence(&error, text),
        Ok(m) => {
            assert!(position.is_legal(m), "{text:?} gives {m:?} in {position}");
            let texts = [CastlingNotation::Standard, CastlingNotation::Chess960]
                .map(|notation| position.uci(m, notation));
            assert!(texts.contains(&text.to_lowercase()), "{text:?} is not {texts:?}");
        }
    }
}

/// FENs of all sorts: the perft positions, Chess960 starts and what random games make of them.
fn fens() -> Vec<String> {
    let mut random = Random::new(3);
    let mut fens: Vec<String> = suite::all_entries().into_iter().map(|entry| entry.fen).collect();
    fens.extend((0..40).map(|_| starts::start_fen(random.below(960), random.below(960))));
    for number in 0..fens.len() {
        let mut position = Position::from_fen(&fens[number]).expect("a legal position");
        for _ in 0..random.below(60) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(random.pick(&moves));
        }
        fens.push(position.to_string());
    }
    fens
}

fn positions() -> impl Strategy<Value = Position> {
    select(fens()).prop_map(|fen| Position::from_fen(&fen).expect("a legal position"))
}

/// One change to a text: which, where, and with what.
type Change = (u8, Index, char);

fn changes(letters: &'static str) -> impl Strategy<Value = Vec<Change>> {
    let letter = prop_oneof![9 => select(letters.chars().collect::<Vec<_>>()), 1 => any::<char>()];
    prop::collection::vec((0..5_u8, any::<Index>(), letter), 1..5)
}

/// Replaces, inserts, drops, doubles or swaps characters.
fn mutate(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for &(change, place, letter) in changes {
        if letters.is_empty() {
            letters.push(letter);
        }
        let place = place.index(letters.len());
        match change {
            0 => letters[place] = letter,
            1 => letters.insert(place, letter),
            2 => drop(letters.remove(place)),
            3 => letters.insert(place, letters[place]),
            _ => letters.swap(place, 0),
        }
    }
    letters.into_iter().collect()
}

const FEN_LETTERS: &str = "pnbrqkPNBRQK12345678/ wbKQkqAHah-abcdefgh36 09";
const MOVE_LETTERS: &str = "NBRQKPabcdefgh12345678xO0-=+#!? qrbn";

proptest! {
    #![proptest_config(seeded(4000))]

    #[test]
    fn no_text_breaks_a_parser(text in any::<String>(), position in positions()) {
        check_fen(&text);
        check_san(&position, &text);
        check_uci(&position, &text);
        if let Err(error) = text.parse::<Square>() {
            assert_sentence(&error, &text);
        }
    }

    #[test]
    fn no_bytes_break_a_parser(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        position in positions(),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        check_fen(&text);
        check_san(&position, &text);
        check_uci(&position, &text);
    }

    #[test]
    fn texts_with_the_letters_of_a_fen_are_read_or_refused(
        text in "[pnbrqkPNBRQK1-8/]{10,72} [wb-] [KQkqA-Ha-h-]{1,5} [a-h-][1-8]? [0-9]{1,6} -?[0-9]{1,6}",
    ) {
        check_fen(&text);
    }

    #[test]
    fn damaged_fens_are_read_or_refused(
        fen in select(fens()),
        changes in changes(FEN_LETTERS),
    ) {
        check_fen(&mutate(&fen, &changes));
    }

    #[test]
    fn fens_with_other_fields_are_read_or_refused(
        (first, second) in (select(fens()), select(fens())),
        swapped in 0..6_usize,
        kept in 0..8_usize,
    ) {
        let mut fields: Vec<&str> = first.split(' ').collect();
        fields[swapped] = second.split(' ').nth(swapped).unwrap_or_default();
        fields.truncate(kept);
        check_fen(&fields.join(" "));
        fields.extend(second.split(' ').take(kept));
        check_fen(&fields.join("  "));
    }

    #[test]
    fn damaged_moves_are_read_or_refused(
        position in positions(),
        chosen in any::<Index>(),
        changes in changes(MOVE_LETTERS),
    ) {
        let moves = position.legal_moves();
        if !moves.is_empty() {
            let m = *chosen.get(&moves);
            check_san(&position, &mutate(&position.san(m), &changes));
            let uci = position.uci(m, CastlingNotation::Standard);
            check_uci(&position, &mutate(&uci, &changes));
        }
    }

    #[test]
    fn moves_of_other_positions_are_read_or_refused(
        (here, there) in (positions(), positions()),
        chosen in any::<Index>(),
    ) {
        let moves = there.legal_moves();
        if !moves.is_empty() {
            let m = *chosen.get(&moves);
            check_san(&here, &there.san(m));
            check_uci(&here, &m.to_string());
        }
    }
}

#[test]
fn valid_fens_come_back_unchanged() {
    for fen in fens() {
        let position = Position::from_fen(&fen).expect("a legal position");
        check_fen(&fen);
        // Spaces around and between the fields do not matter.
        let spaced = format!("  {}\t", position.to_string().replace(' ', "   "));
        assert_eq!(Position::from_fen(&spaced), Ok(position), "{spaced:?}");
        assert_eq!(fen.parse::<Position>(), Ok(position), "{fen}");
    }
}

#[test]
fn exactly_the_legal_moves_are_read_among_all_pairs_of_squares() {
    let fens = fens();
    for fen in fens.iter().step_by(fens.len() / 12) {
        let position = Position::from_fen(fen).expect("a legal position");
        let moves = position.legal_moves();
        let written = |text: &str, notation| {
            moves.iter().copied().find(|&m| position.uci(m, notation) == text)
        };
        for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
            for becomes in ["", "q", "r", "b", "n", "k", "p"] {
                let text = format!("{from}{to}{becomes}");
                let meant: Option<Move> = written(&text, CastlingNotation::Chess960)
                    .or_else(|| written(&text, CastlingNotation::Standard));
                assert_eq!(position.parse_uci(&text).ok(), meant, "{text} in {fen}");
            }
        }
    }
}

#[test]
fn squares_come_back_unchanged_and_nothing_else_is_one() {
    let printable = || (0..=255_u8).map(char::from);
    let mut found = Bitboard::EMPTY;
    for text in printable().flat_map(|a| printable().map(move |b| format!("{a}{b}"))) {
        match text.parse::<Square>() {
            Ok(square) => {
                assert_eq!(square.to_string(), text);
                found |= Bitboard::of(square);
            }
            Err(error) => assert_sentence(&error, &text),
        }
    }
    assert_eq!(found.count(), 64);
}

/// Fields that cannot be read, and what the refusal must mention.
const UNREADABLE: [(&str, &[&str]); 19] = [
    ("", &["empty"]),
    ("   ", &["empty"]),
    ("hello", &["pieces", "rank"]),
    ("8/8/8/8/8/8/8 w - - 0 1", &["pieces", "7", "8"]),
    ("8/8/8/8/8/8/8/8/8 w - - 0 1", &["pieces", "9", "8"]),
    ("k7/8/8/8/8/8/8/K6 w - - 0 1", &["rank 1", "7", "8"]),
    ("k7/8/8/8/8/8/8/K71 w - - 0 1", &["rank 1", "9", "8"]),
    ("k7/8/8/44p/8/8/8/K7 w - - 0 1", &["rank 5", "9", "8"]),
    ("k7/8/8/x7/8/8/8/K7 w - - 0 1", &["rank 5", "x"]),
    ("k7/8/8/9/8/8/8/K7 w - - 0 1", &["rank 5", "9"]),
    ("k7/8/8/8/8/8/8/K7 x - - 0 1", &["side to move", "'x'", "w"]),
    ("k7/8/8/8/8/8/8/K7 white - - 0 1", &["side to move", "'white'", "w"]),
    ("k7/8/8/8/8/8/8/K7 w X - 0 1", &["castling", "X"]),
    ("k7/8/8/8/8/8/8/K7 w - e9 0 1", &["en passant", "'e9'"]),
    ("k7/8/8/8/8/8/8/K7 w - - x 1", &["half-move", "'x'"]),
    ("k7/8/8/8/8/8/8/K7 w - - -1 1", &["half-move", "'-1'"]),
    ("k7/8/8/8/8/8/8/K7 w - - 0 y", &["move number", "'y'"]),
    ("k7/8/8/8/8/8/8/K7 w - - 0 99999999999999999999", &["move number", "999"]),
    ("k7/8/8/8/8/8/8/K7 w - - 0 1 extra", &["seventh", "'extra'"]),
];

#[test]
fn unreadable_fens_are_refused_with_field_finding_and_expectation() {
    assert_refused(&UNREADABLE);
}

/// Positions that no game reaches, and what the refusal must mention.
const IMPOSSIBLE: [(&str, &[&str]); 47] = [
    // Kings.
    ("8/8/8/8/8/8/8/8 w - - 0 1", &["no king"]),
    ("8/8/8/8/8/8/8/K7 w - - 0 1", &["Black", "no king"]),
    ("k7/8/8/8/8/8/8/8 w - - 0 1", &["White", "no king"]),
    ("k7/8/8/8/8/8/8/KK6 w - - 0 1", &["White", "2 kings"]),
    ("kkk5/8/8/8/8/8/8/K7 w - - 0 1", &["Black", "3 kings"]),
    ("8/8/8/8/8/8/8/Kk6 w - - 0 1", &["check"]),
    ("8/8/8/3k4/4K3/8/8/8 b - - 0 1", &["check"]),
    // The side that has just moved is in check.
    ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", &["Black", "check"]),
    ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", &["White", "check"]),
    ("4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", &["Black", "check"]),
    ("4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", &["Black", "check"]),
    // Pawns on the last ranks.
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", &["pawn", "h8"]),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", &["pawn", "a1"]),
    ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", &["pawn", "h8"]),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", &["pawn", "a1"]),
    // Too many men, pawns, or pieces that no pawns can have become.
    ("4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1", &["White", "17 men"]),
    ("rnbqkbnr/pppppppp/pp6/8/8/8/8/4K3 w - - 0 1", &["Black", "18 men"]),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", &["White", "9 pawns"]),
    ("4k3/pppppppp/pp6/8/8/8/8/4K3 w - - 0 1", &["Black", "10 pawns"]),
    ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", &["White", "pieces", "pawns"]),
    ("rrr1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1", &["Black", "pieces", "pawns"]),
    ("4k3/8/8/8/8/NNNNN3/PPPPPP2/4K3 w - - 0 1", &["White", "pieces", "pawns"]),
    ("4k3/8/8/8/8/BBBB4/PPPPPPP1/4K3 w - - 0 1", &["White", "pieces", "pawns"]),
    // Two bishops on squares of one colour, though all pawns are there.
    ("4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", &["White", "pieces", "pawns"]),
    // More than two pieces give check.
    ("4r1k1/8/8/1b6/8/3n4/8/4K2r w - - 0 1", &["check"]),
    // Castling rights without king and rook.
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", &["castling", "K"]),
    ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", &["castling", "K"]),
    ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", &["castling", "Q"]),
    ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", &["castling"]),
    ("r6r/4k3/8/8/8/8/8/4K3 w kq - 0 1", &["castling"]),
    ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", &["castling", "K"]),
    ("4k2R/8/8/8/8/8/8/4K3 b k - 0 1", &["castling", "k"]),
    ("4k3/8/8/8/8/8/8/4K2R w G - 0 1", &["castling"]),
    ("4k3/8/8/8/8/8/8/R3K2R w Ab - 0 1", &["castling"]),
    ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", &["castling"]),
    ("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["castling", "k"]),
    // En-passant squares that cannot be.
    ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", &["en-passant", "e3"]),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", &["en-passant", "e6"]),
    ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", &["en-passant", "e3"]),
    ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", &["en-passant", "e6"]),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", &["en-passant", "e4"]),
    ("4k3/8/8/8/4P3/8/8/4K3 b - d3 0 1", &["en-passant", "d3"]),
    ("4k3/8/8/8/4N3/8/8/4K3 b - e3 0 1", &["en-passant", "e3"]),
    ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", &["en-passant", "e3"]),
    ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", &["en-passant", "e3"]),
    ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", &["en-passant", "e6"]),
    // A check that was there before the double step.
    ("3k4/8/8/8/4Pp2/8/8/3RK3 b - e3 0 1", &["en-passant", "e3"]),
];

#[test]
fn impossible_positions_are_refused_with_their_reason() {
    assert_refused(&IMPOSSIBLE);
}

fn assert_refused(table: &[(&str, &[&str])]) {
    for &(fen, words) in table {
        let Err(error) = Position::from_fen(fen) else {
            panic!("{fen:?} is accepted");
        };
        assert_sentence(&error, fen);
        let sentence = error.to_string();
        for word in words {
            assert!(sentence.contains(word), "{fen:?}: '{word}' is missing in: {sentence}");
        }
    }
}

#[test]
fn rare_but_possible_positions_are_accepted() {
    for fen in [
        // Nine queens, or three knights after a promotion.
        "QQQQQQQQ/Q7/8/8/8/7k/8/K7 b - - 0 1",
        "4k3/8/8/8/8/NNN5/PPPPPPP1/4K3 w - - 0 1",
        // A double step that nobody can answer by taking, with the square given all the same.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        // Missing counters, a move number of zero, a clock past the fifty moves.
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 150 200",
    ] {
        assert!(Position::from_fen(fen).is_ok(), "{fen}: {:?}", Position::from_fen(fen));
    }
}

#[test]
fn large_counters_survive_the_next_move() {
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 b - - 9999 9999",
        "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535",
        "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535",
    ] {
        check_fen(fen);
    }
}

#[test]
fn a_square_that_nobody_can_take_on_is_not_kept() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let position = Position::from_fen(fen).expect("a legal position");
    assert_eq!(position.en_passant(), None);
    assert_eq!(position.to_string(), fen.replace("e3", "-"));
}

#[test]
fn refusals_of_endless_texts_are_short() {
    let position = Position::startpos();
    for unit in ["k", "8", "/", " ", "w ", "e4", "é", "\n", "\u{0}", "1/"] {
        let text = unit.repeat(50_000);
        if let Err(error) = Position::from_fen(&text) {
            assert_sentence(&error, unit);
        }
        check_san(&position, &text);
        check_uci(&position, &text);
        if let Err(error) = text.parse::<Square>() {
            assert_sentence(&error, unit);
        }
    }
}

#[test]
fn refused_moves_say_why() {
    let pinned = Position::from_fen("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").expect("a position");
    let cases = [
        (Position::startpos(), "e2e5", "e2"),
        (Position::startpos(), "e7e5", "White"),
        (Position::startpos(), "e4e5", "e4"),
        (Position::startpos(), "0000", "0000"),
        (pinned, "e2c3", "pinned"),
    ];
    for (position, text, word) in cases {
        let sentence = position.parse_uci(text).expect_err("illegal").to_string();
        assert!(sentence.contains(word), "{text}: '{word}' is missing in: {sentence}");
    }
    for text in ["e5", "Nd4", "O-O", "Ke2", "exd3", "e8=Q", "Zf3", "Nf3x", "e", "=Q", "--"] {
        let error = Position::startpos().parse_san(text).expect_err("illegal");
        assert_sentence(&error, text);
        assert!(error.to_string().contains(text), "{text} is not named in: {error}");
    }
}
