//! The subcommands that explain and measure: what they print, and how they fail.

mod support;

use serde_json::Value;

use support::KIWIPETE;
use support::files::{SMALL, network};
use support::shell::{Run, tandem, tandem_reading};

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

#[test]
fn a_failure_is_exit_code_one_and_a_sentence() {
    let small = network(SMALL);
    let table: &[(&[&str], &str)] = &[
        (&["eval", "--net", "/nonexistent.nnue"], "/nonexistent.nnue"),
        (&["eval", "--net", "Cargo.toml"], "network"),
        (&["net", "info", "/nonexistent.nnue"], "/nonexistent.nnue"),
        (&["net", "verify", "Cargo.toml"], "Cargo.toml"),
        (&["net", "verify", &small, "Cargo.toml"], "Cargo.toml"),
        (&["net", "export", &small, "/nonexistent/folder/x.nnue"], "/nonexistent/folder"),
        (&["bench", "eval", "/nonexistent.nnue"], "/nonexistent.nnue"),
    ];
    for (args, word) in table {
        let run = tandem(args);
        assert_eq!(run.code, Some(1), "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.starts_with("tandem: ") && run.err.contains(word), "{args:?}: {}", run.err);
        assert_eq!(run.err.trim_end().lines().count(), 1, "{args:?}: {}", run.err);
    }
    for args in [&["eval", "--fen", "nowhere"][..], &["net"], &["net", "verify"]] {
        assert_eq!(tandem(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn eval_explains_a_position() {
    let small = network(SMALL);
    let run = tandem(&["eval", "--fen", KIWIPETE]).succeeded();
    assert!(run.out.contains("for White"), "{}", run.out);
    let run = tandem(&["eval", "--fen", KIWIPETE, "--net", &small]).succeeded();
    assert!(run.out.contains("for White"), "{}", run.out);
    let report = json(&tandem(&["eval", "--net", &small, "--json"]).succeeded());
    assert_eq!(report["fen"], support::START);
    assert!(report["centipawns_for_white"].is_i64(), "{report}");
    let wdl = report["wdl"].as_array().expect("three numbers");
    assert_eq!(wdl.iter().filter_map(Value::as_u64).sum::<u64>(), 1000, "{report}");
}

#[test]
fn eval_reads_positions_from_standard_input() {
    let small = network(SMALL);
    let args = ["eval", "--raw", "--net", &small];
    let run = tandem_reading(&args, &format!("{}\n{KIWIPETE}\n", support::START)).succeeded();
    let rows: Vec<Vec<i32>> = run
        .out
        .lines()
        .map(|line| line.split('\t').map(|word| word.parse().expect("a whole number")).collect())
        .collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.len() == 2), "{rows:?}");
    assert_eq!(rows[0][0], 0, "both sides have the same pieces");
    let run = tandem_reading(&args, &format!("{KIWIPETE}\nnowhere\n"));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("line 2"), "{}", run.err);
}

#[test]
fn networks_are_described_checked_and_written() {
    let small = network(SMALL);
    let report = json(&tandem(&["net", "info", &small, "--json"]).succeeded());
    let sha = report["sha256"].as_str().expect("a hash");
    assert!(small.contains(&sha[..12]), "{report}");
    let run = tandem(&["net", "verify", &small]).succeeded();
    assert!(run.out.contains("whole"), "{}", run.out);
    let copy = std::env::temp_dir().join(format!("tandem-net-{}.nnue", std::process::id()));
    let path = copy.to_str().expect("a plain path");
    tandem(&["net", "export", &small, path]).succeeded();
    assert_eq!(std::fs::read(&copy).expect("written"), std::fs::read(&small).expect("read"));
    tandem(&["net", "export", &small, path, "--encoding", "raw"]).succeeded();
    let raw = json(&tandem(&["net", "info", path, "--json"]).succeeded());
    assert_eq!(raw["parameters"], report["parameters"]);
    assert_ne!(raw["encoding"], report["encoding"]);
    std::fs::remove_file(&copy).expect("ours");
}

#[test]
fn bench_eval_measures_a_network() {
    let small = network(SMALL);
    let run = tandem(&["bench", "eval", &small, "--rounds", "1", "--json"]).succeeded();
    let report = json(&run);
    let networks = report["networks"].as_array().expect("a list");
    assert_eq!(networks.len(), 1);
    for order in networks[0]["orders"].as_array().expect("a list") {
        assert!(order["evaluations_per_second"].as_f64().is_some_and(|speed| speed > 0.0));
    }
}

/// The paper's own count of positions at depth 6.
#[test]
fn bench_hpc_repeats_the_paper() {
    let args = ["bench", "hpc", "--depth-max", "6", "--rounds", "1"];
    let run = tandem(&[&args[..], &["--json"]].concat()).succeeded();
    let report = json(&run);
    let runs = report["runs"].as_array().expect("a list");
    assert_eq!(runs[0]["interior"], 227_362);
    assert_eq!(runs[0]["paper"]["match"], true);
    let interior = |run: &Value| run["interior"].as_u64().expect("a count");
    assert!(runs.is_sorted_by_key(|run| std::cmp::Reverse(interior(run))), "each step saves");
    let run = tandem(&args).succeeded();
    assert!(run.out.contains("227362") || run.out.contains("227,362"), "{}", run.out);
}

#[test]
fn bench_contempt_times_both_ways_to_choose() {
    let args = ["bench", "contempt", "--time", "0.1", "--rounds", "3", "--limits", "5,1000000"];
    let report = json(&tandem(&[&args[..], &["--hash", "8", "--json"]].concat()).succeeded());
    assert_eq!(report["unreached_limit_ratios"].as_array().map(Vec::len), Some(3), "{report}");
    let number =
        |row: &Value, name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
    let [five, unreached] = [0, 1].map(|i| &report["limits"][i]);
    assert!(number(five, "frozen_positions") > 0.0 && number(five, "draw_ns") > 0.0, "{five}");
    assert!(number(five, "puct_ns") > 0.0 && number(five, "network_evaluations") > 0.0, "{five}");
    assert_eq!(unreached["choices"], 0, "{unreached}");
    let human = tandem(&["bench", "contempt", "--time", "0.02", "--rounds", "1"]).succeeded();
    for word in ["plain PUCT", "never reached", "new values", "frozen"] {
        assert!(human.out.contains(word), "{word}: {}", human.out);
    }
}

#[test]
fn bench_mcts_counts_what_every_playout_ended_in() {
    let args = ["bench", "mcts", "--time", "0.1", "--threads", "2", "--hash", "8", "--json"];
    let report = json(&tandem(&args).succeeded());
    assert!(report["memory_mib"].as_u64().is_some_and(|memory| memory <= 8), "{report}");
    assert!(report["network"].as_str().is_some_and(|name| name.contains("nn-")), "{report}");
    let stops = ["stop_median_ms", "stop_worst_ms"].map(|name| report[name].as_f64().expect(name));
    assert!(stops[0] <= stops[1], "{report}");
    assert!(
        report["independent_processes_playouts_per_second"].as_f64().is_some_and(|sum| sum > 0.0)
    );
    let rows = report["rows"].as_array().expect("two rows");
    assert_eq!(rows.len(), 2, "{report}");
    for row in rows {
        let count = |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{name}: {row}"));
        let ends = ["new_values", "table_hits", "finished"].map(count);
        assert_eq!(ends.iter().sum::<u64>(), count("playouts"), "{row}");
        // Bare kings are judged by a rule.
        let evaluations = count("network_evaluations");
        assert!(evaluations > 0 && evaluations <= count("new_values"), "{row}");
        let shares = row["shares"].as_object().expect("the phases");
        let all: f64 = shares.values().filter_map(Value::as_f64).sum();
        assert!(shares.len() == 4 && (all - 1.0).abs() < 1e-6, "{row}");
    }
    let human = tandem(&["bench", "mcts", "--time", "0.05"]).succeeded();
    for word in ["playouts a second", "network evaluations", "stopped within", "the paper"] {
        assert!(human.out.contains(word), "{word}: {}", human.out);
    }
}
