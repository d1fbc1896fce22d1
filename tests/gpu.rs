//! What the program says of GPUs, with and without one.

use std::process::Command;

use serde_json::Value;

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
    assert_eq!(report["latency"].as_array().unwrap().len(), 10);
    assert!(report["evaluations"].as_u64().unwrap() > 10_000);
    assert!(report["dispatch"]["median"].as_f64().unwrap() > 0.0);
    assert!(std::fs::read_to_string(plot).unwrap().contains("microseconds a position"));
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
