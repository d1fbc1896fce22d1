//! `tandem match`: games between players, with statistics that one can believe.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::ValueEnum;
use tandem_fleet::{Counts, Work, Yield};
use tandem_games::book::{BookSpec, Order};
use tandem_games::pace::{Pace, TimeControl, above_zero};
use tandem_games::statistics::{EloModel, Sprt};
use tandem_games::tournament::{
    Format, GameRecord, Report, Settings, Standing, Tournament, interval, verdict,
};
use tandem_games::{PlayerSpec, Shard, tell_apart};

use crate::ends::EndArgs;
use crate::output::outln;
use crate::progress::GamesBar;
use crate::{Outcome, interrupt, shard};

/// How many games are played unless the user says otherwise; a test ends by itself.
const GAMES: u64 = 100;
const SPRT_GAMES: u64 = 40_000;

/// The words after `tandem match`.
#[derive(clap::Args)]
pub struct Args {
    /// A player, as key=value words: cmd (a UCI engine; without it the engine of this program plays),
    /// name, arg, dir, option.NAME, tc, movetime, nodes, depth, odds (squares without their pieces),
    /// side (both, white, black, weaker), restart, ready (seconds it may take to get ready)
    #[arg(long = "player", value_name = "SETTINGS", required = true)]
    players: Vec<PlayerSpec>,

    /// Time for players without a limit of their own: seconds, seconds+increment,
    /// moves/seconds+increment
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Seconds a move for players without a limit of their own
    #[arg(long, value_parser = above_zero)]
    movetime: Option<Duration>,
    /// Positions a move for players without a limit of their own
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move for players without a limit of their own
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Games for each pairing of players, an even number; 100, or 40000 at most for a test
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: Option<u64>,
    /// Games side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Who meets whom if there are more than two players
    #[arg(long, value_enum, default_value_t = Pairings::RoundRobin)]
    format: Pairings,

    /// Openings: .epd or .fen positions, .pgn games, a Polyglot .bin; without this random balanced ones
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The order of a file's openings
    #[arg(long, value_enum, default_value_t = Sequence::Sequential)]
    order: Sequence,
    /// The most half-moves taken from a game or a Polyglot book
    #[arg(long, default_value_t = 16)]
    book_plies: usize,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play Chess960
    #[arg(long)]
    chess960: bool,

    #[command(flatten)]
    ends: EndArgs,

    /// Milliseconds by which clocks may be overstepped
    #[arg(long, default_value_t = 0)]
    margin: u64,
    /// Seconds an engine may be silent after its time is over
    #[arg(long, default_value = "10", value_parser = above_zero)]
    patience: Duration,

    /// Stop when a sequential probability ratio test of these two Elo values decides: ELO0:ELO1, after
    /// an equals sign if the first is negative
    #[arg(long, value_name = "ELO0:ELO1", num_args = 0..=1, default_missing_value = "0:5")]
    sprt: Option<String>,
    /// The test's chance to accept a gain where there is none
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The test's chance to miss a gain
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What the test's Elo values mean
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    model: Model,

    /// Keep the match as NAME.jsonl and NAME.pgn; the same command later goes on with it. With / at its end it
    /// is a folder, in which this part of the match gets one of its own
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Play only part i of n: every n-th pair of games, parts counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// What the games are called
    #[arg(long, default_value = "tandem match")]
    event: String,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pairings {
    /// Each meets each
    RoundRobin,
    /// The first meets each of the others
    Gauntlet,
}

/// The order of a file's openings.
#[derive(Clone, Copy, ValueEnum)]
pub enum Sequence {
    /// As they stand
    Sequential,
    /// Shuffled by the seed
    Random,
}

impl From<Sequence> for Order {
    fn from(sequence: Sequence) -> Self {
        match sequence {
            Sequence::Sequential => Self::Sequential,
            Sequence::Random => Self::Random,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Elo as usual
    Logistic,
    /// Elo divided by the spread of results
    Normalised,
}

/// Plays the match and prints its result.
pub fn run(args: &Args) -> Outcome {
    let stop = interrupt::signal()?;
    let settings = settings(args)?;
    let Some(out) = args.out.as_deref().filter(|out| shard::is_folder(out)) else {
        return play(args, settings, args.out.clone(), &stop).map(drop);
    };
    let words = Settings { shard: Shard::default(), ..settings.clone() };
    let (job, words) = ("match".to_owned(), serde_json::to_value(words)?);
    let work = Work { job, shard: args.shard, seed: args.seed, settings: words };
    shard::run(out, &work, &stop, |folder| {
        let report = play(args, settings, Some(folder.join("games")), &stop)?;
        let (standing, white) = (&report.standing, report.standing.white());
        let plies = standing.mean_plies().unwrap_or_default() * standing.games() as f64;
        let counts = Counts {
            games: standing.games(),
            positions: plies.round() as u64,
            results: [white.wins(), white.draws(), white.losses()],
        };
        let is_over = standing.games() == standing.total();
        Ok(is_over.then(|| Yield {
            counts,
            engines: report.identities.clone(),
            ..Yield::default()
        }))
    })
}

fn play(
    args: &Args,
    settings: Settings,
    out: Option<PathBuf>,
    stop: &AtomicBool,
) -> Result<Report, Box<dyn std::error::Error>> {
    let tournament = Tournament { concurrency: args.concurrency.into(), out, settings };
    let names: Vec<String> =
        tournament.settings.players.iter().map(|player| player.name.clone()).collect();
    let progress = Progress::new(names, tournament.settings.sprt);
    let report = tournament.run(stop, &mut |standing, game| progress.show(standing, game));
    progress.finish();
    let report: Report = report?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        outln!("{report}");
    }
    match report.trouble {
        Some(trouble) => Err(trouble.into()),
        None => Ok(report),
    }
}

fn settings(args: &Args) -> Result<Settings, Box<dyn std::error::Error>> {
    let all = Pace { tc: args.tc, movetime: args.movetime, nodes: args.nodes, depth: args.depth };
    let mut players = args.players.clone();
    tell_apart(&mut players);
    for player in &mut players {
        player.pace = player.pace.or(all);
    }
    Ok(Settings {
        event: args.event.clone(),
        players,
        format: match args.format {
            Pairings::RoundRobin => Format::RoundRobin,
            Pairings::Gauntlet => Format::Gauntlet,
        },
        games: args.games.unwrap_or(if args.sprt.is_some() { SPRT_GAMES } else { GAMES }),
        shard: args.shard,
        book: BookSpec {
            file: args.book.clone(),
            plies: args.book_plies,
            order: args.order.into(),
            seed: args.seed,
            chess960: args.chess960,
        },
        adjudication: args.ends.spec(),
        margin: Duration::from_millis(args.margin),
        patience: args.patience,
        chess960: args.chess960,
        sprt: args.sprt.as_deref().map(|bounds| sprt(args, bounds)).transpose()?,
    })
}

fn sprt(args: &Args, bounds: &str) -> Result<Sprt, Box<dyn std::error::Error>> {
    let model = match args.model {
        Model::Logistic => EloModel::Logistic,
        Model::Normalised => EloModel::Normalised,
    };
    test(bounds, (args.alpha, args.beta), model)
}

/// A test between those two Elo values, with those chances to err.
pub fn test(
    bounds: &str,
    (alpha, beta): (f64, f64),
    model: EloModel,
) -> Result<Sprt, Box<dyn std::error::Error>> {
    let numbers: Vec<Option<f64>> = bounds.split(':').map(|word| word.parse().ok()).collect();
    let [Some(elo0), Some(elo1)] = numbers[..] else {
        return Err(format!("--sprt {bounds}: expected two Elo values such as 0:5").into());
    };
    Ok(Sprt::new(elo0, elo1, alpha, beta, model)?)
}

/// What is shown while the games are being played.
pub struct Progress {
    names: Vec<String>,
    sprt: Option<Sprt>,
    bar: GamesBar,
}

impl Progress {
    /// Nothing has been played yet. Of two players the first one's results are shown.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Self {
        Self { names, sprt, bar: GamesBar::new() }
    }

    /// Shows how the match stands.
    pub fn show(&self, standing: &Standing, game: Option<&GameRecord>) {
        if let Some(GameRecord { number, ending, .. }) = game.filter(|game| game.fault.is_some()) {
            self.bar.say(&format!("game {}: {ending}", number + 1));
        }
        let (games, total) = (standing.games(), standing.total());
        self.bar.show(games, total, game.is_none(), || self.line(standing));
    }

    fn line(&self, standing: &Standing) -> String {
        let pairing = &standing.pairings()[0];
        let tally = &pairing.tally;
        if standing.pairings().len() > 1 {
            let leader = (0..self.names.len()).max_by(|&a, &b| {
                let rate = |player| standing.tally_of(player).score_rate().unwrap_or(0.0);
                rate(a).total_cmp(&rate(b))
            });
            let leader = leader.unwrap_or(0);
            let rate = standing.tally_of(leader).score_rate().unwrap_or(0.0);
            return format!("{} leads with {:.1} %", self.names[leader], rate * 100.0);
        }
        let (wins, draws, losses) = (tally.wins(), tally.draws(), tally.losses());
        let mut line =
            format!("{} +{wins} ={draws} -{losses}, Elo {}", self.names[0], interval(tally.elo()));
        if let Some(sprt) = self.sprt {
            line = format!("{line}, {}", verdict(&sprt.judge(tally)));
        }
        let faults: u64 =
            standing.conduct().iter().map(tandem_games::conduct::Conduct::faults).sum();
        if faults > 0 { format!("{line}, {faults} faults") } else { line }
    }

    /// Leaves the terminal clean.
    pub fn finish(&self) {
        self.bar.finish();
    }
}
