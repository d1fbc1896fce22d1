//! The documented schemas.

use jsonschema::Validator;
use serde_json::Value;

use super::conversation::CPU;
use super::support::shell::tandem_reading;

fn validator(name: &str) -> Validator {
    let file = format!("{}/docs/analysis/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect("the schema is there");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// Both schemas.
pub struct Schemas {
    request: Validator,
    answer: Validator,
}

impl Schemas {
    pub fn load() -> Self {
        Self { request: validator("request"), answer: validator("answer") }
    }

    /// A line that was written, which the schema allows.
    pub fn answer(&self, line: &str) -> Value {
        let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let errors: Vec<String> =
            self.answer.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
        value
    }

    /// Whether a line may be asked.
    pub fn allows_request(&self, line: &str) -> bool {
        serde_json::from_str(line).is_ok_and(|value: Value| self.request.is_valid(&value))
    }

    /// Whether a line may be answered.
    pub fn allows_answer(&self, line: &str) -> bool {
        serde_json::from_str(line).is_ok_and(|value: Value| self.answer.is_valid(&value))
    }
}

/// The examples of the documentation: lines after that sign in blocks of JSON.
fn examples(sign: &str) -> Vec<String> {
    let file = format!("{}/docs/analysis.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).expect("the documentation is there");
    let lines = text.lines().filter_map(|line| line.strip_prefix(sign)).map(str::to_owned);
    lines.filter(|line| line.starts_with('{')).collect()
}

#[test]
fn the_documented_examples_are_what_the_schemas_say() {
    let schemas = Schemas::load();
    let (questions, answers) = (examples("> "), examples("< "));
    assert!(questions.len() >= 8 && answers.len() >= 6, "{questions:?} {answers:?}");
    for line in questions {
        assert!(schemas.allows_request(&line), "{line}");
    }
    for line in answers {
        assert!(schemas.allows_answer(&line), "{line}");
    }
}

#[test]
fn the_documented_questions_are_answered_without_an_error() {
    let schemas = Schemas::load();
    let input: String = examples("> ").into_iter().map(|line| line + "\n").collect();
    let words = [&["analyze", "--threads", "2"], CPU].concat();
    let run = tandem_reading(&words, &input).succeeded();
    assert!(run.out.lines().count() >= examples("> ").len());
    for line in run.out.lines() {
        assert!(schemas.answer(line).get("error").is_none(), "{line}");
    }
}

#[test]
fn the_schemas_allow_nothing_else() {
    let schemas = Schemas::load();
    for line in [r#"{"nodes":5}"#, r#"{"id":""}"#, r#"{"id":"a","nodes":0}"#, r#"{"id":"a","x":1}"#]
    {
        assert!(!schemas.allows_request(line), "{line}");
    }
    for line in [r#"{"id":"a"}"#, r#"{"id":"a","error":"x"}"#, r#"{"id":"a","turnNumber":1}"#] {
        assert!(!schemas.allows_answer(line), "{line}");
    }
}
