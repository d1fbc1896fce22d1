//! One position, looked at from every side, against `shakmaty` and against itself.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Position as _, attacks};
use tandem_chess::{
    Bitboard, CastlingNotation, Color, Move, MoveKind, MoveSet, Observer, Piece, PieceType,
    Position, Square,
};

use super::oracle::{self, Pair};
use super::random::Random;

/// Everything that can be asked about a position and each of its moves.
pub fn compare(pair: &Pair, random: &mut Random) {
    let fen = oracle::fen(&pair.theirs);
    assert_eq!(pair.ours.to_string(), fen);
    compare_state(pair, random, &fen);
    compare_verdicts(pair, &fen);
    let theirs: BTreeMap<String, shakmaty::Move> =
        pair.theirs.legal_moves().into_iter().map(|m| (oracle::uci(m), m)).collect();
    let ours: BTreeMap<String, Move> =
        pair.ours.legal_moves().into_iter().map(|m| (m.to_string(), m)).collect();
    assert!(ours.keys().eq(theirs.keys()), "moves of {fen}: ours {ours:?}, theirs {theirs:?}");
    compare_lists(&pair.ours, &theirs, &fen);
    compare_legality(&pair.ours, random, &fen);
    for (&m, &their_move) in ours.values().zip(theirs.values()) {
        compare_texts(pair, m, their_move, &ours, &fen);
        compare_move(pair, m, their_move, &fen);
    }
}

/// What stands where, who attacks whom, and what the keys say of it.
fn compare_state(pair: &Pair, random: &mut Random, fen: &str) {
    let Pair { ours, theirs } = pair;
    let reread = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_same(ours, &reread, fen);
    let shredder = ours.shredder_fen();
    assert_eq!(Position::from_fen(&shredder).as_ref(), Ok(ours), "{fen} as {shredder}");

    assert_eq!(ours.checkers().0, u64::from(theirs.checkers()), "checkers in {fen}");
    assert_eq!(ours.in_check(), theirs.is_check(), "check in {fen}");
    assert_eq!(ours.pinned().0, pinned(theirs), "pinned in {fen}");
    let rights = u64::from(theirs.castles().castling_rights());
    assert_eq!(ours.castling_rooks().0, rights, "castling rights in {fen}");

    let square = random.below(64);
    let occupied = random.next() & random.next() | ours.occupied().0;
    let attackers = shakmaty::Color::ALL
        .map(|color| {
            let square = shakmaty::Square::new(square as u32);
            theirs.board().attacks_to(square, color, occupied.into())
        })
        .into_iter()
        .fold(0, |all, attackers| all | u64::from(attackers));
    let square = Square::from_index(square as u8);
    let found = ours.attackers_to(square, Bitboard(occupied));
    assert_eq!(found.0, attackers, "attackers of {square} in {fen} if {occupied:#x} is occupied");

    if !ours.in_check() {
        compare_null_move(ours, fen);
    }
}

/// Passing the move gives the position that the FEN with the other side to move gives.
fn compare_null_move(ours: &Position, fen: &str) {
    let mut passed = *ours;
    passed.make_null();
    let text = passed.to_string();
    let reread = Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_same(&passed, &reread, fen);
    assert_ne!(passed.side_to_move(), ours.side_to_move());
    assert_eq!(passed.en_passant(), None);
}

/// Equal in everything, and first in each key, so that a failure says which one is wrong.
fn assert_same(ours: &Position, reread: &Position, fen: &str) {
    assert_eq!(ours.pawn_key(), reread.pawn_key(), "pawn key of {fen}");
    assert_eq!(ours.minor_key(), reread.minor_key(), "minor-piece key of {fen}");
    for color in Color::ALL {
        let (ours, reread) = (ours.non_pawn_key(color), reread.non_pawn_key(color));
        assert_eq!(ours, reread, "non-pawn key of {color} in {fen}");
    }
    assert_eq!(ours.key(), reread.key(), "key of {fen}");
    assert!(ours == reread, "{fen} differs from itself when read again");
}

/// The pieces that stand alone between their king and an enemy slider, one slider at a time.
fn pinned(position: &shakmaty::Chess) -> u64 {
    let (board, us) = (position.board(), position.turn());
    let Some(king) = board.king_of(us) else {
        return 0;
    };
    let nothing = shakmaty::Bitboard::EMPTY;
    let straight = attacks::rook_attacks(king, nothing) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, nothing) & board.bishops_and_queens();
    ((straight | diagonal) & board.by_color(!us))
        .into_iter()
        .map(|slider| attacks::between(king, slider) & board.occupied())
        .filter(|between| between.count() == 1)
        .fold(0, |all, between| all | u64::from(between & board.by_color(us)))
}

fn compare_verdicts(pair: &Pair, fen: &str) {
    let Pair { ours, theirs } = pair;
    assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "checkmate in {fen}");
    assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "stalemate in {fen}");
    let (ours, theirs) = (ours.is_insufficient_material(), theirs.is_insufficient_material());
    assert_eq!(ours, theirs, "insufficient material in {fen}");
}

/// The lists by kind are parts of the whole list, and the whole is counted right.
fn compare_lists(ours: &Position, theirs: &BTreeMap<String, shakmaty::Move>, fen: &str) {
    let sorted = |moves: &[Move]| {
        let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
        texts.sort();
        texts
    };
    let (noisy, quiet): (Vec<_>, Vec<_>) =
        theirs.iter().partition(|(_, m)| m.is_capture() || m.is_promotion());
    let names = |moves: Vec<(&String, &shakmaty::Move)>| -> Vec<String> {
        moves.into_iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(sorted(&ours.captures()), names(noisy), "captures and promotions of {fen}");
    assert_eq!(sorted(&ours.quiets()), names(quiet), "quiet moves of {fen}");
    let evasions = if ours.in_check() { ours.legal_moves() } else { <_>::default() };
    assert_eq!(sorted(&ours.evasions()), sorted(&evasions), "evasions of {fen}");

    assert_eq!(ours.count_legal() as usize, theirs.len(), "number of moves of {fen}");
    assert_eq!(ours.has_legal_move(), !theirs.is_empty(), "any move of {fen}");
    let (mut visited, mut counted) = (Vec::new(), 0);
    ours.visit_moves(|set: MoveSet| {
        visited.extend(set);
        counted += set.len() as usize;
    });
    assert_eq!(sorted(&visited), sorted(&ours.legal_moves()), "sets of moves of {fen}");
    assert_eq!(counted, theirs.len(), "sizes of the sets of moves of {fen}");
}

/// Legal moves are found legal, and arbitrary bits only if they are legal moves.
fn compare_legality(ours: &Position, random: &mut Random, fen: &str) {
    let legal = ours.legal_moves();
    let judge = |bits: u16| {
        if let Some(m) = Move::from_bits(bits) {
            assert_eq!(ours.is_legal(m), legal.contains(&m), "legality of {m:?} in {fen}");
        }
    };
    for m in &legal {
        judge(m.bits());
        judge(m.bits() ^ 1 << random.below(16));
        judge(m.bits() ^ 1 << random.below(16) ^ 1 << random.below(16));
    }
    for _ in 0..32 {
        judge(random.next() as u16);
    }
    if random.below(500) == 0 {
        (0..=u16::MAX).for_each(judge);
    }
}

/// SAN and UCI, out and in again.
fn compare_texts(
    pair: &Pair,
    m: Move,
    their_move: shakmaty::Move,
    all: &BTreeMap<String, Move>,
    fen: &str,
) {
    let ours = &pair.ours;
    let san = oracle::san(&pair.theirs, their_move);
    assert_eq!(ours.san(m), san, "SAN of {m:?} in {fen}");
    assert_eq!(ours.parse_san(&san), Ok(m), "{san} in {fen}");
    let chess960 = ours.uci(m, CastlingNotation::Chess960);
    assert_eq!(chess960, m.to_string());
    assert_eq!(ours.parse_uci(&chess960), Ok(m), "{chess960} in {fen}");
    // Standard castling may look like a step of the king in Chess960; the step then wins.
    let standard = ours.uci(m, CastlingNotation::Standard);
    let theirs = their_move.to_uci(CastlingMode::Standard).to_string();
    assert_eq!(standard, theirs, "{m:?} in {fen}");
    let meant = all.get(&standard).copied().unwrap_or(m);
    assert_eq!(ours.parse_uci(&standard), Ok(meant), "{standard} in {fen}");
}

/// What a move takes, whether it gives check, and where it leads.
fn compare_move(pair: &Pair, m: Move, their_move: shakmaty::Move, fen: &str) {
    let ours = &pair.ours;
    assert_eq!(ours.captured_by(m), their_move.capture().map(oracle::kind), "{m:?} in {fen}");
    assert_eq!(ours.is_capture(m), their_move.is_capture(), "{m:?} in {fen}");
    assert_eq!(m.becomes(), their_move.promotion().map(oracle::kind), "{m:?} in {fen}");
    assert_eq!(m.kind() == MoveKind::Castling, their_move.is_castle(), "{m:?} in {fen}");
    assert_eq!(m.kind() == MoveKind::EnPassant, their_move.is_en_passant(), "{m:?} in {fen}");

    let mut theirs = pair.theirs.clone();
    theirs.play_unchecked(their_move);
    let mut next = *ours;
    let mut mirror = Mirror(Square::all().map(|square| ours.piece_on(square)).collect());
    next.make(m, &mut mirror);
    assert!(next == ours.after(m), "{m:?} in {fen} made and copied");
    let board: Vec<_> = Square::all().map(|square| next.piece_on(square)).collect();
    assert_eq!(mirror.0, board, "what the observer saw of {m:?} in {fen}");
    let after = oracle::fen(&theirs);
    assert_eq!(next.to_string(), after, "{m:?} in {fen}");
    let reread = Position::from_fen(&after).unwrap_or_else(|error| panic!("{after}: {error}"));
    assert_same(&next, &reread, &format!("{after}, reached by {m:?} from {fen}"));
    compare_keys(ours, &next, m, fen);
    assert_eq!(ours.gives_check(m), theirs.is_check(), "whether {m:?} gives check in {fen}");
}

/// A key changes exactly if a piece changes that it stands for.
fn compare_keys(ours: &Position, next: &Position, m: Move, fen: &str) {
    let changed = |color, kind| ours.pieces(color, kind) != next.pieces(color, kind);
    let either = |kind| Color::ALL.into_iter().any(|color| changed(color, kind));
    let pawns = either(PieceType::Pawn);
    assert_eq!(ours.pawn_key() != next.pawn_key(), pawns, "pawn key, {m:?} in {fen}");
    let minors = either(PieceType::Knight) || either(PieceType::Bishop);
    assert_eq!(ours.minor_key() != next.minor_key(), minors, "minor-piece key, {m:?} in {fen}");
    for color in Color::ALL {
        let pieces =
            PieceType::ALL.into_iter().any(|kind| kind != PieceType::Pawn && changed(color, kind));
        let keys = ours.non_pawn_key(color) != next.non_pawn_key(color);
        assert_eq!(keys, pieces, "non-pawn key of {color}, {m:?} in {fen}");
    }
    assert_ne!(ours.key(), next.key(), "key, {m:?} in {fen}");
}

/// A board that knows only what an observer is told, and believes nothing that cannot be.
struct Mirror(Vec<Option<Piece>>);

impl Observer for Mirror {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "{square} was not empty");
    }

    fn take(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "{square} held something else");
    }
}
