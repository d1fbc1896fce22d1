//! Scores inside the search: units of the network, with mates and tablebase results at the ends.

use tandem_search::Score;

/// A score for the side to move. Around 200 to 400 is a pawn; the ends of the range are mates.
pub type Value = i32;

/// The deepest line that is looked at, in plies.
pub const MAX_PLY: usize = 246;

/// A drawn position.
pub const DRAW: Value = 0;
/// Mate on the board, for the side that gave it.
pub const MATE: Value = 32_000;
/// Beyond every score.
pub const INFINITE: Value = 32_001;
/// No score.
pub const NONE: Value = 32_002;
/// The smallest mate score.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// A won tablebase position at the root.
pub const TABLEBASE_WIN: Value = MATE_BOUND - 1;
/// The smallest score that claims a proven win.
pub const WIN_BOUND: Value = TABLEBASE_WIN - MAX_PLY as Value;

/// The score of being mated that many plies from the root.
#[must_use]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The score of mating that many plies from the root.
#[must_use]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The score of a tablebase win that many plies from the root.
#[must_use]
pub const fn tablebase_win(ply: usize) -> Value {
    TABLEBASE_WIN - ply as Value
}

/// Whether a score claims a proven win.
#[inline]
#[must_use]
pub const fn is_win(value: Value) -> bool {
    value >= WIN_BOUND
}

/// Whether a score claims a proven loss.
#[inline]
#[must_use]
pub const fn is_loss(value: Value) -> bool {
    value <= -WIN_BOUND
}

/// Whether a score claims a proven win or loss.
#[inline]
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// From "plies from the root" to "plies from here", which is what a table shared by many roots
/// must hold.
#[inline]
#[must_use]
pub const fn to_table(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// From "plies from here" to "plies from the root". A mate or a tablebase's win that the fifty-move
/// rule would end first is none: it becomes the best score that is not one.
#[inline]
#[must_use]
pub const fn from_table(value: Value, ply: usize, halfmove_clock: u16) -> Value {
    let left = 100 - halfmove_clock as Value;
    if value == NONE {
        NONE
    } else if is_win(value) {
        let end = if value >= MATE_BOUND { MATE } else { TABLEBASE_WIN };
        if end - value > left {
            return WIN_BOUND - 1;
        }
        value - ply as Value
    } else if is_loss(value) {
        let end = if value <= -MATE_BOUND { MATE } else { TABLEBASE_WIN };
        if end + value > left {
            return -WIN_BOUND + 1;
        }
        value + ply as Value
    } else {
        value
    }
}

/// Centipawns shown for a tablebase's win at the root: more than any evaluation.
const SHOWN_WIN: i32 = 20_000;

/// A mate as plies, a tablebase's win or loss far beyond other scores but by the ply, everything
/// else by the given scale to centipawns.
#[must_use]
pub fn shown(value: Value, centipawns: impl FnOnce(Value) -> i32) -> Score {
    if value.abs() >= MATE_BOUND {
        Score::Mate(if value > 0 { MATE - value } else { -MATE - value })
    } else if is_decisive(value) {
        let plies = TABLEBASE_WIN - value.abs();
        Score::Centipawns(value.signum() * (SHOWN_WIN - plies))
    } else {
        Score::Centipawns(centipawns(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_keeps_its_distance_through_the_table() {
        for ply in [0, 1, 7, 100] {
            for distance in [1, 2, 9] {
                let value = mate_in(ply + distance);
                assert_eq!(from_table(to_table(value, ply), ply, 0), value);
                assert_eq!(from_table(to_table(-value, ply), ply, 0), -value);
            }
        }
        assert_eq!(from_table(to_table(123, 5), 5, 99), 123);
    }

    #[test]
    fn a_mate_behind_the_fifty_move_rule_is_not_believed() {
        let value = to_table(mate_in(30), 10);
        assert!(from_table(value, 10, 79) >= MATE_BOUND);
        assert!(from_table(value, 10, 85) < WIN_BOUND);
    }

    #[test]
    fn mates_are_shown_in_plies() {
        assert_eq!(shown(mate_in(3), |v| v), Score::Mate(3));
        assert_eq!(shown(mated_in(2), |v| v), Score::Mate(-2));
        assert_eq!(shown(50, |v| v / 2), Score::Centipawns(25));
    }
}
