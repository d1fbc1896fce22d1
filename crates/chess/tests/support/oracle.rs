//! The same positions and moves in `shakmaty`, which the tests believe.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionErrorKinds};
use tandem_chess::{Move, PieceType, Position};

use super::random::Random;

/// A position in both programs.
#[derive(Clone)]
pub struct Pair {
    pub ours: Position,
    pub theirs: Chess,
}

impl Pair {
    /// Reads a FEN with both.
    pub fn new(fen: &str) -> Self {
        let ours = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let Verdict::Possible(theirs) = judge(fen) else {
            panic!("{fen}: shakmaty refuses it");
        };
        Self { ours, theirs }
    }

    /// Plays a move that is legal for both.
    pub fn play(&mut self, m: Move) {
        let their_move = their_move(&self.theirs, &m.to_string());
        self.ours = self.ours.after(m);
        self.theirs.play_unchecked(their_move);
    }

    /// A legal move, the rare kinds more often than chance would have them.
    pub fn random_move(&self, random: &mut Random) -> Option<Move> {
        let moves = self.ours.legal_moves();
        let special: Vec<Move> =
            moves.iter().copied().filter(|m| m.kind() != tandem_chess::MoveKind::Normal).collect();
        if moves.is_empty() {
            None
        } else if special.is_empty() || random.below(4) > 0 {
            Some(random.pick(&moves))
        } else {
            Some(random.pick(&special))
        }
    }
}

/// What `shakmaty` thinks of a FEN.
pub enum Verdict {
    Possible(Chess),
    /// Nothing is wrong but a check that no single move can give.
    OddCheck,
    Impossible,
}

/// Reads a FEN.
pub fn judge(fen: &str) -> Verdict {
    let Ok(setup) = fen.parse::<Fen>() else {
        return Verdict::Impossible;
    };
    match setup.into_position(CastlingMode::Chess960) {
        Ok(position) => Verdict::Possible(position),
        Err(error) if error.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK => Verdict::OddCheck,
        Err(_) => Verdict::Impossible,
    }
}

/// X-FEN, with the en-passant square only where a capture is legal.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// UCI text, castling as king takes rook.
pub fn uci(m: shakmaty::Move) -> String {
    m.to_uci(CastlingMode::Chess960).to_string()
}

/// SAN with its check or mate mark.
pub fn san(position: &Chess, m: shakmaty::Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// The legal move with that UCI text.
pub fn their_move(position: &Chess, uci: &str) -> shakmaty::Move {
    uci.parse::<UciMove>()
        .ok()
        .and_then(|text| text.to_move(position).ok())
        .unwrap_or_else(|| panic!("shakmaty finds {uci} illegal in {}", fen(position)))
}

/// Our name of a kind of piece.
pub fn kind(role: shakmaty::Role) -> PieceType {
    PieceType::from_index(u8::from(role) - 1)
}
