//! Static exchange evaluation against an exchange played out by minimax on a board of letters.
//!
//! The slow version shares nothing with the fast one but the rules that `see_at_least` documents:
//! each side takes with its cheapest piece or stops, a king takes only what is not defended, pins
//! and checks do not matter, a promotion counts what it adds, recapturing pawns stay pawns.

mod support;

use tandem_chess::{Color, Move, MoveKind, PieceType, Position, Square, see};

use support::oracle::Pair;
use support::random::Random;
use support::{placement, starts, suite};

type Board = [Option<(Color, PieceType)>; 64];

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// What a piece costs, cheapest first.
const fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Knight => 320,
        PieceType::Bishop => 330,
        PieceType::Rook => 500,
        PieceType::Queen => 900,
        PieceType::King => 20_000,
    }
}

/// The square that many files and ranks away, if it is on the board.
fn step(from: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((from % 8) as i8 + files, (from / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

/// The first piece that one sees in a direction, with its distance.
fn look(board: &Board, from: usize, direction: (i8, i8)) -> Option<(usize, usize)> {
    let mut square = from;
    for distance in 1.. {
        square = step(square, direction)?;
        if board[square].is_some() {
            return Some((square, distance));
        }
    }
    None
}

/// Where that side's pieces stand that attack a square, whatever pins them.
fn attackers(board: &Board, target: usize, side: Color) -> Vec<(usize, PieceType)> {
    let mut found = Vec::new();
    let mut consider = |square: usize, attacks: &dyn Fn(PieceType) -> bool| {
        if let Some((color, kind)) = board[square]
            && color == side
            && attacks(kind)
        {
            found.push((square, kind));
        }
    };
    for jump in KNIGHT {
        if let Some(square) = step(target, jump) {
            consider(square, &|kind| kind == PieceType::Knight);
        }
    }
    for (directions, slider) in [(STRAIGHT, PieceType::Rook), (DIAGONAL, PieceType::Bishop)] {
        for direction in directions {
            if let Some((square, distance)) = look(board, target, direction) {
                // A white pawn attacks upwards, so it stands below its target.
                let below = if side == Color::White { -1 } else { 1 };
                let pawn = distance == 1 && direction.0 != 0 && direction.1 == below;
                consider(square, &|kind| match kind {
                    PieceType::Queen => true,
                    PieceType::King => distance == 1,
                    PieceType::Pawn => pawn,
                    _ => kind == slider,
                });
            }
        }
    }
    found
}

/// The least and the most that `side` can win by taking on `target` or not. They differ only where
/// it matters which of two pieces of one kind takes first, which the rules leave open.
fn best_gain(board: &Board, target: usize, side: Color) -> (i32, i32) {
    let Some((_, victim)) = board[target] else {
        return (0, 0);
    };
    let takers = attackers(board, target, side);
    let Some(cheapest) = takers.iter().map(|&(_, kind)| kind).min_by_key(|&kind| value(kind))
    else {
        return (0, 0);
    };
    let defended = !attackers(board, target, !side).is_empty();
    if cheapest == PieceType::King && defended {
        return (0, 0);
    }
    let gains: Vec<(i32, i32)> = takers
        .into_iter()
        .filter(|&(_, kind)| kind == cheapest)
        .map(|(from, kind)| {
            let mut next = *board;
            next[from] = None;
            next[target] = Some((side, kind));
            let (least, most) = best_gain(&next, target, !side);
            (value(victim) - most, value(victim) - least)
        })
        .collect();
    let least = gains.iter().map(|gain| gain.0).min().unwrap_or(0).max(0);
    let most = gains.iter().map(|gain| gain.1).max().unwrap_or(0).max(0);
    (least, most)
}

/// The least and the most that a legal move wins.
fn exchange(position: &Position, m: Move) -> (i32, i32) {
    if m.kind() == MoveKind::Castling {
        return (0, 0);
    }
    let mut board: Board = [None; 64];
    for square in Square::all() {
        board[square.index()] = position.piece_on(square).map(|p| (p.color(), p.kind()));
    }
    let side = position.side_to_move();
    let Some((_, moving)) = board[m.from().index()].take() else {
        panic!("{m:?} moves nothing in {position}");
    };
    let mut won = board[m.to().index()].map_or(0, |(_, kind)| value(kind));
    if m.kind() == MoveKind::EnPassant {
        board[Square::new(m.to().file(), m.from().rank()).index()] = None;
        won = value(PieceType::Pawn);
    }
    let standing = m.becomes().unwrap_or(moving);
    won += value(standing) - value(moving);
    board[m.to().index()] = Some((side, standing));
    let (least, most) = best_gain(&board, m.to().index(), !side);
    (won - most, won - least)
}

/// How many moves were tried, and for how many the rules leave the answer open.
#[derive(Default)]
struct Tally {
    captures: usize,
    quiets: usize,
    open: usize,
}

fn compare_moves(position: &Position, tally: &mut Tally) {
    for m in position.legal_moves() {
        let (least, most) = exchange(position, m);
        tally.open += usize::from(least != most);
        if position.is_capture(m) {
            tally.captures += 1;
        } else {
            tally.quiets += 1;
        }
        for threshold in [least - 1, least] {
            let found = position.see_at_least(m, threshold);
            assert!(found, "{m:?} wins {least} but not {threshold} in {position}");
        }
        let found = position.see_at_least(m, most + 1);
        assert!(!found, "{m:?} wins {most}, not {} in {position}", most + 1);
        for threshold in [-1000, -500, -320, -100, -1, 0, 1, 100, 220, 500, 1000] {
            let found = position.see_at_least(m, threshold);
            let open = least < threshold && threshold <= most;
            assert!(open || found == (threshold <= least), "{m:?}, {threshold} in {position}");
        }
    }
}

#[test]
fn exchanges_in_random_games_are_worth_what_minimax_says() {
    let mut random = Random::new(330);
    let mut fens: Vec<String> = suite::all_entries().into_iter().map(|entry| entry.fen).collect();
    fens.extend((0..150).map(|_| starts::start_fen(random.below(960), random.below(960))));
    let mut tally = Tally::default();
    for fen in fens {
        let mut pair = Pair::new(&fen);
        for _ in 0..60 {
            compare_moves(&pair.ours, &mut tally);
            match pair.random_move(&mut random) {
                Some(m) => pair.play(m),
                None => break,
            }
        }
    }
    assert!(tally.captures > 20_000 && tally.quiets > 100_000);
    assert!(tally.open * 1000 < tally.captures + tally.quiets, "{} are open", tally.open);
}

/// Crowded boards, in which many pieces look at one square.
#[test]
fn exchanges_on_crowded_boards_are_worth_what_minimax_says() {
    let mut random = Random::new(500);
    let mut tally = Tally::default();
    let mut boards = 0;
    while boards < 20_000 {
        if let Ok(position) = Position::from_fen(&placement::crowded(&mut random)) {
            compare_moves(&position, &mut tally);
            boards += 1;
        }
    }
    assert!(tally.captures > 30_000, "only {} captures", tally.captures);
}

#[test]
fn the_values_are_those_of_the_slow_version() {
    for kind in PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::King) {
        assert_eq!(see::value(kind), value(kind));
    }
    assert!(see::value(PieceType::King) > 10 * see::value(PieceType::Queen));
}

#[test]
fn textbook_exchanges() {
    for (fen, san, gain) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -220),
        // Nothing is taken, but the piece can be.
        ("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", "Qd5", -900),
        ("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", "Qd4", 0),
        // En passant, with and without a defender; promotion, safe and not.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 800),
        ("1r6/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", -100),
        ("1r6/P6k/8/8/8/8/8/4K3 w - - 0 1", "axb8=N", 720),
        // Castling wins nothing; a king takes what is undefended.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2", 500),
    ] {
        let position = Position::from_fen(fen).expect("a legal position");
        let m = position.parse_san(san).expect("a legal move");
        assert!(position.see_at_least(m, gain), "{san} wins {gain} in {fen}");
        assert!(!position.see_at_least(m, gain + 1), "{san} wins only {gain} in {fen}");
    }
}
