//! `tandem serve`: the local page, to analyse and play in a browser.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use tandem_web::{Server, Settings, Token};

use crate::output::outln;
use crate::{Outcome, interrupt};

/// MiB for each page's engine unless the user says otherwise.
const HASH: usize = 128;

/// The words after `tandem serve`.
#[derive(clap::Args)]
pub struct Args {
    /// The port on the loopback interface; without this 8080, or the next that is free
    #[arg(long)]
    port: Option<u16>,
    /// How many threads a search gets; without this as many as the machine offers
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB that each page's engine may take
    #[arg(long, default_value_t = HASH, value_parser = whole_hash)]
    hash: usize,
    /// How many pages may be open at a time, each with an engine of its own
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pages: u16,
    /// An option of the engine, as NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Open the page in the usual browser
    #[arg(long)]
    open: bool,
    /// Where the page's token is kept, so that open pages find the server again after a restart
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Make a new token: pages that are open or bookmarked no longer find the server
    #[arg(long)]
    new_token: bool,
}

fn whole_hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(hash @ 1..=1_048_576) => Ok(hash),
        _ => Err("expected a whole number of MiB from 1 to 1048576".to_owned()),
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    tandem_engine::Options::find(name).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Serves the page until Ctrl-C.
pub fn run(args: &Args) -> Outcome {
    let stop = interrupt::signal()?;
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        usize::from,
    );
    let settings = Settings {
        port: args.port,
        sessions: args.pages.into(),
        threads,
        hash: args.hash,
        options: args.options.clone(),
    };
    check(&args.options)?;
    let server = Server::bind(settings, token(args)?)?;
    let url = server.url();
    outln!("{url}");
    if std::io::stdout().is_terminal() {
        eprintln!("Open this address in a browser on this machine. Ctrl-C ends the server.");
    }
    if args.open {
        open(&url);
    }
    server.run(|| stop.load(Ordering::Relaxed))?;
    Ok(())
}

/// Whether an engine takes these options, so that a mistake is told now and not on the page.
fn check(options: &[(String, String)]) -> Outcome {
    let mut engine = tandem_engine::Engine::new();
    for (name, value) in options {
        engine.set_option(tandem_engine::Options::find(name)?, value)?;
    }
    Ok(())
}

fn token(args: &Args) -> Result<Token, Box<dyn std::error::Error>> {
    let Some(file) = args.token_file.clone().or_else(Token::usual_file) else {
        return Ok(Token::random()?);
    };
    if args.new_token {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(format!("cannot remove {} ({error})", file.display()).into());
            }
            _ => {}
        }
    }
    match Token::kept_in(&file) {
        Ok(token) => Ok(token),
        // Whoever names a file wants it; otherwise a token that is not kept will do.
        Err(error) if args.token_file.is_some() => Err(error.into()),
        Err(error) => {
            eprintln!("tandem: {error}; this one holds until the server ends");
            Ok(Token::random()?)
        }
    }
}

/// Opens an address in the usual browser. Where that is not possible the address has been printed.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if let Err(error) = std::process::Command::new(program).arg(url).spawn() {
        eprintln!("tandem: no browser could be opened ({error}); open the address yourself");
    }
}
