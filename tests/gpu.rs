//! What the program says of GPUs, with and without one.

mod support;

use std::process::Command;

use serde_json::Value;
use support::KIWIPETE;
use support::shell::tandem_reading;

/// What the program prints with these words; without drivers if so wished.
fn tandem(words: &[&str], with_drivers: bool) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
    command.args(words);
    if !with_drivers {
        // Vulkan's loader looks for drivers where these say, and nowhere else.
        command.env("VK_ICD_FILENAMES", "/nowhere.json").env("VK_DRIVER_FILES", "/nowhere.json");
    }
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

fn json(words: &[&str], with_drivers: bool) -> Value {
    let (is_success, stdout, stderr) = tandem(words, with_drivers);
    assert!(is_success, "{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

#[test]
fn the_bench_finds_the_processors_integers_on_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("gpu.svg");
    let words = ["bench", "gpu", "--iterations", "1", "--json", "--plot", plot.to_str().unwrap()];
    let report = json(&words, true);
    assert_eq!(report["consistency"]["equal_to_cpu"], 1000);
    assert_eq!(report["consistency"]["consistent"], 1000);
    let judging = &report["judging"];
    assert!(judging["moves"].as_u64().unwrap() > 10_000);
    assert_eq!(judging["equal_to_cpu"], judging["moves"]);
    assert_eq!(judging["rows"].as_array().unwrap().len(), 5);
    assert_eq!(report["latency"].as_array().unwrap().len(), 10);
    assert!(report["evaluations"].as_u64().unwrap() > 10_000);
    assert!(report["dispatch"]["median"].as_f64().unwrap() > 0.0);
    assert!(std::fs::read_to_string(plot).unwrap().contains("microseconds a position"));
}

#[test]
fn a_plot_that_cannot_be_drawn_is_refused_at_once() {
    let (is_success, stdout, stderr) = tandem(&["bench", "gpu", "--plot", "gpu.png"], true);
    assert!(!is_success && stdout.is_empty());
    assert!(stderr.contains("gpu.png") && stderr.contains(".svg"), "{stderr}");
}

#[test]
fn raw_outputs_are_the_same_from_both() {
    let lines = tandem_nnue::bench::Lines::bundled().shuffled();
    // More than a batch, and none at all.
    for count in [5000, 0] {
        let fens: Vec<_> = lines.iter().cycle().take(count).map(ToString::to_string).collect();
        let fens = fens.join("\n");
        let run = |backend| tandem_reading(&["eval", "--raw", "--backend", backend], &fens);
        let (cpu, gpu) = (run("cpu"), run("gpu"));
        assert_eq!((cpu.code, gpu.code), (Some(0), Some(0)), "{}{}", cpu.err, gpu.err);
        assert_eq!(cpu.out.lines().count(), count);
        assert!(cpu.out == gpu.out, "{count} lines differ");
    }
    let broken = format!("{}\nnowhere\n{}\n", lines[0], lines[1]);
    let run = |backend| {
        let run = tandem_reading(&["eval", "--raw", "--backend", backend], &broken);
        (run.out, run.err)
    };
    let (out, error) = run("gpu");
    assert_eq!(out.lines().count(), 1);
    assert!(error.contains("line 2"), "{error}");
    assert_eq!((out, error.contains("line 2")), (run("cpu").0, true));
}

#[test]
fn a_score_by_the_gpu_is_the_cpus_and_names_its_adapter() {
    for fen in [KIWIPETE, "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"] {
        let cpu = json(&["eval", "--fen", fen, "--json"], true);
        let gpu = json(&["eval", "--fen", fen, "--json", "--backend", "gpu"], true);
        let bucket = cpu["bucket"].as_u64().unwrap() as usize;
        assert_eq!(gpu["outputs"], cpu["buckets"][bucket]);
        for name in ["score", "centipawns_for_white", "wdl", "side", "network"] {
            assert_eq!(gpu[name], cpu[name], "{name}");
        }
    }
    let (is_success, stdout, stderr) = tandem(&["eval", "--backend", "gpu"], true);
    assert!(is_success && stdout.contains("Evaluated by"), "{stdout} {stderr}");
    for words in [&["eval", "--backend", "gpu"][..], &["eval", "--raw", "--backend", "gpu"]] {
        let (is_success, stdout, stderr) = tandem(words, false);
        assert!(!is_success && stdout.is_empty());
        assert!(stderr.contains("no GPU was found"), "{stderr}");
    }
}

#[test]
fn the_bench_is_also_a_command_of_a_session() {
    let (_, stdout, stderr) = tandem(&["gpubench 1"], true);
    assert!(stdout.contains("100.0 % the CPU's integers"), "{stdout} {stderr}");
}

#[test]
fn the_doctor_lists_devices_with_a_choice_and_its_reason() {
    let report = json(&["doctor", "--json"], true);
    assert!(!report["gpu"]["adapters"].as_array().unwrap().is_empty(), "{report}");
    assert_eq!(report["gpu"]["calibration"].as_array().unwrap().len(), 5, "{report}");
    assert!(report["settings"]["Threads"].as_u64().unwrap() > 0);
    let (is_success, stdout, _) = tandem(&["doctor"], true);
    assert!(is_success && stdout.contains("chosen "), "{stdout}");
}

#[test]
fn without_drivers_the_doctor_recommends_the_processor_and_the_bench_says_what_to_install() {
    let report = json(&["doctor", "--json"], false);
    assert_eq!(report["gpu"]["adapters"].as_array().unwrap().len(), 0, "{report}");
    assert_eq!(report["settings"]["Backend"], "cpu");
    let (is_success, stdout, stderr) = tandem(&["bench", "gpu"], false);
    assert!(!is_success && stdout.is_empty());
    assert!(stderr.contains("mesa-vulkan-drivers"), "{stderr}");
}
