//! Fitting the win-rate model to games: which score means which chances.

use tandem_nnue::{WinRate, WinRateModel, material};

use super::Record;

/// Scores beyond this tell nothing: the game is decided.
const MAX_SCORE: i32 = 2000;
/// Scores are counted in steps of this.
const STEP: i32 = 8;
/// Parameters: four coefficients of the even score, four of the spread.
const PARAMETERS: usize = 8;
/// The fit ends when a step gains less than this part of the log-likelihood.
const ENOUGH: f64 = 1e-12;
const MAX_STEPS: usize = 200;

/// How often the side to move lost, drew and won, for each amount of material and each score.
#[derive(Clone, Debug)]
pub struct WinRateCounts {
    cells: Vec<[u64; 3]>,
}

/// A fitted model and how well it fits.
#[derive(Clone, Copy, Debug)]
pub struct WinRateFit {
    /// The model.
    pub model: WinRateModel,
    /// Positions that it was fitted to.
    pub positions: u64,
    /// The average surprise of a result, in nats: -ln of the chance that the model gave it.
    pub loss: f64,
    /// The same of the model that the fit began with.
    pub loss_before: f64,
}

const fn scores() -> usize {
    (2 * MAX_SCORE / STEP) as usize + 1
}

impl Default for WinRateCounts {
    fn default() -> Self {
        let materials = WinRateModel::MATERIAL.count();
        Self { cells: vec![[0; 3]; materials * scores()] }
    }
}

impl WinRateCounts {
    /// Counts the positions of a game that have a score and lie on its line.
    pub fn add(&mut self, record: &Record) {
        record.visit(|sample| {
            if let (Some(score), true) = (sample.score(), sample.m.is_some()) {
                let outcome = usize::from(sample.half_points());
                self.count(material(sample.position), score.into(), outcome);
            }
        });
    }

    /// Counts a position; the outcome is 0 for a loss, 1 for a draw, 2 for a win of the side to move.
    fn count(&mut self, material: u32, score: i32, outcome: usize) {
        if score.abs() > MAX_SCORE {
            return;
        }
        let range = WinRateModel::MATERIAL;
        let row = (material.clamp(*range.start(), *range.end()) - range.start()) as usize;
        let column = (score + MAX_SCORE + STEP / 2) / STEP;
        self.cells[row * scores() + column as usize][outcome] += 1;
    }

    /// Positions counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.cells.iter().flatten().sum()
    }

    /// Everything that was counted: material, score, outcomes.
    fn iter(&self) -> impl Iterator<Item = (u32, i32, [u64; 3])> + '_ {
        self.cells.chunks(scores()).zip(WinRateModel::MATERIAL).flat_map(|(row, material)| {
            row.iter().enumerate().filter(|(_, outcomes)| **outcomes != [0; 3]).map(
                move |(column, &outcomes)| (material, column as i32 * STEP - MAX_SCORE, outcomes),
            )
        })
    }

    /// The model under which the results are most likely, found by Fisher scoring from `start`. None
    /// where there is nothing to fit to.
    #[must_use]
    pub fn fit(&self, start: &WinRateModel) -> Option<WinRateFit> {
        let positions = self.positions();
        if positions == 0 {
            return None;
        }
        let loss_before = self.surprise(start)?;
        let (mut model, mut surprise) = (*start, loss_before);
        for _ in 0..MAX_STEPS {
            let step = self.scoring_step(&model);
            // The longest part of the step that makes the results likelier.
            let better = (0..20).find_map(|halvings| {
                let candidate = moved(&model, &step, 0.5_f64.powi(halvings));
                let new = self.surprise(&candidate)?;
                (new < surprise).then_some((candidate, new))
            });
            let Some((candidate, new)) = better else { break };
            let gain = surprise - new;
            (model, surprise) = (candidate, new);
            if gain < ENOUGH * surprise {
                break;
            }
        }
        let mean = |surprise: f64| surprise / positions as f64;
        Some(WinRateFit { model, positions, loss: mean(surprise), loss_before: mean(loss_before) })
    }

    /// Minus the log-likelihood; none for a model whose spread is not above zero everywhere.
    fn surprise(&self, model: &WinRateModel) -> Option<f64> {
        let mut materials = WinRateModel::MATERIAL;
        if materials.any(|points| model.at(points).spread() <= 1.0) {
            return None;
        }
        let cell = |(material, score, outcomes): (u32, i32, [u64; 3])| -> f64 {
            let chances = chances(model.at(material), score);
            outcomes.iter().zip(chances).map(|(&count, chance)| -(count as f64) * chance.ln()).sum()
        };
        Some(self.iter().map(cell).sum()).filter(|surprise: &f64| surprise.is_finite())
    }

    /// The inverse of the Fisher information times the gradient of the log-likelihood.
    fn scoring_step(&self, model: &WinRateModel) -> [f64; PARAMETERS] {
        let mut information = [[0.0; PARAMETERS]; PARAMETERS];
        let mut gradient = [0.0; PARAMETERS];
        for (material, score, outcomes) in self.iter() {
            let rate = model.at(material);
            let chances = chances(rate, score);
            let slopes = slopes(rate, score);
            let x = f64::from(material) / f64::from(WinRateModel::ANCHOR);
            let powers = [x * x * x, x * x, x, 1.0];
            let all = outcomes.iter().sum::<u64>() as f64;
            for outcome in 0..3 {
                let mut direction = [0.0; PARAMETERS];
                for (at, power) in powers.iter().enumerate() {
                    direction[at] = slopes[outcome].0 * power;
                    direction[at + powers.len()] = slopes[outcome].1 * power;
                }
                let observed = outcomes[outcome] as f64 / chances[outcome];
                let weight = all / chances[outcome];
                for row in 0..PARAMETERS {
                    gradient[row] += observed * direction[row];
                    for column in 0..PARAMETERS {
                        information[row][column] += weight * direction[row] * direction[column];
                    }
                }
            }
        }
        // A trace of a ridge, so that material which never occurs leaves a solution.
        for (at, row) in information.iter_mut().enumerate() {
            row[at] *= 1.0 + 1e-9;
            row[at] += 1e-9;
        }
        solve(information, gradient)
    }
}

/// The chances of a loss, a draw and a win, kept a little above zero.
fn chances(rate: WinRate, score: i32) -> [f64; 3] {
    let (win, loss) = (rate.win(score), rate.win(-score));
    [loss, 1.0 - win - loss, win].map(|chance| chance.max(1e-9))
}

/// How the three chances change with the even score and with the spread.
fn slopes(rate: WinRate, score: i32) -> [(f64, f64); 3] {
    let slope = |score: i32| {
        let chance = rate.win(score);
        let steep = chance * (1.0 - chance) / rate.spread();
        (-steep, steep * (rate.even() - f64::from(score)) / rate.spread())
    };
    let (win, loss) = (slope(score), slope(-score));
    [loss, (-win.0 - loss.0, -win.1 - loss.1), win]
}

/// The model after a part of a step.
fn moved(model: &WinRateModel, step: &[f64; PARAMETERS], part: f64) -> WinRateModel {
    let mut model = *model;
    let parameters = model.even.iter_mut().chain(&mut model.spread);
    for (parameter, step) in parameters.zip(step) {
        *parameter += part * step;
    }
    model
}

/// Solves the linear equations by elimination with pivots.
fn solve(
    mut matrix: [[f64; PARAMETERS]; PARAMETERS],
    mut right: [f64; PARAMETERS],
) -> [f64; PARAMETERS] {
    for column in 0..PARAMETERS {
        let pivot = (column..PARAMETERS)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..PARAMETERS {
            let above = matrix[column];
            let factor = matrix[row][column] / above[column];
            for (value, above) in matrix[row].iter_mut().zip(above).skip(column) {
                *value -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..PARAMETERS).rev() {
        let known: f64 = (row + 1..PARAMETERS).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;

    /// Results drawn from a model, for scores spread over what occurs.
    fn drawn_from(model: &WinRateModel) -> WinRateCounts {
        let mut random = Random::new(5);
        let mut counts = WinRateCounts::default();
        for material in WinRateModel::MATERIAL {
            for score in (-1000..=1000).step_by(STEP as usize) {
                let [loss, draw, _] = chances(model.at(material), score);
                for _ in 0..60 {
                    let chance = random.below(1 << 30) as f64 / f64::from(1 << 30);
                    let outcome = usize::from(chance >= loss) + usize::from(chance >= loss + draw);
                    counts.count(material, score, outcome);
                }
            }
        }
        counts
    }

    #[test]
    fn the_model_that_results_were_drawn_from_is_found() {
        let truth =
            WinRateModel { even: [20.0, -30.0, -60.0, 350.0], spread: [-10.0, 25.0, -20.0, 90.0] };
        let fit = drawn_from(&truth).fit(&WinRateModel::STOCKFISH).unwrap();
        for material in WinRateModel::MATERIAL {
            let (found, real) = (fit.model.at(material), truth.at(material));
            assert!((found.even() - real.even()).abs() < 6.0, "even at {material}: {found:?}");
            assert!(
                (found.spread() - real.spread()).abs() < 4.0,
                "spread at {material}: {found:?}"
            );
        }
        assert!(fit.loss < fit.loss_before);
        assert_eq!(fit.positions, 62 * 251 * 60);
    }

    #[test]
    fn a_model_that_fits_stays() {
        let counts = drawn_from(&WinRateModel::STOCKFISH);
        let fit = counts.fit(&WinRateModel::STOCKFISH).unwrap();
        assert!(fit.loss_before - fit.loss < 1e-4);
    }

    #[test]
    fn nothing_gives_no_model() {
        assert!(WinRateCounts::default().fit(&WinRateModel::STOCKFISH).is_none());
    }
}
