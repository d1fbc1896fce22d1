//! Games of the best pair against itself.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tandem_chess::Random;
use tandem_games::Shard;
use tandem_games::book::{Book, BookSpec, Order};
use tandem_games::player::{self, Identity};
use tandem_games::selfplay::{self, SelfPlay, SelfPlayError, Settings, SideOptions, Start};

use super::LoopError;
use super::config::{CHANCE, START, SelfPlaySettings};
use super::news::{Listener, News};
use super::pair::Pair;
use super::state::Portion;

/// Games to be played with the same settings.
pub struct Assignment<'a> {
    /// How they are played.
    pub settings: &'a SelfPlaySettings,
    /// The limit of search-contempt; none for plain PUCT.
    pub limit: Option<u64>,
    /// How many.
    pub games: u64,
    /// Where their chance begins.
    pub seed: u64,
    /// Which of them are ours.
    pub shard: Shard,
    /// Games side by side.
    pub concurrency: usize,
    /// The name of the files in which they are kept, without ending.
    pub out: PathBuf,
}

impl Assignment<'_> {
    /// Has that pair play them, from where an earlier run left off. Nothing comes of it if it is stopped.
    ///
    /// # Errors
    /// They cannot be played or kept.
    pub fn play(
        &self,
        pair: &Pair,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Portion>, LoopError> {
        Ok(self.share(pair, stop, listener)?.map(|(portion, _)| portion))
    }

    /// As [`play`](Self::play), and says who played.
    ///
    /// # Errors
    /// They cannot be played or kept.
    pub fn share(
        &self,
        pair: &Pair,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<(Portion, Vec<Identity>)>, LoopError> {
        let work = SelfPlay {
            settings: self.games(pair)?,
            concurrency: self.concurrency,
            out: Some(self.out.clone()),
        };
        let report = work.run(stop, &mut |standing, game| {
            let results = standing.results();
            listener(News::Games {
                games: results.games(),
                total: standing.total(),
                is_first: game.is_none(),
                line: format!("White +{} ={} -{}", results.wins, results.draws, results.losses),
            });
        })?;
        if let Some(reason) = report.trouble {
            return Err(LoopError::Trouble("self-play".to_owned(), reason));
        }
        let results = report.counts.white;
        let plies = report.games.iter().map(|game| game.plies as u64).sum();
        let is_over = results.games() == report.total;
        let portion = Portion { limit: self.limit, results, plies };
        Ok(is_over.then_some((portion, report.identities)))
    }

    /// Looks whether that pair can play such games at all.
    ///
    /// # Errors
    /// An option is unknown, or there are no openings.
    pub fn try_out(&self, pair: &Pair) -> Result<(), LoopError> {
        let settings = self.games(pair)?;
        player::introduce(&settings.players, false).map_err(SelfPlayError::from)?;
        if let Start::Book(book) = &settings.start {
            Book::open(book).map_err(SelfPlayError::from)?;
        }
        Ok(())
    }

    fn games(&self, pair: &Pair) -> Result<Settings, LoopError> {
        let said = |reason: String| LoopError::Trouble("selfplay".to_owned(), reason);
        let both = self.settings.side().map_err(said)?;
        let side = |name| {
            let none = SideOptions::default();
            let mut player = selfplay::player(name, self.settings.nodes, &both, &none);
            player.options.extend(pair.options());
            let limit = self.limit.map(|limit| ("ScLimit".to_owned(), limit.to_string()));
            player.options.extend(limit);
            player
        };
        Ok(Settings {
            players: [side("white"), side("black")],
            games: self.games,
            shard: self.shard,
            seed: self.seed,
            start: self.start(),
            adjudication: self.settings.adjudication().map_err(|error| said(error.to_string()))?,
        })
    }

    fn start(&self) -> Start {
        let openings = &self.settings.openings;
        let file = match openings.to_str() {
            Some(START) => return Start::usual(),
            Some(CHANCE) => None,
            _ => Some(openings.clone()),
        };
        Start::Book(BookSpec {
            file,
            plies: self.settings.book_plies,
            order: Order::Random,
            seed: self.seed,
            chess960: false,
        })
    }
}

/// Where the chance of a part of the loop begins.
pub fn seed(seed: u64, generation: u32, part: u64) -> u64 {
    let place = u64::from(generation) << 20 | part;
    // Neighbouring seeds would give neighbouring streams. What becomes of it fits every format.
    Random::new(seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15)).bits() >> 16
}
