//! What a look at the board finds.

use std::fmt;

use tandem_chess::attacks::{attacks, king_attacks, pawns_attack};
use tandem_chess::{Bitboard, Checks, Color, PieceType, Position, see};

use super::pawns;

/// The pieces whose attacks and mobility count.
const PIECES: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// From so many pawns on a position can be closed.
const CLOSED_PAWNS: u32 = 12;

/// With more files than that without pawns it is open.
const CLOSED_OPEN_FILES: u32 = 2;

/// With less than that in pieces, in centipawns of both sides together, it is an endgame.
const ENDGAME_MATERIAL: i32 = 2600;

/// What a look at the board finds. What each side has of its own stands at
/// [`Color::index`]; moves are those of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Whether the side to move can mate at once.
    pub mate_threat: bool,
    /// Legal moves that give check.
    pub checking_moves: u32,
    /// Legal captures; one that promotes counts once.
    pub captures: u32,
    /// Pawns' legal moves to the last rank.
    pub promotions: u32,
    /// Pieces, neither pawns nor kings, that are attacked and not defended.
    pub hanging: [u32; 2],
    /// Enemy pieces, neither pawns nor the king, that attack the surroundings of this side's king.
    pub king_attackers: [u32; 2],
    /// What pawns and pieces are worth, in centipawns.
    pub material: [i32; 2],
    /// What the pieces of both sides are worth, in centipawns.
    pub pieces: i32,
    /// Pawns of both sides.
    pub pawns: u32,
    /// Files without any pawn.
    pub open_files: u32,
    /// Pairs of pawns that could take each other, at least one of them on the d- or e-file.
    pub central_tension: u32,
    /// Groups of pawns on neighbouring files.
    pub pawn_islands: [u32; 2],
    /// Pawns that no enemy pawn can stop or take on their way.
    pub passed_pawns: [u32; 2],
    /// Squares that the pieces, neither pawns nor the king, attack and their own side leaves free.
    pub mobility: [u32; 2],
}

impl Features {
    /// Looks at a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let sides = Color::ALL.map(|side| Reach::of(position, side));
        let both =
            |count: fn(&Position, Color) -> u32| Color::ALL.map(|side| count(position, side));
        let hanging = |side: Color| {
            let pieces = position.color(side)
                - position.kind(PieceType::Pawn)
                - position.kind(PieceType::King);
            ((pieces & sides[(!side).index()].attacked) - sides[side.index()].attacked).count()
        };
        let worth = Color::ALL.map(|side| pieces_worth(position, side));
        let pawns = Color::ALL.map(|side| position.pieces(side, PieceType::Pawn).count());
        let pawn = see::value(PieceType::Pawn);
        let mut features = Self {
            in_check: position.in_check(),
            hanging: Color::ALL.map(hanging),
            king_attackers: [sides[1].king_attackers, sides[0].king_attackers],
            material: [0, 1].map(|side| worth[side] + pawn * pawns[side] as i32),
            pieces: worth[0] + worth[1],
            pawns: pawns[0] + pawns[1],
            open_files: pawns::open_files(position),
            central_tension: pawns::central_tension(position),
            pawn_islands: both(pawns::islands),
            passed_pawns: both(pawns::passed),
            mobility: [sides[0].mobility, sides[1].mobility],
            ..Self::default()
        };
        features.count_moves(position);
        features
    }

    /// Whether many pawns and hardly an open file keep the pieces apart.
    #[must_use]
    pub const fn closed(&self) -> bool {
        self.pawns >= CLOSED_PAWNS && self.open_files <= CLOSED_OPEN_FILES
    }

    /// Whether few pieces are left.
    #[must_use]
    pub const fn endgame(&self) -> bool {
        self.pieces < ENDGAME_MATERIAL
    }

    /// Whether pawns in the centre can take each other.
    #[must_use]
    pub const fn has_tension(&self) -> bool {
        self.central_tension > 0
    }

    /// By how many centipawns one side has more than the other.
    #[must_use]
    pub const fn imbalance(&self) -> u32 {
        self.material[0].abs_diff(self.material[1])
    }

    /// Every feature with its name and what was found, in the order in which they are shown.
    #[must_use]
    pub fn list(&self) -> [(&'static str, Value); 17] {
        let material = self.material.map(|material| material as u32);
        [
            ("in_check", Value::Flag(self.in_check)),
            ("mate_threat", Value::Flag(self.mate_threat)),
            ("checking_moves", Value::Number(self.checking_moves)),
            ("captures", Value::Number(self.captures)),
            ("promotions", Value::Number(self.promotions)),
            ("hanging", Value::Sides(self.hanging)),
            ("king_attackers", Value::Sides(self.king_attackers)),
            ("mobility", Value::Sides(self.mobility)),
            ("material", Value::Sides(material)),
            ("pieces", Value::Number(self.pieces as u32)),
            ("endgame", Value::Flag(self.endgame())),
            ("pawns", Value::Number(self.pawns)),
            ("open_files", Value::Number(self.open_files)),
            ("closed", Value::Flag(self.closed())),
            ("central_tension", Value::Number(self.central_tension)),
            ("pawn_islands", Value::Sides(self.pawn_islands)),
            ("passed_pawns", Value::Sides(self.passed_pawns)),
        ]
    }

    /// Counts what the legal moves are like.
    fn count_moves(&mut self, position: &Position) {
        let checks: Checks = position.checks();
        let enemies = position.color(!position.side_to_move());
        position.visit_moves(|set| {
            use tandem_chess::MoveKind::{Castling, EnPassant, Normal, Promotion};
            match set.kind {
                Normal => self.captures += (set.targets & enemies).count(),
                EnPassant => self.captures += set.targets.count(),
                Promotion => {
                    self.captures += (set.targets & enemies).count();
                    self.promotions += set.targets.count();
                }
                Castling => {}
            }
            set.for_each(|m| {
                if position.gives_check_by(m, &checks) {
                    self.checking_moves += 1;
                    self.mate_threat = self.mate_threat || position.after(m).is_checkmate();
                }
            });
        });
    }
}

/// What was found of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// So, or not so.
    Flag(bool),
    /// How many of both sides, or of the side to move.
    Number(u32),
    /// How many White has, and how many Black.
    Sides([u32; 2]),
}

/// As words: `yes`, `3`, or `White 2, Black 0`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Sides([white, black]) => write!(f, "White {white}, Black {black}"),
        }
    }
}

/// What the pieces of one side reach.
struct Reach {
    /// All squares that the side attacks, with pawns and king.
    attacked: Bitboard,
    mobility: u32,
    /// How many of the pieces attack the surroundings of the other king.
    king_attackers: u32,
}

impl Reach {
    fn of(position: &Position, side: Color) -> Self {
        let pawns = position.pieces(side, PieceType::Pawn);
        let (own, occupied) = (position.color(side), position.occupied());
        let zone = king_zone(position, !side);
        let mut reach = Self {
            attacked: pawns_attack(side, pawns) | king_attacks(position.king(side)),
            mobility: 0,
            king_attackers: 0,
        };
        for kind in PIECES {
            for from in position.pieces(side, kind) {
                let targets = attacks(kind, side, from, occupied);
                reach.attacked |= targets;
                reach.mobility += (targets - own).count();
                reach.king_attackers += u32::from((targets & zone).any());
            }
        }
        reach
    }
}

/// A king's square, those around it, and the three before them.
fn king_zone(position: &Position, side: Color) -> Bitboard {
    let king = position.king(side);
    let around = king_attacks(king) | king.into();
    around | around.shift(if side == Color::White { 8 } else { -8 })
}

fn pieces_worth(position: &Position, side: Color) -> i32 {
    PIECES.iter().map(|&kind| position.pieces(side, kind).count() as i32 * see::value(kind)).sum()
}
