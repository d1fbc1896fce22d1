//! `tandem datagen`: training data, made, counted, looked at and converted.

mod convert;
mod pgn;
mod progress;
mod selfplay;
mod stats;
mod view;
mod winrate;

use std::path::PathBuf;

use clap::Subcommand;
use tandem_train::data::{Damage, Format, SoundGames, open};

use crate::Outcome;

/// The words after `tandem datagen`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Play games of the engine against itself
    Selfplay(Box<selfplay::Args>),
    /// Turn PGN collections into games with scores
    Pgn(Box<pgn::Args>),
    /// Count what a file holds, and draw it
    Stats(Box<stats::Args>),
    /// Print the positions of a file
    View(Box<view::Args>),
    /// Fit the model that turns scores into chances
    Winrate(Box<winrate::Args>),
    /// Write a file in another format
    Convert(Box<convert::Args>),
}

/// Carries out the task.
pub fn run(args: &Args) -> Outcome {
    match &args.task {
        Task::Selfplay(args) => selfplay::run(args),
        Task::Pgn(args) => pgn::run(args),
        Task::Stats(args) => stats::run(args),
        Task::View(args) => view::run(args),
        Task::Winrate(args) => winrate::run(args),
        Task::Convert(args) => convert::run(args),
    }
}

/// A file of games or positions to read.
#[derive(clap::Args)]
struct Source {
    /// The file
    file: PathBuf,
    /// Its format (games, viri, bullet, binpack), where its name does not tell
    #[arg(long)]
    format: Option<Format>,
    /// Pass over damaged parts, naming each on standard error, instead of ending there
    #[arg(long)]
    skip_damaged: bool,
}

impl Source {
    fn format(&self) -> Result<Format, Box<dyn std::error::Error>> {
        Ok(self.format.map_or_else(|| Format::of(&self.file), Ok)?)
    }

    fn size(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    fn open<'a>(
        &self,
        on_damage: &'a mut dyn FnMut(&Damage),
    ) -> Result<SoundGames<'a>, Box<dyn std::error::Error>> {
        let reader = open(&self.file, self.format()?)?;
        Ok(if self.skip_damaged {
            SoundGames::skipping(reader, on_damage)
        } else {
            SoundGames::strict(reader)
        })
    }
}

/// Names damage on standard error.
fn tell_damage(damage: &Damage) {
    eprintln!("tandem: {damage}");
}
