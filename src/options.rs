//! `tandem options`: every UCI option, as a page for people or as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tandem_engine::{OptionKind, OptionSpec, Options};

use crate::Outcome;
use crate::output::{out, outln};

/// The words after `tandem options`.
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object instead of a page in Markdown
    #[arg(long)]
    json: bool,
}

/// A part of the page: its heading, how the sentences of its options begin, and what stands above them.
struct Part {
    heading: &'static str,
    prefix: &'static str,
    about: &'static str,
}

/// What belongs to one search says so at the beginning of its sentence; the rest is for all.
const PARTS: [Part; 3] = [
    Part {
        heading: "In every mode",
        prefix: "",
        about: "More about [networks](networks.md), [tablebases and books](endgames-and-books.md), [odds and \
                contempt](contempt.md), [limited strength](strength.md#uci_elo).",
    },
    Part {
        heading: "Both searches in tandem",
        prefix: "Hybrid: ",
        about: "With `SearchMode` `Hybrid`; [hybrid.md](hybrid.md) tells how it works. What is said of MCTS below holds \
                for its part in it.",
    },
    Part {
        heading: "Monte Carlo tree search",
        prefix: "MCTS: ",
        about: "With `SearchMode` `MCTS`. More about [the search](mcts.md#options), [batches on the GPU](gpu.md), \
                [search-contempt and temperature](contempt.md).",
    },
];

const INTRODUCTION: &str = "\
# UCI options

All that can be set with `setoption name NAME value VALUE`, or in a GUI. `tandem options` prints this page from the
declarations in `crates/engine/src/options/specs.rs`, and `tandem options --json` the same for programs; after a change
`tandem options > docs/options.md` renews it. Names may be written in upper or lower case. A value that does not
fit is answered with a sentence, and the old one stands.
";

/// Prints all options.
pub fn run(args: &Args) -> Outcome {
    if args.json {
        let options: Vec<Value> = Options::SPECS.iter().map(as_json).collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "options": options }))?);
    } else {
        out!("{}", page());
    }
    Ok(())
}

fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for Part { heading, prefix, about } in &PARTS {
        let _ = write!(text, "\n## {heading}\n\n{about}\n\n");
        text.push_str("| option | default | values | meaning |\n|---|---|---|---|\n");
        for spec in Options::SPECS.iter().filter(|spec| part_of(spec).prefix == *prefix) {
            let about = &spec.about[prefix.len()..];
            let (default, values) = default_and_values(spec.kind);
            let _ = writeln!(text, "| `{}` | {default} | {values} | {about} |", spec.name);
        }
    }
    text
}

fn part_of(spec: &OptionSpec) -> &'static Part {
    let named = PARTS[1..].iter().find(|part| spec.about.starts_with(part.prefix));
    named.unwrap_or(&PARTS[0])
}

fn default_and_values(kind: OptionKind) -> (String, String) {
    match kind {
        OptionKind::Check { default, .. } => (default.to_string(), "true, false".into()),
        OptionKind::Spin { default, min, max, .. } => (default.to_string(), range(min, max)),
        OptionKind::Nonzero { default, min, max, .. } => {
            (default.to_string(), format!("{}, but not 0", range(min, max)))
        }
        OptionKind::Number { default, min, max, .. } => {
            (default().to_string(), format!("{}, with fractions", range(min, max)))
        }
        OptionKind::Choice { default, words, .. } => (default.into(), words.join(", ")),
        OptionKind::Text { .. } => ("empty".into(), "a text".into()),
        OptionKind::Button => (String::new(), "a button".into()),
    }
}

fn range(min: impl std::fmt::Display, max: impl std::fmt::Display) -> String {
    format!("{min} to {max}")
}

fn as_json(spec: &OptionSpec) -> Value {
    let (name, about) = (spec.name, spec.about);
    match spec.kind {
        OptionKind::Check { default, .. } => {
            json!({ "name": name, "type": "check", "default": default, "about": about })
        }
        OptionKind::Spin { default, min, max, .. }
        | OptionKind::Nonzero { default, min, max, .. } => json!({
            "name": name, "type": "spin", "default": default, "min": min, "max": max, "about": about,
        }),
        // UCI knows no fractions, so these are texts there.
        OptionKind::Number { default, min, max, .. } => json!({
            "name": name, "type": "number", "default": default(), "min": min, "max": max, "about": about,
        }),
        OptionKind::Choice { default, words, .. } => json!({
            "name": name, "type": "combo", "default": default, "values": words, "about": about,
        }),
        OptionKind::Text { .. } => {
            json!({ "name": name, "type": "string", "default": "", "about": about })
        }
        OptionKind::Button => json!({ "name": name, "type": "button", "about": about }),
    }
}
