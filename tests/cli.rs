//! `tandem` in a shell: results on standard output, words about mistakes on standard error, and
//! exit codes that a script can trust.

mod support;

use serde_json::Value;

use support::KIWIPETE;
use support::shell::{tandem, tandem_reading};

/// The number behind a word in a line.
fn number_after(line: &str, word: &str) -> f64 {
    let mut words = line.split(' ').skip_while(|&w| w != word);
    let number = words.nth(1).unwrap_or_else(|| panic!("no {word} in '{line}'"));
    number.parse().unwrap_or_else(|_| panic!("{word} is '{number}' in '{line}'"))
}

/// Checks `nodes N time S nps N` and gives the first number.
fn perft_nodes(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    assert!(matches!(words[..], ["nodes", _, "time", _, "nps", _]), "'{line}'");
    assert!(number_after(line, "time") >= 0.0 && number_after(line, "nps") >= 0.0);
    words[1].parse().unwrap_or_else(|_| panic!("'{line}'"))
}

#[test]
fn perft_ends_with_nodes_time_and_speed() {
    for (depth, nodes) in [("0", 1), ("1", 20), ("3", 8902), ("4", 197_281), ("5", 4_865_609)] {
        let run = tandem(&["perft", depth]).succeeded();
        assert_eq!(perft_nodes(run.last_line()), nodes);
        assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    }
    let run = tandem(&["perft", "4", "--fen", KIWIPETE, "--threads", "3"]).succeeded();
    assert_eq!(perft_nodes(run.last_line()), 4_085_603);
}

#[test]
fn perft_divides_the_count_among_the_first_moves() {
    let run = tandem(&["perft", "3", "--divide", "--fen", KIWIPETE]).succeeded();
    let moves = run.out.lines().take_while(|line| !line.starts_with("nodes"));
    let counts: Vec<(&str, u64)> = moves
        .map(|line| {
            let (name, count) = line.split_once(": ").expect("move: count");
            (name, count.parse().expect("a whole number"))
        })
        .collect();
    assert_eq!(counts.len(), 48);
    assert_eq!(counts.iter().map(|&(_, count)| count).sum::<u64>(), 97_862);
    assert_eq!(perft_nodes(run.last_line()), 97_862);
    assert!(counts.contains(&("e1g1", 2059)) && counts.contains(&("e1c1", 1887)), "{counts:?}");
}

#[test]
fn perft_writes_castling_as_the_variant_does() {
    let run = tandem(&["perft", "1", "--divide", "--chess960", "--fen", KIWIPETE]).succeeded();
    assert!(run.out.contains("e1h1: 1\n") && run.out.contains("e1a1: 1\n"), "{}", run.out);
    assert!(!run.out.contains("e1g1"), "{}", run.out);
    let shuffled = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let run = tandem(&["perft", "3", "--chess960", "--fen", shuffled]).succeeded();
    assert_eq!(perft_nodes(run.last_line()), 12_189);
}

#[test]
fn perft_speaks_json() {
    let run = tandem(&["perft", "3", "--divide", "--json", "--threads", "2"]).succeeded();
    let report: Value = serde_json::from_str(&run.out).expect("one JSON object");
    assert_eq!(report["nodes"], 8902);
    assert_eq!(report["depth"], 3);
    assert_eq!(report["threads"], 2);
    assert_eq!(report["fen"], support::START);
    assert!(report["seconds"].is_f64() && report["nps"].is_number());
    assert_eq!(report["divide"].as_object().expect("moves").len(), 20);
    assert_eq!(report["divide"]["e2e4"], 600);
}

#[test]
fn wrong_usage_is_exit_code_two_and_a_sentence() {
    let table: &[(&[&str], &str)] = &[
        (&["perft"], "DEPTH"),
        (&["perft", "many"], "many"),
        (&["perft", "-1"], "-1"),
        (&["perft", "3", "4"], "4"),
        (&["perft", "3", "--threads", "0"], "threads"),
        (&["perft", "3", "--threads", "x"], "threads"),
        (&["perft", "3", "--depth", "4"], "--depth"),
        (&["perft", "3", "--fen"], "--fen"),
        (&["perft", "3", "--fen", ""], "FEN"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["perft", "3", "--fen", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"], "castling"),
        (&["perft", "3", "--fen", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"], "pawn"),
        (&["perft", "3", "--fen", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"], "side to move"),
        (&["bench", "0"], "0"),
        (&["bench", "deep"], "deep"),
        (&["bench", "nonsense", "--json"], "nonsense"),
        (&["bench", "perft", "--rounds", "0"], "rounds"),
        (&["--nonsense"], "--nonsense"),
        (&["uci", "--nonsense"], "--nonsense"),
    ];
    for (args, word) in table {
        let run = tandem(args).refused();
        assert!(run.err.contains(word), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_mistyped_subcommand_is_wrong_usage() {
    for args in [&["pertf", "5"][..], &["benhc"], &["go", "depth", "3"]] {
        let run = tandem(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}{}", run.out, run.err);
        assert!(!run.err.is_empty());
    }
}

#[test]
fn bench_has_the_same_signature_every_time() {
    let signature = |args: &[&str]| {
        let run = tandem(args).succeeded();
        let words: Vec<&str> = run.last_line().split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("'{}'", run.last_line()) };
        assert!(nps.parse::<u64>().expect("a whole number") > 0);
        nodes.parse::<u64>().expect("a whole number")
    };
    let first = signature(&["bench", "6"]);
    assert!(first > 1000);
    assert_eq!(signature(&["bench", "6"]), first, "another run");
    assert_eq!(signature(&["uci", "go depth 7", "bench 6"]), first, "in a session");
    assert_ne!(signature(&["bench", "7"]), first, "another depth");
    let run = tandem(&["bench", "6", "--json"]).succeeded();
    let report: Value = serde_json::from_str(&run.out).expect("one JSON object");
    assert_eq!(report["nodes"], first);
    assert_eq!(report["depth"], 6);
    assert!(report["nps"].is_u64() && report["seconds"].is_f64() && report["positions"].is_u64());
}

#[test]
fn bench_perft_reports_speeds_and_ratios() {
    let run = tandem(&["bench", "perft", "--rounds", "1", "--json"]).succeeded();
    let report: Value = serde_json::from_str(&run.out).expect("one JSON object");
    assert!(report["indexing"].is_string());
    let positions = report["one_thread"].as_array().expect("a list");
    assert_eq!(positions.len(), 2);
    for position in positions {
        assert!(position["nps"].as_f64().is_some_and(|nps| nps > 0.0), "{position}");
        assert!(position["ratio_to_cozy_chess"].as_f64().is_some_and(|ratio| ratio > 0.0));
        assert!(position["nodes"].is_u64() && position["depth"].is_u64());
        assert!(position["fen"].is_string() && position["position"].is_string());
    }
    let parallel = &report["parallel"];
    assert_eq!(parallel["threads"], 2);
    for field in ["nps", "independent_processes_nps", "ratio"] {
        assert!(parallel[field].as_f64().is_some_and(|value| value > 0.0), "{parallel}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    for args in [&["help"][..], &["--help"], &["-h"]] {
        let run = tandem(args).succeeded();
        for word in ["uci", "perft", "bench", "Usage"] {
            assert!(run.out.contains(word), "{args:?}: {}", run.out);
        }
    }
    for (args, word) in [(["help", "perft"], "--divide"), (["perft", "--help"], "--threads")] {
        assert!(tandem(&args).succeeded().out.contains(word));
    }
    let version = tandem(&["--version"]).succeeded().out;
    assert_eq!(version, format!("tandem {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn commands_as_arguments_run_in_order_to_their_end() {
    let play = "position startpos moves e2e4";
    for first in [&[][..], &["uci"]] {
        let commands = [play, "go depth 4", "isready", "go depth 2", "d", "quit", "isready"];
        let run = tandem(&[first, &commands].concat()).succeeded();
        let at = |text: &str| run.out.find(text).unwrap_or_else(|| panic!("{text}: {}", run.out));
        assert!(at("info depth 4") < at("bestmove"));
        assert!(at("bestmove") < at("readyok"));
        assert_eq!(run.out.matches("bestmove ").count(), 2);
        assert!(at("readyok") < at("Fen: rnbqkbnr/pppppppp/8/8/4P3"));
        assert_eq!(run.out.matches("readyok").count(), 1, "nothing runs behind quit");
    }
    // A search without a limit ends where nobody is left to say stop.
    let run = tandem(&["go infinite"]).succeeded();
    assert_eq!(run.out.matches("bestmove ").count(), 1);
}

#[test]
fn a_clock_is_a_limit_like_others() {
    // Four seconds for the game are more than twenty milliseconds for a move.
    let thinks = |out: &str| {
        let line = out.lines().rfind(|line| line.starts_with("info depth")).expect("a search");
        number_after(line, "time") >= 20.0
    };
    let go = "go wtime 4000 btime 4000";
    assert!(thinks(&tandem(&[go]).succeeded().out), "as an argument");
    assert!(thinks(&tandem_reading(&[], go).succeeded().out), "from a pipe");
}

#[test]
fn the_end_of_input_lets_a_bounded_search_finish() {
    let run = tandem_reading(&[], "position startpos\ngo depth 6").succeeded();
    assert!(run.out.contains("info depth 6 "), "{}", run.out);
    assert!(run.last_line().starts_with("bestmove "));
    assert_eq!(tandem_reading(&[], "").succeeded().out, "");
    assert_eq!(tandem_reading(&["uci"], "isready\r\n\r\nquit\r\n").succeeded().out, "readyok\n");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_accident() {
    use std::process::{Command, Stdio};
    for args in ["perft 4 --divide", "perft 2 --json", "bench 1", "help", "uci d d d d"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(args.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked"), "{args}: {err}");
    }
}
