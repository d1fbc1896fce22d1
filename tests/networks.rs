//! The engine with real networks: loaded, exchanged and put away over UCI.

mod support;

use std::path::Path;

use support::KIWIPETE;
use support::files::{LARGE, SMALL, network};
use support::info::Score;
use support::program::Program;
use support::random::Random;
use support::referee::Referee;
use support::shell::tandem;
use tandem_nnue::Digest;

/// What a search from Kiwipete finds.
fn search(program: &mut Program) -> (u64, Score, String) {
    let game = Referee::new(KIWIPETE, false);
    program.send("ucinewgame");
    program.position(&game.setup());
    let answer = program.go("depth 7");
    game.check(&answer);
    (answer.nodes(), answer.last().score, answer.best)
}

#[test]
fn a_network_changes_the_search_and_leaves_no_trace() {
    let mut program = Program::start();
    let before = search(&mut program);
    program.set_option("EvalFile", &network(SMALL));
    let small = search(&mut program);
    assert_ne!(small, before);
    assert_eq!(search(&mut program), small, "the same again");
    program.set_option("EvalFile", &network(LARGE));
    let large = search(&mut program);
    assert_ne!(large, small);
    program.set_option("EvalFile", &network(SMALL));
    assert_eq!(search(&mut program), small, "after another network");
    program.set_option("EvalFile", "<empty>");
    assert_eq!(search(&mut program), before, "after all networks");
    program.quit();
}

#[test]
fn the_word_none_is_the_plain_evaluation() {
    let mut program = Program::start();
    program.set_option("EvalFile", "none");
    let plain = search(&mut program);
    program.set_option("EvalFile", &network(SMALL));
    assert_ne!(search(&mut program), plain);
    program.set_option("EvalFile", "none");
    assert_eq!(search(&mut program), plain);
    let eval = program.ask("eval");
    assert!(eval.iter().any(|line| line.contains("by the plain evaluation")), "{eval:?}");
    program.quit();
    let eval = tandem(&["eval", "--net", "none"]).succeeded();
    assert!(eval.out.contains("by the plain evaluation"), "{}", eval.out);
}

/// What the program says of itself must be what the repository holds.
#[test]
fn the_network_of_the_repository_is_in_the_program() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/default.nnue");
    let Ok(bytes) = std::fs::read(&own) else {
        let info = tandem(&["net", "info"]);
        assert_eq!(info.code, Some(1));
        assert!(info.err.contains("there is no network in this program"), "{}", info.err);
        return;
    };
    let sha256 = Digest::of(&bytes).to_string();
    let info = tandem(&["net", "info", "--json"]).succeeded();
    let info: serde_json::Value = serde_json::from_str(&info.out).unwrap();
    assert_eq!(info["sha256"], sha256);
    assert_eq!(info["encoding"], "LEB128", "a raw one would make the repository twice as large");
    let card = std::fs::read_to_string(own.with_file_name("README.md")).expect("a card");
    assert_eq!(info["card"], card);
    let text = tandem(&["net", "info"]).succeeded().out;
    assert!(text.starts_with("file          in the program\n"), "{text}");
    let eval = tandem(&["eval"]).succeeded().out;
    assert!(eval.contains(&format!("nn-{}, in the program", &sha256[..12])), "{eval}");

    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("exported.nnue");
    let mut program = Program::start();
    let said = program.ask(&format!("export_net {}", target.display()));
    assert!(said.iter().any(|line| line.contains("the network was written")), "{said:?}");
    assert!(std::fs::read(&target).unwrap() == bytes);
    program.quit();
}

#[test]
fn a_network_of_random_numbers_depends_on_its_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |name: &str, seed: &str| {
        let file = folder.path().join(name);
        let path = file.to_str().unwrap();
        tandem(&["net", "random", path, "--l1", "128", "--seed", seed]).succeeded();
        tandem(&["net", "verify", path]).succeeded();
        std::fs::read(file).unwrap()
    };
    assert!(bytes("first.nnue", "1") == bytes("again.nnue", "1"));
    assert!(bytes("first.nnue", "1") != bytes("other.nnue", "2"));
    let refused = tandem(&["net", "random", "unwritten.nnue", "--l1", "100"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("model.l1"), "{}", refused.err);
}

#[test]
fn a_file_that_is_no_network_leaves_the_last_one_in_force() {
    let mut program = Program::start();
    program.set_option("EvalFile", &network(SMALL));
    let before = search(&mut program);
    for name in ["EvalFile", "EvalFileSmall"] {
        for file in ["/nonexistent.nnue", "Cargo.toml", "/", "/dev/null"] {
            let answer = program.ask(&format!("setoption name {name} value {file}"));
            assert_eq!(answer.len(), 1, "{answer:?}");
            assert!(answer[0].starts_with("info string "), "{answer:?}");
            assert_eq!(search(&mut program), before, "{name} {file}");
        }
    }
    program.quit();
}

#[test]
fn two_networks_share_the_work() {
    let mut program = Program::start();
    program.set_option("EvalFile", &network(LARGE));
    program.set_option("EvalFileSmall", &network(SMALL));
    program.set_option("UCI_ShowWDL", "true");
    program.set_option("Threads", "2");
    for fen in [KIWIPETE, "4k3/8/8/8/8/8/4P3/4K2Q w - - 0 1", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1"] {
        let game = Referee::new(fen, false);
        program.position(&game.setup());
        let answer = program.go("nodes 5000");
        game.check(&answer);
        assert!(answer.infos.iter().all(|info| info.wdl.is_some()), "{answer:?}");
    }
    program.quit();
}

#[test]
fn lines_stay_within_the_rules_with_a_network() {
    let mut program = Program::start();
    program.set_option("EvalFile", &network(SMALL));
    let mut random = Random::new(3);
    for number in 0..12 * support::soak() {
        let mut game = Referee::start();
        for _ in 0..10 + 15 * (number % 12) {
            if game.is_over() {
                break;
            }
            game.play_random(&mut random);
        }
        program.set_option("Threads", random.pick(&["1", "2"]));
        program.position(&game.setup());
        game.check(&program.go(random.pick(&["nodes 6000", "depth 8", "movetime 10"])));
    }
    program.quit();
}

#[test]
fn weaker_play_and_bench_use_the_network() {
    let mut program = Program::start();
    let bench = |program: &mut Program| {
        program.send("bench 4");
        let lines = program.read_until(|line| line.ends_with(" nps"));
        let nodes = lines.last().and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
        nodes.expect("nodes")
    };
    let plain = bench(&mut program);
    program.set_option("EvalFile", &network(SMALL));
    let with_network = bench(&mut program);
    assert_ne!(with_network, plain);
    program.set_option("UCI_LimitStrength", "true");
    Referee::start().check(&program.go("nodes 2000"));
    assert_eq!(bench(&mut program), with_network);
    program.quit();
}

#[test]
fn an_exported_network_is_the_one_that_was_loaded() {
    let source = network(SMALL);
    let folder = std::env::temp_dir().join(format!("tandem-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let target = folder.join("exported.nnue");
    let export = format!("export_net {}", target.display());
    let says = |lines: Vec<String>, what: &str| {
        assert!(lines.iter().any(|line| line.contains(what)), "{what}: {lines:?}");
    };
    let mut program = Program::start();
    program.set_option("EvalFile", "none");
    says(program.ask(&export), "there is no network to export");
    program.set_option("EvalFile", &source);
    says(program.ask(&export), "the network was written");
    assert_eq!(std::fs::read(&target).unwrap(), std::fs::read(&source).unwrap());
    says(program.ask("export_net /nowhere/at/all"), "cannot write");
    program.quit();
    std::fs::remove_dir_all(folder).unwrap();
}
