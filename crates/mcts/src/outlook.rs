//! How the side that searches sees what playouts bring: contempt by ratings, and the worth of a draw.
//!
//! Chances to win, draw and lose are taken apart into how sharp the position is and who stands better (lc0's
//! form of them: two logistic curves). Against a weaker opponent the better side is moved towards us by so
//! much as the ratings say, more where the position is sharp: so what is drawn between equals is worth
//! playing on, and a sharp position more so than a dull one. What is certain stays what it is.

use tandem_chess::Color;

use crate::math::{exp, ln};
use crate::value::Value;

/// By how much a point of Elo moves who stands better, where the sharpness is one. It follows from the share
/// of draws between equals (a half) and from how far openings are from balance (0.65), as lc0 assumes both.
const SHIFT_OF_ELO: f32 = 0.008_747;
/// Sharpness counts up to here.
const SHARPEST: f32 = 1.4;
/// Smaller chances are as good as certain.
const CERTAIN: f32 = 1e-4;

/// How the side that searches sees things.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// The side whose view it is; nobody's if none.
    us: Option<Color>,
    /// By how much the better side is moved towards us.
    shift: f32,
    /// What a draw is worth to us.
    draw: f32,
}

impl Outlook {
    /// That side's, which is so much stronger than its opponent and to which a draw is worth so much.
    pub fn new(us: Color, elo: f32, draw: f32) -> Self {
        let is_neutral = elo == 0.0 && draw == 0.0;
        Self { us: (!is_neutral).then_some(us), shift: elo * SHIFT_OF_ELO, draw }
    }

    /// What a value for that side to move looks like.
    #[inline]
    #[must_use]
    pub fn seen(&self, value: Value, side: Color) -> Value {
        let Some(us) = self.us else { return value };
        let sign = if side == us { 1.0 } else { -1.0 };
        let value = moved(value, sign * self.shift);
        Value { q: value.q + sign * self.draw * value.draw, ..value }
    }

    /// What a value for that side to move is without this outlook.
    #[must_use]
    pub fn objective(&self, value: Value, side: Color) -> Value {
        let Some(us) = self.us else { return value };
        let sign = if side == us { 1.0 } else { -1.0 };
        moved(Value { q: value.q - sign * self.draw * value.draw, ..value }, -sign * self.shift)
    }
}

/// A value in which the side to move stands so much better.
fn moved(value: Value, shift: f32) -> Value {
    let win = f32::midpoint(1.0 - value.draw, value.q);
    let loss = f32::midpoint(1.0 - value.draw, -value.q);
    let is_open = |chance: f32| (CERTAIN..=1.0 - CERTAIN).contains(&chance);
    if shift == 0.0 || !is_open(win) || !is_open(loss) || win + loss > 1.0 - CERTAIN {
        return value;
    }
    let (a, b) = (ln(1.0 / loss - 1.0), ln(1.0 / win - 1.0));
    let sharpness = 2.0 / (a + b);
    let sharp = sharpness.min(SHARPEST);
    let better = (a - b) / (a + b) + shift * sharp * sharp;
    let logistic = |x: f32| 1.0 / (1.0 + exp(-x / sharpness));
    let (win, loss) = (logistic(better - 1.0), logistic(-better - 1.0));
    Value { q: win - loss, draw: (1.0 - win - loss).max(0.0), ..value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn value(win: f32, loss: f32) -> Value {
        Value { q: win - loss, draw: 1.0 - win - loss, plies: 60.0 }
    }

    #[test]
    fn a_weaker_opponent_makes_everything_look_better() {
        let outlook = Outlook::new(White, 200.0, 0.0);
        for (win, loss) in [(0.1, 0.1), (0.3, 0.3), (0.6, 0.05), (0.02, 0.7)] {
            let value = value(win, loss);
            assert!(outlook.seen(value, White).q > value.q, "{win} {loss}");
            assert!(outlook.seen(value, Black).q < value.q, "{win} {loss}");
            // The same position, seen by both sides.
            let mirrored = Value { q: -value.q, ..value };
            let (ours, theirs) = (outlook.seen(value, White), outlook.seen(mirrored, Black));
            assert!((ours.q + theirs.q).abs() < 1e-5 && (ours.draw - theirs.draw).abs() < 1e-5);
        }
        let gain = |win| outlook.seen(value(win, win), White).q;
        assert!(
            gain(0.3) > 2.0 * gain(0.1),
            "sharp positions gain more: {} {}",
            gain(0.3),
            gain(0.1)
        );
        assert!(Outlook::new(White, -200.0, 0.0).seen(value(0.3, 0.3), White).q < 0.0);
    }

    #[test]
    fn a_hundred_points_of_elo_are_worth_about_their_score() {
        // Ratings say 64 %; among equals a half of these games is drawn, and White has a little more.
        let q = Outlook::new(White, 100.0, 0.0).seen(value(0.4, 0.1), White).q - 0.3;
        assert!((0.1..0.4).contains(&q), "{q}");
    }

    #[test]
    fn what_was_seen_can_be_told_without_the_outlook() {
        let outlook = Outlook::new(Black, 150.0, -0.3);
        for (win, loss) in [(0.1, 0.2), (0.45, 0.3), (0.6, 0.05), (0.02, 0.4)] {
            for side in Color::ALL {
                let told = outlook.objective(outlook.seen(value(win, loss), side), side);
                assert!((told.q - (win - loss)).abs() < 2e-3, "{win} {loss} {told:?}");
                assert!((told.draw - value(win, loss).draw).abs() < 2e-3);
            }
        }
    }

    #[test]
    fn certain_results_stay_and_draws_are_worth_what_they_are_said_to_be() {
        let outlook = Outlook::new(White, 300.0, -0.2);
        for q in [-1.0, 1.0] {
            let certain = Value { q, draw: 0.0, plies: 3.0 };
            assert_eq!(outlook.seen(certain, White), certain);
        }
        assert!((outlook.seen(Value::DRAW, White).q + 0.2).abs() < 1e-6);
        assert!((outlook.seen(Value::DRAW, Black).q - 0.2).abs() < 1e-6);
        let neutral = Outlook::new(White, 0.0, 0.0);
        assert_eq!(
            (neutral, neutral.seen(value(0.2, 0.1), White)),
            (Outlook::default(), value(0.2, 0.1))
        );
    }
}
