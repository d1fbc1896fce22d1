//! What a line asks for.

use std::time::Duration;

use tandem_chess::{Game, Move, Position};
use tandem_engine::{Clock, Limits};

/// A line of input, understood.
#[derive(Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Uci,
    /// Say when you are ready.
    IsReady,
    /// Another game begins.
    NewGame,
    /// Set the game.
    Position(Box<Game>),
    /// Set an option.
    SetOption {
        /// The name as typed.
        name: String,
        /// The value as typed; empty if there was none.
        value: String,
    },
    /// Think.
    Go(Limits),
    /// Count leaves.
    Perft(u32),
    /// Answer now.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
    /// Show the board.
    Display,
    /// Explain the static evaluation.
    Eval,
    /// Write the network in force to that file.
    ExportNet(String),
    /// Look at the position from the other side.
    Flip,
    /// Measure the search at that depth.
    Bench(u32),
    /// Measure the machine with that many threads, MiB and seconds.
    SpeedTest {
        /// How many threads search.
        threads: usize,
        /// MiB for the table.
        hash: usize,
        /// How long it takes.
        seconds: u64,
    },
    /// Measure Monte Carlo tree search in the position for that many seconds.
    Mcts(u64),
    /// Measure the GPU, that often.
    GpuBench(usize),
    /// Make openings.
    GenFens {
        /// How many.
        count: usize,
        /// From which seed.
        seed: u64,
        /// From the positions of a file, one a line, instead of the start position.
        book: Option<String>,
    },
    /// Print the tunables in the form of `OpenBench`.
    Spsa,
    /// Say what can be typed.
    Help,
    /// End the program.
    Quit,
    /// Nothing to do: an empty line, or a command that asks for nothing here.
    Nothing,
}

/// The words with which a line may begin.
const COMMANDS: [&str; 23] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "setoption",
    "go",
    "stop",
    "ponderhit",
    "d",
    "flip",
    "bench",
    "help",
    "quit",
    "exit",
    "debug",
    "register",
    "eval",
    "speedtest",
    "gpubench",
    "mcts",
    "genfens",
    "spsa",
    "export_net",
];

/// Whether a line begins with the word of a command; whether the rest makes sense is not asked.
#[must_use]
pub fn is_command(line: &str) -> bool {
    line.split_ascii_whitespace().next().is_some_and(|word| COMMANDS.contains(&word))
}

/// Reads a line. `game` is the present one, in which `go searchmoves` is understood.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn parse(line: &str, game: &Game) -> Result<Command, String> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else {
        return Ok(Command::Nothing);
    };
    let rest: Vec<&str> = words.collect();
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(Box::new(read_position(&rest)?)),
        "setoption" => read_option(&rest)?,
        "go" => read_go(&rest, game.position())?,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "export_net" if !rest.is_empty() => Command::ExportNet(rest.join(" ")),
        "export_net" => return Err("export_net expects the name of a file".to_owned()),
        "flip" => Command::Flip,
        "bench" => read_bench(&rest)?,
        "speedtest" => read_speedtest(&rest)?,
        "gpubench" => read_gpubench(&rest)?,
        "mcts" => read_mcts(&rest)?,
        "genfens" => read_genfens(&rest)?,
        "spsa" => Command::Spsa,
        "help" | "--help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        "debug" | "register" => Command::Nothing,
        other => {
            let shown: String = other.chars().take(40).collect();
            return Err(format!("unknown command '{shown}'; 'help' lists what can be typed"));
        }
    })
}

fn read_position(words: &[&str]) -> Result<Game, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(moves_at);
    let start = match setup {
        ["startpos"] => Position::startpos(),
        ["fen", fields @ ..] => {
            Position::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?
        }
        _ => return Err("position expects 'startpos' or 'fen' and a FEN, then moves".to_owned()),
    };
    let mut game = Game::new(start);
    for (number, text) in moves.iter().skip(1).enumerate() {
        let m = game
            .position()
            .parse_uci(text)
            .map_err(|error| format!("move {} of the list: {error}", number + 1))?;
        game.play(m).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

fn read_option(words: &[&str]) -> Result<Command, String> {
    let ["name", rest @ ..] = words else {
        return Err("setoption expects 'name NAME value VALUE'".to_owned());
    };
    let value_at = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let (name, value) = rest.split_at(value_at);
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).unwrap_or_default().join(" "),
    })
}

fn read_bench(words: &[&str]) -> Result<Command, String> {
    match words {
        [] => Ok(Command::Bench(tandem_engine::BENCH_DEPTH)),
        [depth, ..] => match depth.parse() {
            Ok(depth @ 1..=60) => Ok(Command::Bench(depth)),
            _ => Err("bench expects a depth from 1 to 60, or nothing".to_owned()),
        },
    }
}

fn read_speedtest(words: &[&str]) -> Result<Command, String> {
    const USAGE: &str = "speedtest expects threads (1-1024), MiB (1-65536) and seconds (1-3600)";
    let number = |place: usize, default: u64, max: u64| match words.get(place) {
        None => Ok(default),
        Some(word) => match word.parse() {
            Ok(number) if (1..=max).contains(&number) => Ok(number),
            _ => Err(USAGE.to_owned()),
        },
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    Ok(Command::SpeedTest {
        threads: number(0, cores, 1024)? as usize,
        hash: number(1, 16 * cores, 65536)? as usize,
        seconds: number(2, 20, 3600)?,
    })
}

fn read_mcts(words: &[&str]) -> Result<Command, String> {
    let seconds = match words {
        [] => Some(3),
        [word] => word.parse().ok().filter(|seconds| (1..=3600).contains(seconds)),
        _ => None,
    };
    seconds.map(Command::Mcts).ok_or_else(|| "mcts expects a number of seconds (1-3600)".into())
}

fn read_gpubench(words: &[&str]) -> Result<Command, String> {
    let iterations = match words {
        [] => Some(100),
        [word] => word.parse().ok().filter(|iterations| (1..=10_000).contains(iterations)),
        _ => None,
    };
    let usage = || "gpubench expects a number of iterations (1-10000)".into();
    iterations.map(Command::GpuBench).ok_or_else(usage)
}

/// `genfens N seed S [book FILE|None]`, as `OpenBench` asks; what follows is ignored.
fn read_genfens(words: &[&str]) -> Result<Command, String> {
    const USAGE: &str =
        "genfens expects a number, 'seed' and a number, and perhaps 'book' and a file";
    let after = |name: &str| {
        words.iter().position(|&word| word == name).and_then(|at| words.get(at + 1)).copied()
    };
    let count = words.first().and_then(|word| word.parse().ok()).ok_or(USAGE)?;
    let seed = after("seed").and_then(|word| word.parse().ok()).ok_or(USAGE)?;
    let book = after("book").filter(|name| !name.eq_ignore_ascii_case("none")).map(str::to_owned);
    Ok(Command::GenFens { count, seed, book })
}

/// The words that `go` understands; a list of moves ends at the next of them.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn read_go(words: &[&str], position: &Position) -> Result<Command, String> {
    let mut limits = Limits::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "searchmoves" => {
                while let Some(text) = words.next_if(|next| !GO_WORDS.contains(next)) {
                    limits.search_moves.push(read_root_move(text, position)?);
                }
            }
            _ if GO_WORDS.contains(&word) => {
                let number = read_number(word, words.next())?;
                if word == "perft" {
                    return Ok(Command::Perft(number.clamp(0, 30) as u32));
                }
                set_limit(&mut limits, word, number);
            }
            _ => {
                let shown: String = word.chars().take(40).collect();
                return Err(format!(
                    "go does not know '{shown}'; it knows {}",
                    GO_WORDS.join(", ")
                ));
            }
        }
    }
    Ok(Command::Go(limits))
}

fn read_root_move(text: &str, position: &Position) -> Result<Move, String> {
    position.parse_uci(text).map_err(|error| format!("go searchmoves: {error}"))
}

/// Any whole number; one too large for us is as good as the largest.
fn read_number(word: &str, text: Option<&str>) -> Result<i64, String> {
    let text = text.ok_or_else(|| format!("go {word} expects a number"))?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let shown: String = text.chars().take(40).collect();
        return Err(format!("go {word} expects a whole number, found '{shown}'"));
    }
    Ok(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// Clocks may run below zero in some GUIs; that counts as no time left.
fn set_limit(limits: &mut Limits, word: &str, number: i64) {
    let clamped = number.clamp(0, i64::from(u32::MAX));
    let time = Duration::from_millis(clamped as u64);
    let [white, black] = &mut limits.clocks;
    match word {
        "wtime" => white.get_or_insert_with(Clock::default).remaining = time,
        "btime" => black.get_or_insert_with(Clock::default).remaining = time,
        "winc" => white.get_or_insert_with(Clock::default).increment = time,
        "binc" => black.get_or_insert_with(Clock::default).increment = time,
        "movestogo" => limits.moves_to_go = (clamped > 0).then_some(clamped as u32),
        "depth" => limits.depth = Some(clamped.max(1) as u32),
        "nodes" => limits.nodes = Some(number.max(1) as u64),
        "mate" => limits.mate = Some(clamped.max(1) as u32),
        "movetime" => limits.movetime = Some(time),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Result<Command, String> {
        parse(line, &Game::default())
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let Ok(Command::Go(limits)) = go(
            "go winc 50 wtime 1000 searchmoves e2e4 d2d4 btime -7 nodes 99999999999999999999 ponder",
        ) else {
            panic!("not understood");
        };
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.clocks[0].unwrap().remaining, Duration::from_secs(1));
        assert_eq!(limits.clocks[0].unwrap().increment, Duration::from_millis(50));
        assert_eq!(limits.clocks[1].unwrap().remaining, Duration::ZERO);
        assert_eq!(limits.nodes, Some(i64::MAX as u64));
        assert!(limits.ponder);
    }

    #[test]
    fn refusals_name_the_word() {
        for (line, reason) in [
            ("go depth", "go depth expects a number"),
            ("go depth x", "found 'x'"),
            ("go deeper 5", "does not know 'deeper'"),
            ("go searchmoves e2e5", "the pawn on e2 cannot go to e5"),
            ("position", "expects 'startpos' or 'fen'"),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
            ("position startpos moves e2e4 e2e4", "move 2 of the list"),
            ("setoption Hash 5", "expects 'name NAME value VALUE'"),
            ("hello world", "unknown command 'hello'"),
        ] {
            let error = go(line).unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
