//! Openings from the games of a PGN file.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use tandem_chess::{Game, Position};

use super::OpeningError;

/// The first `plies` half-moves of every game in the file.
pub fn read(file: &Path, plies: usize) -> Result<Vec<Game>, OpeningError> {
    let refuse = |reason: String| OpeningError::Pgn(file.display().to_string(), reason);
    let source = File::open(file).map_err(|error| refuse(format!("cannot be read ({error})")))?;
    let mut reader = Reader::new(source);
    let mut collector = Collector { plies };
    let mut openings = Vec::new();
    for (i, game) in reader.read_games(&mut collector).enumerate() {
        let game = game.map_err(|error| refuse(format!("game {}: {error}", i + 1)))?;
        openings.push(game.map_err(|reason| refuse(format!("game {}: {reason}", i + 1)))?);
    }
    if openings.is_empty() {
        return Err(refuse("holds no game".to_owned()));
    }
    Ok(openings)
}

struct Collector {
    plies: usize,
}

impl Visitor for Collector {
    type Tags = Position;
    type Movetext = Game;
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Position> {
        ControlFlow::Continue(Position::startpos())
    }

    fn tag(
        &mut self,
        start: &mut Position,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            match Position::from_fen(&value.decode_utf8_lossy()) {
                Ok(position) => *start = position,
                Err(error) => return ControlFlow::Break(Err(error.to_string())),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Position) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game::new(start))
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        if game.moves().len() == self.plies {
            return ControlFlow::Break(Ok(game.clone()));
        }
        let played = match game.position().parse_san(&san.to_string()) {
            Ok(m) => game.play(m).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match played {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Self::Output, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        Ok(game)
    }
}
