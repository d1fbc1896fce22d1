//! What came of the loop, for people and for programs.

mod markdown;
mod picture;

use std::fmt;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use tandem_games::hardware;

use super::state::{Generation, Lesson, Portion, State};
use crate::TrainError;
use crate::files::write_whole;

/// What came of the loop so far: its finished generations.
pub struct Chronicle<'a> {
    state: &'a State,
}

impl<'a> Chronicle<'a> {
    /// Of a loop that has come so far.
    #[must_use]
    pub const fn new(state: &'a State) -> Self {
        Self { state }
    }

    /// The generations as lines of JSON.
    fn lines(&self) -> Vec<Value> {
        self.state.finished().iter().map(line).collect()
    }

    /// Everything, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let state = self.state;
        json!({
            "best": state.best(),
            "first": state.first,
            "generations": self.lines(),
            "settings": state.config,
            "program": concat!("tandem ", env!("CARGO_PKG_VERSION")),
            "hardware": hardware::describe(),
        })
    }

    /// Writes `loop.json`, `loop.md`, `elo.svg` and `log.jsonl`.
    ///
    /// # Errors
    /// A file cannot be written, or the picture not be drawn.
    pub fn write(&self, folder: &Path) -> Result<(), TrainError> {
        let write = |name: &str, text: &str| {
            write_whole(&folder.join(name), |out| out.write_all(text.as_bytes()))
        };
        let lines: Vec<String> = self.lines().iter().map(ToString::to_string).collect();
        let log = lines.join("\n") + "\n";
        let json = serde_json::to_string_pretty(&self.json()).expect("a value can be written");
        write("log.jsonl", &log)?;
        write("loop.json", &(json + "\n"))?;
        write("elo.svg", &picture::draw(self.state.finished())?)?;
        write("loop.md", &self.to_string())
    }
}

impl fmt::Display for Chronicle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&markdown::markdown(self.state))
    }
}

/// A finished generation, for programs.
fn line(generation: &Generation) -> Value {
    let results = generation.results();
    let summary = |score: Option<super::Score>| score.map(|score| score.summary());
    let ratio = (results.draws > 0).then(|| results.decisive() as f64 / results.draws as f64);
    json!({
        "generation": generation.number,
        "players": generation.players,
        "networks": generation.networks,
        "verdict": generation.gate.map(|gate| gate.verdict),
        "games": results.games(),
        "positions": generation.portions.iter().map(|portion| portion.plies).sum::<u64>(),
        "results": results,
        "decisive_per_draw": ratio,
        "portions": generation.portions,
        "validation": generation.validation,
        "value": generation.value,
        "policy": generation.policy,
        "gate": generation.gate,
        "against_first": summary(generation.against_first),
        "against_previous": summary(generation.against_previous),
    })
}

/// What a training came to, in a line.
pub fn lesson(lesson: &Lesson) -> String {
    let mut parts = vec![
        format!("{} samples", lesson.samples),
        format!("{} steps", lesson.steps),
        format!("loss {:.4}", lesson.loss),
    ];
    parts.extend(lesson.validation.map(|validation| format!("validation {validation:.4}")));
    parts.extend(lesson.top1.map(|top1| format!("top-1 {:.1} %", 100.0 * top1)));
    parts.join(", ")
}

/// The limits of portions, in their order, each once where it follows itself.
fn limits(portions: &[Portion]) -> String {
    let mut limits: Vec<String> = portions
        .iter()
        .map(|portion| portion.limit.map_or("none".to_owned(), |limit| limit.to_string()))
        .collect();
    limits.dedup();
    limits.join(", ")
}

#[cfg(test)]
mod tests {
    use tandem_games::selfplay::Results;
    use tandem_games::statistics::Tally;

    use super::*;
    use crate::learning::{Election, LoopConfig, Names, Score, Verdict};

    fn score(wins: u64, draws: u64, losses: u64) -> Score {
        Score { tally: Tally::new(wins, draws, losses, [0; 5]).unwrap() }
    }

    fn generation(number: u32, verdict: Verdict, first: Score, previous: Score) -> Generation {
        let portion = |limit| Portion {
            limit: Some(limit),
            results: Results { wins: 4, draws: 5, losses: 1 },
            plies: 900,
        };
        let lesson = Lesson {
            samples: 800,
            others: 0,
            steps: 3,
            loss: 0.25,
            validation: Some(0.5),
            top1: Some(0.4),
        };
        Generation {
            number,
            players: 0,
            portions: vec![portion(20), portion(20), portion(9)],
            validation: Some(portion(9)),
            value: Some(lesson),
            policy: Some(lesson),
            networks: Some(Names { value: "nn-a".into(), policy: format!("pn-{number}") }),
            gate: Some(Election { verdict, opponent: 0, tally: first.tally, llr: 1.0 }),
            against_first: Some(first),
            against_previous: Some(previous),
        }
    }

    fn state() -> State {
        let mut config = LoopConfig::default();
        config.selfplay.portions = 3;
        let all = score(40, 0, 0);
        State {
            config,
            first: Names { value: "nn-0".into(), policy: "pn-0".into() },
            generations: vec![
                generation(1, Verdict::Promoted, score(30, 5, 5), score(30, 5, 5)),
                generation(2, Verdict::Rejected, score(20, 5, 15), score(10, 5, 25)),
                generation(3, Verdict::Promoted, all, score(25, 0, 15)),
                Generation { number: 4, ..Generation::default() },
            ],
        }
    }

    #[test]
    fn finished_generations_are_told_with_what_became_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let state = state();
        Chronicle::new(&state).write(folder.path()).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let text = read("loop.md");
        for word in ["pn-3", "**promoted**", "rejected", "20, 9", "12-15-3", "1.00", "40.0 %"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        assert!(!text.contains("| 4 |"), "{text}");
        assert_eq!(read("log.jsonl").lines().count(), 3);
        let json: Value = serde_json::from_str(&read("loop.json")).unwrap();
        assert_eq!(json["best"], 3);
        assert_eq!(json["generations"][1]["verdict"], "rejected");
        assert_eq!(json["generations"][0]["against_first"]["wins"], 30);
    }

    #[test]
    fn the_curve_shows_every_generation_and_which_were_rejected() {
        let svg = picture::draw(state().finished()).unwrap();
        // Generation 0 and three more on the one curve, three on the other, and the legend.
        let circles = svg.matches("<circle").count();
        assert!(svg.contains("not promoted") && circles >= 7, "{circles}: {svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(picture::draw(&[]).unwrap().ends_with("</svg>\n"));
    }
}
