//! `tandem doctor`: what it measures becomes settings that the engine takes.

mod support;

use serde_json::Value;
use support::program::Program;
use support::shell::tandem;

#[test]
fn what_is_measured_becomes_lines_that_a_session_accepts() {
    let run = tandem(&["doctor", "--measure", "--quick", "--think", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for heading in ["alpha-beta nodes/s", "seconds to depth", "for 2 s a move"] {
        assert!(run.out.contains(heading), "{heading} in {}", run.out);
    }
    let lines: Vec<&str> =
        run.out.lines().skip_while(|line| !line.starts_with("setoption")).collect();
    assert_eq!(lines.len(), 4, "{}", run.out);
    let mut program = Program::start();
    for line in lines {
        assert!(program.ask(line).is_empty(), "{line}");
    }
    program.quit();
}

#[test]
fn the_report_for_programs_holds_every_row_and_the_same_settings() {
    let run = tandem(&["doctor", "--measure", "--quick", "--json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let measured = &report["measured"];
    let threads = measured["threads"].as_array().expect("rows");
    let cores = report["cores"].as_u64().expect("a count");
    assert_eq!(threads.first().expect("a row")["threads"], 1);
    assert_eq!(threads.last().expect("a row")["threads"], cores);
    for row in threads {
        for what in ["nodes_per_second", "playouts_per_second", "tree_mib_per_second"] {
            assert!(row[what].as_f64().is_some_and(|speed| speed > 0.0), "{what} in {row}");
        }
    }
    let depths = measured["time_to_depth"].as_array().expect("rows");
    assert!(depths.len() > 2 && depths.iter().all(|row| row["nodes"].as_u64() > Some(0)));
    let settings = &report["settings"];
    assert!(threads.iter().any(|row| row["threads"] == settings["Threads"]), "{settings}");
    assert!(settings["Hash"].as_u64().is_some_and(|hash| hash >= 16), "{settings}");
}

#[test]
fn without_measuring_settings_come_by_looks() {
    let run = tandem(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(report["measured"].is_null(), "{report}");
    assert_eq!(report["settings"]["Threads"], report["cores"]);
    for args in [&["doctor", "--quick"][..], &["doctor", "--measure", "--think", "0"]] {
        tandem(args).refused();
    }
}
