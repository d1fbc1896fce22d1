//! Stockfish reads what training writes, and says the same of it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tandem_chess::{CastlingNotation, Position, Random};
use tandem_nnue::{Encoding, Evaluator, Networks};
use tandem_train::data::{Labeller as _, UciLabeller, UciTeacher};
use tandem_train::{Config, GameResult, Memory, Sample, Trainer};

/// How many points of the internal score Stockfish 15.1 shows as a pawn.
const PAWN: f64 = 361.0;

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4rrk1/pp1n1pp1/q5p1/P1pP4/2n3P1/7P/1P3PB1/R1BQ1RK1 w - - 3 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn program() -> &'static str {
    ["/usr/games/stockfish", "stockfish"]
        .into_iter()
        .find(|name| !name.starts_with('/') || Path::new(name).exists())
        .expect("the list ends with a name")
}

/// What Stockfish prints when it is told that and then left alone until it has answered.
fn tell_stockfish(commands: &str, last: &str) -> String {
    let mut child = Command::new(program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Stockfish 15.1 is needed: apt-get install stockfish");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(commands.as_bytes()).expect("it listens");
    let mut text = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    while output.read_line(&mut text).expect("it speaks") > 0 {
        if text.lines().next_back().is_some_and(|line| line.starts_with(last)) {
            break;
        }
    }
    drop(input);
    child.wait().expect("it ends");
    text
}

/// The piece-square and positional parts of all eight stacks, in hundredths of a pawn, as
/// Stockfish's `eval` shows them.
fn stockfish(network: &Path, fen: &str) -> Vec<[i32; 2]> {
    let commands =
        format!("setoption name EvalFile value {}\nposition fen {fen}\neval\n", network.display());
    let text = tell_stockfish(&commands, "Final evaluation");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, bucket, psqt, positional, ..] = cells[..] else { return None };
        bucket.parse::<u8>().ok()?;
        let number = |cell: &str| {
            let digits: String = cell.chars().filter(|c| !"+ .".contains(*c)).collect();
            digits.parse().unwrap_or_else(|_| panic!("'{cell}' in {line}"))
        };
        Some([number(psqt), number(positional)])
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 8, "{text}");
    rows
}

#[test]
fn stockfish_computes_a_trained_network_as_we_do() {
    let mut random = Random::new(1);
    let mut position = Position::startpos();
    let mut samples = Vec::new();
    while samples.len() < 600 {
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 => Position::startpos(),
            count => position.after(moves[random.below(count)]),
        };
        samples.extend(Sample::new(&position, random.below(900) as i32 - 450, GameResult::Draw));
    }
    let mut config = Config::default();
    // The shape of Stockfish 15.1.
    config.model.l1 = 1024;
    config.training.batch = 200;
    config.training.batches = 3;
    config.training.superbatches = 1;
    config.data.shuffle = 600;
    config.learning_rate.warmup = 0;
    config.learning_rate.start = 0.01;
    let folder = std::env::temp_dir().join(format!("tandem-stockfish-{}", std::process::id()));
    let mut trainer = Trainer::new(config).unwrap();
    let source = Memory(vec![samples]);
    trainer.run(&source, None, &folder, &mut (), &AtomicBool::new(false)).unwrap();

    let network = trainer.network().unwrap();
    // Stockfish reads compressed networks from version 16 on.
    let file = folder.join("raw.nnue");
    std::fs::write(&file, network.to_bytes(Encoding::Raw)).unwrap();
    let networks = Networks::new(Arc::new(network), None).unwrap();
    let mut evaluator = Evaluator::new(&networks, &Position::startpos());
    let mut different = std::collections::HashSet::new();
    for fen in POSITIONS {
        evaluator.reset(&fen.parse().unwrap());
        let shown = |output: i32| (f64::from(100 * (output / 16)) / PAWN).round() as i32;
        let expected = evaluator
            .outputs_by_bucket()
            .map(|outputs| [shown(outputs.psqt), shown(outputs.positional)]);
        assert_eq!(stockfish(&file, fen), expected, "{fen}");
        different.extend(expected);
    }
    assert!(different.len() > 8, "the network is not flat: {different:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn stockfish_as_a_teacher_gives_its_own_internal_scores() {
    let engine = format!("cmd={} nodes=2000", program()).parse().unwrap();
    let teacher = UciTeacher { engine, patience: Duration::from_mins(1), pawn: Some(PAWN) };
    for fen in POSITIONS {
        let position: Position = fen.parse().unwrap();
        let m = position.legal_moves().into_iter().next().unwrap();
        let moves = position.uci(m, CastlingNotation::Standard);
        let question = format!("position fen {fen} moves {moves}\ngo nodes 2000\n");
        let text = tell_stockfish(&question, "bestmove");
        let exact = text.lines().filter(|line| !line.contains("bound"));
        let shown = exact.filter_map(|line| line.split_once(" score cp ")).next_back();
        let shown = shown.expect("a score in centipawns").1.split(' ').next().unwrap();
        let expected = (shown.parse::<f64>().unwrap() * PAWN / 100.0).round() as i32;

        let mut labeller = UciLabeller::new(teacher.clone());
        labeller.begin(&position).unwrap();
        labeller.push(m);
        assert_eq!(labeller.score().unwrap(), Some(expected), "{fen} {moves}");
    }
}
