//! The rules as `shakmaty` knows them, and what they demand of an engine's answer.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::info::{Answer, Bound, Info, Score};
use super::{START, random::Random};

/// A game as an impartial third party sees it.
#[derive(Clone)]
pub struct Referee {
    position: Chess,
    /// How castling must be written.
    mode: CastlingMode,
    /// The FEN without counters of every position so far.
    seen: Vec<String>,
    start: String,
    moves: Vec<String>,
}

impl Referee {
    /// A game from that position; `chess960` if castling is written as king takes rook.
    pub fn new(fen: &str, chess960: bool) -> Self {
        let setup: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let position: Chess = setup
            .into_position(CastlingMode::Chess960)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut referee =
            Self { position, mode, seen: Vec::new(), start: fen.to_owned(), moves: Vec::new() };
        referee.seen.push(referee.identity());
        referee
    }

    /// A game from the start.
    pub fn start() -> Self {
        Self::new(START, false)
    }

    /// What tells a position from others: the first four fields of its FEN.
    fn identity(&self) -> String {
        self.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// The present position.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// The present position for the command `position`, with the moves that led to it.
    pub fn setup(&self) -> String {
        let from = match self.start.as_str() {
            START => "startpos".to_owned(),
            fen => format!("fen {fen}"),
        };
        if self.moves.is_empty() { from } else { format!("{from} moves {}", self.moves.join(" ")) }
    }

    /// The legal moves as UCI writes them.
    pub fn legal_moves(&self) -> Vec<String> {
        let moves = self.position.legal_moves();
        moves.iter().map(|m| m.to_uci(self.mode).to_string()).collect()
    }

    /// Plays a move, which must be legal and written as agreed.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let legal = self.legal_moves();
        if !legal.iter().any(|m| m == text) {
            return Err(format!("{text} is not among {legal:?} in {}", self.fen()));
        }
        let m = text.parse::<UciMove>().expect("legal").to_move(&self.position).expect("legal");
        self.position.play_unchecked(m);
        self.seen.push(self.identity());
        self.moves.push(text.to_owned());
        Ok(())
    }

    /// Plays a random legal move, if there is one.
    pub fn play_random(&mut self, random: &mut Random) -> bool {
        let legal = self.legal_moves();
        if legal.is_empty() {
            return false;
        }
        let m = &legal[random.below(legal.len())];
        self.play(m).expect("legal");
        true
    }

    pub fn white_to_move(&self) -> bool {
        self.position.turn().is_white()
    }

    pub fn is_checkmate(&self) -> bool {
        self.position.is_checkmate()
    }

    pub fn has_moves(&self) -> bool {
        !self.position.legal_moves().is_empty()
    }

    /// Whether this position has now occurred three times, or fifty moves brought nothing new.
    pub fn is_draw_by_history(&self) -> bool {
        let now = self.seen.last().expect("at least one");
        self.position.halfmoves() >= 100
            || self.seen.iter().filter(|seen| *seen == now).count() >= 3
    }

    /// Whether the game is over in any way.
    pub fn is_over(&self) -> bool {
        !self.has_moves() || self.is_draw_by_history() || self.position.is_insufficient_material()
    }

    /// Checks everything that holds for every answer of every search from here.
    pub fn check(&self, answer: &Answer) {
        if !self.has_moves() {
            assert_eq!(answer.best, "(none)");
            assert_eq!(answer.ponder, None);
            let mated = Score::Mate(0);
            let expected = if self.is_checkmate() { mated } else { Score::Centipawns(0) };
            assert_eq!(answer.last().score, expected);
            return;
        }
        let (mut nodes, mut time) = (0, 0);
        for info in &answer.infos {
            self.check_line(info);
            assert!(info.nodes >= nodes && info.time >= time, "running backwards: {info:?}");
            (nodes, time) = (info.nodes, info.time);
        }
        let exact = answer.last_exact();
        if let Some(exact) = exact {
            assert_eq!(Some(&answer.best), exact.pv.first(), "best move and last exact line");
        }
        let mut after = self.clone();
        after.play(&answer.best).expect("the best move is legal");
        if let Some(ponder) = &answer.ponder {
            after.play(ponder).expect("the move to ponder on is legal");
            assert!(
                exact.is_none_or(|exact| exact.pv.get(1).is_none_or(|second| second == ponder)),
                "ponder {ponder} and {exact:?}"
            );
        }
    }

    /// Checks one line: legal moves to the end, none after the end, mates where they are claimed.
    pub fn check_line(&self, info: &Info) {
        assert!(!info.pv.is_empty(), "no moves in {info:?}");
        let mut game = self.clone();
        for (ply, text) in info.pv.iter().enumerate() {
            // A game that was drawn before goes on all the same.
            let drawn = ply > 0 && game.is_draw_by_history() && !self.is_draw_by_history();
            assert!(!drawn, "the line goes on after a draw at ply {ply}: {info:?}");
            game.play(text).unwrap_or_else(|error| panic!("{error}\n{info:?}"));
        }
        if let (Score::Mate(moves), Bound::Exact) = (info.score, info.bound) {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(info.pv.len() as i64, plies, "the length of a mating line: {info:?}");
            assert!(game.is_checkmate(), "the line does not end in mate: {info:?}");
        }
    }
}
