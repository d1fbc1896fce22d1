//! The arguments that say when games end before their end, the same for all commands that play games.

use clap::Args;
use tandem_games::adjudication::{AdjudicationSpec, DrawRule, ResignRule};

/// When games end early.
#[derive(Args, Clone)]
pub struct EndArgs {
    /// End games as draws: MOVE:COUNT:CENTIPAWNS, from that move, after so many moves of both within
    /// so many centipawns
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "40:8:10")]
    draw: Option<DrawRule>,
    /// End games as lost: COUNT:CENTIPAWNS, after so many moves on which both agree
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "4:600")]
    resign: Option<ResignRule>,
    /// End games that these Syzygy tables know
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    /// End games after so many half-moves as draws
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
}

impl EndArgs {
    /// As the games heed them.
    pub fn spec(&self) -> AdjudicationSpec {
        AdjudicationSpec {
            draw: self.draw,
            resign: self.resign,
            tables: self.tablebases.clone(),
            max_plies: self.max_plies,
        }
    }
}
