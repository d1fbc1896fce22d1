//! The report for people.

use std::fmt::Write as _;

use tandem_games::hardware;
use tandem_games::statistics::Tally;
use tandem_games::tournament::interval;

use super::{lesson, limits};
use crate::learning::config::said;
use crate::learning::state::{Generation, State};

/// The report as Markdown.
pub fn markdown(state: &State) -> String {
    let config = &state.config;
    let mut text = String::from("# The learning loop\n\n");
    let done = state.finished();
    let best = match state.best() {
        0 => "The networks that played first are still the best".to_owned(),
        best => format!("The best networks are those of generation {best}"),
    };
    let _ = writeln!(text, "{best}, after {} generations.\n", done.len());
    text.push_str("![Elo by generation](elo.svg)\n\n");
    text.push_str(
        "| generation | networks | | against the first | against the one before |\n|---|---|---|---|---|\n",
    );
    let _ =
        writeln!(text, "| 0 | {}, {} | played first | | |", state.first.value, state.first.policy);
    for generation in done {
        let names = generation.networks.as_ref();
        let names =
            names.map_or(String::new(), |names| format!("{}, {}", names.value, names.policy));
        let verdict = match generation.gate {
            Some(gate) if generation.is_promoted() => format!("**{}**", gate.verdict.word()),
            Some(gate) => gate.verdict.word().to_owned(),
            None => String::new(),
        };
        let score = |score: Option<crate::learning::Score>| {
            score.map_or("-".to_owned(), |score| told(&score.tally))
        };
        let (first, previous) =
            (score(generation.against_first), score(generation.against_previous));
        let _ = writeln!(
            text,
            "| {} | {names} | {verdict} | {first} | {previous} |",
            generation.number
        );
    }
    let _ = writeln!(
        text,
        "\nWins, draws and losses of the new networks, Elo with its interval of 95 %; {} games each, {} positions a \
         move, MCTS.\n",
        config.measure.games, config.measure.nodes
    );
    gates(&mut text, done);
    data(&mut text, done);
    text.push_str("## Settings\n\n");
    let _ = writeln!(text, "```toml\n{}```\n", said(config));
    text.push_str("Everything else as `tandem train loop --example-config` says.\n\n");
    let _ = writeln!(
        text,
        "tandem {}; {}, {} games at a time.",
        env!("CARGO_PKG_VERSION"),
        hardware::describe(),
        config.concurrency()
    );
    text
}

/// How the new networks stood for election.
fn gates(text: &mut String, done: &[Generation]) {
    text.push_str("## Gates\n\n| generation | against | result | log-likelihood ratio | |\n|---|---|---|---|---|\n");
    for generation in done {
        let Some(gate) = generation.gate else { continue };
        let _ = writeln!(
            text,
            "| {} | generation {} | {} | {:.2} | {} |",
            generation.number,
            gate.opponent,
            told(&gate.tally),
            gate.llr,
            gate.verdict.word()
        );
    }
    text.push_str(
        "\nA test that stops when it knows enough errs in its Elo; the matches above do not.\n\n",
    );
}

/// What was played and learnt.
fn data(text: &mut String, done: &[Generation]) {
    text.push_str(
        "## Games and trainings\n\n| generation | players | limit | W-D-L | (w+l)/d | positions | value | policy |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for generation in done {
        let results = generation.results();
        let ratio = match results.draws {
            0 => "-".to_owned(),
            draws => format!("{:.2}", results.decisive() as f64 / draws as f64),
        };
        let positions: u64 = generation.portions.iter().map(|portion| portion.plies).sum();
        let learnt =
            |of: Option<crate::learning::Lesson>| of.map_or(String::new(), |of| lesson(&of));
        let _ = writeln!(
            text,
            "| {} | generation {} | {} | {}-{}-{} | {ratio} | {positions} | {} | {} |",
            generation.number,
            generation.players,
            limits(&generation.portions),
            results.wins,
            results.draws,
            results.losses,
            learnt(generation.value),
            learnt(generation.policy)
        );
    }
    text.push('\n');
}

fn told(tally: &Tally) -> String {
    let (wins, draws, losses) = (tally.wins(), tally.draws(), tally.losses());
    format!("{wins}-{draws}-{losses}, {}", interval(tally.elo()))
}
