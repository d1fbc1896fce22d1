//! Whole games.

use std::fs;
use std::path::PathBuf;

use tandem_analysis::pgn::{self, PgnGame, Remark};
use tempfile::TempDir;

use super::conversation::CPU;
use super::support::shell::{Run, tandem};

/// White hangs the queen at move 4 and is mated at move 6.
const BLUNDERS: &str = "[Event \"test\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"0-1\"]\n\n\
    1. e4 e5 2. Nf3 { a comment } Nc6 3. Bc4 Nd4 4. Qe2 (4. Nxe5 Qg5) 4... d6 5. Qd1 Nf6 6. Qe2 Nxe2 0-1\n\n";
const CHESS960: &str = "[Event \"960\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n[Result \"*\"]\n\n\
    9. Nf3 Nb6 10. e4 *\n\n";
const BROKEN: &str = "[Event \"broken\"]\n\n1. e4 e5\n2. Ke3 *\n\n";

fn analyze(text: &str, words: &[&str]) -> (TempDir, PathBuf, Run) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("games.pgn");
    fs::write(&file, text).expect("written");
    let name = file.to_str().expect("a name");
    let all = [&["analyze", name, "--threads", "2", "--hash", "32"], CPU, words].concat();
    let run = tandem(&all);
    (folder, file, run)
}

fn games(text: &str) -> Vec<PgnGame> {
    pgn::read(text).into_iter().map(|game| game.expect("it reads back")).collect()
}

fn evaluations(game: &PgnGame) -> usize {
    let has =
        |remark: &Remark| matches!(remark, Remark::Comment(text) if text.starts_with("[%eval "));
    game.plies.iter().filter(|ply| ply.remarks.iter().any(has)).count()
}

#[test]
fn games_are_annotated_and_read_back() {
    let text = format!("{BLUNDERS}{BROKEN}{CHESS960}");
    let (_folder, _file, run) = analyze(&text, &["--nodes", "3000"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("game 2, line 11: "), "{}", run.err);
    let written = games(&run.out);
    assert_eq!(written.len(), 2);
    for (game, original) in written.iter().zip([BLUNDERS, CHESS960]) {
        let original = &games(original)[0];
        assert_eq!(game.tags[..original.tags.len()], original.tags[..]);
        assert_eq!((game.start, game.chess960), (original.start, original.chess960));
        let moves = |game: &PgnGame| game.plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
        assert_eq!((moves(game), &game.result), (moves(original), &original.result));
        assert_eq!(evaluations(game), game.plies.len(), "{}", run.out);
    }
    let blunder = &written[0].plies[10];
    assert_eq!(blunder.remarks[0], Remark::Sign(4), "{}", run.out);
    assert!(run.out.contains("6. Qe2??") && run.out.contains("(6. "), "{}", run.out);
    assert!(run.out.contains("{a comment}") && run.out.contains("(4. Nxe5 Qg5)"), "{}", run.out);
}

/// Whether another reader sees the same moves.
#[test]
fn another_reader_reads_what_is_written() {
    use pgn_reader::{Reader, SanPlus, Visitor};
    use shakmaty::{Chess, Position as _};
    use std::ops::ControlFlow;

    struct Walk;
    impl Visitor for Walk {
        type Tags = ();
        type Movetext = (Chess, usize, usize);
        type Output = (usize, usize);

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Continue((Chess::default(), 0, 0))
        }

        fn san(&mut self, walk: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
            let m = san.san.to_move(&walk.0).expect("legal");
            walk.0.play_unchecked(m);
            walk.1 += 1;
            ControlFlow::Continue(())
        }

        fn comment(
            &mut self,
            walk: &mut Self::Movetext,
            comment: pgn_reader::RawComment<'_>,
        ) -> ControlFlow<Self::Output> {
            walk.2 += usize::from(comment.as_bytes().starts_with(b"[%eval "));
            ControlFlow::Continue(())
        }

        fn begin_variation(
            &mut self,
            _: &mut Self::Movetext,
        ) -> ControlFlow<Self::Output, pgn_reader::Skip> {
            ControlFlow::Continue(pgn_reader::Skip(true))
        }

        fn end_game(&mut self, walk: Self::Movetext) -> Self::Output {
            (walk.1, walk.2)
        }
    }
    let (_folder, _file, run) = analyze(BLUNDERS, &["--nodes", "500"]);
    let mut reader = Reader::new(run.out.as_bytes());
    let read = reader.read_game(&mut Walk).expect("it reads").expect("a game");
    assert_eq!(read, (12, 12), "{}", run.out);
}

#[test]
fn each_game_gets_its_picture_and_the_text_goes_where_it_should() {
    let text = format!("{BLUNDERS}{CHESS960}");
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let (out, graph) = (path("out.pgn"), path("graph.svg"));
    let words = ["--nodes", "1000", "--out", &out, "--graph", &graph, "--json"];
    let (_folder, _file, run) = analyze(&text, &words);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(games(&fs::read_to_string(&out).expect("written")).len(), 2);
    for (number, words) in
        [(1, ["Anna - Bert", "Qe2??", "White wins"]), (2, ["? - ?", "draw", "Black wins"])]
    {
        let picture = fs::read_to_string(path(&format!("graph-{number}.svg"))).expect("drawn");
        assert!(picture.starts_with("<svg"), "{picture}");
        for word in words {
            assert!(picture.contains(word), "{word}");
        }
    }
    let told: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["review"]["plies"][10]["mark"], "blunder");
    assert_eq!(told[1]["review"]["plies"].as_array().map(Vec::len), Some(3));
}

#[test]
fn files_without_games_are_refused() {
    for text in ["", BROKEN] {
        let (_folder, _file, run) = analyze(text, &["--nodes", "100"]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        assert!(run.err.contains("no game"), "{}", run.err);
    }
}
