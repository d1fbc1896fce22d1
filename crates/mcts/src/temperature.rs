//! Which move is played when not always the best one is wanted: by chance, by visits and temperature.

use tandem_chess::{Position, Random};

use crate::math::pow;
use crate::verdict::Candidate;

/// The temperature of a game, with lc0's names and meanings. At 0 the best move is played; at 1 each move as
/// often as it was visited; the higher, the more alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperature {
    /// At the beginning.
    pub start: f32,
    /// Moves in which it falls to nothing; it does not fall if 0.
    pub decay_moves: u32,
    /// Moves before it begins to fall.
    pub delay_moves: u32,
    /// The move from which on that of the endgame holds; never if 0.
    pub cutoff_move: u32,
    /// It does not fall below this, and is this from the cutoff on.
    pub endgame: f32,
    /// Moves that are worse than the best by more than so many per cent of the score are not played.
    pub value_cutoff: f32,
    /// Added to the visits of each move before they are weighed; those that have none left are not
    /// played.
    pub visit_offset: f32,
}

impl Default for Temperature {
    fn default() -> Self {
        Self {
            start: 0.0,
            decay_moves: 0,
            delay_moves: 0,
            cutoff_move: 0,
            endgame: 0.0,
            value_cutoff: 100.0,
            visit_offset: 0.0,
        }
    }
}

impl Temperature {
    /// The temperature after so many moves of both sides.
    #[must_use]
    pub fn after(&self, moves: u32) -> f32 {
        if self.cutoff_move > 0 && moves + 1 >= self.cutoff_move {
            return self.endgame;
        }
        if self.start == 0.0 || self.decay_moves == 0 {
            return self.start;
        }
        let left = (self.delay_moves + self.decay_moves).saturating_sub(moves);
        let share = (left as f32 / self.decay_moves as f32).min(1.0);
        (self.start * share).max(self.endgame)
    }

    /// The place of the move to play among candidates of that position, the best of which comes first.
    pub(crate) fn choose(&self, candidates: &[Candidate], position: &Position, seed: u64) -> usize {
        let temperature = self.after(u32::from(position.fullmove_number()).saturating_sub(1));
        let best = &candidates[0];
        // What is certain is not left to chance.
        if temperature == 0.0 || best.proof.is_win() || best.tablebase.is_some() {
            return 0;
        }
        let is_worth_it = |candidate: &&Candidate| candidate.mean.visits > 0;
        let highest = candidates.iter().filter(is_worth_it).map(|c| c.value().q);
        let highest = highest.fold(f32::NEG_INFINITY, f32::max);
        let weight = |candidate: &Candidate| {
            let visits = candidate.mean.visits as f32 + self.visit_offset;
            // A point of the score is half a point of the value, which goes from -1 to 1.
            let is_bad = candidate.value().q < highest - self.value_cutoff / 50.0;
            let is_out = visits <= 0.0 || is_bad || candidate.proof.is_loss();
            if is_out { 0.0 } else { visits }
        };
        let weights: Vec<f32> = candidates.iter().map(weight).collect();
        let most = weights.iter().fold(0.0f32, |most, &weight| most.max(weight));
        let powers: Vec<f64> = weights
            .iter()
            .map(
                |&weight| {
                    if weight > 0.0 { pow(weight / most, 1.0 / temperature).into() } else { 0.0 }
                },
            )
            .collect();
        Random::new(seed ^ position.key().rotate_left(32)).weighted(&powers).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_as_lc0_has_it() {
        let tau1 =
            Temperature { start: 0.7, decay_moves: 5, endgame: 0.1, ..Temperature::default() };
        assert!((tau1.after(0) - 0.7).abs() < 1e-6 && (tau1.after(2) - 0.42).abs() < 1e-6);
        assert!((tau1.after(5) - 0.1).abs() < 1e-6 && (tau1.after(50) - 0.1).abs() < 1e-6);
        let tau2 = Temperature {
            start: 0.9,
            decay_moves: 60,
            delay_moves: 20,
            cutoff_move: 40,
            endgame: 0.6,
            ..Temperature::default()
        };
        assert!((tau2.after(19) - 0.9).abs() < 1e-6);
        assert!((tau2.after(35) - 0.9 * 45.0 / 60.0).abs() < 1e-6);
        assert!((tau2.after(39) - 0.6).abs() < 1e-6);
        let steady = Temperature { start: 1.0, ..Temperature::default() };
        assert!((steady.after(200) - 1.0).abs() < 1e-6);
        assert!(Temperature::default().after(0) == 0.0);
    }
}
