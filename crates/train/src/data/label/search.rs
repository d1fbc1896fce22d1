//! The score of our own search.

use tandem_chess::{Move, Position};
use tandem_engine::{Control, Limits, Search, Settings};
use tandem_nnue::Networks;

use super::line::Line;
use super::{LabelError, Labeller, internal};

/// MiB for the table of the search. It is cleared for each game, so that scores do not depend on which
/// games came before.
const HASH: usize = 8;
/// Scores by alpha-beta with a fixed number of nodes.
pub struct SearchLabeller {
    search: Box<dyn Search>,
    limits: Limits,
    line: Line,
}

impl SearchLabeller {
    /// The search with those networks and that many nodes a position.
    #[must_use]
    pub fn new(networks: &Networks, nodes: u64) -> Self {
        let settings = Settings { hash: HASH, ..Settings::default() };
        let search = tandem_engine::search(&settings, Some(networks));
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        Self { search, limits, line: Line::default() }
    }
}

impl Labeller for SearchLabeller {
    fn begin(&mut self, start: &Position) -> Result<(), LabelError> {
        self.search.new_game();
        self.line.begin(start);
        Ok(())
    }

    fn push(&mut self, m: Move) {
        self.line.push(m);
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn score(&mut self) -> Result<Option<i32>, LabelError> {
        let game = self.line.game()?;
        let mut score = None;
        self.search.search(game, &self.limits, &Control::new(false), &mut |progress| {
            score = Some(progress.score);
        });
        score
            .map(|score| Some(internal(score, game.position())))
            .ok_or_else(|| LabelError("the search said nothing".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::MATE;
    use super::*;
    use crate::data::testing::networks;

    fn labeller(fen: &str) -> SearchLabeller {
        let mut labeller = SearchLabeller::new(&networks(), 500);
        labeller.begin(&fen.parse().unwrap()).unwrap();
        labeller
    }

    #[test]
    fn mates_are_counted_in_plies_from_the_end_of_the_scale() {
        let mut mating = labeller("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        assert_eq!(mating.score().unwrap(), Some(MATE - 1));
        mating.push(Move::normal("a1".parse().unwrap(), "a8".parse().unwrap()));
        assert_eq!(mating.score().unwrap(), Some(-MATE));
        mating.pop();
        assert_eq!(mating.score().unwrap(), Some(MATE - 1));
    }

    #[test]
    fn a_game_gets_the_same_scores_whatever_came_before() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mut first = labeller(fen);
        let score = first.score().unwrap();
        first.begin(&Position::startpos()).unwrap();
        first.score().unwrap();
        first.begin(&fen.parse().unwrap()).unwrap();
        assert_eq!(first.score().unwrap(), score);
    }
}
