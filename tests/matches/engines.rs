//! Matches with an engine that others made.

use std::path::Path;

use crate::arena::Arena;

const STOCKFISH: &str = "/usr/games/stockfish";

fn stockfish(settings: &str) -> String {
    assert!(Path::new(STOCKFISH).exists(), "{STOCKFISH} is missing: run scripts/test-setup");
    format!("cmd={STOCKFISH} name=Stockfish option.Hash=2 option.Threads=1 {settings}")
}

#[test]
fn stockfish_plays_with_fixed_nodes() {
    let arena = Arena::new();
    let args =
        ["--player", &stockfish("nodes=300"), "--player", "name=tandem nodes=300 option.Hash=2"];
    let played = arena.play(&[&args[..], &["--games", "4", "--concurrency", "2"]].concat());
    assert_eq!(played.faults("Stockfish") + played.faults("tandem"), 0, "{}", played.err);
    let player = played.player("Stockfish");
    let engine = player["engine"].as_str().expect("a name");
    assert!(engine.starts_with("Stockfish"), "{engine}");
    assert!(player["network"].as_str().is_some_and(|name| name.starts_with("nn-")), "{player}");
    assert!(player["effort"]["nodes"].as_u64().is_some_and(|nodes| nodes > 0), "{player}");
    assert!(player["mean_depth"].as_f64().is_some_and(|depth| depth > 1.0), "{player}");
    for game in &played.games {
        let scored = game
            .comments
            .iter()
            .filter(|note| note.contains('/') && note.ends_with(char::is_numeric));
        assert!(scored.count() > 10, "{:?}", game.comments);
    }
}

#[test]
fn stockfish_plays_with_clocks() {
    let arena = Arena::new();
    let ours = format!("cmd={} name=tandem option.Hash=2", env!("CARGO_BIN_EXE_tandem"));
    let args = ["--player", &stockfish(""), "--player", &ours, "--tc", "20/1+0.01"];
    // The machine may be busy: only what is played is judged, not how fast.
    let more = ["--games", "2", "--max-plies", "50", "--margin", "60000"];
    let played = arena.play(&[&args[..], &more].concat());
    assert_eq!(played.faults("Stockfish") + played.faults("tandem"), 0, "{}", played.err);
    assert_eq!(played.games[0].tag("TimeControl"), "20/1+0.01");
}

#[test]
fn stockfish_plays_chess960() {
    let arena = Arena::new();
    let book =
        arena.write("shuffled.epd", "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1\n");
    let args =
        ["--player", &stockfish("nodes=300"), "--player", "name=tandem nodes=300 option.Hash=2"];
    let more = ["--games", "2", "--max-plies", "60", "--chess960", "--book", &book];
    let played = arena.play(&[&args[..], &more].concat());
    assert_eq!(played.faults("Stockfish") + played.faults("tandem"), 0, "{}", played.err);
}
