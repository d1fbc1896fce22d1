//! `tandem eval`: a static evaluation, explained.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};

use serde_json::json;
use tandem_chess::{Color, Position, Square};
use tandem_nnue::{Evaluator, Explanation, Networks};

use crate::Outcome;
use crate::output::{out, outln};

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
    /// Read FENs from standard input, one a line, and print psqt<TAB>positional for each
    #[arg(long)]
    raw: bool,
    /// Print one JSON object instead
    #[arg(long, conflicts_with = "raw")]
    json: bool,
}

/// Explains the evaluation of one position, or prints raw outputs of many.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, &args.small_net)?
        .ok_or("there is no network in this program: name one with --net FILE")?;
    if args.raw {
        return raw(&networks);
    }
    let explanation = networks.explain(&args.fen);
    if args.json {
        outln!("{}", as_json(&args.fen, &explanation));
    } else {
        out!("{}", describe(&args.fen, &networks, &explanation));
    }
    Ok(())
}

/// A line that is no position ends the run, so that lines in and out always match.
fn raw(networks: &Networks) -> Outcome {
    let mut evaluator = Evaluator::new(networks, &Position::startpos());
    let mut out = io::stdout().lock();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| format!("cannot read standard input: {error}"))?;
        let position: Position =
            line.trim().parse().map_err(|error| format!("line {}: {error}", number + 1))?;
        evaluator.reset(&position);
        let outputs = evaluator.outputs();
        match writeln!(out, "{}\t{}", outputs.psqt, outputs.positional) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    Ok(())
}

fn describe(position: &Position, networks: &Networks, explanation: &Explanation) -> String {
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(
        "What each piece is worth: the change of the score, in pawns for White, when it is taken off",
    );
    line(&board(position, explanation));
    let side = position.side_to_move();
    line(&format!("Raw outputs of {} for {side}", networks.large().architecture()));
    line(" pieces     psqt  positional");
    for (bucket, outputs) in explanation.buckets.iter().enumerate() {
        let here = if bucket == explanation.bucket { "  <- this position" } else { "" };
        let (first, last) = (4 * bucket + 1, 4 * bucket + 4);
        line(&format!(" {first:2}-{last:2} {:>9} {:>11}{here}", outputs.psqt, outputs.positional));
    }
    let wdl = explanation.wdl;
    line("");
    line(&format!(
        "Score         {:+.2} pawns for White ({} for {side} in internal units){}",
        f64::from(explanation.centipawns) / 100.0,
        explanation.score.value(),
        if explanation.by_small { ", by the small network" } else { "" },
    ));
    line(&format!(
        "Chances       {side} wins {:.1} %, draws {:.1} %, loses {:.1} %",
        f64::from(wdl.win) / 10.0,
        f64::from(wdl.draw) / 10.0,
        f64::from(wdl.loss) / 10.0
    ));
    if position.in_check() {
        line(&format!("{side} is in check: a static evaluation says little here"));
    }
    text
}

/// The board with a value below each piece.
fn board(position: &Position, explanation: &Explanation) -> String {
    let mut text = String::new();
    let border = format!("  +{}\n", "-------+".repeat(8));
    for rank in (0..8).rev() {
        text.push_str(&border);
        let (mut pieces, mut values) = (format!("{} |", rank + 1), String::from("  |"));
        for file in 0..8 {
            let square = Square::new(file, rank);
            let letter = position.piece_on(square).map_or(' ', tandem_chess::Piece::letter);
            let found = explanation.pieces.iter().find(|piece| piece.square == square);
            let value = match found.map(|piece| piece.centipawns) {
                Some(Some(value)) => format!("{:+.2}", f64::from(value) / 100.0),
                Some(None) => "?".to_owned(),
                None => String::new(),
            };
            let _ = write!(pieces, "   {letter}   |");
            let _ = write!(values, "{value:^7}|");
        }
        let _ = writeln!(text, "{pieces}\n{values}");
    }
    text.push_str(&border);
    text.push_str("      a       b       c       d       e       f       g       h\n");
    if explanation.pieces.iter().any(|piece| piece.centipawns.is_none()) {
        text.push_str("  ?: without this piece the side that has just moved would be in check\n");
    }
    text
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
