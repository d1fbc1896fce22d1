//! A conversation: commands in, answers out, the engine behind.

use std::io::{self, BufRead, Read as _};
use std::time::Duration;

use tandem_chess::{CastlingNotation, Game, Position, Style, perft_until};
use tandem_engine::{Engine, Event, Limits, Openings, Options, Profile, Settings, tunables};

use crate::command::{self, Command};
use crate::help;
use crate::output::{self, Format, Output};

/// The longest line that is taken in; a game of a thousand moves needs a tenth of it.
const LONGEST_LINE: u64 = 1 << 20;

/// One conversation with one engine.
pub struct Session {
    engine: Engine,
    output: Output,
}

impl Session {
    /// A session that prints to `writer`.
    #[must_use]
    pub fn new(writer: Box<dyn io::Write + Send>) -> Self {
        Self { engine: Engine::new(), output: Output::new(writer) }
    }

    /// What a person at a terminal is told first.
    #[must_use]
    pub const fn greeting() -> &'static str {
        help::GREETING
    }

    /// Reads commands until `quit` or the end of input. A search with a limit is then allowed to
    /// finish, one without is stopped, so that `echo go depth 10 | tandem` prints what was asked.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn run(&mut self, mut input: impl BufRead) -> io::Result<()> {
        while let Some(line) = read_line(&mut input)? {
            match line {
                Line::Text(text) => {
                    if !self.carry_out(&text) {
                        return Ok(());
                    }
                }
                Line::TooLong => {
                    self.output.sentence("that line is longer than a mebibyte and was not read");
                }
            }
        }
        self.engine.finish();
        Ok(())
    }

    /// Carries out commands in order, each to its end.
    pub fn run_commands<'a>(&mut self, commands: impl IntoIterator<Item = &'a str>) {
        for line in commands {
            if !self.carry_out(line) {
                return;
            }
            self.engine.finish();
        }
    }

    /// Carries out one line. Answers whether the session goes on.
    fn carry_out(&mut self, line: &str) -> bool {
        self.output.heard(line);
        match command::parse(line, self.engine.game()) {
            Err(sentence) => self.output.sentence(&sentence),
            Ok(Command::Quit) => {
                self.engine.leave();
                return false;
            }
            Ok(command) => self.perform(command),
        }
        true
    }

    fn perform(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.engine.get_ready();
                self.output.line("readyok");
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position(game) => self.engine.set_game(*game),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Bench(depth) => self.bench(depth),
            Command::SpeedTest { threads, hash, seconds } => {
                self.speed_test(threads, hash, Duration::from_secs(seconds));
            }
            Command::Mcts(seconds) => self.profile_mcts(Duration::from_secs(seconds)),
            Command::GpuBench(iterations) => self.gpu_bench(iterations),
            Command::GenFens { count, seed, book } => self.gen_fens(count, seed, book.as_deref()),
            Command::Spsa => {
                self.output.line(tunables::spsa_rows().trim_end());
            }
            Command::Eval => {
                let position = self.engine.game().position();
                self.output.line(&tandem_engine::explain(position, self.engine.networks()));
                if let Some(policy) = self.engine.policy() {
                    let notation = self.format().notation;
                    self.output.line(&tandem_engine::explain_moves(position, policy, notation));
                }
            }
            Command::ExportNet(name) => self.export_net(&name),
            Command::Flip => self.flip(),
            Command::Go(limits) => self.go(limits),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Display => self.display(),
            Command::Help => {
                self.output.line(help::HELP);
            }
            Command::Quit | Command::Nothing => {}
        }
    }

    fn introduce(&self) {
        self.output.line(concat!("id name Tandem ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Tandem authors");
        for spec in Options::SPECS {
            self.output.line(&output::option(spec));
        }
        #[cfg(feature = "tune")]
        for t in tunables::all() {
            let (name, default, min, max) = (t.name, t.default, t.min, t.max);
            self.output.line(&format!(
                "option name {name} type spin default {default} min {min} max {max}"
            ));
        }
        self.output.line("uciok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        #[cfg(feature = "tune")]
        if value.parse().is_ok_and(|number| tunables::set(name, number)) {
            return;
        }
        let set = Options::find(name).and_then(|spec| self.engine.set_option(spec, value));
        match set {
            Ok(None) => {}
            Ok(Some(notice)) => self.output.sentence(&notice),
            Err(error) => {
                self.output.sentence(&error.to_string());
                return;
            }
        }
        let log = &self.engine.options().log_file;
        if name.eq_ignore_ascii_case("Debug Log File")
            && let Err(error) = self.output.log_to(log)
        {
            self.output.sentence(&format!("cannot write the log file '{log}': {error}"));
        }
    }

    fn format(&self) -> Format {
        let options = self.engine.options();
        let notation =
            if options.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        Format { notation, wdl: options.show_wdl }
    }

    fn go(&mut self, limits: Limits) {
        let (position, format) = (*self.engine.game().position(), self.format());
        let explains = self.engine.options().hybrid_info;
        let output = self.output.clone();
        self.engine.go(limits, move |event| match event {
            Event::Progress(progress) => {
                progress.notices.iter().for_each(|notice| output.sentence(notice));
                if let Some(told) = progress.deliberation.as_ref().filter(|_| explains) {
                    for sentence in output::deliberation(told, &position, format) {
                        output.sentence(&sentence);
                    }
                }
                for report in &progress.moves {
                    output.line(&output::move_stats(report, &position, format));
                }
                output.line(&output::info(progress, &position, format))
            }
            Event::Finished(choice) => output.line(&output::best_move(choice, &position, format)),
        });
    }

    /// Shows the present position from the other side, colours changed: its score should be the
    /// same.
    fn flip(&mut self) {
        match self.engine.game().position().flipped() {
            Ok(position) => self.engine.set_game(Game::new(position)),
            Err(error) => self.output.sentence(&error.to_string()),
        }
    }

    fn bench(&mut self, depth: u32) {
        let (networks, output) = (self.engine.networks().cloned(), self.output.clone());
        self.engine.work(move |control| {
            if let Some(bench) = tandem_engine::bench(depth, 16, networks.as_ref(), control) {
                output.line(&format!("{} nodes {} nps", bench.nodes, bench.nps()));
            }
        });
    }

    fn gpu_bench(&mut self, iterations: usize) {
        let Some(networks) = self.engine.networks().cloned() else {
            self.output.sentence("there is no network; name one with the option EvalFile");
            return;
        };
        let (name, output) = (self.engine.evaluation_name(), self.output.clone());
        let policy = self.engine.policy().cloned();
        self.engine.work(move |control| {
            let goes_on = |_: &str| !control.is_stopped();
            match tandem_engine::gpu_bench(&networks, &name, policy.as_ref(), iterations, goes_on) {
                Ok(Some(report)) => {
                    output.line(&report.to_string());
                }
                Ok(None) => output.sentence("the bench was stopped"),
                Err(error) => output.sentence(&error.to_string()),
            }
        });
    }

    fn export_net(&self, name: &str) {
        let sentence = match self.engine.networks() {
            None => "there is no network to export; name one with the option EvalFile".to_owned(),
            Some(networks) => {
                let network = networks.large();
                match std::fs::write(name, network.to_bytes(network.encoding())) {
                    Ok(()) => format!("the network was written to '{name}'"),
                    Err(error) => format!("cannot write '{name}': {error}"),
                }
            }
        };
        self.output.sentence(&sentence);
    }

    fn speed_test(&mut self, threads: usize, hash: usize, time: Duration) {
        let (networks, output) = (self.engine.networks().cloned(), self.output.clone());
        self.engine.work(move |control| {
            let settings = Settings { threads, hash, ..Settings::default() };
            if let Some(result) = tandem_engine::speed(&settings, time, networks.as_ref(), control)
            {
                output.line(&format!(
                    "{threads} threads, {hash} MiB: {} nodes {} nps",
                    result.nodes,
                    result.nps()
                ));
            }
        });
    }

    /// Says what Monte Carlo tree search does in the position, and where its time goes.
    fn profile_mcts(&mut self, time: Duration) {
        let mut search = self.engine.new_mcts();
        let (game, output) = (self.engine.game().clone(), self.output.clone());
        self.engine.work(move |control| {
            let profile = Profile::of(&mut search, &game, time, control);
            output.line(&profile.to_string());
        });
    }

    /// Prints openings in the form in which `OpenBench` collects them.
    fn gen_fens(&mut self, count: usize, seed: u64, book: Option<&str>) {
        let starts = match book.map(read_positions).transpose() {
            Ok(starts) => starts.unwrap_or_default(),
            Err(sentence) => {
                self.output.sentence(&sentence);
                return;
            }
        };
        let openings = Openings::new(seed, starts, 1000, self.engine.networks());
        let output = self.output.clone();
        self.engine.work(move |control| {
            for game in openings.take(count).take_while(|_| !control.is_stopped()) {
                output.line(&format!("info string genfens {}", game.position()));
            }
        });
    }

    fn perft(&mut self, depth: u32) {
        let (position, notation) = (*self.engine.game().position(), self.format().notation);
        let output = self.output.clone();
        self.engine.work(move |control| {
            let mut sum = 0;
            for m in position.legal_moves() {
                let next = position.after(m);
                let below = depth.saturating_sub(1);
                let Some(nodes) = perft_until(&next, below, control.stop_flag()) else {
                    return;
                };
                output.line(&format!("{}: {nodes}", position.uci(m, notation)));
                sum += nodes;
            }
            output.line(&format!("\nNodes searched: {sum}\n"));
        });
    }

    fn display(&self) {
        let game = self.engine.game();
        let position = game.position();
        let fen = if self.engine.options().chess960 {
            position.shredder_fen()
        } else {
            position.to_string()
        };
        let tables = self.engine.tablebases().and_then(|tables| tables.describe(position));
        let tables = tables.map_or_else(String::new, |text| format!("\nTablebases: {text}"));
        let checkers: Vec<_> = position.checkers().into_iter().map(|s| s.to_string()).collect();
        self.output.line(&format!(
            "{}\nFen: {fen}\nKey: {:016X}\nCheckers: {}{tables}{}",
            position.board(Style::Letters),
            position.key(),
            checkers.join(" "),
            verdict(game),
        ));
    }
}

/// The positions of a book, one FEN or EPD a line.
fn read_positions(name: &str) -> Result<Vec<Position>, String> {
    let text =
        std::fs::read_to_string(name).map_err(|error| format!("cannot read '{name}': {error}"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .enumerate()
        .map(|(number, line)| {
            let board: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
            Position::from_fen(&board.join(" "))
                .map_err(|error| format!("'{name}', line {}: {error}", number + 1))
        })
        .collect()
}

/// A line of input.
enum Line {
    Text(String),
    TooLong,
}

/// The next line, whatever bytes it holds; none at the end of input. Of a line that is too long
/// nothing is kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned())))
}

/// A line that says how the game has ended, if it has.
fn verdict(game: &Game) -> String {
    game.outcome().map_or(String::new(), |outcome| format!("\nThe game is over: {outcome}"))
}
