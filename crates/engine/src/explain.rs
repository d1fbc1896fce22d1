//! A static evaluation, explained to people.

use std::fmt::Write as _;

use tandem_chess::{Color, Observer as _, Piece, PieceType, Position, Square};
use tandem_classic::{Evaluation, Tally};
use tandem_nnue::Networks;

/// What the networks say about a position and why, as text; what the plain evaluation says if there
/// are none.
#[must_use]
pub fn explain(position: &Position, networks: Option<&Networks>) -> String {
    match networks {
        Some(networks) => by_networks(position, networks),
        None => by_plain_evaluation(position),
    }
}

fn by_plain_evaluation(position: &Position) -> String {
    let whole = Tally::new(Evaluation::Positional, position);
    let worth = |square| {
        let piece = position.piece_on(square).filter(|piece| piece.kind() != PieceType::King)?;
        let mut without = whole;
        without.take(piece, square);
        Some(Some(whole.value(Color::White).0 - without.value(Color::White).0))
    };
    format!(
        "{}\nScore         {:+.2} pawns for White, by the plain evaluation: there is no network\n\
         (name one with the option EvalFile, or with --net FILE)",
        board(position, &worth),
        f64::from(whole.value(Color::White).0) / 100.0,
    )
}

fn by_networks(position: &Position, networks: &Networks) -> String {
    let explanation = networks.explain(position);
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    let worth = |square| {
        let found = explanation.pieces.iter().find(|piece| piece.square == square);
        found.map(|piece| piece.centipawns)
    };
    line(&board(position, &worth));
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
    text.truncate(text.trim_end().len());
    text
}

/// The board with a value in centipawns below each piece; a question mark where none can be told.
fn board(position: &Position, worth: &dyn Fn(Square) -> Option<Option<i32>>) -> String {
    let mut text = String::from(
        "What each piece is worth: the change of the score, in pawns for White, when it is taken off\n",
    );
    let border = format!("  +{}\n", "-------+".repeat(8));
    for rank in (0..8).rev() {
        text.push_str(&border);
        let (mut pieces, mut values) = (format!("{} |", rank + 1), String::from("  |"));
        for file in 0..8 {
            let square = Square::new(file, rank);
            let letter = position.piece_on(square).map_or(' ', Piece::letter);
            let value = match worth(square) {
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
    if Square::all().any(|square| worth(square) == Some(None)) {
        text.push_str("  ?: without this piece the side that has just moved would be in check\n");
    }
    text
}
