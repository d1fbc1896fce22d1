//! The limit of search-contempt, steered to as many decisive games as are wanted.

use tandem_games::controller::{Advice, Controller, Effect, Measurement};

use super::config::SelfPlaySettings;
use super::state::{Portion, State};

/// More limits than this are not tried with the same networks. They would differ by nothing.
const ROUNDS: usize = 32;

/// The limit of the next portion; none for plain PUCT. It follows from the games of the same networks; the
/// first limit of new ones is the last of those before.
pub fn limit(settings: &SelfPlaySettings, state: &State) -> Option<u64> {
    if settings.limit == 0 {
        return None;
    }
    let all = || state.generations.iter().flat_map(|generation| &generation.portions);
    let last = all().last().and_then(|portion| portion.limit).unwrap_or(settings.limit);
    if settings.target <= 0.0 {
        return Some(settings.limit);
    }
    let players = state.players();
    let same = state.generations.iter().filter(|generation| generation.players == players);
    let portions: Vec<Portion> = same.flat_map(|generation| generation.portions.clone()).collect();
    let controller = Controller {
        range: (1.0, settings.nodes.max(settings.limit) as f64),
        grid: 1.0,
        effect: Effect::Falling,
        target: settings.target,
        tolerance: settings.tolerance,
        rounds: ROUNDS,
        first: Some(last as f64),
    };
    let (Advice::Try(limit) | Advice::Done(limit, _)) = controller.advise(&measured(&portions));
    Some(limit as u64)
}

/// What the games say of each limit, all portions with the same one together.
fn measured(portions: &[Portion]) -> Vec<Measurement> {
    let mut list: Vec<Measurement> = Vec::new();
    for portion in portions {
        let setting = portion.limit.unwrap_or_default() as f64;
        match list.iter_mut().find(|known| known.setting.total_cmp(&setting).is_eq()) {
            Some(known) => known.results += portion.results,
            None => list.push(Measurement { setting, results: portion.results }),
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use tandem_games::selfplay::Results;

    use super::*;
    use crate::learning::LoopConfig;
    use crate::learning::pair::Names;
    use crate::learning::state::Generation;

    fn state() -> State {
        let first = Names { value: String::new(), policy: String::new() };
        let generations = vec![Generation { number: 1, ..Generation::default() }];
        State { config: LoopConfig::default(), first, generations }
    }

    /// A portion in which (w+l)/d is 1 where the limit is `at`, and falls as it grows.
    fn portion(limit: u64, at: f64) -> Portion {
        let won = (1000.0 / (1.0 + limit as f64 / at)).round() as u64;
        let results = Results { wins: won, draws: 1000 - won, losses: 0 };
        Portion { limit: Some(limit), results, plies: 0 }
    }

    fn play(state: &mut State, at: f64, portions: usize) -> Vec<u64> {
        let settings = state.config.selfplay.clone();
        let next = |_| {
            let next = limit(&settings, state).unwrap();
            state.generations.last_mut().unwrap().portions.push(portion(next, at));
            next
        };
        (0..portions).map(next).collect()
    }

    #[test]
    fn the_limit_comes_to_where_as_many_games_are_decisive_as_are_wanted_and_stays() {
        let mut state = state();
        let tried = play(&mut state, 60.0, 8);
        assert_eq!(tried[0], 20);
        let before = tried[7];
        assert!((before as f64 / 60.0).ln().abs() <= 1.25_f64.ln(), "{tried:?}");
        assert_eq!(tried[6], tried[7]);

        // A generation that lost leaves the same players, who need no new search.
        state.generations.push(Generation { number: 2, ..Generation::default() });
        assert_eq!(play(&mut state, 60.0, 2), [tried[7], tried[7]]);
        // New players begin there and go on from there.
        state.generations.push(Generation { number: 3, players: 2, ..Generation::default() });
        let tried = play(&mut state, 7.0, 8);
        assert_eq!(tried[0], before);
        assert!((tried[7] as f64 / 7.0).ln().abs() <= 1.3_f64.ln(), "{tried:?}");
    }

    #[test]
    fn a_limit_that_is_not_to_be_steered_stays_and_none_is_none() {
        let mut state = state();
        state.config.selfplay.target = 0.0;
        assert_eq!(play(&mut state, 1.0, 3), [20, 20, 20]);
        state.config.selfplay.limit = 0;
        assert_eq!(limit(&state.config.selfplay, &state), None);
    }

    #[test]
    fn games_with_the_same_limit_count_together() {
        let both = measured(&[portion(8, 8.0), portion(9, 8.0), portion(8, 8.0)]);
        let both: Vec<_> = both.iter().map(|m| (m.setting as u64, m.results.games())).collect();
        assert_eq!(both, [(8, 2000), (9, 1000)]);
    }
}
