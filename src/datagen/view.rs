//! `tandem datagen view`: games and positions in words.

use tandem_train::data::{Range, view};

use super::{Source, tell_damage};
use crate::Outcome;
use crate::output::out;

/// The words after `tandem datagen view`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Which games, counted from 1: 7, 3..5, 3.. or ..5
    #[arg(long, default_value = "..10")]
    games: Range,
}

/// Prints a line about each game, and FEN, move, score and result of each position.
pub fn run(args: &Args) -> Outcome {
    let mut on_damage = tell_damage;
    let mut games = args.source.open(&mut on_damage)?;
    for number in 1.. {
        if args.games.is_over(number) {
            break;
        }
        let Some(record) = games.next_game()? else { break };
        if args.games.contains(number) {
            out!("{}", view(number, &record));
        }
    }
    Ok(())
}
