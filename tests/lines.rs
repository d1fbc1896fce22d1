//! What the engine claims about a position: scores, lines, mates, chances.

mod support;

use std::time::Duration;

use support::info::{Bound, Score};
use support::program::Program;
use support::random::Random;
use support::referee::Referee;
use support::{KIWIPETE, START};

/// Mates and how many moves they take at least.
const MATES: [(&str, i64); 7] = [
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("8/7B/2R5/4Nr1p/4kb1Q/8/1B6/4K2R w K - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("2q5/4B2p/7n/4p1pk/P2n1b2/R3P2P/2r3P1/1Q3R1K b - - 0 1", 3),
    ("7k/R7/8/6K1/8/8/8/1R6 b - - 0 1", -1),
    ("3k4/8/3K4/8/8/8/8/7R b - - 0 1", -2),
];

#[test]
fn mates_are_found_with_lines_of_their_length() {
    let mut program = Program::start();
    for (fen, moves) in MATES {
        let game = Referee::new(fen, false);
        program.send("ucinewgame");
        program.position(&game.setup());
        let limits = if moves > 0 { format!("mate {moves}") } else { "depth 12".to_owned() };
        let answer = program.go(&limits);
        game.check(&answer);
        let last = answer.last_exact().expect("an exact line");
        assert_eq!(last.score, Score::Mate(moves), "{fen}: {last:?}");
    }
    program.quit();
}

/// Plays a won ending against itself until the mate is on the board.
#[test]
fn announced_mates_come_true() {
    let mut program = Program::start();
    let mut game = Referee::new("8/8/8/3k4/8/8/2Q5/3K4 w - - 0 1", false);
    let mut announced = i64::MAX;
    for _ in 0..60 {
        if game.is_over() {
            break;
        }
        program.position(&game.setup());
        let answer = program.go("depth 10");
        game.check(&answer);
        if let Score::Mate(moves) = answer.last().score {
            assert_eq!(moves > 0, game.white_to_move(), "{answer:?}");
            assert!(moves.abs() <= announced, "{moves} after {announced}");
            announced = moves.abs();
        }
        game.play(&answer.best).expect("checked");
    }
    assert!(game.is_checkmate(), "{}", game.fen());
    program.quit();
}

#[test]
fn lines_stay_within_the_rules_in_random_games() {
    const STARTS: [&str; 5] = [
        START,
        START,
        KIWIPETE,
        "8/5k2/8/8/2K5/8/1Q3P2/8 w - - 0 1",
        "8/P1k3p1/8/2K5/8/3r4/p4P1R/8 w - - 40 60",
    ];
    let mut program = Program::start();
    let mut random = Random::new(7);
    for number in 0..40 * support::soak() {
        let mut game = Referee::new(random.pick(&STARTS), false);
        for _ in 0..5 + 12 * (number % 12) {
            if game.is_over() {
                break;
            }
            game.play_random(&mut random);
        }
        program.set_option("MultiPV", random.pick(&["1", "1", "1", "3"]));
        program.set_option("Threads", random.pick(&["1", "1", "2"]));
        program.position(&game.setup());
        let limits =
            random.pick(&["nodes 8000", "depth 9", "movetime 15", "nodes 300", "infinite"]);
        program.send(&format!("go {limits}"));
        if limits == "infinite" {
            std::thread::sleep(Duration::from_millis(random.next() % 20));
            program.send("stop");
        }
        game.check(&program.answer());
    }
    program.quit();
}

/// Shuffling pieces, with the same position on the board twice already: lines end at the third
/// time, and at the fiftieth move.
#[test]
fn lines_end_where_the_game_does() {
    let mut program = Program::start();
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    let mut games = Vec::new();
    let mut game = Referee::start();
    for m in back_and_forth {
        game.play(m).expect("legal");
    }
    games.push(game);
    for clock in [85, 90, 95, 98, 99] {
        games.push(Referee::new(&format!("8/5k2/8/8/8/2K5/4R3/8 w - - {clock} 90"), false));
        games.push(Referee::new(&format!("8/5k1p/6p1/8/8/2K3P1/4R2P/3r4 b - - {clock} 90"), false));
    }
    for game in games {
        program.position(&game.setup());
        game.check(&program.go("depth 12 nodes 60000"));
    }
    program.quit();
}

#[test]
fn several_lines_come_sorted_and_different() {
    let mut program = Program::start();
    let few = "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1";
    for (fen, wanted, depth) in [(START, 4, 7), (KIWIPETE, 3, 6), (few, 5, 5), (START, 256, 3)] {
        let game = Referee::new(fen, false);
        let lines = wanted.min(game.legal_moves().len());
        program.set_option("MultiPV", &wanted.to_string());
        program.position(&game.setup());
        let answer = program.go(&format!("depth {depth}"));
        game.check(&answer);
        for depth in 1..=depth {
            let mut rows: Vec<_> = (1..=lines)
                .filter_map(|number| {
                    answer.infos.iter().rfind(|info| {
                        (info.depth, info.multipv, info.bound) == (depth, number, Bound::Exact)
                    })
                })
                .collect();
            assert_eq!(rows.len(), lines, "lines at depth {depth} of {fen}");
            assert!(rows.is_sorted_by_key(|info| -info.score.rank()), "depth {depth}: {rows:?}");
            rows.sort_by_key(|info| &info.pv[0]);
            rows.dedup_by_key(|info| &info.pv[0]);
            assert_eq!(rows.len(), lines, "a move twice at depth {depth}");
        }
        assert!(answer.infos.iter().all(|info| info.multipv <= lines));
    }
    program.quit();
}

#[test]
fn chances_are_shown_when_asked_for() {
    let mut program = Program::start();
    let shown = |program: &mut Program, fen: &str| {
        program.position(&format!("fen {fen}"));
        program.go("depth 5").infos
    };
    assert!(shown(&mut program, START).iter().all(|info| info.wdl.is_none()));
    program.set_option("UCI_ShowWDL", "true");
    assert!(shown(&mut program, START).iter().all(|info| info.wdl.is_some()));
    let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let queen_down = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let mated = "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1";
    for (fen, expected) in [
        (queen_up, |[win, _, loss]: [u32; 3]| win > 800 && loss < 50),
        (queen_down, |[win, _, loss]: [u32; 3]| win < 50 && loss > 800),
        (MATES[0].0, |wdl: [u32; 3]| wdl == [1000, 0, 0]),
        (mated, |wdl: [u32; 3]| wdl == [0, 0, 1000]),
    ] as [(&str, fn([u32; 3]) -> bool); 4]
    {
        let wdl = shown(&mut program, fen).pop().and_then(|info| info.wdl);
        assert!(wdl.is_some_and(expected), "{fen}: {wdl:?}");
    }
    program.set_option("UCI_ShowWDL", "false");
    assert!(shown(&mut program, START).iter().all(|info| info.wdl.is_none()));
    program.quit();
}

#[test]
fn one_thread_visits_the_same_positions_every_time() {
    let session = |program: &mut Program| {
        let mut visited = Vec::new();
        program.send("ucinewgame");
        for setup in ["startpos", "startpos moves e2e4 c7c5", &format!("fen {KIWIPETE}")] {
            for limits in ["depth 8", "nodes 20000", "depth 5"] {
                program.position(setup);
                let answer = program.go(limits);
                let last = answer.last();
                visited.push((last.nodes, last.score, last.pv.clone(), answer.best.clone()));
            }
        }
        visited
    };
    let mut program = Program::start();
    let first = session(&mut program);
    assert_eq!(session(&mut program), first, "after ucinewgame");
    // Other sizes and threads leave no trace.
    program.set_option("Threads", "3");
    program.set_option("Hash", "2");
    program.go("depth 6");
    program.set_option("Hash", "16");
    program.set_option("Threads", "1");
    assert_eq!(session(&mut program), first, "after other settings");
    program.quit();
    let mut other = Program::start();
    assert_eq!(session(&mut other), first, "in another process");
    other.quit();
}

#[test]
fn a_cleared_table_remembers_nothing() {
    let mut program = Program::start();
    program.position("startpos");
    let first = program.go("depth 8").nodes();
    let again = program.go("depth 8").nodes();
    assert!(again < first, "{again} nodes with a table that knows, {first} without");
    program.ask("setoption name Clear Hash");
    assert_eq!(program.go("depth 8").nodes(), first);
    program.quit();
}
