//! `tandem eval`: a static evaluation, explained.

mod gpu;

use std::io::{self, Write as _};

use serde_json::json;
use tandem_chess::{CastlingNotation, Color, Move, Position};
use tandem_nnue::{Evaluator, Explanation, Networks, Outputs};

use crate::output::outln;
use crate::{Outcome, fens};

/// The words after `tandem eval`.
#[derive(clap::Args)]
pub struct Args {
    /// The position, instead of the start position
    #[arg(long, default_value = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    fen: Position,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// A small network for lop-sided material
    #[arg(long, value_name = "FILE", default_value = "")]
    small_net: String,
    /// The policy network that judges the moves, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    policy: String,
    /// Read FENs from standard input, one a line, and print `psqt<TAB>positional` for each
    #[arg(long)]
    raw: bool,
    /// Who evaluates; the GPU gives outputs and score, but does not explain them
    #[arg(long, value_enum, default_value_t)]
    backend: Backend,
    /// Print one JSON object instead
    #[arg(long, conflicts_with = "raw")]
    json: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    #[default]
    Cpu,
    Gpu,
}

/// Explains the evaluation of one position, or prints raw outputs of many.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, &args.small_net)?;
    let policy = tandem_engine::networks::load_policy(&args.policy)?;
    if !args.raw && !args.json && args.backend == Backend::Cpu {
        outln!("{}", tandem_engine::explain(&args.fen, networks.as_ref()));
        if let Some(policy) = &policy {
            let notation = CastlingNotation::Standard;
            outln!("{}", tandem_engine::explain_moves(&args.fen, policy, notation));
        }
        if networks.is_some() {
            let place = if args.net.is_empty() { ", in the program" } else { "" };
            outln!("Network       {}{place}", args.network_name());
        }
        if policy.is_some() {
            let name = tandem_engine::networks::describe_policy(&args.policy, policy.as_ref());
            outln!("Policy        {name}");
        }
        return Ok(());
    }
    let networks =
        networks.ok_or("there is no network in this program: name one with --net FILE")?;
    match (args.raw, args.backend) {
        (true, Backend::Cpu) => return raw(&networks),
        (true, Backend::Gpu) => return gpu::raw(&networks),
        (false, Backend::Gpu) => return gpu::score(args, &networks),
        (false, Backend::Cpu) => {}
    }
    let mut object = as_json(&args.fen, &networks.explain(&args.fen));
    object["network"] = args.network_name().into();
    if let Some(policy) = &policy {
        object["policy_network"] = policy.network().digest().policy_name().into();
        let likely = tandem_engine::likely_moves(&args.fen, policy);
        let entry = |(m, likelihood): (Move, f32)| {
            let m = args.fen.uci(m, CastlingNotation::Standard);
            json!([m, likelihood])
        };
        object["likely_moves"] = likely.into_iter().map(entry).collect();
    }
    outln!("{object}");
    Ok(())
}

impl Args {
    fn network_name(&self) -> String {
        tandem_engine::networks::names(&self.net, &self.small_net)
    }
}

/// A line that is no position ends the run, so that lines in and out always match.
fn raw(networks: &Networks) -> Outcome {
    let mut evaluator = Evaluator::new(networks, &Position::startpos());
    for position in positions() {
        evaluator.reset(&position?);
        if !print_raw(&[evaluator.outputs()])? {
            break;
        }
    }
    Ok(())
}

/// The positions on standard input.
fn positions() -> impl Iterator<Item = Result<Position, String>> {
    fens::lines().map(|line| line?.position())
}

/// Prints a line for each; whether anyone still reads them.
fn print_raw(outputs: &[Outputs]) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    for outputs in outputs {
        match writeln!(out, "{}\t{}", outputs.psqt, outputs.positional) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(false),
            written => written?,
        }
    }
    Ok(true)
}

fn as_json(position: &Position, explanation: &Explanation) -> serde_json::Value {
    let outputs = |outputs: &tandem_nnue::Outputs| json!([outputs.psqt, outputs.positional]);
    let pieces: Vec<_> = explanation
        .pieces
        .iter()
        .map(|piece| {
            json!({
                "square": piece.square.to_string(), "piece": piece.piece.letter().to_string(),
                "centipawns_for_white": piece.centipawns,
            })
        })
        .collect();
    let wdl = explanation.wdl;
    json!({
        "fen": position.to_string(),
        "side": if position.side_to_move() == Color::White { "white" } else { "black" },
        "buckets": explanation.buckets.iter().map(outputs).collect::<Vec<_>>(),
        "bucket": explanation.bucket,
        "by_small_network": explanation.by_small,
        "score": explanation.score.value(),
        "centipawns_for_white": explanation.centipawns,
        "wdl": [wdl.win, wdl.draw, wdl.loss],
        "pieces": pieces,
    })
}
