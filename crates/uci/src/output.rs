//! What is printed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_chess::{CastlingNotation, Move, Position};
use tandem_engine::{
    Bound, Choice, Contender, Deliberation, Exchange, MoveReport, OptionKind, OptionSpec, Progress,
    Score,
};

/// Where lines go: shared by the session and the search in the background, a whole line at a time.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Writers>>);

struct Writers {
    out: Box<dyn io::Write + Send>,
    log: Option<File>,
}

impl Output {
    /// Prints to that writer.
    pub fn new(writer: Box<dyn io::Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(Writers { out: writer, log: None })))
    }

    /// Prints a line (or several) and flushes. A reader that has gone away is no reason to die: the
    /// end of input, which follows, ends the session. Answers whether anybody still reads.
    pub fn line(&self, text: &str) -> bool {
        let mut writers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let printed = writeln!(writers.out, "{text}").and_then(|()| writers.out.flush());
        writers.note("<<", text);
        printed.is_ok()
    }

    /// Prints a sentence in a form that no GUI takes for something else.
    pub fn sentence(&self, text: &str) {
        self.line(&format!("info string {}", text.replace(['\n', '\r'], " ")));
    }

    /// Notes a line of input in the log.
    pub fn heard(&self, text: &str) {
        let mut writers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writers.note(">>", text.trim_end());
    }

    /// Writes the conversation to that file from now on; no longer if the name is empty.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn log_to(&self, name: &str) -> io::Result<()> {
        let file = match name {
            "" => None,
            name => Some(File::options().append(true).create(true).open(name)?),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).log = file;
        Ok(())
    }
}

impl Writers {
    fn note(&mut self, direction: &str, text: &str) {
        if let Some(log) = &mut self.log {
            // A full disk must not stop the game.
            let _ = writeln!(log, "{direction} {text}");
        }
    }
}

/// The line that declares an option.
pub fn option(spec: &OptionSpec) -> String {
    let name = spec.name;
    match spec.kind {
        OptionKind::Check { default, .. } => {
            format!("option name {name} type check default {default}")
        }
        OptionKind::Spin { default, min, max, .. }
        | OptionKind::Nonzero { default, min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Number { default, .. } => {
            format!("option name {name} type string default {}", default())
        }
        OptionKind::Choice { default, words, .. } => {
            format!("option name {name} type combo default {default} var {}", words.join(" var "))
        }
        OptionKind::Text { .. } => format!("option name {name} type string default <empty>"),
        OptionKind::Button => format!("option name {name} type button"),
    }
}

/// How positions and scores are written.
#[derive(Clone, Copy)]
pub struct Format {
    /// How castling is written.
    pub notation: CastlingNotation,
    /// Whether the chances to win, draw and lose are shown.
    pub wdl: bool,
}

/// The `info` line for what a search has learnt about that position.
pub fn info(progress: &Progress, position: &Position, format: Format) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score ",
        progress.depth, progress.seldepth, progress.line
    );
    text.push_str(&score(progress.score));
    match progress.bound {
        Bound::Exact => {}
        Bound::Lower => text.push_str(" lowerbound"),
        Bound::Upper => text.push_str(" upperbound"),
    }
    if let Some([win, draw, loss]) = progress.wdl.filter(|_| format.wdl) {
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let milliseconds = progress.time.as_millis();
    let nps = u128::from(progress.nodes) * 1000 / milliseconds.max(1);
    let _ = write!(
        text,
        " nodes {} nps {nps} hashfull {} tbhits {} time {milliseconds}",
        progress.nodes, progress.hashfull, progress.tbhits
    );
    if !progress.pv.is_empty() {
        text.push_str(" pv");
    }
    push_line(&mut text, &progress.pv, position, format);
    text
}

fn score(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Mate(plies) => format!("mate {}", Score::mate_in_moves(plies)),
    }
}

/// Adds the moves of a line that begins at that position.
fn push_line(text: &mut String, line: &[Move], position: &Position, format: Format) {
    let mut position = *position;
    for &m in line {
        let _ = write!(text, " {}", position.uci(m, format.notation));
        position = position.after(m);
    }
}

/// A line about one move, in the form in which lc0 prints it and Nibbler reads it.
pub fn move_stats(report: &MoveReport, position: &Position, format: Format) -> String {
    let name = report.m.map_or_else(|| "node".to_owned(), |m| position.uci(m, format.notation));
    let number = report.m.map_or(0, Move::bits);
    let evaluation =
        report.evaluation.map_or_else(|| " -.----".to_owned(), |value| format!("{value:7.4}"));
    let mut text = format!(
        "info string {name:<5} ({number:<5}) N: {:7} (+ 0) (P: {:5.2}%) (WL: {:8.5}) (D: {:5.3}) \
         (M: {:5.1}) (Q: {:8.5}) (U: {:7.5}) (S: {:8.5}) (V: {evaluation})",
        report.visits,
        100.0 * report.prior,
        report.value,
        report.draw,
        report.plies,
        report.value,
        report.exploration,
        report.value + report.exploration,
    );
    if let Some(plies) = report.mate {
        let _ = write!(text, " (T: mate {})", Score::mate_in_moves(plies));
    }
    text
}

/// How two searches came to their choice, as sentences for people.
pub fn deliberation(told: &Deliberation, position: &Position, format: Format) -> Vec<String> {
    let contender = |who: &str, contender: &Option<Contender>| {
        let Some(contender) = contender else { return format!("hybrid {who}: none") };
        let mut line = format!(
            "hybrid {who}: {} score {} depth {} visits {} value {:.3} pv",
            position.uci(contender.m, format.notation),
            score(contender.score),
            contender.depth,
            contender.visits,
            contender.value,
        );
        push_line(&mut line, &contender.pv, position, format);
        line
    };
    let whose = if told.follows_explorer { "explored" } else { "proven" };
    let mut verdict = format!("hybrid verdict: the {whose} move, because {}", told.reason);
    if let Some(probability) = told.probability {
        let _ = write!(verdict, "; the explored one is better with probability {probability:.3}");
    }
    if let Some(gap) = told.gap {
        let _ = write!(verdict, "; alpha-beta sees {gap} centipawns between them");
    }
    let counts = Exchange::ALL.iter().zip(&told.exchanges);
    let exchanges: Vec<String> =
        counts.map(|(exchange, count)| format!("{} {count}", exchange.name())).collect();
    vec![
        format!(
            "hybrid type: {}, {:.1} % of the time for MCTS, {} playouts, {} evaluations, {} alpha-beta nodes",
            told.kind,
            100.0 * told.share,
            told.playouts,
            told.evaluations,
            told.nodes,
        ),
        contender("proven", &told.proven),
        contender("explored", &told.explored),
        verdict,
        format!("hybrid exchanges: {}", exchanges.join(", ")),
    ]
}

/// The `bestmove` line; `(none)` where there is no legal move, as Stockfish writes it.
pub fn best_move(choice: Choice, position: &Position, Format { notation, .. }: Format) -> String {
    let Some(best) = choice.best else {
        return "bestmove (none)".to_owned();
    };
    let mut text = format!("bestmove {}", position.uci(best, notation));
    if let Some(ponder) = choice.ponder {
        let _ = write!(text, " ponder {}", position.after(best).uci(ponder, notation));
    }
    text
}
