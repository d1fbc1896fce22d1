//! Games of the engine against itself, as training data.
//!
//! Each game has a number, which decides its opening; the engine forgets everything between games. So
//! the same seed gives the same file whatever the number of threads, and a file that was interrupted
//! goes on with the game after its last one.

mod dealer;
mod game;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tandem_games::adjudication::Adjudication;
use tandem_nnue::Networks;

pub use tandem_games::{Shard, ShardError};

use self::dealer::Dealer;
use self::game::SelfPlayer;
use crate::data::{DataError, Format, Record, SoundGames, Writer, append, open};
use crate::turnstile::Turnstile;

/// How games against itself are played.
#[derive(Clone)]
pub struct SelfPlay {
    /// Positions for each move.
    pub nodes: u64,
    /// How many games the file is to hold.
    pub games: u64,
    /// Where chance begins.
    pub seed: u64,
    /// Which part of the games this file holds.
    pub shard: Shard,
    /// The largest gain that random opening moves may bring a side, in centipawns.
    pub balance: i32,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Games at a time.
    pub threads: usize,
    /// The evaluation; the plain one if there are no networks.
    pub networks: Option<Networks>,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Yield {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games that were there when the work began.
    pub resumed: u64,
    /// Positions in those.
    pub resumed_positions: u64,
    /// Results: games that White won, drawn ones, games that Black won.
    pub results: [u64; 3],
    /// Bytes of a game that an interruption had cut off and that are played again.
    pub cut_off: u64,
}

impl Yield {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.positions += record.positions() as u64;
        self.results[2 - record.result().index()] += 1;
    }
}

/// What is written to in the order of the games.
struct Output<'a> {
    writer: Box<dyn Writer>,
    done: Yield,
    failure: Option<DataError>,
    observer: &'a mut (dyn FnMut(&Yield) + Send),
}

impl Output<'_> {
    /// Not even the death of the process loses a game that was played to its end.
    fn keep(&mut self, record: &Record) -> Result<(), DataError> {
        self.writer.write(record)?;
        self.writer.hand_over()?;
        self.done.add(record);
        Ok(())
    }
}

impl SelfPlay {
    /// Plays until the file holds the games that were asked for, or until `stop`. The observer hears
    /// of each game.
    ///
    /// # Errors
    /// The file is damaged or the disk does not take more; finished games are safe.
    pub fn run(
        &self,
        file: &Path,
        stop: &AtomicBool,
        observer: &mut (dyn FnMut(&Yield) + Send),
    ) -> Result<Yield, DataError> {
        let (writer, cut_off) = append(file)?;
        let mut dealer = Dealer::new(self);
        let mut done = Yield { cut_off, ..Yield::default() };
        let mut kept = SoundGames::strict(open(file, Format::Games)?);
        while let Some(record) = kept.next_game()? {
            dealer.remember(&record);
            done.add(&record);
        }
        (done.resumed, done.resumed_positions) = (done.games, done.positions);
        observer(&done);

        let dealer = Mutex::new(dealer);
        let output =
            Turnstile::starting_at(done.games, Output { writer, done, failure: None, observer });
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| self.work(&dealer, &output, stop));
            }
        });
        let mut output = output.into_inner();
        match output.failure {
            Some(error) => Err(error),
            None => output.writer.finish().map(|()| output.done),
        }
    }

    /// Plays one game after another.
    fn work(&self, dealer: &Mutex<Dealer>, output: &Turnstile<Output<'_>>, stop: &AtomicBool) {
        let mut player = SelfPlayer::new(self);
        while !stop.load(Ordering::Relaxed) {
            let dealt = dealer.lock().unwrap_or_else(PoisonError::into_inner).deal();
            let Some((number, opening)) = dealt else { return };
            let Some(record) = player.play(&opening, stop) else { break };
            let kept = output.pass(number, |output| match output.keep(&record) {
                Ok(()) => {
                    (output.observer)(&output.done);
                    true
                }
                Err(error) => {
                    output.failure = Some(error);
                    false
                }
            });
            if kept != Some(true) {
                break;
            }
        }
        // Games after one that was not finished cannot be kept in order: they are played again.
        output.close();
    }
}
