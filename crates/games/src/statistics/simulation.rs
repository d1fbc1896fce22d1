//! What the statistics promise, tried on games whose truth is known.

use tandem_chess::Random;

use super::elo::NORMALISED_SCALE;
use super::likelihood::moments;
use super::*;

/// Two players and the openings they play from.
#[derive(Clone, Copy)]
struct Model {
    /// How much stronger the player is.
    strength: f64,
    /// How much the first move is worth in each opening; one is drawn for each pair.
    advantages: [f64; 2],
    /// How far apart strengths must be before a draw is no longer the likeliest result.
    drawishness: f64,
}

impl Model {
    /// Openings that favour White now a little, now a lot, as books for engine matches do.
    fn new(strength: f64) -> Self {
        Self { strength, advantages: [40.0, 190.0], drawishness: 130.0 }
    }

    /// The probabilities of loss, draw and win with that advantage.
    fn game(&self, advantage: f64) -> [f64; 3] {
        let win = score_of_elo(self.strength + advantage - self.drawishness);
        let loss = score_of_elo(-self.strength - advantage - self.drawishness);
        [loss, 1.0 - win - loss, win]
    }

    /// The probabilities of the five scores of a pair.
    fn pair(&self) -> [f64; 5] {
        let mut pair = [0.0; 5];
        for advantage in self.advantages {
            for (i, first) in self.game(advantage).into_iter().enumerate() {
                for (j, second) in self.game(-advantage).into_iter().enumerate() {
                    pair[i + j] += first * second / self.advantages.len() as f64;
                }
            }
        }
        pair
    }

    fn elo(&self) -> f64 {
        elo_of_score(moments(&self.pair()).0)
    }

    fn normalised_elo(&self) -> f64 {
        let (mean, variance) = moments(&self.pair());
        NORMALISED_SCALE * (mean - 0.5) / (2.0 * variance).sqrt()
    }

    /// The model in which that measure of the player's strength has that value.
    fn with(measure: impl Fn(&Self) -> f64, value: f64) -> Self {
        let (mut low, mut high) = (-1000.0, 1000.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if measure(&Self::new(middle)) < value {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::new(low)
    }

    fn play_pair(&self, random: &mut Random, tally: &mut Tally) {
        let advantage = self.advantages[random.below(self.advantages.len())];
        let [one, other] = [advantage, -advantage].map(|advantage| {
            let results = [GameScore::Loss, GameScore::Draw, GameScore::Win];
            results[random.weighted(&self.game(advantage)).unwrap()]
        });
        tally.add_pair(one, other);
    }

    fn play(&self, pairs: usize, random: &mut Random) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..pairs {
            self.play_pair(random, &mut tally);
        }
        tally
    }
}

/// The largest share that sampling alone (three standard errors) would show of that probability.
fn at_most(probability: f64, trials: usize) -> f64 {
    probability + 3.0 * (probability * (1.0 - probability) / trials as f64).sqrt()
}

/// How often a test between 0 and 30 ends with that verdict.
fn share_of(verdict: Verdict, sprt: &Sprt, model: &Model, trials: usize, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let ended = (0..trials).filter(|_| {
        let mut tally = Tally::default();
        let reached = loop {
            model.play_pair(&mut random, &mut tally);
            let verdict = sprt.judge(&tally).verdict;
            if verdict != Verdict::Continue {
                break verdict;
            }
        };
        reached == verdict
    });
    ended.count() as f64 / trials as f64
}

#[test]
fn the_test_errs_no_more_often_than_it_promises() {
    const TRIALS: usize = 800;
    for model in [EloModel::Logistic, EloModel::Normalised] {
        let measure = |players: &Model| match model {
            EloModel::Logistic => players.elo(),
            EloModel::Normalised => players.normalised_elo(),
        };
        // Unequal probabilities, so that one cannot be taken for the other.
        let sprt = Sprt::new(0.0, 30.0, 0.1, 0.04, model).unwrap();
        let [weak, strong] = [0.0, 30.0].map(|elo| Model::with(measure, elo));
        let false_alarms = share_of(Verdict::AcceptH1, &sprt, &weak, TRIALS, 1);
        let misses = share_of(Verdict::AcceptH0, &sprt, &strong, TRIALS, 2);
        assert!(false_alarms <= at_most(0.1, TRIALS), "{model:?}: {false_alarms}");
        assert!(misses <= at_most(0.04, TRIALS), "{model:?}: {misses}");
        // A test that errs far less than it may wastes games.
        assert!(false_alarms >= 0.04 && misses >= 0.01, "{model:?}: {false_alarms} {misses}");
    }
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_matches() {
    const TRIALS: usize = 4000;
    let mut random = Random::new(3);
    for strength in [0.0, 25.0, 150.0] {
        let model = Model::new(strength);
        let (elo, normalised) = (model.elo(), model.normalised_elo());
        let mut held = [0; 3];
        for _ in 0..TRIALS {
            let tally = model.play(200, &mut random);
            let inside =
                |estimate: Estimate, truth| estimate.lower <= truth && truth <= estimate.upper;
            held[0] += usize::from(inside(tally.elo().unwrap(), elo));
            held[1] += usize::from(inside(tally.normalised_elo().unwrap(), normalised));
            held[2] += usize::from(tally.superiority().unwrap() > 0.05);
        }
        let [elo, normalised, superior] = held.map(|count| count as f64 / TRIALS as f64);
        assert!((0.93..=0.97).contains(&elo), "{strength}: {elo}");
        assert!((0.93..=0.97).contains(&normalised), "{strength}: {normalised}");
        if strength == 0.0 {
            assert!((0.93..=0.97).contains(&superior), "{superior}");
        }
    }
}

#[test]
fn games_without_pairs_have_honest_intervals_too() {
    const TRIALS: usize = 4000;
    let mut random = Random::new(4);
    let model = Model { advantages: [0.0; 2], ..Model::new(40.0) };
    let held = (0..TRIALS).filter(|_| {
        let all = model.play(150, &mut random);
        let tally = Tally::new(all.wins(), all.draws(), all.losses(), [0; 5]).unwrap();
        let estimate = tally.elo().unwrap();
        (estimate.lower..=estimate.upper).contains(&model.elo())
    });
    let held = held.count() as f64 / TRIALS as f64;
    assert!((0.93..=0.97).contains(&held), "{held}");
}

#[test]
fn ratings_of_a_round_robin_come_out_as_they_went_in() {
    const TRIALS: usize = 300;
    // Bradley–Terry holds for scores, so the truth is a rating difference that gives the score.
    let truth = [180.0, 60.0, 0.0, -40.0, -200.0];
    let meetings: Vec<(usize, usize, Model)> = (0..truth.len())
        .flat_map(|player| (0..player).map(move |opponent| (player, opponent)))
        .map(|(player, opponent)| {
            (player, opponent, Model::with(Model::elo, truth[player] - truth[opponent]))
        })
        .collect();
    let mut random = Random::new(5);
    let (mut held, mut sums) = (0, [0.0; 5]);
    for _ in 0..TRIALS {
        let pairings: Vec<Pairing> = meetings
            .iter()
            .map(|&(player, opponent, model)| Pairing {
                player,
                opponent,
                tally: model.play(100, &mut random),
            })
            .collect();
        for (rating, (elo, sum)) in
            ratings(truth.len(), &pairings).unwrap().iter().zip(truth.iter().zip(&mut sums))
        {
            *sum += rating.elo;
            held += usize::from((rating.elo - elo).abs() <= rating.margin.unwrap());
        }
    }
    for (sum, elo) in sums.iter().zip(truth) {
        let average = sum / TRIALS as f64;
        assert!((average - elo).abs() < 3.0, "{average} {elo}");
    }
    let held = held as f64 / (TRIALS * truth.len()) as f64;
    assert!((0.93..=0.98).contains(&held), "{held}");
}
