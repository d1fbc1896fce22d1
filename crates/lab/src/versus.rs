//! Matches of two sides in the start position, half of the games with each colour.

use tandem_games::selfplay::{SideOptions, Start};
use tandem_games::statistics::Tally;

use crate::{LabError, Plan, Point, Session, Setup};

/// Two sides that meet.
pub struct Versus<'a> {
    /// What the files are called, by the colour of the first side.
    pub names: [String; 2],
    /// What tables call them.
    pub titles: [String; 2],
    /// Positions a move.
    pub nodes: u64,
    /// Their options.
    pub sides: [&'a SideOptions; 2],
    /// Games, an even number.
    pub games: u64,
}

/// Results of the first side.
pub struct Outcome {
    /// All games.
    pub all: Tally,
    /// Those with White, and those with Black.
    pub colours: [Tally; 2],
}

impl Versus<'_> {
    /// Plays the match.
    ///
    /// # Errors
    /// The games cannot be played, or were interrupted.
    pub fn play(&self, session: &mut Session<'_>) -> Result<Outcome, LabError> {
        let halves = session.play_all(self.plans(session.setup))?;
        let colours = [tally(&halves[0]), tally(&halves[1]).swapped()];
        let mut all = colours[0];
        all.merge(&colours[1]);
        Ok(Outcome { all, colours })
    }

    fn plans(&self, setup: &Setup) -> Vec<Plan> {
        let [one, other] = self.sides.map(|options| (self.nodes, options));
        let orders = [[one, other], [other, one]];
        let named = self.names.iter().zip(&self.titles).zip(orders);
        let games = self.games / 2;
        named
            .map(|((name, title), sides)| {
                Plan::of_sides(setup, name, title, sides, Start::usual(), games)
            })
            .collect()
    }
}

/// Results for White.
fn tally(point: &Point) -> Tally {
    let results = point.results();
    let tally = Tally::new(results.wins, results.draws, results.losses, [0; 5]);
    tally.expect("without pairs every count is possible")
}
