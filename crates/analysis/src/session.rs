//! Questions and answers as JSON lines.
//!
//! Every line of input gets an answer, whatever is in it. Answers come as soon as they are known, so not in
//! the order of the questions: `id` and `turnNumber` say what they are about.

use std::collections::HashMap;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::defaults::Defaults;
use crate::pool::{Job, Pool, Ticket, Update};
use crate::record::Answer;
use crate::request::{Command, Refusal, Request};

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;
/// The most positions that wait at a time.
const MOST_WAITING: usize = 100_000;
/// How often somebody looks whether the session is to end.
const ATTENTION: Duration = Duration::from_millis(50);

/// Questions read from one side, answers written to the other.
pub struct Session {
    pool: Pool,
    defaults: Defaults,
    output: Output,
    open: Arc<Open>,
}

/// The positions that are not answered yet, by the name of their question.
#[derive(Default)]
struct Open(Mutex<HashMap<String, Vec<(usize, Ticket)>>>);

impl Open {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<(usize, Ticket)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One turn of a question is answered.
    fn close(&self, id: &str, turn: usize) {
        let mut open = self.lock();
        if let Some(turns) = open.get_mut(id) {
            if let Some(place) = turns.iter().position(|(open, _)| *open == turn) {
                turns.swap_remove(place);
            }
            if turns.is_empty() {
                open.remove(id);
            }
        }
    }
}

/// Where answers go, a whole line at a time.
#[derive(Clone)]
struct Output {
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    /// Nobody reads any more.
    is_gone: Arc<AtomicBool>,
}

impl Output {
    /// Prints an answer. Answers whether anybody reads.
    fn say(&self, answer: &impl Serialize) -> bool {
        let mut line = match serde_json::to_string(answer) {
            Ok(line) => line,
            Err(error) => {
                json!({ "id": null, "error": error.to_string(), "field": null }).to_string()
            }
        };
        line.push('\n');
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let said = writer.write_all(line.as_bytes()).and_then(|()| writer.flush());
        if said.is_err() {
            self.is_gone.store(true, Ordering::Relaxed);
        }
        said.is_ok()
    }
}

impl Session {
    /// A session that has those engines answer to that writer.
    #[must_use]
    pub fn new(pool: Pool, defaults: Defaults, writer: Box<dyn Write + Send>) -> Self {
        let output = Output {
            writer: Arc::new(Mutex::new(writer)),
            is_gone: Arc::new(AtomicBool::new(false)),
        };
        Self { pool, defaults, output, open: Arc::default() }
    }

    /// Answers until the input ends and everything is answered. After the word to stop, or where nobody reads
    /// any more, what is under way is answered with what is known by then.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn run(self, input: impl BufRead + Send + 'static, stop: &AtomicBool) -> io::Result<()> {
        let (sender, lines) = mpsc::sync_channel(16);
        // It may wait for input that never comes, so nobody waits for it.
        std::thread::spawn(move || read(input, &sender));
        let outcome = self.answer_all(&lines, stop);
        if stop.load(Ordering::Relaxed) || self.output.is_gone.load(Ordering::Relaxed) {
            self.pool.cancel_all();
        }
        let finished = Arc::new(AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (pool, done) = (&self.pool, finished.clone());
            let output = &self.output;
            // The word to stop may come after the end of input.
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed) || output.is_gone.load(Ordering::Relaxed) {
                        pool.cancel_all();
                    }
                    std::thread::sleep(ATTENTION);
                }
            });
            self.pool.wait();
            finished.store(true, Ordering::Relaxed);
        });
        outcome
    }

    fn answer_all(&self, lines: &Receiver<io::Result<Line>>, stop: &AtomicBool) -> io::Result<()> {
        while !stop.load(Ordering::Relaxed) && !self.output.is_gone.load(Ordering::Relaxed) {
            match lines.recv_timeout(ATTENTION) {
                Ok(line) => self.answer(line?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        Ok(())
    }

    fn answer(&self, line: Line) {
        let line = match line {
            Line::Text(bytes) if bytes.trim_ascii().is_empty() => return,
            Line::Text(bytes) => bytes,
            Line::TooLong => {
                let error = "the line is longer than a mebibyte and was not read".to_owned();
                self.output.say(&Refusal { id: None, error, field: None });
                return;
            }
        };
        match Command::parse(&line, &self.defaults) {
            Err(refusal) => {
                self.output.say(&refusal);
            }
            Ok((command, warnings)) => {
                for warning in warnings {
                    self.output.say(&warning);
                }
                self.carry_out(command);
            }
        }
    }

    fn carry_out(&self, command: Command) {
        match command {
            Command::Analyze(request) => self.analyze(*request),
            Command::Terminate { id, target, turns } => {
                let open = self.open.lock().get(&target).cloned().unwrap_or_default();
                let is_meant =
                    |turn: usize| turns.as_ref().is_none_or(|turns| turns.contains(&turn));
                let mut told = json!({ "id": id, "action": "terminate", "terminateId": target });
                if let Some(turns) = &turns {
                    told["turnNumbers"] = turns.clone().into();
                }
                self.output.say(&told);
                for (_, ticket) in open.into_iter().filter(|(turn, _)| is_meant(*turn)) {
                    self.pool.cancel(ticket);
                }
            }
            Command::TerminateAll { id } => {
                self.output.say(&json!({ "id": id, "action": "terminate_all" }));
                self.pool.cancel_all();
            }
            Command::QueryVersion { id } => {
                let version = env!("CARGO_PKG_VERSION");
                self.output.say(&json!({
                    "id": id, "action": "query_version", "program": "tandem", "version": version,
                }));
            }
            Command::ClearCache { id } => {
                self.pool.forget();
                self.output.say(&json!({ "id": id, "action": "clear_cache" }));
            }
        }
    }

    fn analyze(&self, request: Request) {
        if self.pool.waiting() + request.turns.len() > MOST_WAITING {
            let error = format!("more than {MOST_WAITING} positions would wait; ask again later");
            self.output.say(&Refusal { id: Some(request.id), error, field: None });
            return;
        }
        for (turn, game) in request.turns {
            let job = Job {
                game,
                limits: request.limits.clone(),
                multi_pv: request.multi_pv,
                mode: request.mode,
                notation: request.notation,
                options: request.options.clone(),
                priority: request.priority,
                report_every: request.report_every,
                hear: hearer(request.id.clone(), turn, self.output.clone(), self.open.clone()),
            };
            // Whoever hears the answer waits until the ticket is noted.
            let mut open = self.open.lock();
            let ticket = self.pool.submit(job);
            open.entry(request.id.clone()).or_default().push((turn, ticket));
        }
    }
}

/// Tells what is heard of a position.
fn hearer(
    id: String,
    turn: usize,
    output: Output,
    open: Arc<Open>,
) -> Box<dyn FnMut(Update<'_>) -> bool + Send> {
    Box::new(move |update| {
        let is_last = !matches!(update, Update::Partial(_));
        if is_last {
            open.close(&id, turn);
        }
        let refuse = |error: String, field: Option<&str>| {
            output.say(&json!({ "id": id, "error": error, "field": field, "turnNumber": turn }))
        };
        match update {
            Update::Partial(snapshot) | Update::Done(snapshot) => output.say(&Answer {
                id: id.clone(),
                turn_number: turn,
                is_during_search: !is_last,
                analysis: snapshot.analysis(),
            }),
            Update::Skipped => output.say(&json!({
                "id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true,
            })),
            Update::Failed(error) => refuse(error.to_string(), Some("options")),
            Update::Broken => refuse("the search broke down; please report this".to_owned(), None),
        }
    })
}

/// A line of input.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Reads lines, whatever bytes they hold, until the input ends or nobody wants more.
fn read(mut input: impl BufRead, sender: &SyncSender<io::Result<Line>>) {
    loop {
        let line = match read_line(&mut input) {
            Ok(None) => return,
            Ok(Some(line)) => Ok(line),
            Err(error) => Err(error),
        };
        let is_end = line.is_err();
        if sender.send(line).is_err() || is_end {
            return;
        }
    }
}

/// The next line; none at the end of input. Of a line that is too long nothing is kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Text(bytes)))
}
