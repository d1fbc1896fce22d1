//! What is refused, and in which words.

use crate::arena::Arena;
use crate::support::shell::tandem;

/// Two players who could begin at once.
const PLAYERS: [&str; 4] = ["--player", "name=one nodes=5", "--player", "name=two nodes=5"];

/// Refused with a sentence that has that word, and without a game.
fn refused(args: &[&str], word: &str) {
    let run = tandem(&[&["match"], args].concat());
    assert!(matches!(run.code, Some(1 | 2)), "{args:?}: {:?} {}{}", run.code, run.out, run.err);
    assert_eq!(run.out, "", "{args:?}");
    assert!(run.err.contains(word), "{args:?}: no word of '{word}' in {}", run.err);
    assert!(!run.err.contains("panicked") && !run.err.contains("RUST_BACKTRACE"), "{}", run.err);
}

#[test]
fn bad_values_of_options_are_refused() {
    for (option, values) in [
        ("--games", &["0", "3", "-2", "x", "", "1.5", "18446744073709551616"][..]),
        ("--games", &["18446744073709551614", "9223372036854775808"]),
        ("--concurrency", &["0", "-1", "x", "100000"]),
        (
            "--tc",
            &[
                "", "x", "0", "-1", "1+x", "1+-1", "0/5", "x/5", "1/2/3", "nan", "inf", "1:30",
                "1e400",
            ],
        ),
        ("--movetime", &["0", "-1", "x", "nan", "inf", ""]),
        ("--nodes", &["0", "-1", "x", "1.5"]),
        ("--depth", &["0", "-1", "x", "99999999999"]),
        ("--format", &["swiss", ""]),
        ("--order", &["backwards"]),
        ("--book-plies", &["-1", "x"]),
        ("--seed", &["-1", "x", "1.5"]),
        ("--draw", &["x", "1", "1:2", "1:0:10", "1:2:3:4", "-1:2:3"]),
        ("--resign", &["x", "1", "0:500", "3:0", "3:-500", "1:2:3"]),
        ("--max-plies", &["-1", "x"]),
        ("--margin", &["-1", "x", "1.5"]),
        ("--patience", &["0", "-1", "x", "nan"]),
        ("--sprt", &["x", "5", "5:0", "0:0", "0:5:9", "x:0:5", "0:x:5", "nan:5", "0:inf", ":"]),
        ("--model", &["bayes"]),
    ] {
        for value in values {
            let equals = format!("{option}={value}");
            // Some are refused by what they mean, in other words than the option's name.
            let word = if ["--games", "--sprt"].contains(&option) { "" } else { option };
            refused(&[&PLAYERS[..], &[&equals]].concat(), word);
        }
    }
    for (option, values) in [
        ("--alpha", ["0", "1", "0.5", "-1", "x", "nan"]),
        ("--beta", ["0", "1", "0.7", "-1", "x", "nan"]),
    ] {
        for value in values {
            let equals = format!("{option}={value}");
            refused(&[&PLAYERS[..], &["--sprt", "0:5", &equals]].concat(), &option[2..]);
        }
    }
}

#[test]
fn bad_players_are_refused() {
    for (player, word) in [
        ("nonsense", "nonsense"),
        ("=x", "=x"),
        ("name='x", "quote"),
        ("name=", "name"),
        ("cmd=", "cmd"),
        ("nodes=0", "nodes"),
        ("nodes=-1", "nodes"),
        ("depth=x", "depth"),
        ("tc=x", "tc"),
        ("movetime=-1", "movetime"),
        ("odds=z1", "odds"),
        ("odds=", "odds"),
        ("odds=e4", "e4"),
        ("odds=e1", "odds"),
        ("side=up", "side"),
        ("restart=often", "restart"),
        ("arg=x", "arg"),
        ("dir=/tmp", "dir"),
        ("colour=red", "colour"),
        ("option.Nonsense=1", "Nonsense"),
        ("option.Hash=x", "Hash"),
        ("option.Hash=0", "Hash"),
        ("option.EvalFile=/nonexistent.nnue", "/nonexistent.nnue"),
    ] {
        refused(
            &["--player", player, "--player", "name=two", "--nodes", "5", "--games", "2"],
            word,
        );
    }
}

#[test]
fn what_makes_no_match_is_refused() {
    refused(&[], "--player");
    refused(&["--player", "nodes=5"], "two players");
    refused(&["--player", "name=one", "--player", "nodes=5"], "one has no limit");
    let both =
        ["--player", "name=one nodes=5 side=white", "--player", "name=two nodes=5 side=black"];
    refused(&both, "fixed side");
    let three = [&PLAYERS[..], &["--player", "nodes=5", "--sprt", "0:5"]].concat();
    refused(&three, "two players");
    refused(&[&PLAYERS[..], &["--tablebases", "/nonexistent"]].concat(), "/nonexistent");
    refused(&[&PLAYERS[..], &["--out", "/proc/nowhere/match"]].concat(), "/proc/nowhere");
    refused(&[&PLAYERS[..], &["stray"]].concat(), "stray");
    refused(&[&PLAYERS[..], &["--nonsense"]].concat(), "--nonsense");
}

#[test]
fn bad_openings_are_refused() {
    let arena = Arena::new();
    for (name, content, word) in [
        ("empty.epd", &b""[..], "no position"),
        ("comments.epd", b"# nothing\n\n", "no position"),
        ("wrong.epd", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nnonsense\n", "2"),
        ("kings.fen", b"8/8/8/8/8/8/8/8 w - - 0 1\n", "kings.fen"),
        ("empty.pgn", b"", "no game"),
        ("illegal.pgn", b"1. e4 e5 2. Ke3 *\n", "illegal.pgn"),
        ("wrongfen.pgn", b"[FEN \"nonsense\"]\n\n1. e4 *\n", "wrongfen.pgn"),
        ("binary.pgn", b"\xff\xfe\x00\x01", "binary.pgn"),
        ("empty.bin", b"", "empty.bin"),
        ("torn.bin", b"0123456789", "torn.bin"),
        ("zeros.bin", &[0; 32], "zeros.bin"),
        ("openings.zip", b"PK", "openings.zip"),
        ("noextension", b"", "noextension"),
    ] {
        let book = arena.write(name, content);
        refused(&[&PLAYERS[..], &["--games", "2", "--book", &book]].concat(), word);
    }
    for name in ["/nonexistent.epd", "/nonexistent.pgn", "/nonexistent.bin"] {
        refused(&[&PLAYERS[..], &["--book", name]].concat(), name);
    }
    let folder = arena.path("folder.epd");
    std::fs::create_dir(&folder).expect("ours");
    refused(&[&PLAYERS[..], &["--book", &folder]].concat(), "folder.epd");
}

#[test]
fn help_names_every_option() {
    let help = tandem(&["match", "--help"]).succeeded().out;
    for word in [
        "--player",
        "--tc",
        "--games",
        "--concurrency",
        "--format",
        "--book",
        "--seed",
        "--chess960",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for word in ["--draw", "--resign", "--tablebases", "--sprt", "--out", "--json", "--patience"] {
        assert!(help.contains(word), "{word}");
    }
}
