use std::fs;

use super::*;

fn spec(file: Option<PathBuf>, order: Order, seed: u64) -> BookSpec {
    BookSpec { file, plies: 6, order, seed, chess960: false }
}

fn fens(book: &mut Book, count: u64) -> Vec<String> {
    (0..count).map(|n| book.opening(n, &[]).unwrap().position().to_string()).collect()
}

#[test]
fn openings_by_chance_depend_on_seed_and_number_alone() {
    let open = |seed| Book::open(&spec(None, Order::Sequential, seed)).unwrap();
    let first = fens(&mut open(1), 4);
    assert_eq!(open(1).opening(3, &[]).unwrap().position().to_string(), first[3]);
    assert_ne!(fens(&mut open(2), 4), first);
    assert!(first.iter().enumerate().all(|(i, fen)| !first[..i].contains(fen)));
}

#[test]
fn chance_knows_chess960() {
    let spec = BookSpec { chess960: true, ..spec(None, Order::Sequential, 1) };
    let mut book = Book::open(&spec).unwrap();
    let starts: Vec<Position> =
        (0..4).map(|number| *book.opening(number, &[]).unwrap().start()).collect();
    assert!(starts.iter().all(|start| (0..960).any(|n| Position::chess960(n) == *start)));
    assert_ne!(starts[0], starts[1]);
}

#[test]
fn positions_come_in_order_or_shuffled_and_begin_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.epd");
    let lines: Vec<String> = (1..=9).map(|n| format!("8/8/8/8/8/4k3/8/4K2R w K - 0 {n}")).collect();
    fs::write(&file, format!("# a comment\n\n{}\n", lines.join(" id x;\n"))).unwrap();
    let mut book = Book::open(&spec(Some(file.clone()), Order::Sequential, 1)).unwrap();
    assert_eq!(book.len(), Some(9));
    assert_eq!(fens(&mut book, 9), lines);
    assert_eq!(fens(&mut book, 10)[9], lines[0]);
    let mut shuffled = fens(&mut Book::open(&spec(Some(file), Order::Random, 1)).unwrap(), 9);
    assert_ne!(shuffled, lines);
    shuffled.sort();
    assert_eq!(shuffled, lines);
}

#[test]
fn games_are_cut_off_and_variations_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.pgn");
    fs::write(&file, "1. e4 (1. d4 d5) e5 {a comment} 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n\n1. c4 *\n")
        .unwrap();
    let mut book = Book::open(&spec(Some(file.clone()), Order::Sequential, 1)).unwrap();
    assert_eq!(book.opening(0, &[]).unwrap().moves().len(), 6);
    assert_eq!(book.opening(1, &[]).unwrap().moves().len(), 1);
    fs::write(&file, "1. e4 e5 *\n\n1. e4 e4 *\n").unwrap();
    let error = Book::open(&spec(Some(file), Order::Sequential, 1)).err().unwrap().to_string();
    assert!(error.contains("game 2") && error.contains("e4"), "{error}");
}

#[test]
fn odds_take_pieces_and_castling_rights_away() {
    let mut book = Book::open(&spec(None, Order::Sequential, 1)).unwrap();
    let rook = odds_of(&["a1".parse().unwrap()], Color::Black);
    let game = book.opening(0, &rook).unwrap();
    assert!(game.start().to_string().starts_with("1nbqkbnr/pppppppp/"));
    assert_eq!(game.start().castling_rooks().count(), 3);
    let error = book.opening(0, &["e4".parse().unwrap()]).unwrap_err().to_string();
    assert!(error.contains("no piece on e4"), "{error}");
    let error = book.opening(0, &["e1".parse().unwrap()]).unwrap_err().to_string();
    assert!(error.contains("king"), "{error}");
}

#[test]
fn what_is_no_book_is_named() {
    for name in ["openings.zip", "nothing.epd", "nothing.pgn", "nothing.bin"] {
        let error = Book::open(&spec(Some(PathBuf::from(name)), Order::Sequential, 1));
        let error = error.err().unwrap().to_string();
        assert!(error.contains(name), "{error}");
    }
}
