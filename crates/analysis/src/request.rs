//! Questions as JSON lines ask them, checked word by word.
//!
//! Whatever is wrong is named with the field that it stands in, and nothing of such a question is done.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use tandem_chess::{CastlingNotation, Game, Move, Position};
use tandem_engine::{Limits, OptionSpec, Options, SearchMode};

use crate::defaults::Defaults;

/// The longest game that is read, in half-moves.
const MOST_MOVES: usize = 2048;
/// How often partial reports may come at the most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// The longest time that can be asked for: a year.
const LONGEST_SECONDS: f64 = 365.0 * 86_400.0;

/// What a line of input asks for.
#[derive(Clone, Debug)]
pub enum Command {
    /// To analyse positions.
    Analyze(Box<Request>),
    /// To end the analysis of those turns, all if none are named, of the question with that name.
    Terminate {
        /// What the wish itself is called.
        id: String,
        /// The question.
        target: String,
        /// The turns.
        turns: Option<Vec<usize>>,
    },
    /// To end everything.
    TerminateAll {
        /// What the wish itself is called.
        id: String,
    },
    /// To tell which program this is.
    QueryVersion {
        /// What the wish itself is called.
        id: String,
    },
    /// To forget what was found.
    ClearCache {
        /// What the wish itself is called.
        id: String,
    },
}

/// Positions to analyse.
#[derive(Clone, Debug)]
pub struct Request {
    /// What the question is called.
    pub id: String,
    /// The positions, each with the number of moves played before it.
    pub turns: Vec<(usize, Game)>,
    /// What each may take.
    pub limits: Limits,
    /// How many best lines are shown.
    pub multi_pv: usize,
    /// Which search answers.
    pub mode: SearchMode,
    /// How castling is written.
    pub notation: CastlingNotation,
    /// Options of the engine that are other than usual.
    pub options: Vec<(&'static OptionSpec, String)>,
    /// The higher, the sooner.
    pub priority: i64,
    /// How often there are partial reports.
    pub report_every: Option<Duration>,
}

/// Why a question was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// What the question is called, if that is known.
    pub id: Option<String>,
    /// What is wrong.
    pub error: String,
    /// Where.
    pub field: Option<String>,
}

/// A question that is answered although a part of it means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What the question is called.
    pub id: String,
    /// What means nothing.
    pub warning: String,
    /// Where.
    pub field: String,
}

/// Where something is wrong, and what.
type Fault = (String, String);

impl Command {
    /// Understands a line, and says which of its fields mean nothing.
    ///
    /// # Errors
    /// It is no JSON object, or something in it is wrong.
    pub fn parse(line: &[u8], defaults: &Defaults) -> Result<(Self, Vec<Warning>), Refusal> {
        let refuse = |id: Option<String>, field: Option<String>, error: String| {
            Err(Refusal { id, error, field })
        };
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return refuse(None, None, format!("this is no JSON: {error}")),
        };
        let Value::Object(fields) = value else {
            return refuse(None, None, "expected an object: {\"id\": …, …}".to_owned());
        };
        let mut fields = Fields(fields);
        let id = match fields.take("id") {
            Some(Value::String(id)) if !id.is_empty() => id,
            Some(Value::String(_)) | None => {
                let error = "every question needs an id, a text that the answer repeats";
                return refuse(None, Some("id".to_owned()), error.to_owned());
            }
            Some(_) => {
                let error = "the id has to be a text, in quotes".to_owned();
                return refuse(None, Some("id".to_owned()), error);
            }
        };
        match fields.command(&id, defaults) {
            Ok(command) => Ok((command, fields.warnings(&id))),
            Err((field, error)) => refuse(Some(id), Some(field), error),
        }
    }
}

/// The fields of a question that nobody has looked at yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// A field; null is as good as none.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(expected(name, "a text", &other)),
        }
    }

    fn number(&mut self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Fault> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_u64().filter(|number| (min..=max).contains(number));
        let wanted = if max == u64::MAX {
            format!("a whole number of at least {min}")
        } else {
            format!("a whole number from {min} to {max}")
        };
        number.map(Some).ok_or_else(|| expected(name, &wanted, &value))
    }

    fn flag(&mut self, name: &str) -> Result<bool, Fault> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(expected(name, "true or false", &other)),
        }
    }

    /// A list of texts, or one text with spaces between its words.
    fn words(&mut self, name: &str) -> Result<Vec<String>, Fault> {
        let value = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) => {
                return Ok(text.split_ascii_whitespace().map(str::to_owned).collect());
            }
            Some(value) => value,
        };
        let wanted = "a list of moves, each a text";
        let Value::Array(list) = &value else { return Err(expected(name, wanted, &value)) };
        list.iter()
            .enumerate()
            .map(|(place, word)| {
                let field = format!("{name}[{place}]");
                word.as_str().map(str::to_owned).ok_or_else(|| expected(&field, "a move", word))
            })
            .collect()
    }

    fn indices(&mut self, name: &str) -> Result<Option<Vec<usize>>, Fault> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let wanted = "a list of whole numbers";
        let Value::Array(list) = &value else { return Err(expected(name, wanted, &value)) };
        let index = |(place, value): (usize, &Value)| {
            let field = format!("{name}[{place}]");
            let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
            index.ok_or_else(|| expected(&field, "a whole number", value))
        };
        list.iter().enumerate().map(index).collect::<Result<_, _>>().map(Some)
    }

    fn command(&mut self, id: &str, defaults: &Defaults) -> Result<Command, Fault> {
        let id = id.to_owned();
        let Some(action) = self.text("action")? else {
            return self.request(id, defaults).map(|request| Command::Analyze(Box::new(request)));
        };
        match action.as_str() {
            "terminate" => {
                let missing = || ("terminateId".to_owned(), "which question is to end?".to_owned());
                let target = self.text("terminateId")?.ok_or_else(missing)?;
                Ok(Command::Terminate { id, target, turns: self.indices("turnNumbers")? })
            }
            "terminate_all" => Ok(Command::TerminateAll { id }),
            "query_version" => Ok(Command::QueryVersion { id }),
            "clear_cache" => Ok(Command::ClearCache { id }),
            other => {
                let known = "terminate, terminate_all, query_version, clear_cache";
                Err(expected("action", &format!("one of {known}"), &other.into()))
            }
        }
    }

    fn request(&mut self, id: String, defaults: &Defaults) -> Result<Request, Fault> {
        let is_chess960 = self.flag("chess960")?;
        let turns = self.turns()?;
        let mut limits = self.limits(defaults)?;
        limits.search_moves = self.search_moves(&turns)?;
        let multi_pv = self.number("multipv", 1, 256)?;
        let report_every = self.report_every()?;
        let priority = match self.take("priority") {
            None => 0,
            Some(value) => {
                value.as_i64().ok_or_else(|| expected("priority", "a whole number", &value))?
            }
        };
        Ok(Request {
            id,
            turns,
            limits,
            multi_pv: multi_pv.map_or(defaults.multi_pv, |lines| lines as usize),
            mode: self.mode()?.unwrap_or(defaults.mode),
            notation: if is_chess960 || defaults.chess960 {
                CastlingNotation::Chess960
            } else {
                CastlingNotation::Standard
            },
            options: self.options()?,
            priority,
            report_every,
        })
    }

    /// The turns that are asked about, and the game at each of them.
    fn turns(&mut self) -> Result<Vec<(usize, Game)>, Fault> {
        let start = match self.text("fen")?.as_deref() {
            None | Some("startpos") => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(|error| fault("fen", &error))?,
        };
        let words = self.words("moves")?;
        if words.len() > MOST_MOVES {
            return Err(fault("moves", &format!("more than {MOST_MOVES} moves")));
        }
        let asked = self.asked_turns(words.len())?;
        let mut game = Game::new(start);
        let mut turns = Vec::new();
        for turn in 0..=words.len() {
            if asked.contains(&turn) {
                turns.push((turn, game.clone()));
            }
            let Some(word) = words.get(turn) else { break };
            let field = format!("moves[{turn}]");
            let m = parse_move(game.position(), word).map_err(|error| fault(&field, &error))?;
            game.play(m).map_err(|error| fault(&field, &error))?;
        }
        Ok(turns)
    }

    /// The numbers of those turns.
    fn asked_turns(&mut self, last: usize) -> Result<BTreeSet<usize>, Fault> {
        let asked = self.indices("analyzeTurns")?.unwrap_or_else(|| vec![last]);
        if asked.is_empty() {
            return Err(fault("analyzeTurns", &"no turn is named"));
        }
        if let Some(beyond) = asked.iter().find(|turn| **turn > last) {
            let error = format!("turn {beyond} is beyond the last, which is {last}");
            return Err(fault("analyzeTurns", &error));
        }
        Ok(asked.into_iter().collect())
    }

    fn limits(&mut self, defaults: &Defaults) -> Result<Limits, Fault> {
        let limits = Limits {
            nodes: self.number("nodes", 1, u64::MAX)?,
            movetime: self
                .number("movetime", 1, (1000.0 * LONGEST_SECONDS) as u64)?
                .map(Duration::from_millis),
            depth: self.number("depth", 1, 245)?.map(|depth| depth as u32),
            ..Limits::default()
        };
        Ok(if limits == Limits::default() { defaults.limits.clone() } else { limits })
    }

    /// The moves to which the search is restricted, where it is.
    fn search_moves(&mut self, turns: &[(usize, Game)]) -> Result<Vec<Move>, Fault> {
        let words = self.words("searchMoves")?;
        let [(_, game)] = turns else {
            return if words.is_empty() {
                Ok(Vec::new())
            } else {
                Err(fault("searchMoves", &"moves can be chosen for one turn only"))
            };
        };
        let parse = |(place, word): (usize, &String)| {
            parse_move(game.position(), word)
                .map_err(|error| fault(&format!("searchMoves[{place}]"), &error))
        };
        words.iter().enumerate().map(parse).collect()
    }

    fn report_every(&mut self) -> Result<Option<Duration>, Fault> {
        let name = "reportDuringSearchEvery";
        let Some(value) = self.take(name) else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| *seconds > 0.0 && *seconds < LONGEST_SECONDS);
        let seconds = seconds.ok_or_else(|| expected(name, "seconds above 0", &value))?;
        Ok(Some(Duration::from_secs_f64(seconds).max(SHORTEST_PAUSE)))
    }

    fn mode(&mut self) -> Result<Option<SearchMode>, Fault> {
        let Some(word) = self.text("mode")? else { return Ok(None) };
        let mode = parse_mode(&word);
        let wanted = "one of alphabeta, mcts, hybrid";
        mode.map(Some).ok_or_else(|| expected("mode", wanted, &word.into()))
    }

    fn options(&mut self) -> Result<Vec<(&'static OptionSpec, String)>, Fault> {
        let Some(value) = self.take("options") else { return Ok(Vec::new()) };
        let Value::Object(options) = &value else {
            return Err(expected("options", "an object: {\"CPuct\": 2, …}", &value));
        };
        let option = |(name, value): (&String, &Value)| {
            let field = format!("options.{}", shorten(name));
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(flag) => flag.to_string(),
                Value::Number(number) => number.to_string(),
                other => return Err(expected(&field, "a text, a number, true or false", other)),
            };
            let spec = check_option(name, &text).map_err(|error| (field, error))?;
            Ok((spec, text))
        };
        options.iter().map(option).collect()
    }

    /// What was given and means nothing.
    fn warnings(&self, id: &str) -> Vec<Warning> {
        let warning = |name: &String| Warning {
            id: id.to_owned(),
            warning: "there is no such field; it was passed over".to_owned(),
            field: shorten(name),
        };
        self.0.keys().take(20).map(warning).collect()
    }
}

/// A mode by its name.
#[must_use]
pub fn parse_mode(word: &str) -> Option<SearchMode> {
    [
        ("alphabeta", SearchMode::AlphaBeta),
        ("mcts", SearchMode::Mcts),
        ("hybrid", SearchMode::Hybrid),
    ]
    .into_iter()
    .find_map(|(name, mode)| name.eq_ignore_ascii_case(word).then_some(mode))
}

/// Finds an option that a question may set, and checks its value.
///
/// # Errors
/// There is none of that name, its value does not fit, or it is for all questions alike.
pub fn check_option(name: &str, value: &str) -> Result<&'static OptionSpec, String> {
    let spec = Options::find(name).map_err(|error| error.to_string())?;
    let instead = match spec.name {
        "Hash" | "Threads" => "it belongs to all positions together; see 'tandem analyze --help'",
        "SearchMode" => "use the field mode",
        "MultiPV" => "use the field multipv",
        "UCI_Chess960" => "use the field chess960",
        "Clear Hash" => "use the action clear_cache",
        "Debug Log File" | "Ponder" => "it means nothing here",
        _ => {
            Options::default().set(spec, value).map_err(|error| error.to_string())?;
            return Ok(spec);
        }
    };
    Err(format!("option {} cannot be set here: {instead}", spec.name))
}

/// A move as UCI or as people write it.
///
/// # Errors
/// It is neither, or not legal.
pub fn parse_move(position: &Position, word: &str) -> Result<Move, String> {
    position
        .parse_uci(word)
        .or_else(|_| position.parse_san(word))
        .map_err(|error| error.to_string())
}

fn fault(field: &str, error: &impl ToString) -> Fault {
    (field.to_owned(), error.to_string())
}

fn expected(field: &str, wanted: &str, found: &Value) -> Fault {
    (field.to_owned(), format!("expected {wanted}, found {}", shorten(&found.to_string())))
}

/// A text of at most so many characters as fit into a sentence.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(Command, Vec<Warning>), Refusal> {
        Command::parse(line.as_bytes(), &Defaults::default())
    }

    fn request(line: &str) -> Request {
        match parse(line).expect("it is understood").0 {
            Command::Analyze(request) => *request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_question_is_read_with_everything_in_it() {
        let request = request(
            r#"{"id":"a","moves":["e2e4","c5","Nf3"],"analyzeTurns":[3,0,3],"nodes":500,"multipv":2,
            "mode":"MCTS","options":{"CPuct":2,"Policy":"uniform"},"priority":-3,
            "reportDuringSearchEvery":0.5}"#,
        );
        let turns: Vec<usize> = request.turns.iter().map(|(turn, _)| *turn).collect();
        assert_eq!((request.id.as_str(), turns), ("a", vec![0, 3]));
        assert_eq!(request.turns[1].1.moves().len(), 3);
        assert_eq!((request.limits.nodes, request.limits.movetime), (Some(500), None));
        assert_eq!((request.multi_pv, request.mode, request.priority), (2, SearchMode::Mcts, -3));
        assert_eq!(request.report_every, Some(Duration::from_millis(500)));
        let options = request.options.iter().map(|(spec, value)| (spec.name, value.as_str()));
        assert_eq!(options.collect::<Vec<_>>(), [("CPuct", "2"), ("Policy", "uniform")]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_field() {
        let cases = [
            (r#"{"id":"a","fen":"nonsense"}"#, "fen"),
            (r#"{"id":"a","moves":["e2e5"]}"#, "moves[0]"),
            (r#"{"id":"a","moves":["e4",7]}"#, "moves[1]"),
            (r#"{"id":"a","moves":7}"#, "moves"),
            (r#"{"id":"a","analyzeTurns":[1]}"#, "analyzeTurns"),
            (r#"{"id":"a","analyzeTurns":[-1]}"#, "analyzeTurns[0]"),
            (r#"{"id":"a","analyzeTurns":[]}"#, "analyzeTurns"),
            (r#"{"id":"a","nodes":0}"#, "nodes"),
            (r#"{"id":"a","nodes":1.5}"#, "nodes"),
            (r#"{"id":"a","movetime":"1s"}"#, "movetime"),
            (r#"{"id":"a","depth":1000}"#, "depth"),
            (r#"{"id":"a","multipv":0}"#, "multipv"),
            (r#"{"id":"a","mode":"guess"}"#, "mode"),
            (r#"{"id":"a","options":[]}"#, "options"),
            (r#"{"id":"a","options":{"Nonsense":1}}"#, "options.Nonsense"),
            (r#"{"id":"a","options":{"CPuct":"x"}}"#, "options.CPuct"),
            (r#"{"id":"a","options":{"Threads":2}}"#, "options.Threads"),
            (r#"{"id":"a","options":{"CPuct":[1]}}"#, "options.CPuct"),
            (r#"{"id":"a","priority":"high"}"#, "priority"),
            (r#"{"id":"a","reportDuringSearchEvery":0}"#, "reportDuringSearchEvery"),
            (r#"{"id":"a","searchMoves":["e5"]}"#, "searchMoves[0]"),
            (r#"{"id":"a","chess960":1}"#, "chess960"),
            (r#"{"id":"a","action":"dance"}"#, "action"),
            (r#"{"id":"a","action":"terminate"}"#, "terminateId"),
        ];
        for (line, field) in cases {
            let refusal = parse(line).expect_err(line);
            assert_eq!(refusal.id.as_deref(), Some("a"), "{line}");
            assert_eq!(refusal.field.as_deref(), Some(field), "{line}: {}", refusal.error);
        }
        for line in [r"{}", r#"{"id":7}"#, r#"{"id":""}"#] {
            let refusal = parse(line).expect_err(line);
            assert_eq!((refusal.id, refusal.field.as_deref()), (None, Some("id")));
        }
        for line in ["", "nonsense", "[1]", "\"x\"", "{\"id\":\"a\""] {
            let refusal = parse(line).expect_err(line);
            assert_eq!((refusal.id, refusal.field), (None, None));
        }
    }

    #[test]
    fn what_means_nothing_is_told() {
        let (_, warnings) = parse(r#"{"id":"a","nodse":1,"fen":null}"#).expect("understood");
        let fields: Vec<_> = warnings.iter().map(|warning| warning.field.as_str()).collect();
        assert_eq!(fields, ["nodse"]);
    }

    #[test]
    fn chess960_is_read_either_way() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let line = format!(r#"{{"id":"a","fen":"{fen}","chess960":true,"moves":["e1f3","h8h7"]}}"#);
        assert!(parse(&line).is_err(), "a pawn is in the way");
        let line = format!(r#"{{"id":"a","fen":"{fen}","chess960":true,"moves":["Nf3"]}}"#);
        assert_eq!(request(&line).notation, CastlingNotation::Chess960);
    }
}
