//! One page's engine: requests in, answers out. It lives on a thread of its own.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tandem_chess::{Game, Move, Position};
use tandem_engine::{Choice, Clock, Engine, Event, Limits, Options, Progress};

use crate::live::Live;
use crate::messages::{
    self, BranchReply, GameText, MOST_LINES, Mode, Pace, PositionReply, Reply, Request,
    RequestError, checked_milliseconds, line_text, move_text,
};
use crate::outbox::Outbox;
use crate::server::Settings;

/// How often, at the most, searches tell how things stand.
const LIVE: Duration = Duration::from_millis(90);
/// Start positions of Chess960.
const STARTS: u64 = 960;

/// What a session hears.
pub enum Command {
    /// The page asks.
    Request(Request),
    /// A search has ended: its number, and what it has chosen.
    Finished(u64, Choice),
    /// The page is gone.
    Quit,
}

/// What the engine is busy with.
enum Task {
    Nothing,
    Analysis(Arc<Mutex<Live>>),
    Review(Box<Review>),
    Move(u64, Box<Game>, Last),
}

/// The last word of a search.
type Last = Arc<Mutex<Option<Progress>>>;

/// A game that is gone through.
struct Review {
    id: u64,
    game: Game,
    /// Half-moves before the position that is looked at.
    ply: usize,
    milliseconds: u64,
    last: Last,
}

/// One page's engine.
pub struct Session {
    engine: Engine,
    outbox: Arc<Outbox>,
    commands: Sender<Command>,
    task: Task,
    /// The number of the present search.
    search: u64,
}

/// Starts a session. What it hears comes through the sender.
pub fn start(settings: &Arc<Settings>, outbox: Arc<Outbox>) -> Sender<Command> {
    let (sender, receiver) = mpsc::channel();
    let (commands, settings) = (sender.clone(), settings.clone());
    std::thread::spawn(move || {
        let engine = Engine::new();
        let mut session = Session { engine, outbox, commands, task: Task::Nothing, search: 0 };
        session.introduce(&settings);
        session.run(&receiver);
        session.outbox.close();
    });
    sender
}

impl Session {
    fn introduce(&mut self, settings: &Settings) {
        let own = [
            ("Threads", settings.threads.to_string()),
            ("Hash", settings.hash.to_string()),
            ("VerboseMoveStats", "true".to_owned()),
        ];
        let given = settings.options.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in own.into_iter().chain(given) {
            match self.set(name, &value) {
                Ok(Some(message)) => self.outbox.send(&Reply::Notice { message }),
                Ok(None) => {}
                Err(error) => self.refuse(None, &error),
            }
        }
        self.outbox.send(&Reply::Hello {
            version: env!("CARGO_PKG_VERSION"),
            evaluation: self.engine.evaluation_name(),
            threads: self.engine.options().search.threads,
            hash: self.engine.options().search.hash,
            ratings: ratings(),
            most_lines: MOST_LINES,
        });
    }

    fn run(&mut self, receiver: &Receiver<Command>) {
        while let Ok(command) = receiver.recv() {
            match command {
                Command::Quit => break,
                Command::Finished(search, choice) if search == self.search => self.finish(choice),
                // What has been ended for something else has nothing more to say.
                Command::Finished(..) => {}
                Command::Request(request) => {
                    let id = request.id();
                    if let Err(error) = self.carry_out(request) {
                        self.refuse(Some(id), &error);
                    }
                }
            }
        }
        self.engine.stop();
    }

    fn refuse(&self, id: Option<u64>, error: &RequestError) {
        self.outbox.send(&Reply::Error { id, message: error.to_string() });
    }

    /// Everything is looked at before anything changes.
    fn carry_out(&mut self, request: Request) -> Result<(), RequestError> {
        match request {
            Request::Analyse { id, game, only, lines, mode } => {
                self.analyse(id, &game, &only, lines, mode)
            }
            Request::Review { id, game, milliseconds, mode } => {
                let game = game.read()?;
                let milliseconds = checked_milliseconds(milliseconds)?;
                self.become_analyst(mode, 1)?;
                self.engine.new_game();
                let last = Last::default();
                self.look(Box::new(Review { id, game, ply: 0, milliseconds, last }));
                Ok(())
            }
            Request::Move { id, game, rating, odds, pace } => {
                self.play(id, &game, rating, odds, pace)
            }
            Request::Tree { id, line } => self.tell_tree(id, &line),
            Request::Start { id, number } if number < STARTS => {
                let fen = Position::chess960(number as usize).shredder_fen();
                self.outbox.send(&Reply::Start { id, fen });
                Ok(())
            }
            Request::Start { number, .. } => Err(RequestError::Number {
                name: "number",
                found: number as i64,
                expected: "0 to 959".to_owned(),
            }),
            Request::Stop { .. } => {
                self.engine.stop();
                // Of a game nothing more is wanted; an analysis still says how it ended.
                if !matches!(self.task, Task::Analysis(_)) {
                    self.rest();
                }
                Ok(())
            }
        }
    }

    /// Nothing is going on any more.
    fn rest(&mut self) {
        self.search += 1;
        self.task = Task::Nothing;
    }

    fn analyse(
        &mut self,
        id: u64,
        game: &GameText,
        only: &[String],
        lines: usize,
        mode: Mode,
    ) -> Result<(), RequestError> {
        let game = game.read()?;
        let position = *game.position();
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(RequestError::Number {
                name: "lines",
                found: lines as i64,
                expected: format!("1 to {MOST_LINES}"),
            });
        }
        let search_moves = only
            .iter()
            .map(|text| position.parse_uci(text))
            .collect::<Result<Vec<Move>, _>>()
            .map_err(|error| RequestError::Position(error.to_string()))?;
        self.become_analyst(mode, lines)?;
        let reply = PositionReply::new(id, &game, self.engine.options().hybrid.table);
        let is_over = reply.outcome.is_some();
        self.outbox.send(&Reply::Position(Box::new(reply)));
        let live = Arc::new(Mutex::new(Live::new(id, &position)));
        self.outbox.follow(Some(live.clone()));
        self.task = Task::Analysis(live.clone());
        if is_over && !position.has_legal_move() {
            self.finish(Choice::default());
            return Ok(());
        }
        self.engine.set_game(game);
        let outbox = self.outbox.clone();
        let limits = Limits { infinite: true, search_moves, ..Limits::default() };
        self.go(limits, move |progress| {
            live.lock().unwrap_or_else(PoisonError::into_inner).heed(progress);
            outbox.touch();
        });
        Ok(())
    }

    /// Ends what is going on, and looks for the truth from now on.
    fn become_analyst(&mut self, mode: Mode, lines: usize) -> Result<(), RequestError> {
        self.engine.stop();
        self.rest();
        self.outbox.follow(None);
        self.set("UCI_AnalyseMode", "true")?;
        self.set("SearchMode", mode.option())?;
        self.set("MultiPV", &lines.to_string())?;
        self.engine.set_live(Some(LIVE));
        Ok(())
    }

    /// Looks at the next position of a game that is gone through.
    fn look(&mut self, mut review: Box<Review>) {
        let mut game = Game::new(*review.game.start());
        for &m in &review.game.moves()[..review.ply] {
            if game.play(m).is_err() {
                return;
            }
        }
        let limits = Limits::movetime(Duration::from_millis(review.milliseconds));
        self.engine.set_game(game);
        let last = Last::default();
        review.last = last.clone();
        self.task = Task::Review(review);
        self.go(limits, move |progress| note(&last, progress));
    }

    fn play(
        &mut self,
        id: u64,
        game: &GameText,
        rating: Option<i64>,
        odds: bool,
        pace: Pace,
    ) -> Result<(), RequestError> {
        let game = game.read()?;
        let limits = match pace {
            Pace::Fixed { milliseconds } => {
                Limits::movetime(Duration::from_millis(checked_milliseconds(milliseconds)?))
            }
            Pace::Clock { left, increment } => Limits {
                clocks: [0, 1].map(|side| {
                    Some(Clock {
                        remaining: Duration::from_millis(left[side]),
                        increment: Duration::from_millis(increment[side]),
                    })
                }),
                ..Limits::default()
            },
        };
        self.engine.stop();
        self.rest();
        self.outbox.follow(None);
        if let Some(rating) = rating {
            self.set("UCI_Elo", &rating.to_string())?;
        }
        self.set("UCI_LimitStrength", if rating.is_some() { "true" } else { "false" })?;
        self.set("UCI_AnalyseMode", "false")?;
        self.set("SearchMode", Mode::Hybrid.option())?;
        self.set("MultiPV", "1")?;
        self.set("Odds", if odds { "auto" } else { "off" })?;
        self.engine.set_live(None);
        if game.outcome().is_some() {
            self.tell_move(id, game, None, None);
            return Ok(());
        }
        self.engine.set_game(game.clone());
        let last = Last::default();
        self.task = Task::Move(id, Box::new(game), last.clone());
        self.go(limits, move |progress| note(&last, progress));
        Ok(())
    }

    fn go(&mut self, limits: Limits, mut heed: impl FnMut(&Progress) + Send + 'static) {
        self.search += 1;
        let (search, commands) = (self.search, self.commands.clone());
        self.engine.go(limits, move |event| match event {
            Event::Progress(progress) => {
                heed(progress);
                true
            }
            Event::Finished(choice) => commands.send(Command::Finished(search, choice)).is_ok(),
        });
    }

    /// The present search has ended.
    fn finish(&mut self, choice: Choice) {
        match std::mem::replace(&mut self.task, Task::Nothing) {
            Task::Nothing => {}
            Task::Analysis(live) => {
                live.lock().unwrap_or_else(PoisonError::into_inner).end();
                self.outbox.touch();
            }
            Task::Review(review) => self.tell_review(review),
            Task::Move(id, game, last) => {
                let last = last.lock().unwrap_or_else(PoisonError::into_inner).take();
                self.tell_move(id, *game, choice.best, last.as_ref());
            }
        }
    }

    fn tell_review(&mut self, mut review: Box<Review>) {
        let last = review.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(last) = last else { return };
        let position = *self.engine.game().position();
        let plies = review.game.moves().len();
        self.outbox.send(&Reply::Reviewed {
            id: review.id,
            ply: review.ply,
            plies,
            score: last.score.into(),
            wdl: last.wdl,
            depth: last.depth,
            pv: line_text(&position, &last.pv),
        });
        review.ply += 1;
        if review.ply <= plies {
            self.look(review);
        }
    }

    fn tell_move(&mut self, id: u64, mut game: Game, m: Option<Move>, last: Option<&Progress>) {
        let text = m.map(|m| move_text(game.position(), m));
        if let Some(m) = m {
            // A choice is legal.
            let _ = game.play(m);
        }
        self.outbox.send(&Reply::Played {
            id,
            m: text,
            score: last.map(|last| last.score.into()),
            wdl: last.and_then(|last| last.wdl),
            depth: last.map_or(0, |last| last.depth),
            outcome: game.outcome().map(messages::OutcomeReply::from),
        });
    }

    /// Tells what the exploring search knows after a line, now or as soon as it has time for that.
    fn tell_tree(&mut self, id: u64, line: &[String]) -> Result<(), RequestError> {
        let mut position = *self.engine.game().position();
        let mut moves = Vec::with_capacity(line.len());
        for (i, text) in line.iter().enumerate() {
            let m = position.parse_uci(text).map_err(|error| RequestError::Move {
                ply: i + 1,
                text: text.chars().take(10).collect(),
                reason: error.to_string(),
            })?;
            moves.push(m);
            position = position.after(m);
        }
        let (outbox, line) = (self.outbox.clone(), line.to_vec());
        self.engine.ask_tree(moves, move |branches| {
            let branches = branches
                .iter()
                .map(|branch| BranchReply {
                    m: move_text(&position, branch.m),
                    visits: branch.visits,
                    prior: branch.prior,
                    value: branch.value,
                    draw: branch.draw,
                    leads_on: branch.leads_on,
                })
                .collect();
            outbox.send(&Reply::Branches { id, line, branches });
        });
        Ok(())
    }

    /// Sets an option of the engine by its name.
    fn set(&mut self, name: &str, value: &str) -> Result<Option<String>, RequestError> {
        let refuse = |error: tandem_engine::OptionError| RequestError::Option(error.to_string());
        let spec = Options::find(name).map_err(refuse)?;
        self.engine.set_option(spec, value).map_err(refuse)
    }
}

/// Keeps the last word on the best line.
fn note(last: &Last, progress: &Progress) {
    if progress.line == 1 {
        *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
    }
}

/// The lowest and the highest rating to play at.
fn ratings() -> [i64; 2] {
    match Options::find("UCI_Elo").map(|spec| spec.kind) {
        Ok(tandem_engine::OptionKind::Spin { min, max, .. }) => [min, max],
        _ => [0, 0],
    }
}
