//! A position to learn a move from.

use tandem_chess::{Move, Position};

use crate::data::{GameResult, board};

/// A position with the move to foresee, or the share that each move deserves. It takes 48 bytes, and
/// those for the shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicySample {
    board: [u8; board::SIZE],
    target: Target,
}

/// What is to be foreseen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// One move.
    Move(Move),
    /// Several, each in proportion to its number.
    Shares(Box<[(Move, u16)]>),
}

impl PolicySample {
    /// A position in which that legal move was played. None where there is nothing to choose from.
    #[must_use]
    pub fn played(position: &Position, m: Move) -> Option<Self> {
        Self::new(position, Target::Move(m))
    }

    /// A position in which legal moves deserve shares in those proportions. None where there is nothing
    /// to choose from, or no move deserves anything.
    #[must_use]
    pub fn shared(position: &Position, shares: &[(Move, f64)]) -> Option<Self> {
        let most = shares.iter().map(|&(_, share)| share).fold(0.0, f64::max);
        let part = |share: f64| (share / most * f64::from(u16::MAX)).round() as u16;
        let shares = shares.iter().map(|&(m, share)| (m, part(share)));
        let shares: Box<[_]> = shares.filter(|&(_, part)| part > 0).collect();
        if most > 0.0 { Self::new(position, Target::Shares(shares)) } else { None }
    }

    fn new(position: &Position, target: Target) -> Option<Self> {
        let has_choice = position.count_legal() > 1;
        // Nobody asks a sample for the result of its game.
        let board = || board::pack(position, GameResult::Draw);
        has_choice.then(|| Self { board: board(), target })
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        board::unpack(&self.board).expect("the sample was a position").position
    }

    /// What each of the legal moves deserves; all shares together are 1.
    pub fn targets(&self, moves: &[Move], targets: &mut Vec<f32>) {
        match &self.target {
            Target::Move(played) => {
                targets.extend(moves.iter().map(|m| f32::from(u8::from(m == played))));
            }
            Target::Shares(shares) => {
                let sum: u32 = shares.iter().map(|&(_, part)| u32::from(part)).sum();
                let part = |m: &Move| shares.iter().find(|(other, _)| other == m);
                let share = |&(_, part): &(Move, u16)| f32::from(part) / sum as f32;
                targets.extend(moves.iter().map(|m| part(m).map_or(0.0, share)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_positions;

    #[test]
    fn a_sample_gives_back_its_position_and_what_its_moves_deserve() {
        assert_eq!(size_of::<PolicySample>(), 48);
        for position in random_positions(51, 200) {
            let moves = position.legal_moves();
            let (Some(&first), Some(&last)) = (moves.first(), moves.last()) else { continue };
            let played = PolicySample::played(&position, last);
            let shared = PolicySample::shared(&position, &[(last, 30.0), (first, 10.0)]);
            assert_eq!(played.is_some(), moves.len() > 1, "{position}");
            let (Some(played), Some(shared)) = (played, shared) else { continue };
            let mut targets = Vec::new();
            played.targets(&moves, &mut targets);
            assert!((targets.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert!((targets[moves.len() - 1] - 1.0).abs() < 1e-6);
            targets.clear();
            shared.targets(&moves, &mut targets);
            assert!(
                (targets[0] - 0.25).abs() < 1e-4 && (targets[moves.len() - 1] - 0.75).abs() < 1e-4
            );
            assert_eq!(shared.position(), position);
        }
    }

    #[test]
    fn where_no_move_deserves_anything_there_is_no_sample() {
        let position = Position::startpos();
        assert_eq!(PolicySample::shared(&position, &[]), None);
        assert_eq!(PolicySample::shared(&position, &[(position.legal_moves()[0], 0.0)]), None);
        let forced: Position = "k7/8/8/8/8/8/5q2/7K w - - 0 1".parse().unwrap();
        let only = forced.legal_moves();
        assert!(only.len() < 2 && only.iter().all(|&m| PolicySample::played(&forced, m).is_none()));
    }
}
