//! One position.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::ProgressBar;
use tandem_analysis::{Job, Pool, Snapshot, Update, request};
use tandem_chess::{CastlingNotation, Game, Position};

use super::{Args, table};
use crate::Outcome;
use crate::output::outln;

/// How often the terminal tells how it looks, and somebody looks whether it is to end.
const ATTENTION: Duration = Duration::from_millis(100);

/// What is heard of the position.
enum News {
    Partial(Box<Snapshot>),
    Done(Box<Snapshot>),
    Failed(String),
}

/// Analyses the position and prints what was found.
pub fn run(args: &Args, stop: &AtomicBool) -> Outcome {
    let mut game = Game::new(args.fen.unwrap_or_else(Position::startpos));
    for word in &args.moves {
        let m = request::parse_move(game.position(), word)?;
        game.play(m)?;
    }
    let pool = Pool::new(&args.pool(1))?;
    let bar = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let (sender, news) = mpsc::channel();
    let ticket = pool.submit(Job {
        game,
        limits: args.limits(Duration::from_secs(1)),
        multi_pv: args.multipv.into(),
        mode: args.mode.into(),
        notation: if args.chess960 {
            CastlingNotation::Chess960
        } else {
            CastlingNotation::Standard
        },
        options: Vec::new(),
        priority: 0,
        report_every: bar.as_ref().map(|_| ATTENTION),
        hear: Box::new(move |update| {
            let news = match update {
                Update::Partial(snapshot) => News::Partial(Box::new(snapshot.clone())),
                Update::Done(snapshot) => News::Done(Box::new(snapshot.clone())),
                Update::Failed(error) => News::Failed(error.to_string()),
                Update::Skipped => News::Failed("it was ended before it began".to_owned()),
                Update::Broken => {
                    News::Failed("the search broke down; please report this".to_owned())
                }
            };
            sender.send(news).is_ok()
        }),
    });
    let done = loop {
        match news.recv_timeout(ATTENTION) {
            Ok(News::Done(snapshot)) => break snapshot,
            Ok(News::Failed(sentence)) => return Err(sentence.into()),
            Ok(News::Partial(snapshot)) => {
                if let Some(bar) = &bar {
                    bar.set_message(table::one_line(&snapshot.analysis()));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err("the search broke down".into()),
        }
        if stop.load(Ordering::Relaxed) {
            pool.cancel(ticket);
        }
    };
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let analysis = done.analysis();
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&analysis)?);
    } else {
        outln!("{}", table::text(&analysis));
    }
    Ok(())
}
