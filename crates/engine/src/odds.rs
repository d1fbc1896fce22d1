//! Playing at odds: settings for who begins without some of his pieces.
//!
//! At odds the position is lost against best play, so play goes on by what the opponent may overlook: the
//! exploring search with search-contempt, contempt by ratings, and a little chance in the first moves.

use std::num::NonZeroI64;

use tandem_chess::{Color, Game, PieceType, Position};
use tandem_mcts::Temperature;

use crate::options::{Options, SearchMode};

/// What is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds {
    /// A pawn, or two.
    Pawn,
    /// A knight or a bishop, or a rook for a piece.
    Knight,
    /// A rook.
    Rook,
    /// Two pieces.
    TwoPieces,
    /// The queen, or as much.
    Queen,
}

/// When odds are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OddsMode {
    /// Never.
    #[default]
    Off,
    /// When the side to move began the game without some of its pieces, by what is missing.
    Auto,
    /// Always, by that preset.
    Always(Odds),
}

/// How it is played at some odds.
struct Preset {
    /// Playouts a move at the most.
    nodes: u64,
    /// The temperature of the first moves.
    temperature: f32,
}

/// Visits after which the opponent's choices are frozen, at any odds. With fewer, as other bots have it, the
/// opponent is expected to blunder all the time, which games against our own engine have punished.
const SC_LIMIT: NonZeroI64 = NonZeroI64::new(400).expect("not zero");
/// How alike the frozen shares become: moves that were hardly looked at are hardly expected.
const SC_TEMPERATURE: f32 = 0.4;
/// A rating that stands for the strength of the program, on the scale of people.
const OUR_RATING: f32 = 3000.0;
/// By how much we are taken to be stronger than somebody whose rating nobody knows.
const USUAL_ADVANTAGE: f32 = 300.0;
/// More would make any position look won.
const MOST_ADVANTAGE: f32 = 500.0;

impl Odds {
    /// What the side began the game without, if it is less than its opponent has.
    #[must_use]
    pub fn given(start: &Position, side: Color) -> Option<Self> {
        let pawns = |side: Color| {
            let worth = |(kind, worth)| start.pieces(side, kind).count() * worth;
            PieceType::ALL.into_iter().zip([1, 3, 3, 5, 9]).map(worth).sum::<u32>()
        };
        match pawns(!side).saturating_sub(pawns(side)) {
            0 => None,
            1 | 2 => Some(Self::Pawn),
            3 | 4 => Some(Self::Knight),
            5 => Some(Self::Rook),
            6 | 7 => Some(Self::TwoPieces),
            _ => Some(Self::Queen),
        }
    }

    const fn preset(self) -> Preset {
        let (nodes, temperature) = match self {
            Self::Pawn => (200_000, 0.3),
            Self::Knight => (100_000, 0.5),
            Self::Rook => (50_000, 0.6),
            Self::TwoPieces => (30_000, 0.7),
            Self::Queen => (20_000, 0.7),
        };
        Preset { nodes, temperature }
    }
}

/// The rating that UCI tells of an opponent: `GM 2800 human Magnus`.
fn rating(opponent: &str) -> Option<f32> {
    opponent
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
        .filter(|rating| (0.0..=5000.0).contains(rating))
}

impl Options {
    /// The odds that are played in that game, if any.
    #[must_use]
    pub fn odds_in(&self, game: &Game) -> Option<Odds> {
        match self.odds {
            OddsMode::Off => None,
            OddsMode::Auto => Odds::given(game.start(), game.position().side_to_move()),
            OddsMode::Always(odds) => Some(odds),
        }
    }

    /// The options as that game wants them: what a user has set stays, the odds bring the rest.
    #[must_use]
    pub fn at_odds(&self, game: &Game) -> Self {
        let mut options = self.clone();
        let Some(odds) = self.odds_in(game).filter(|_| !self.analysing) else { return options };
        let preset = odds.preset();
        options.mode = SearchMode::Mcts;
        let mcts = &mut options.mcts;
        if mcts.sc_limit.is_none() {
            mcts.sc_limit = Some(SC_LIMIT);
            mcts.sc_temperature = mcts.sc_temperature.or(Some(SC_TEMPERATURE));
        }
        if mcts.temperature == Temperature::default() {
            mcts.temperature = Temperature {
                start: preset.temperature,
                decay_moves: 5,
                value_cutoff: 4.0,
                ..Temperature::default()
            };
        }
        if mcts.rating_advantage == 0.0 {
            let known = rating(&self.opponent).map(|rating| OUR_RATING - rating);
            mcts.rating_advantage = known.unwrap_or(USUAL_ADVANTAGE).clamp(0.0, MOST_ADVANTAGE);
        }
        options
    }

    /// The most playouts of a move in that game, if odds say so.
    #[must_use]
    pub fn most_playouts(&self, game: &Game) -> Option<u64> {
        self.odds_in(game).filter(|_| !self.analysing).map(|odds| odds.preset().nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().unwrap())
    }

    #[test]
    fn odds_are_told_by_what_is_missing() {
        for (fen, white, black) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1", Some(Odds::Pawn), None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", Some(Odds::Knight), None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", Some(Odds::Rook), None),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1",
                Some(Odds::TwoPieces),
                None,
            ),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, Some(Odds::Queen)),
        ] {
            let start: Position = fen.parse().unwrap();
            assert_eq!(Odds::given(&start, Color::White), white, "{fen}");
            assert_eq!(Odds::given(&start, Color::Black), black, "{fen}");
        }
    }

    #[test]
    fn a_preset_gives_way_to_what_the_user_has_set() {
        let knight = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        let mut options = Options::default();
        assert_eq!(options.at_odds(&knight), options, "off unless asked for");
        options.odds = OddsMode::Auto;
        let set = options.at_odds(&knight);
        assert_eq!((set.mode, set.mcts.sc_limit), (SearchMode::Mcts, Some(SC_LIMIT)));
        assert_eq!(set.mcts.sc_temperature, Some(SC_TEMPERATURE));
        assert!(set.mcts.temperature.start > 0.0 && set.mcts.rating_advantage == USUAL_ADVANTAGE);
        assert_eq!(options.at_odds(&Game::default()), options, "nothing is missing");
        options.mcts.sc_limit = NonZeroI64::new(7);
        options.opponent = "none 2900 human Somebody".to_owned();
        let set = options.at_odds(&knight);
        assert_eq!((set.mcts.sc_limit, set.mcts.rating_advantage), (NonZeroI64::new(7), 100.0));
        assert_eq!(set.mcts.sc_temperature, None, "a limit of one's own stands for itself");
        options.analysing = true;
        assert_eq!(options.at_odds(&knight), options, "an analysis wants the truth");
    }

    #[test]
    fn ratings_are_read_as_uci_writes_them() {
        assert_eq!(rating("GM 2800 human Gary Kasparov"), Some(2800.0));
        assert_eq!(rating("none none computer Shredder"), None);
        assert_eq!(rating(""), None);
    }
}
