//! PGN as others read it: `pgn-reader` with the rules of `shakmaty`, and `pgn-extract`.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Outcome, Position as _};

use crate::support::START;
use crate::support::referee::Referee;

const PGN_EXTRACT: &str = "/usr/games/pgn-extract";

/// A game, every move of which was legal.
pub struct Game {
    pub tags: HashMap<String, String>,
    /// The moves as UCI writes them.
    pub moves: Vec<String>,
    pub comments: Vec<String>,
    /// The result at the end of the moves.
    pub result: String,
    /// The board after the last move.
    pub end: Referee,
    /// The first half-move, counted from 1, after which the rules ended the game.
    pub over_after: Option<usize>,
}

impl Game {
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).unwrap_or_else(|| panic!("no {name} among {:?}", self.tags))
    }

    pub fn is_chess960(&self) -> bool {
        self.tags.get("Variant").is_some_and(|variant| variant == "Chess960")
    }

    /// The position in which the moves begin.
    pub fn start(&self) -> &str {
        self.tags.get("FEN").map_or(START, String::as_str)
    }

    /// The moves before the players' first.
    pub fn opening(&self) -> Vec<&str> {
        let moves = self.moves.iter().zip(&self.comments);
        moves.take_while(|(_, note)| *note == "book").map(|(m, _)| m.as_str()).collect()
    }

    /// What ends the game for a reader: its last comment.
    pub fn sentence(&self) -> &str {
        self.comments.last().expect("how it ended")
    }
}

/// All games of a file.
///
/// # Panics
/// The file is no PGN, a move is illegal, or `pgn-extract` sees something else in it.
pub fn read(path: &str) -> Vec<Game> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut reader = Reader::new(file);
    let games: Vec<Game> =
        reader.read_games(&mut Collector).map(|game| game.expect("readable")).collect();
    let extracted = extract(path);
    assert_eq!(extracted.len(), games.len(), "games as pgn-extract counts them in {path}");
    for (game, line) in games.iter().zip(&extracted) {
        // In Chess960 it has its own way to write castling.
        if !game.is_chess960() {
            let ours: Vec<&str> =
                game.moves.iter().map(String::as_str).chain([&*game.result]).collect();
            assert_eq!(ours.join(" "), *line, "as pgn-extract reads it");
        }
    }
    games
}

/// The moves and the result of each game, as `pgn-extract` reads them.
fn extract(path: &str) -> Vec<String> {
    assert!(Path::new(PGN_EXTRACT).exists(), "{PGN_EXTRACT} is missing: run scripts/test-setup");
    let output = Command::new(PGN_EXTRACT)
        .args(["-s", "-Wuci", "--notags", "-w", "1000000", path])
        .output()
        .expect("pgn-extract runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "pgn-extract about {path}: {said}");
    let text = String::from_utf8(output.stdout).expect("plain text");
    // It writes promotions with capital letters.
    text.lines().filter(|line| !line.is_empty()).map(|line| line.trim().to_lowercase()).collect()
}

struct Collector;

/// A game that is being read.
struct Walk {
    game: Game,
    board: Chess,
    /// How castling is written.
    mode: CastlingMode,
}

impl Visitor for Collector {
    type Tags = HashMap<String, String>;
    type Movetext = Walk;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Self::Tags> {
        ControlFlow::Continue(HashMap::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).expect("the name of a tag");
        let value = value.decode_utf8().expect("UTF-8").into_owned();
        assert_eq!(tags.insert(name.clone(), value), None, "{name} twice");
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Game, Walk> {
        let chess960 = tags.get("Variant").is_some_and(|variant| variant == "Chess960");
        let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = tags.get("FEN").map_or(START, String::as_str);
        assert_eq!(tags.contains_key("FEN"), tags.contains_key("SetUp"), "{tags:?}");
        let fen: Fen = start.parse().unwrap_or_else(|error| panic!("{start}: {error}"));
        let board = fen.into_position(mode).unwrap_or_else(|error| panic!("{start}: {error}"));
        let end = Referee::new(start, chess960);
        let over_after = end.is_over().then_some(0);
        ControlFlow::Continue(Walk {
            game: Game {
                tags,
                moves: Vec::new(),
                comments: Vec::new(),
                result: String::new(),
                end,
                over_after,
            },
            board,
            mode,
        })
    }

    fn san(&mut self, walk: &mut Walk, san: SanPlus) -> ControlFlow<Game> {
        let Walk { game, board, mode } = walk;
        let m = san.san.to_move(board).unwrap_or_else(|error| {
            panic!("{san} after {:?} in {:?}: {error}", game.moves, game.tags)
        });
        assert_eq!(
            SanPlus::from_move(board.clone(), m).to_string(),
            san.to_string(),
            "the way it is written"
        );
        let text = m.to_uci(*mode).to_string();
        board.play_unchecked(m);
        game.end.play(&text).expect("just found legal");
        game.moves.push(text);
        if game.over_after.is_none() && game.end.is_over() {
            game.over_after = Some(game.moves.len());
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, walk: &mut Walk, comment: RawComment<'_>) -> ControlFlow<Game> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).expect("UTF-8");
        walk.game.comments.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Walk) -> ControlFlow<Game, Skip> {
        panic!("a variation in a game that was played")
    }

    fn outcome(&mut self, walk: &mut Walk, outcome: Outcome) -> ControlFlow<Game> {
        walk.game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, walk: Walk) -> Game {
        walk.game
    }
}
