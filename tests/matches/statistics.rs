//! What a match says about itself.

use serde_json::Value;

use crate::arena::Arena;
use crate::support::shell::tandem;

/// White mates with the first move: who has White wins.
const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1\n";

#[test]
fn three_players_meet_each_other() {
    let arena = Arena::new();
    let players =
        ["--player", "name=a nodes=5", "--player", "name=b nodes=5", "--player", "name=c nodes=5"];
    let played = arena.play(&[&players[..], &["--games", "4", "--max-plies", "30"]].concat());
    assert_eq!(played.games.len(), 12);
    assert_eq!(played.report["pairings"].as_array().map(Vec::len), Some(3));
    assert_eq!(played.report["ratings"].as_array().map(Vec::len), Some(3));
    for name in ["a", "b", "c"] {
        assert_eq!(played.wdl(name).iter().sum::<u64>(), 8);
        let white = played.games.iter().filter(|game| game.tag("White") == name).count();
        assert_eq!(white, 4, "as often White as Black");
    }
}

#[test]
fn in_a_gauntlet_the_first_meets_the_others() {
    let arena = Arena::new();
    let players =
        ["--player", "name=a nodes=5", "--player", "name=b nodes=5", "--player", "name=c nodes=5"];
    let more = ["--games", "4", "--max-plies", "30", "--format", "gauntlet", "--concurrency", "2"];
    let played = arena.play(&[&players[..], &more].concat());
    assert_eq!(played.games.len(), 8);
    assert_eq!(played.wdl("a").iter().sum::<u64>(), 8);
    let meets = |game: &crate::pgn::Game| [game.tag("White"), game.tag("Black")].contains(&"a");
    assert!(played.games.iter().all(meets));
}

#[test]
fn players_of_one_name_are_told_apart() {
    let arena = Arena::new();
    let played = arena.play(&[
        "--player",
        "",
        "--player",
        "",
        "--nodes",
        "5",
        "--games",
        "2",
        "--max-plies",
        "12",
    ]);
    assert_ne!(played.report["players"][0]["name"], played.report["players"][1]["name"]);
}

#[test]
fn names_may_hold_anything_that_pgn_can_hold() {
    let arena = Arena::new();
    let args = ["--player", "'name=a \"b\" \\c' nodes=5", "--player", "name=[Ö]{;}% nodes=5"];
    let more = ["--event", "\"100 %\"\n[Result \"*\"]", "--games", "2", "--max-plies", "12"];
    let played = arena.play(&[&args[..], &more].concat());
    assert_eq!(played.games[0].tag("White"), "a \"b\" \\c");
    assert_eq!(played.games[0].tag("Black"), "[Ö]{;}%");
}

#[test]
fn a_test_ends_the_match_as_soon_as_it_is_decided() {
    for (players, verdict, sentence) in [
        (["name=one nodes=200 side=white", "name=two nodes=1"], "accept-h1", "H1 accepted"),
        (["name=one nodes=1", "name=two nodes=200 side=white"], "accept-h0", "H0 accepted"),
    ] {
        let arena = Arena::new();
        let book = arena.write("mate.epd", MATE);
        let args = ["--player", players[0], "--player", players[1], "--book", &book];
        let more = ["--games", "2000", "--sprt=-100:100", "--alpha", "0.1", "--beta", "0.1"];
        let played = arena.play(&[&args[..], &more].concat());
        let report = &played.report;
        assert!(played.games.len() < 400, "{} games", played.games.len());
        assert_eq!(report["sprt"]["verdict"], verdict, "{report}");
        let number = |key: &str| report["sprt"][key].as_f64().expect("a number");
        let (llr, lower, upper) = (number("llr"), number("lower"), number("upper"));
        assert!(llr <= lower || llr >= upper, "{report}");
        assert!((upper - 9_f64.ln()).abs() < 1e-6 && (lower + 9_f64.ln()).abs() < 1e-6, "{report}");
        let why = report["dropped_why"].as_str().expect("a sentence");
        assert!(why.contains("not needed after the verdict"), "{why}");
        // The same again has nothing to play, and prints its table.
        let out = arena.path("match");
        let again = tandem(&[&["match", "--out", &out][..], &args, &more].concat()).succeeded();
        assert!(again.out.contains(sentence), "{}", again.out);
        assert!(again.out.contains("SPRT [-100, 100]"), "{}", again.out);
    }
}

#[test]
fn an_undecided_test_says_so() {
    let arena = Arena::new();
    let args = ["--player", "name=one nodes=5", "--player", "name=two nodes=5", "--sprt"];
    let played = arena.play(&[&args[..], &["--games", "4", "--max-plies", "12"]].concat());
    let sprt = &played.report["sprt"];
    assert!(sprt.to_string().to_lowercase().contains("continue"), "{sprt}");
    assert_eq!(played.games.len(), 4);
}

/// All numbers and words that are anywhere in a report.
fn leaves(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, found)),
        Value::Object(entries) => entries.values().for_each(|item| leaves(item, found)),
        Value::String(text) => found.push(text.clone()),
        Value::Null => {}
        other => found.push(other.to_string()),
    }
}

/// No key stands twice in an object: such a report reads differently to different readers.
fn expect_distinct_keys(text: &str) {
    let mut open: Vec<Vec<String>> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((key, _)) = line.strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
            let keys = open.last_mut().expect("a key stands in an object");
            assert!(!keys.iter().any(|known| known == key), "{key} twice in one object");
            keys.push(key.to_owned());
        }
        if line.ends_with('{') || line.ends_with('[') {
            open.push(Vec::new());
        } else if line.starts_with('}') || line.starts_with(']') {
            open.pop();
        }
    }
}

#[test]
fn json_has_everything_that_the_table_has() {
    let arena = Arena::new();
    let process =
        format!("name=process cmd={} option.Hash=2 nodes=20", env!("CARGO_BIN_EXE_tandem"));
    let args = ["--player", &process, "--player", "name=inside nodes=20 odds=b1 option.Threads=1"];
    let more = ["--games", "4", "--max-plies", "40", "--margin", "77", "--patience", "12.5"];
    let more = [
        &more[..],
        &["--draw", "30:4:7", "--resign", "3:700", "--sprt", "1.5:6", "--seed", "4242"],
    ]
    .concat();
    let args = [&args[..], &more].concat();
    let run = arena.run(&args);
    expect_distinct_keys(&run.out);
    let played = arena.result(&run);
    crate::audit::audit(&played);
    let report = &played.report;
    let mut found = Vec::new();
    leaves(report, &mut found);
    let json = found.join("\n");

    let out = arena.path("match");
    let table = tandem(&[&["match", "--out", &out][..], &args].concat()).succeeded().out;
    let cpu = report["hardware"].as_str().expect("a name");
    for text in
        ["process", "inside", "b1", "Hash", "Threads", "4242", "77", "12.5", "700", "1.5", cpu]
    {
        assert!(table.contains(text), "{text} is missing in the table\n{table}");
        assert!(json.contains(text), "{text} is missing in the report\n{report}");
    }
    // The program's hash, the evaluation's name, the verdict's numbers, the averages.
    let hash_in_table = table.split("(program ").nth(1).and_then(|rest| rest.split(')').next());
    assert!(json.contains(hash_in_table.expect("a hash")), "{report}");
    let number = |value: &Value| value.as_f64().expect("a number");
    let results = &report["pairings"][0]["results"];
    for key in ["elo", "normalised_elo"] {
        for part in ["value", "lower", "upper"] {
            let Some(value) = results[key][part].as_f64() else { continue };
            assert!(table.contains(&format!("{value:+.1}")), "{key} {part} {value}\n{table}");
        }
    }
    for (value, digits) in [
        (number(&results["score_rate"]) * 100.0, 1),
        (number(&results["draw_rate"]) * 100.0, 1),
        (number(&results["superiority"]) * 100.0, 1),
        (number(&report["mean_plies"]), 0),
        (number(&report["sprt"]["llr"]), 2),
        (number(&report["players"][0]["nps"]), 0),
        (number(&report["players"][1]["mean_depth"]), 1),
    ] {
        assert!(table.contains(&format!("{value:.digits$}")), "{value}\n{table}");
    }
    let [wins, draws, losses] = played.wdl("process");
    let line = format!("4 games: {wins} wins, {draws} draws, {losses} losses");
    assert!(table.contains(&line), "{line}\n{table}");
    for key in ["command", "margin", "patience", "date"] {
        assert!(
            run.out.contains(&format!("\"{key}")),
            "{key} is missing in the report\n{}",
            run.out
        );
    }
}

#[test]
fn the_summary_names_what_matters() {
    let arena = Arena::new();
    let network = crate::support::files::network(crate::support::files::SMALL);
    let player = format!("name=one nodes=5 option.EvalFile={network}");
    let fake = arena.fake("two", "fine") + " side=black restart=true";
    let book = arena.start_book();
    let args = ["match", "--player", &player, "--player", &fake, "--book", &book, "--games", "2"];
    let run = tandem(&[&args[..], &["--chess960", "--max-plies", "1"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let hash = crate::support::files::SMALL.trim_start_matches("nn-");
    for text in [hash, "Chess960", "fake_engine.py", "start.epd", "black", "dropped"] {
        assert!(run.out.contains(text), "{text} is not named\n{}", run.out);
    }
}
