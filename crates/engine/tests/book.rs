//! The engine with a real opening book.

mod support;

use support::{set, testing};
use tandem_engine::{Engine, Limits, Options};

fn engine() -> Engine {
    let mut engine = Engine::new();
    let notice = set(&mut engine, "BookFile", &testing::book("performance.bin"));
    assert_eq!(notice.as_deref(), Some("the book has 92954 entries"));
    set(&mut engine, "OwnBook", "true");
    engine
}

/// The move played and whether it was searched for.
fn play(engine: &mut Engine, limits: Limits) -> (String, bool) {
    let (choice, report) = support::go(engine, limits);
    assert_eq!(choice.best, report.pv.first().copied());
    (choice.best.unwrap().to_string(), report.nodes > 0)
}

#[test]
fn book_moves_come_at_once_and_the_seed_decides_among_them() {
    let draw = |seed: &str| {
        let mut engine = engine();
        set(&mut engine, "Seed", seed);
        (0..20)
            .map(|_| {
                let (m, searched) = play(&mut engine, Limits::depth(20));
                assert!(!searched);
                m
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(draw("5"), draw("5"));
    assert_ne!(draw("5"), draw("6"));
    for m in ["e2e4", "d2d4", "c2c4"] {
        assert!(draw("5").iter().any(|drawn| drawn == m), "{m}");
    }
    let mut engine = engine();
    set(&mut engine, "BestBookMove", "true");
    for _ in 0..5 {
        assert_eq!(play(&mut engine, Limits::depth(20)).0, "e2e4");
    }
}

#[test]
fn analysis_searches_for_itself() {
    let mut engine = engine();
    let wing = engine.game().position().parse_uci("a2a3").unwrap();
    for limits in [
        Limits { infinite: true, ..Limits::default() },
        Limits { ponder: true, ..Limits::depth(3) },
        Limits { mate: Some(1), ..Limits::depth(3) },
        Limits { search_moves: vec![wing], ..Limits::depth(3) },
    ] {
        assert!(play(&mut engine, limits).1);
    }
    set(&mut engine, "UCI_AnalyseMode", "true");
    assert!(play(&mut engine, Limits::depth(3)).1);
    set(&mut engine, "UCI_AnalyseMode", "false");
    assert!(!play(&mut engine, Limits::depth(3)).1);
    set(&mut engine, "OwnBook", "false");
    assert!(play(&mut engine, Limits::depth(3)).1);
}

#[test]
fn a_bad_book_is_named_and_the_old_one_stays() {
    let mut engine = engine();
    let option = Options::find("BookFile").unwrap();
    let error = engine.set_option(option, "/no/such.bin").unwrap_err().to_string();
    assert!(error.contains("the book '/no/such.bin' cannot be read"), "{error}");
    assert!(!play(&mut engine, Limits::depth(20)).1);
    set(&mut engine, "BookFile", "");
    assert!(play(&mut engine, Limits::depth(3)).1);
}
