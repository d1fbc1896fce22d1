//! Openings from the games of a PGN file.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
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

/// A game that is being read.
struct Walk {
    game: Game,
    /// Nothing of a game has been seen: what is read may be something else altogether.
    is_empty: bool,
}

impl Visitor for Collector {
    type Tags = Walk;
    type Movetext = Walk;
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Walk> {
        ControlFlow::Continue(Walk { game: Game::default(), is_empty: true })
    }

    fn tag(
        &mut self,
        walk: &mut Walk,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        walk.is_empty = false;
        if name == b"FEN" {
            match Position::from_fen(&value.decode_utf8_lossy()) {
                Ok(position) => walk.game = Game::new(position),
                Err(error) => return ControlFlow::Break(Err(error.to_string())),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, walk: Walk) -> ControlFlow<Self::Output, Walk> {
        ControlFlow::Continue(walk)
    }

    fn san(&mut self, walk: &mut Walk, san: SanPlus) -> ControlFlow<Self::Output> {
        walk.is_empty = false;
        let game = &mut walk.game;
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

    fn outcome(&mut self, walk: &mut Walk, _: Outcome) -> ControlFlow<Self::Output> {
        walk.is_empty = false;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Walk) -> ControlFlow<Self::Output, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn end_game(&mut self, walk: Walk) -> Self::Output {
        if walk.is_empty {
            Err("neither header nor move nor result".to_owned())
        } else {
            Ok(walk.game)
        }
    }
}
