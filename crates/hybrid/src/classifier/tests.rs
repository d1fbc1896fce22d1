use tandem_chess::attacks::{attacks, king_attacks};
use tandem_chess::{Bitboard, Color, MoveKind, PieceType, Random, Square};

use super::examples::TABLE_7;
use super::*;
use crate::{Share, StrategyTable};

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

fn classify(fen: &str) -> Classification {
    Classification::of(&position(fen))
}

/// Positions of games in which every legal move is as likely as any other.
fn random_positions(count: usize) -> Vec<Position> {
    let mut random = Random::new(11);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::startpos();
        for _ in 0..160 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
            positions.push(position);
        }
    }
    positions
}

#[test]
fn the_papers_examples_have_the_types_and_shares_of_its_table_7() {
    for example in TABLE_7 {
        let found = classify(example.fen);
        assert_eq!(found.kind, example.kind, "{}: {}", example.name, example.fen);
        let share = StrategyTable::Paper.strategy(&found).mcts;
        assert_eq!(share, Share::percent(example.mcts_percent), "{}", example.name);
    }
}

/// Why tension is part of the formula.
#[test]
fn without_tension_the_formula_calls_tense_centres_strategic() {
    let tense = TABLE_7.iter().filter(|example| example.name == "Central tension");
    let kinds = tense.map(|example| {
        let mut features = classify(example.fen).features;
        assert!(features.has_tension());
        features.central_tension = 0;
        Classification::by_features(features).kind
    });
    assert!(kinds.filter(|&kind| kind >= PositionType::Strategic).count() >= 4);
}

#[test]
fn whoever_is_in_check_has_to_calculate() {
    let quiet = "rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3";
    let found = classify(quiet);
    assert!(found.features.in_check && found.features.closed());
    assert_eq!(found.kind, PositionType::HighlyTactical);
    assert_eq!(classify("4k3/4R3/4K3/8/8/8/8/8 b - - 0 1").kind, PositionType::HighlyTactical);
}

#[test]
fn a_share_of_exactly_a_threshold_is_not_above_it() {
    use PositionType::{Balanced, HighlyStrategic, HighlyTactical, Strategic, Tactical};
    let table = [
        (0, 0, Balanced),
        (60, 40, Balanced),
        (61, 39, Tactical),
        (80, 20, Tactical),
        (81, 19, HighlyTactical),
        (40, 60, Balanced),
        (39, 61, Strategic),
        (20, 80, Strategic),
        (19, 81, HighlyStrategic),
    ];
    for (tactical, strategic, kind) in table {
        assert_eq!(PositionType::by_weights(tactical, strategic), kind, "{tactical}:{strategic}");
    }
}

#[test]
fn a_score_is_1_at_most_before_it_is_adjusted() {
    let wild = Features {
        mate_threat: true,
        checking_moves: 9,
        captures: 9,
        promotions: 1,
        hanging: [1, 1],
        king_attackers: [3, 0],
        material: [900, 0],
        ..Features::default()
    };
    let found = Classification::by_features(wild);
    let unbounded: u32 = found
        .reasons()
        .filter(|(term, _)| term.toward == Toward::Tactical)
        .map(|(_, weight)| weight)
        .sum();
    assert_eq!((unbounded, found.tactical), (175, 100 + 30 + 20));
}

#[test]
fn every_term_weighs_something_in_some_position_and_reasons_add_up() {
    let mut positions = random_positions(4000);
    positions.extend(TABLE_7.iter().map(|example| position(example.fen)));
    let mut seen = vec![false; terms().len()];
    for position in &positions {
        let found = Classification::of(position);
        for (seen, term) in seen.iter_mut().zip(terms()) {
            *seen |= term.weight(&found.features) > 0;
        }
        let of = |toward| {
            found.reasons().filter(move |(term, _)| term.toward == toward).map(|(_, w)| w).sum()
        };
        assert!(found.tactical <= of(Toward::Tactical), "{position}");
        assert_eq!(found.strategic, of(Toward::Strategic), "{position}: never above 1");
    }
    let silent: Vec<_> = terms().iter().zip(seen).filter(|(_, seen)| !seen).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn colours_do_not_matter() {
    for position in random_positions(2000) {
        let (found, flipped) =
            (Classification::of(&position), Classification::of(&position.flipped().unwrap()));
        assert_eq!((found.tactical, found.strategic), (flipped.tactical, flipped.strategic));
        let [white, black] = found.features.mobility;
        assert_eq!(flipped.features.mobility, [black, white], "{position}");
        let [white, black] = found.features.passed_pawns;
        assert_eq!(flipped.features.passed_pawns, [black, white], "{position}");
        assert_eq!(found.kind, flipped.kind, "{position}");
    }
}

/// All features once more, square by square and move by move.
#[test]
fn features_are_what_a_plain_count_finds() {
    for position in random_positions(3000) {
        let features = Features::of(&position);
        assert_eq!(features, plain(&position, features), "{position}");
    }
}

fn plain(position: &Position, fast: Features) -> Features {
    let moves = position.legal_moves();
    let targets = |wanted: &dyn Fn(&tandem_chess::Move) -> bool| {
        let mut pairs: Vec<_> =
            moves.iter().filter(|m| wanted(m)).map(|m| (m.from(), m.to())).collect();
        pairs.dedup();
        pairs.len() as u32
    };
    let checking: Vec<_> = moves.iter().filter(|&&m| position.after(m).in_check()).collect();
    let men = |side, kind| position.pieces(side, kind).into_iter();
    let pieces = |side| {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .into_iter()
            .flat_map(move |kind| men(side, kind).map(move |square| (kind, square)))
    };
    let occupied = position.occupied();
    let hanging = |side: Color| {
        pieces(side)
            .filter(|&(_, square)| {
                let attackers = position.attackers_to(square, occupied);
                (attackers & position.color(!side)).any()
                    && (attackers & position.color(side)).is_empty()
            })
            .count() as u32
    };
    let mobility = |side: Color| {
        let free =
            |(kind, square)| (attacks(kind, side, square, occupied) - position.color(side)).count();
        pieces(side).map(free).sum()
    };
    let king_attackers = |side: Color| {
        let king = position.king(side);
        let forward = if side == Color::White { 1 } else { -1 };
        let near = |square: Square| {
            let files = (square.file() as i8 - king.file() as i8).abs();
            let ranks = (square.rank() as i8 - king.rank() as i8) * forward;
            files <= 1 && (-1..=2).contains(&ranks)
        };
        let zone: Bitboard = Square::all().filter(|&square| near(square)).collect();
        assert!((king_attacks(king) - zone).is_empty());
        let reaches = |&(kind, square): &(PieceType, Square)| {
            (attacks(kind, !side, square, occupied) & zone).any()
        };
        pieces(!side).filter(reaches).count() as u32
    };
    let has_pawn =
        |side, file: i8| men(side, PieceType::Pawn).any(|square| square.file() as i8 == file);
    let islands = |side| {
        (0..8).filter(|&file| has_pawn(side, file) && !has_pawn(side, file - 1)).count() as u32
    };
    let passed = |side: Color| {
        let stops = |pawn: Square, enemy: Square| {
            enemy.file().abs_diff(pawn.file()) <= 1 && enemy.rank_for(side) > pawn.rank_for(side)
        };
        let free = |&pawn: &Square| !men(!side, PieceType::Pawn).any(|enemy| stops(pawn, enemy));
        men(side, PieceType::Pawn).filter(free).count() as u32
    };
    let in_centre = |square: Square| matches!(square.file(), 3 | 4);
    let tension = men(Color::White, PieceType::Pawn)
        .flat_map(|white| men(Color::Black, PieceType::Pawn).map(move |black| (white, black)))
        .filter(|&(white, black)| {
            attacks(PieceType::Pawn, Color::White, white, occupied).contains(black)
                && (in_centre(white) || in_centre(black))
        })
        .count() as u32;
    Features {
        in_check: position.in_check(),
        mate_threat: checking.iter().any(|&&m| position.after(m).legal_moves().is_empty()),
        checking_moves: checking.len() as u32,
        captures: targets(&|&m| position.is_capture(m)),
        promotions: targets(&|m| m.kind() == MoveKind::Promotion),
        hanging: Color::ALL.map(hanging),
        king_attackers: Color::ALL.map(king_attackers),
        mobility: Color::ALL.map(mobility),
        pawn_islands: Color::ALL.map(islands),
        passed_pawns: Color::ALL.map(passed),
        open_files: (0..8)
            .filter(|&file| !Color::ALL.iter().any(|&side| has_pawn(side, file)))
            .count() as u32,
        central_tension: tension,
        ..fast
    }
}

#[test]
fn material_decides_what_an_endgame_is() {
    // A rook, a bishop and a knight each: 2 * (500 + 330 + 320) = 2300; with another bishop 2630.
    let few = classify("r1bnk3/8/8/8/8/8/8/R1BNK3 w - - 0 1").features;
    assert!(few.endgame() && few.pieces == 2300 && few.imbalance() == 0);
    let more = classify("r1bnk3/8/8/8/8/8/8/R1BNKB2 w - - 0 1").features;
    assert!(!more.endgame() && more.pieces == 2630 && more.imbalance() == 330);
    let pawns = classify("4k3/pppppppp/8/8/8/8/PPPPPPP1/4K3 w - - 0 1").features;
    assert!(pawns.endgame() && pawns.pieces == 0 && pawns.imbalance() == 100);
    assert_eq!((pawns.pawns, pawns.open_files, pawns.closed()), (15, 0, true));
}

#[test]
fn a_mate_that_can_be_given_at_once_is_seen() {
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let found = classify(scholar);
    assert!(found.features.mate_threat && found.features.checking_moves > 1);
    assert_eq!(found.kind, PositionType::Tactical);
}

#[test]
fn all_features_are_listed_under_their_own_names() {
    let text = format!("{:?}", Features::default());
    let names: Vec<_> = Features::default().list().into_iter().map(|(name, _)| name).collect();
    for field in text.split(['{', ',']).skip(1).filter_map(|part| part.split_once(':')) {
        let field = field.0.trim();
        assert!(names.contains(&field), "{field} is not listed");
    }
    assert!(names.contains(&"endgame") && names.contains(&"closed"));
}

#[test]
fn time_is_measured_where_there_is_a_position() {
    use std::time::Duration;
    assert!(nanoseconds_per_call(&[], Duration::ZERO).is_none());
    let one = nanoseconds_per_call(&[Position::startpos()], Duration::from_millis(2)).unwrap();
    assert!(one > 1.0 && one < 1e6, "{one}");
}
