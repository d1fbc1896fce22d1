//! Real tables against knowledge from elsewhere.

use std::sync::LazyLock;

use tandem_chess::{Color, Game, PieceType, Position, Tablebase as _, Wdl};

use super::load::SEPARATOR;
use super::{Tablebases, solver};
use crate::testing::tables_folder;

static TABLES: LazyLock<Tablebases> =
    LazyLock::new(|| Tablebases::load(&tables_folder()).expect("real tables"));

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    for text in moves.split_whitespace() {
        game.play(game.position().parse_uci(text).unwrap()).unwrap();
    }
    game
}

/// The best rank's result and its moves, in the order of the tables.
fn best(game: &Game, fifty_moves: bool) -> (Wdl, Vec<String>) {
    let ranked = TABLES.rank_moves(game, fifty_moves).unwrap();
    assert!(ranked.makes_progress);
    assert_eq!(ranked.moves.len(), game.position().legal_moves().len());
    assert!(ranked.moves.is_sorted_by_key(|ranked| -ranked.rank));
    let best = ranked.moves[0];
    let same = ranked.moves.iter().take_while(|ranked| ranked.rank == best.rank);
    (best.wdl, same.map(|ranked| ranked.m.to_string()).collect())
}

#[test]
fn answers_agree_with_another_implementation() {
    let rows =
        include_str!("../../data/tablebases.epd").lines().filter(|row| !row.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let (fen, answer) = row.split_once(';').unwrap();
        let position: Position = fen.trim().parse().unwrap();
        let wdl = TABLES.probe_wdl(&position).map(|wdl| wdl as i32);
        let dtz = TABLES.probe_dtz(&position);
        assert_eq!(answer.trim(), format!("{} {}", wdl.unwrap(), dtz.unwrap()), "{fen}");
        count += 1;
    }
    assert!(count > 200);
}

#[test]
fn textbook_endgames_have_their_textbook_results() {
    for (fen, wdl) in [
        // Philidor's queen against rook.
        ("1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", Wdl::Win),
        ("1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1", Wdl::Loss),
        // The opposition decides king and pawn against king; a rook's pawn does not win.
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Wdl::Draw),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Wdl::Loss),
        ("k7/8/8/8/8/8/P7/K7 w - - 0 1", Wdl::Draw),
        // A knight beside its king holds against a rook; in a far corner it is lost.
        ("8/8/8/8/3kn3/8/8/R3K3 w - - 0 1", Wdl::Draw),
        ("n6k/8/5K2/8/8/8/8/1R6 w - - 0 1", Wdl::Win),
        // Two knights cannot force mate; bishop and knight can.
        ("8/8/8/4k3/8/8/8/KNN5 w - - 0 1", Wdl::Draw),
        ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", Wdl::Win),
        // Against a pawn on the seventh a queen alone wins, but not against a bishop's pawn.
        ("8/8/6K1/8/8/8/3kp3/7Q w - - 0 1", Wdl::Win),
        ("7K/8/8/8/8/Q7/2pk4/8 w - - 0 1", Wdl::Draw),
    ] {
        let position = fen.parse().unwrap();
        assert_eq!(TABLES.probe_wdl(&position), Some(wdl), "{fen}");
    }
}

#[test]
fn a_verdict_has_words() {
    let describe = |fen: &str| TABLES.describe(&fen.parse().unwrap());
    let philidor = describe("1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1");
    assert_eq!(philidor.as_deref(), Some("win (DTZ 15)"));
    assert_eq!(describe("k7/8/8/8/8/8/P7/K7 w - - 0 1").as_deref(), Some("draw"));
    assert_eq!(TABLES.describe(&Position::startpos()), None);
}

#[test]
fn castling_rights_and_too_many_pieces_have_no_answer() {
    for fen in [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
        "4k3/4p3/8/8/8/8/4P3/3RK3 w - - 0 1",
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(TABLES.probe_wdl(&position), None, "{fen}");
        assert_eq!(TABLES.probe_dtz(&position), None, "{fen}");
        assert_eq!(TABLES.rank_moves(&Game::new(position), true), None, "{fen}");
    }
}

#[test]
fn a_win_in_time_leaves_the_choice_and_a_late_one_does_not() {
    // Mate in one with rook or king's move to follow: every move that keeps the rook wins.
    let fen = "7k/8/6K1/8/8/8/8/R7 w - -";
    let (wdl, moves) = best(&game(&format!("{fen} 0 1"), ""), true);
    assert_eq!((wdl, moves[0].as_str()), (Wdl::Win, "a1a8"));
    assert!(moves.len() > 10);
    // With one half-move left only mate counts; at 98 a slower move would be too late as well.
    for clock in [98, 99] {
        let (wdl, moves) = best(&game(&format!("{fen} {clock} 80"), ""), true);
        assert_eq!((wdl, moves), (Wdl::Win, vec!["a1a8".to_owned()]));
    }
}

#[test]
fn a_win_that_comes_too_late_is_a_draw_under_the_rule_alone() {
    let fen = "8/8/8/8/8/2k5/8/K6Q w - - 96 80";
    let (wdl, moves) = best(&game(fen, ""), true);
    assert_eq!(wdl, Wdl::CursedWin);
    // The shortest way remains the best try.
    let position: Position = fen.parse().unwrap();
    let loss = |m| Some(TABLES.probe_dtz(&position.after(m)).unwrap()).filter(|&dtz| dtz < 0);
    let shortest = position.legal_moves().into_iter().filter_map(loss).max();
    assert_eq!(loss(position.parse_uci(&moves[0]).unwrap()), shortest);
    assert_eq!(best(&game(fen, ""), false).0, Wdl::Win);
}

#[test]
fn the_losing_side_holds_out_where_the_rule_may_save_it() {
    // Far from the hundred plies any move is as lost as any other.
    let fen = "8/8/8/8/8/2k5/8/K6Q b - -";
    let (wdl, moves) = best(&game(&format!("{fen} 0 1"), ""), true);
    let position: Position = format!("{fen} 0 1").parse().unwrap();
    assert_eq!((wdl, moves.len()), (Wdl::Loss, position.legal_moves().len()));
    // Near them the longest resistance is ranked first, and may be a draw.
    let distance =
        |m: &str| TABLES.probe_dtz(&position.after(position.parse_uci(m).unwrap())).unwrap();
    for (clock, expected) in [(70, Wdl::Loss), (95, Wdl::BlessedLoss)] {
        let (wdl, moves) = best(&game(&format!("{fen} {clock} 80"), ""), true);
        assert_eq!(wdl, expected);
        let longest = position.legal_moves().iter().map(|m| distance(&m.to_string())).max();
        assert_eq!(Some(distance(&moves[0])), longest);
    }
}

#[test]
fn a_third_occurrence_is_a_draw_and_the_second_ends_dawdling() {
    let fen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
    let once = game(fen, "b1b2 e5e4");
    assert!(best(&once, true).1.len() > 5, "free to choose");
    let twice = game(fen, "b1b2 e5e4 b2b1 e4e5 b1b2 e5e4");
    let (wdl, moves) = best(&twice, true);
    assert_eq!(wdl, Wdl::Win);
    assert!(moves.len() < best(&once, true).1.len(), "only the shortest ways: {moves:?}");
    let ranked = TABLES.rank_moves(&game(fen, "b1b2 e5e4 b2b1 e4e5 b1b2 e5e4 b2b1 e4e5"), true);
    let back = ranked.unwrap().moves.into_iter().find(|r| r.m.to_string() == "b1b2").unwrap();
    assert_eq!((back.rank, back.wdl), (0, Wdl::Draw));
}

#[test]
fn without_distances_the_result_alone_ranks() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KQvKR.rtbw", "KRvK.rtbw"] {
        std::fs::copy(format!("{}/{name}", tables_folder()), folder.path().join(name)).unwrap();
    }
    let tables = Tablebases::load(folder.path().to_str().unwrap()).unwrap();
    assert!(tables.to_string().contains("found 3 WDL and 0 DTZ tables of up to 4 pieces; without"));
    let game = game("1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", "");
    let ranked = tables.rank_moves(&game, true).unwrap();
    assert!(!ranked.makes_progress);
    assert_eq!(ranked.moves[0].wdl, Wdl::Win);
    assert_eq!(ranked.moves.last().unwrap().wdl, Wdl::Loss, "the queen can be lost");
}

#[test]
fn folders_are_joined_and_what_is_wrong_is_named() {
    let real = tables_folder();
    let empty = tempfile::tempdir().unwrap();
    let bad = tempfile::tempdir().unwrap();
    let (empty, bad) = (empty.path().to_str().unwrap(), bad.path().to_str().unwrap());
    let sentence = |path: &str| Tablebases::load(path).unwrap_err().to_string();
    assert!(sentence("/no/such/folder").contains("'/no/such/folder' cannot be read (No such"));
    assert!(sentence(empty).contains("there are no Syzygy tables (.rtbw, .rtbz) in"));
    assert!(sentence("").contains("there are no Syzygy tables"));
    std::fs::write(format!("{bad}/KQvK.rtbw"), "not a table").unwrap();
    std::fs::write(format!("{bad}/notes.txt"), "not a table").unwrap();
    assert!(sentence(bad).contains("KQvK.rtbw' is damaged, and there are no other"));
    // The sound file of that name is found in the next folder.
    let joined =
        Tablebases::load(&[bad, empty, &real, &real].join(&SEPARATOR.to_string())).unwrap();
    let text = joined.to_string();
    assert!(text.starts_with("found 35 WDL and 35 DTZ tables of up to 4 pieces; "), "{text}");
    assert!(text.ends_with("KQvK.rtbw is damaged and left out"), "{text}");
    let position = "8/8/8/8/8/2k5/8/K6Q w - - 0 1".parse().unwrap();
    assert_eq!(joined.probe_wdl(&position), Some(Wdl::Win));
}

#[test]
fn a_truncated_table_gives_no_answer_instead_of_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(format!("{}/KQvKR.rtbw", tables_folder())).unwrap();
    // A cut that the size does not betray.
    std::fs::write(folder.path().join("KQvKR.rtbw"), &whole[..64 * 40 + 16]).unwrap();
    let tables = Tablebases::load(folder.path().to_str().unwrap()).unwrap();
    let position = "1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1".parse().unwrap();
    assert_eq!(tables.probe_wdl(&position), None);
}

#[test]
fn queen_and_rook_endings_solved_from_scratch_agree() {
    for (kind, longest) in [(PieceType::Queen, 20), (PieceType::Rook, 32)] {
        let solved = solver::solve(kind);
        assert_eq!(solved.iter().filter_map(|&(_, mate)| mate).max(), Some(longest));
        for (i, (position, mate)) in solved.iter().enumerate() {
            let expected = match mate {
                Some(_) if position.side_to_move() == Color::White => Wdl::Win,
                Some(_) => Wdl::Loss,
                None => Wdl::Draw,
            };
            assert_eq!(TABLES.probe_wdl(position), Some(expected), "{position}");
            // Nothing can be taken or pushed on the way, so that the distance is that to mate.
            if let (Some(plies @ 1..), true) = (*mate, i % 16 == 0) {
                let dtz = TABLES.probe_dtz(position).unwrap().unsigned_abs();
                assert!(dtz == plies || dtz + 1 == plies, "{position}: {dtz} for {plies}");
            }
        }
    }
}
