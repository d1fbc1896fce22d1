//! What shells and manual readers get: completions and manual pages.

mod support;

use std::fs;
use std::process::Command;

use support::shell::tandem;

/// What bash offers after these words, the last of which is not finished.
fn offered(words: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("tandem.bash");
    fs::write(&script, tandem(&["completions", "bash"]).succeeded().out).expect("written");
    let questions = format!(
        "source '{}'; COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _tandem tandem '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let output = Command::new("bash").args(["--norc", "-c", &questions]).output().expect("bash");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_subcommands_and_their_options() {
    let all = offered("tandem");
    for word in ["bench", "doctor", "match", "train", "--version"] {
        assert!(all.iter().any(|offer| offer == word), "{word} in {all:?}");
    }
    let doctor = offered("tandem doctor");
    assert!(doctor.iter().any(|offer| offer == "--measure"), "{doctor:?}");
    let bench = offered("tandem bench");
    assert!(bench.iter().any(|offer| offer == "mcts"), "{bench:?}");
}

#[test]
fn every_shell_gets_a_script_that_knows_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = tandem(&["completions", shell]).succeeded();
        assert!(run.out.contains("datagen") && run.out.contains("selfplay"), "{shell}");
    }
    let refused = tandem(&["completions", "cmd"]).refused();
    assert!(refused.err.contains("powershell"), "{}", refused.err);
}

/// mandoc reads all pages without an error.
#[test]
fn every_subcommand_has_a_manual_page_without_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    let run = tandem(&["man", "--out", pages.to_str().expect("UTF-8")]).succeeded();
    assert_eq!(run.out, "");
    let files: Vec<_> = fs::read_dir(&pages)
        .expect("a folder of pages")
        .map(|entry| entry.expect("a page").path())
        .collect();
    for name in ["tandem.1", "tandem-doctor.1", "tandem-bench-mcts.1", "tandem-train-loop.1"] {
        assert!(files.iter().any(|file| file.ends_with(name)), "{name} in {files:?}");
    }
    let lint = Command::new("mandoc").args(["-T", "lint", "-W", "error"]).args(&files).output();
    let lint = lint.expect("mandoc is missing: scripts/test-setup installs it");
    assert!(lint.status.success(), "{}", String::from_utf8_lossy(&lint.stdout));
    let page = tandem(&["man"]).succeeded().out;
    assert_eq!(page, fs::read_to_string(pages.join("tandem.1")).expect("a page"));
    for section in [".TH tandem 1 ", ".SH NAME", ".SH SUBCOMMANDS", ".SH \"EXIT STATUS\""] {
        assert!(page.contains(section), "{section} in {page}");
    }
}

#[test]
fn a_manual_that_cannot_be_written_is_a_sentence() {
    let run = tandem(&["man", "--out", "/proc/nowhere"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("tandem: cannot write to /proc/nowhere"), "{}", run.err);
}
