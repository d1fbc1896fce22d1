//! Which games are learnt from.

use tandem_chess::Random;

use super::config::Window;
use super::state::Generation;

/// A portion of games: its generation, and its place in it.
pub type Place = (u32, usize);

/// The portions that the last of those generations learns from: all of the window, and as many older ones
/// by chance as the settings want.
pub fn choose(generations: &[Generation], window: &Window, seed: u64) -> Vec<Place> {
    let begin = generations.len().saturating_sub(window.generations as usize);
    let (older, recent) = generations.split_at(begin);
    let games =
        |generation: &Generation, portion: usize| generation.portions[portion].results.games();
    let places = |generations: &[Generation]| -> Vec<(Place, u64)> {
        let of = |generation: &Generation| -> Vec<(Place, u64)> {
            let count = generation.portions.len();
            (0..count).map(|i| ((generation.number, i), games(generation, i))).collect()
        };
        generations.iter().flat_map(of).collect()
    };
    let recent = places(recent);
    let all: u64 = recent.iter().map(|&(_, games)| games).sum();
    let wanted = window.older / (1.0 - window.older) * all as f64;
    let (mut older, mut taken) = (places(older), 0);
    let mut random = Random::new(seed);
    let mut chosen: Vec<Place> = recent.into_iter().map(|(place, _)| place).collect();
    while !older.is_empty() && (taken as f64) < wanted {
        let (place, games) = older.swap_remove(random.below(older.len()));
        chosen.push(place);
        taken += games;
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use tandem_games::selfplay::Results;

    use super::*;
    use crate::learning::state::Portion;

    fn generations(count: u32) -> Vec<Generation> {
        let results = Results { wins: 5, draws: 5, losses: 0 };
        let portion = Portion { limit: None, results, plies: 0 };
        let generation =
            |number| Generation { number, portions: vec![portion; 4], ..Generation::default() };
        (1..=count).map(generation).collect()
    }

    fn count(chosen: &[Place], number: u32) -> usize {
        chosen.iter().filter(|place| place.0 == number).count()
    }

    #[test]
    fn the_last_generations_are_learnt_from_and_no_others() {
        let window = Window { generations: 3, ..Window::default() };
        let chosen = choose(&generations(2), &window, 1);
        assert_eq!(chosen.len(), 8);
        let chosen = choose(&generations(9), &window, 1);
        assert_eq!((7..=9).map(|number| count(&chosen, number)).sum::<usize>(), 12);
        assert_eq!(chosen.len(), 12);
    }

    #[test]
    fn older_games_are_the_share_of_all_that_is_wanted_as_far_as_there_are_any() {
        let window = Window { generations: 2, older: 0.2, ..Window::default() };
        let chosen = choose(&generations(9), &window, 1);
        assert_eq!((chosen.len(), count(&chosen, 8) + count(&chosen, 9)), (10, 8));
        let again = choose(&generations(9), &window, 1);
        let other = choose(&generations(9), &window, 5);
        assert!(again == chosen && other != chosen);
        let much = Window { generations: 1, older: 0.9, ..Window::default() };
        assert_eq!(choose(&generations(3), &much, 1).len(), 12);
        let mut unique = chosen.clone();
        unique.dedup();
        assert_eq!(unique, chosen);
    }
}
