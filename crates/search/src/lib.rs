//! What every search shares: what it may spend, how it is told to stop, and what it reports.
//!
//! A [`Search`] runs on the caller's thread and returns its choice. Starting it in the background,
//! stopping it and printing what it reports are the business of those above it.

mod bare_king;
mod company;
mod control;
mod deliberation;
mod endgames;
mod evaluate;
mod exchange;
mod limits;
mod live;
mod progress;
mod recall;
mod settings;
mod slate;
mod time;
mod timer;
mod tunables;
mod turns;

pub use bare_king::{bare_king, plies_to_mate};
pub use company::Company;
pub use control::Control;
pub use deliberation::{Contender, Deliberation};
pub use endgames::Endgames;
pub use evaluate::Evaluate;
pub use exchange::{Exchange, Terms, Traffic};
pub use limits::{Clock, Limits};
pub use live::{Beat, accompany};
pub use progress::{Bound, Choice, JudgedMove, MoveReport, Progress, Score};
pub use recall::{Recall, Recollection};
pub use settings::Settings;
pub use slate::{Judgement, Slate, Standing};
pub use time::Budget;
pub use timer::Timer;
pub use tunables::{Tunable, spsa_rows};
pub use turns::{Side, Turns};

use tandem_chess::Game;

/// A way of choosing a move.
pub trait Search: Send {
    /// Chooses a move for the side to move, reporting as it goes.
    ///
    /// Returns no later than the limits allow and soon after [`Control::stop`]. If there is a legal
    /// move, one is returned, however little time there was. The last report is about the move that
    /// is returned.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice;

    /// Prepares what the first search would otherwise have to.
    fn get_ready(&mut self) {}

    /// Forgets what earlier games taught.
    fn new_game(&mut self);

    /// Goes by other settings from the next search on.
    fn configure(&mut self, settings: &Settings);
}
