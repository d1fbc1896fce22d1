//! What was found about a position, for people.

use std::fmt::Write as _;

use tandem_analysis::record::{
    Analysis, BoundRecord, ContenderRecord, Line, MoveRecord, Root, ScoreRecord, SearchName,
    VerdictRecord,
};

/// Moves that the table shows.
const ROWS: usize = 20;
/// Half-moves of a line that are shown.
const PLIES: usize = 14;

/// How it looks, in one line.
pub fn one_line(analysis: &Analysis) -> String {
    let Some(root) = &analysis.root else { return String::new() };
    let line = analysis.lines.first().map_or_else(String::new, |line| line.san.join(" "));
    let line: String = line.chars().take(60).collect();
    format!("{} depth {}, {}: {line}", score(root.score), root.depth, work(root))
}

/// Everything, as a text.
pub fn text(analysis: &Analysis) -> String {
    let mut text = format!("{}\n", analysis.fen);
    if let Some(ending) = &analysis.game_over {
        let _ = writeln!(text, "The game is over: {ending}");
    }
    if let Some(root) = &analysis.root {
        let chances = root.wdl.map_or_else(String::new, |[win, draw, loss]| {
            let percent = |part: u16| f64::from(part) / 10.0;
            let (win, draw, loss) = (percent(win), percent(draw), percent(loss));
            format!(", wins {win:.1} %, draws {draw:.1} %, loses {loss:.1} %")
        });
        let mover = if analysis.side_to_move == "white" { "White" } else { "Black" };
        let _ = writeln!(text, "\n{mover} to move: {}{chances}", score(root.score));
        let _ = writeln!(text, "{}, {}", analysis.mode, work(root));
    }
    if let Some(best) = analysis.moves.first().filter(|_| analysis.best.is_some()) {
        let _ = writeln!(text, "best move: {}", best.san);
    }
    lines(&mut text, &analysis.lines);
    let kind = &analysis.kind;
    let reasons: Vec<String> = kind
        .reasons
        .iter()
        .map(|reason| format!("{} ({} {:.2})", reason.term, reason.toward, reason.weight))
        .collect();
    let reasons =
        if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
    let _ = writeln!(text, "\nType     {}{reasons}", kind.name);
    if let Some(told) = &analysis.verdict {
        verdict(&mut text, told);
    }
    moves(&mut text, &analysis.moves);
    for notice in &analysis.notices {
        let _ = writeln!(text, "{notice}");
    }
    text.trim_end().to_owned()
}

fn work(root: &Root) -> String {
    let seconds = root.time_ms as f64 / 1000.0;
    format!("{} nodes in {seconds:.1} s, {} a second", root.nodes, root.nps)
}

const fn search(search: SearchName) -> &'static str {
    match search {
        SearchName::AlphaBeta => "alpha-beta",
        SearchName::Mcts => "MCTS",
    }
}

fn lines(text: &mut String, lines: &[Line]) {
    if !lines.is_empty() {
        text.push_str("\nLines\n");
    }
    for line in lines {
        let shown = line.san.iter().take(PLIES).map(String::as_str).collect::<Vec<_>>().join(" ");
        let (who, score) = (search(line.search), score(line.score));
        let _ = writeln!(text, "  {who:<10} {score:>7}  depth {:>2}  {shown}", line.depth);
    }
}

fn verdict(text: &mut String, told: &VerdictRecord) {
    let whose = told.follows.map_or_else(
        || "not decided".to_owned(),
        |whose| format!("{}'s move, because {}", search(whose), told.reason),
    );
    let _ = writeln!(text, "Verdict  {whose}");
    if let Some(probability) = told.probability {
        let _ = writeln!(
            text,
            "         the explored move is better with probability {probability:.2}"
        );
    }
    if let Some(gap) = told.gap.filter(|_| told.is_disagreement) {
        let _ = writeln!(text, "         alpha-beta sees {gap} centipawns between them");
    }
    let contenders = [(SearchName::AlphaBeta, &told.alphabeta), (SearchName::Mcts, &told.mcts)];
    for (whose, contender) in contenders {
        if let Some(ContenderRecord { san, score: worth, depth, visits, value, .. }) = contender {
            let (who, worth) = (search(whose), score(*worth));
            let _ = writeln!(
                text,
                "         {who:<10} {san:<7} {worth:>7}, depth {depth}, {visits} visits, value {value:+.3}"
            );
        }
    }
}

fn moves(text: &mut String, moves: &[MoveRecord]) {
    if moves.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nMove     visits   prior   value    draw   alpha-beta  depth  effort");
    for record in moves.iter().take(ROWS) {
        let percent = |part: Option<f64>| {
            part.map_or_else(|| "-".to_owned(), |part| format!("{:.1} %", 100.0 * part))
        };
        let visits = record.visits.map_or_else(|| "-".to_owned(), |visits| visits.to_string());
        let value = record.value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.3}"));
        let judged = record.alphabeta.as_ref();
        let worth = judged.map_or_else(
            || "-".to_owned(),
            |judged| {
                let sign = match judged.bound {
                    BoundRecord::Exact => "",
                    BoundRecord::Lower => ">=",
                    BoundRecord::Upper => "<=",
                };
                format!("{sign}{}", score(judged.score))
            },
        );
        let depth = judged.map_or_else(|| "-".to_owned(), |judged| judged.depth.to_string());
        let _ = writeln!(
            text,
            "{:<7}{visits:>8} {:>7} {value:>7} {:>7}   {worth:>10} {depth:>6} {:>7}",
            record.san,
            percent(record.prior),
            percent(record.draw),
            percent(judged.map(|judged| judged.effort)),
        );
    }
    if moves.len() > ROWS {
        let _ = writeln!(text, "and {} others", moves.len() - ROWS);
    }
}

fn score(score: ScoreRecord) -> String {
    match score {
        ScoreRecord::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        ScoreRecord::Mate(moves) => format!("#{moves}"),
    }
}
