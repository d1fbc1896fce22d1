//! What match runners demand of an engine, and games played as they play them.

mod support;

use std::time::{Duration, Instant};

use support::KIWIPETE;
use support::info::Score;
use support::program::Program;
use support::random::Random;
use support::referee::Referee;

/// The conversation with which a match runner finds out whether it can use an engine.
#[test]
fn the_engine_complies() {
    let mut program = Program::start();
    program.send("uci");
    let lines = program.read_until(|line| line == "uciok");
    for id in ["id name ", "id author "] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(id)).count(), 1, "{id}");
    }
    assert!(program.sync().is_empty());
    program.send("ucinewgame");
    assert!(program.sync().is_empty());
    let mut game = Referee::start();
    for m in ["e2e4", "e7e5"] {
        game.play(m).expect("legal");
    }
    for limits in
        ["wtime 100 btime 100", "wtime 100 winc 100 btime 100 binc 100", "movetime 50", "depth 5"]
    {
        program.position(&game.setup());
        game.check(&program.go(limits));
    }
    program.send("ucinewgame");
    let black = Referee::new("8/8/8/3r4/4k3/8/8/4K3 b - - 0 1", false);
    program.position(&black.setup());
    let answer = program.go("wtime 100 btime 100");
    black.check(&answer);
    let (Score::Centipawns(score) | Score::Mate(score)) = answer.last().score;
    assert!(score > 0, "from the side to move: {answer:?}");
    program.quit();
}

#[test]
fn there_are_as_many_answers_as_questions() {
    let mut program = Program::start();
    let game = Referee::new(KIWIPETE, false);
    let searches = [
        "go depth 3",
        "go nodes 100",
        "go infinite\nisready\nstop",
        "go movetime 10\nstop\nstop",
        "go depth 4\nisready\nisready",
        "go ponder wtime 100 btime 100\nponderhit",
        "go ponder depth 2\nstop",
    ];
    for search in searches {
        program.send(&format!("position {}", game.setup()));
        program.send(search);
        game.check(&program.answer());
    }
    program.send("stop");
    program.never(Duration::from_millis(50), |line| line.starts_with("bestmove"));
    let rest = program.quit();
    assert!(rest.is_empty(), "{rest:?}");
}

/// A clock as a match runner keeps it.
struct Clock {
    left: Duration,
    overruns: u32,
}

impl Clock {
    const START: Duration = Duration::from_millis(200);
    const INCREMENT: Duration = Duration::from_millis(2);

    /// What a busy machine may take from a move without the engine's doing.
    const MARGIN: Duration = Duration::from_secs(2);

    const fn new() -> Self {
        Self { left: Self::START, overruns: 0 }
    }

    /// Takes the time for a move.
    fn punch(&mut self, took: Duration, thought: Duration, fen: &str) {
        assert!(took < self.left + Self::MARGIN, "{took:?} of {:?} in {fen}", self.left);
        if thought > self.left {
            self.overruns += 1;
        }
        self.left = self.left.saturating_sub(thought).max(Duration::from_millis(1));
        self.left += Self::INCREMENT;
    }
}

/// Plays a game on tiny clocks, at most so many plies. Gives how many were played and how many were
/// late.
fn play(players: &mut [Program; 2], mut game: Referee, plies: usize) -> (usize, u32) {
    let mut clocks = [Clock::new(), Clock::new()];
    for player in players.iter_mut() {
        player.send("ucinewgame");
        player.sync();
    }
    let mut played = 0;
    while played < plies && !game.is_over() {
        let side = usize::from(!game.white_to_move());
        let player = &mut players[side];
        player.send(&format!("position {}", game.setup()));
        let increment = Clock::INCREMENT.as_millis();
        let [white, black] = [0, 1].map(|side: usize| clocks[side].left.as_millis());
        let start = Instant::now();
        let answer =
            player.go(&format!("wtime {white} btime {black} winc {increment} binc {increment}"));
        let thought = Duration::from_millis(answer.last().time);
        clocks[side].punch(start.elapsed(), thought, &game.fen());
        game.check(&answer);
        game.play(&answer.best).expect("checked");
        played += 1;
    }
    (played, clocks[0].overruns + clocks[1].overruns)
}

#[test]
fn games_on_tiny_clocks_have_no_illegal_move_and_no_loss_on_time() {
    let mut random = Random::new(11);
    let mut players = [Program::start(), Program::start()];
    let (mut plies, mut late) = (0, 0);
    let mut starts = vec![Referee::new("8/8/4k3/8/8/3QK3/8/8 w - - 0 1", false)];
    starts.extend((0..5 * support::soak()).map(|_| {
        let mut game = Referee::start();
        while game.legal_moves().len() > 5 && game.setup().split(' ').count() < 10 {
            game.play_random(&mut random);
        }
        game
    }));
    for game in starts {
        let (played, overruns) = play(&mut players, game, 120);
        (plies, late) = (plies + played, late + overruns);
    }
    println!("{plies} plies, {late} of them late by the engine's own clock");
    // Whoever overspends soon has nothing left and is late ever after; on a machine with nothing
    // else to do hardly one move in a thousand is.
    assert!(late * 4 <= plies as u32, "{late} of {plies} moves were late");
    for player in players {
        assert!(player.quit().is_empty());
    }
}

#[test]
fn chess960_games_on_tiny_clocks_are_legal_too() {
    let mut players = [Program::start(), Program::start()];
    for player in &mut players {
        player.set_option("UCI_Chess960", "true");
        player.set_option("Threads", "2");
    }
    let fen = "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1";
    let (played, _) = play(&mut players, Referee::new(fen, true), 60);
    assert!(played > 10);
    for player in players {
        player.quit();
    }
}
