//! Matches between two pairs of networks in MCTS, with the same number of positions a move.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tandem_games::Shard;
use tandem_games::statistics::{SprtReport, Tally, Verdict};
use tandem_games::tournament::{Report, Tournament, interval, verdict};

use super::LoopError;
use super::news::{Listener, News};
use super::pair::Pair;
use crate::GateSettings;

/// The results of the first pair, and the test if there was one.
pub type Outcome = (Tally, Option<SprtReport>);

/// A match between two pairs.
pub struct Duel<'a> {
    /// Their names and networks; results are those of the first.
    pub players: [(&'a str, &'a Pair); 2],
    /// Positions a move, games, openings and early ends.
    pub rules: &'a GateSettings,
    /// Whether it ends with the verdict of the rules' test.
    pub is_test: bool,
    /// Which pairs of games are ours.
    pub shard: Shard,
    /// Games side by side.
    pub concurrency: usize,
    /// The name of the files in which it is kept, without ending.
    pub out: PathBuf,
}

impl Duel<'_> {
    /// Plays it to its end, from where an earlier run left it. Nothing comes of it if it is stopped.
    ///
    /// # Errors
    /// The games cannot be played or kept.
    pub fn play(
        &self,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Outcome>, LoopError> {
        let report = self.share(stop, listener)?;
        let tally = |report: &Report| report.standing.pairings()[0].tally;
        Ok(report.map(|report| (tally(&report), report.sprt)))
    }

    /// As [`play`](Self::play), with everything that is known of the games.
    ///
    /// # Errors
    /// The games cannot be played or kept.
    pub fn share(
        &self,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Report>, LoopError> {
        let [(name, _), (opponent, _)] = self.players;
        let title = format!("{name} against {opponent}");
        let trouble = |reason| LoopError::Trouble(title.clone(), reason);
        let players = self.players.map(|(name, pair)| {
            let usual = [("SearchMode", "MCTS"), ("Backend", "cpu")];
            let usual = usual.map(|(name, value)| (name.to_owned(), value.to_owned()));
            (name, usual.into_iter().chain(pair.options()).collect())
        });
        let mut settings = self.rules.games(players).map_err(trouble)?;
        "tandem train loop".clone_into(&mut settings.event);
        settings.sprt = settings.sprt.filter(|_| self.is_test);
        settings.shard = self.shard;
        let sprt = settings.sprt;
        let tournament =
            Tournament { settings, concurrency: self.concurrency, out: Some(self.out.clone()) };
        let report = tournament.run(stop, &mut |standing, game| {
            let tally = &standing.pairings()[0].tally;
            let (wins, draws, losses) = (tally.wins(), tally.draws(), tally.losses());
            let elo = interval(tally.elo());
            let test =
                sprt.map_or_else(String::new, |sprt| format!(", {}", verdict(&sprt.judge(tally))));
            listener(News::Games {
                games: standing.games(),
                total: standing.total(),
                is_first: game.is_none(),
                line: format!("{name} +{wins} ={draws} -{losses}, Elo {elo}{test}"),
            });
        });
        let report = report.map_err(|error| LoopError::Match(title.clone(), error))?;
        if let Some(reason) = report.trouble {
            return Err(trouble(reason));
        }
        let is_decided = report.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Continue);
        let is_over = is_decided || report.standing.games() == report.standing.total();
        Ok(is_over.then_some(report))
    }
}
