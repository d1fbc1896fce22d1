//! Where a worker's players sit, and what happens at one board.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use tandem_chess::{Color, Game, PieceType, Position, see};

use super::record::GameRecord;
use super::schedule::Fixture;
use super::settings::Settings;
use crate::book::{Book, OpeningError, odds_of};
use crate::pgn::{self, Headers};
use crate::play::{self, Ending, PlayedGame, Rules};
use crate::player::{Fault, Player, Pool};
use crate::spec::Side;

/// The players of one worker, started when they are first needed.
pub struct Seats<'a> {
    settings: &'a Settings,
    players: Pool<'a>,
}

impl<'a> Seats<'a> {
    /// Nobody sits yet.
    pub fn new(settings: &'a Settings) -> Self {
        Self { settings, players: Pool::new(&settings.players, settings.chess960) }
    }

    /// Plays a game. Nothing comes of it if it is stopped.
    pub fn play(
        &mut self,
        fixture: &Fixture,
        book: &Mutex<Book>,
        rules: &Rules,
        stop: &AtomicBool,
    ) -> Result<Option<GameRecord>, OpeningError> {
        let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, players, opening) = self.arrange(fixture, &mut book)?;
        drop(book);
        let paces = players.map(|player| self.settings.players[player].pace);
        let game = match self.seat(players) {
            Err((side, fault)) => {
                Some(PlayedGame { opening, moves: Vec::new(), ending: Ending::Fault(side, fault) })
            }
            Ok(mut seated) => {
                let [white, black] = &mut seated;
                let seats: &mut [&mut dyn Player; 2] = &mut [&mut **white, &mut **black];
                let game = play::play(&opening, seats, paces, rules, stop);
                self.stand_up(players, seated, game.as_ref());
                game
            }
        };
        Ok(game.map(|game| self.record(fixture, number, players, &game)))
    }

    /// The opening and who has which colour.
    fn arrange(
        &self,
        fixture: &Fixture,
        book: &mut Book,
    ) -> Result<(u64, [usize; 2], Game), OpeningError> {
        let specs = fixture.players.map(|player| &self.settings.players[player]);
        let fixed = specs.iter().position(|spec| spec.side != Side::Both);
        // Who always has the same side plays each opening once.
        let number = match fixed {
            Some(_) => fixture.round * 2 + fixture.leg,
            None => fixture.round,
        };
        let first_is_white = match fixed {
            None => fixture.leg == 0,
            Some(place) => {
                let color = match specs[place].side {
                    Side::White => Color::White,
                    Side::Black => Color::Black,
                    Side::Weaker | Side::Both => weaker(book.opening(number, &[])?.position()),
                };
                (color == Color::White) == (place == 0)
            }
        };
        let [one, two] = fixture.players;
        let players = if first_is_white { [one, two] } else { [two, one] };
        let missing: Vec<_> = Color::ALL
            .into_iter()
            .flat_map(|color| odds_of(&self.settings.players[players[color.index()]].odds, color))
            .collect();
        Ok((number, players, book.opening(number, &missing)?))
    }

    /// Brings both players to the board, starting them if need be.
    fn seat(&mut self, players: [usize; 2]) -> Result<[Box<dyn Player>; 2], (Color, Fault)> {
        let white = self.players.take(players[0]).map_err(|fault| (Color::White, fault))?;
        match self.players.take(players[1]) {
            Ok(black) => Ok([white, black]),
            Err(fault) => {
                self.players.give_back(players[0], white);
                Err((Color::Black, fault))
            }
        }
    }

    /// Has the players wait for the next game, except one that broke down: it is started anew.
    fn stand_up(
        &mut self,
        players: [usize; 2],
        seated: [Box<dyn Player>; 2],
        game: Option<&PlayedGame>,
    ) {
        for ((place, player), color) in players.into_iter().zip(seated).zip(Color::ALL) {
            let broke_down = matches!(game.map(|game| &game.ending), Some(Ending::Fault(culprit, fault))
                if *culprit == color && !matches!(fault, Fault::Overstepped(_)));
            if !broke_down {
                self.players.give_back(place, player);
            }
        }
    }

    fn record(
        &self,
        fixture: &Fixture,
        opening: u64,
        players: [usize; 2],
        game: &PlayedGame,
    ) -> GameRecord {
        let specs = players.map(|player| &self.settings.players[player]);
        let names = specs.map(|spec| spec.name.as_str());
        let headers = Headers {
            event: &self.settings.event,
            round: format!("{}.{}", fixture.pair + 1, fixture.leg + 1),
            names,
            paces: specs.map(|spec| spec.pace),
            chess960: self.settings.chess960,
        };
        GameRecord {
            number: fixture.number,
            players,
            opening,
            white: game.ending.score(),
            ending: pgn::sentence(&game.ending, names),
            fault: match &game.ending {
                Ending::Fault(culprit, fault) => Some((players[culprit.index()], fault.into())),
                _ => None,
            },
            plies: game.opening.moves().len() + game.moves.len(),
            efforts: game.efforts(),
            pgn: pgn::write(game, &headers),
        }
    }
}

/// The side with less material; White if both have the same.
fn weaker(position: &Position) -> Color {
    let material = |color| -> i32 {
        let kinds = PieceType::ALL.into_iter();
        kinds.map(|kind| position.pieces(color, kind).count() as i32 * see::value(kind)).sum()
    };
    if material(Color::Black) < material(Color::White) { Color::Black } else { Color::White }
}
