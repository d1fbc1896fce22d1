use std::path::Path;

use super::*;
use crate::adjudication::AdjudicationSpec;
use crate::visits::VisitsReader;

fn settings(games: u64) -> Settings {
    let both = "option.EvalFile=none option.Hash=1 option.Temperature=1".parse().unwrap();
    let side = |name| player(name, 30, &both, &SideOptions::default());
    Settings {
        players: [side("white"), side("black")],
        games,
        shard: "1/1".parse().unwrap(),
        seed: 3,
        start: Start::usual(),
        adjudication: AdjudicationSpec { max_plies: Some(24), ..AdjudicationSpec::default() },
    }
}

fn play(settings: Settings, out: Option<&Path>) -> Result<Report, SelfPlayError> {
    let work = SelfPlay { settings, concurrency: 2, out: out.map(Path::to_owned) };
    work.run(&AtomicBool::new(false), &mut |_, _| {})
}

#[test]
fn interrupted_games_go_on_and_what_was_thought_stands_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games");
    let stop = AtomicBool::new(false);
    let work = SelfPlay { settings: settings(5), concurrency: 2, out: Some(out.clone()) };
    let first = work
        .run(&stop, &mut |standing, _| {
            stop.store(standing.results().games() >= 2, Ordering::Relaxed);
        })
        .unwrap();
    assert!(first.interrupted && first.to_string().contains("interrupted"));
    let second = play(settings(5), Some(&out)).unwrap();
    assert_eq!((second.counts.white.games(), second.total), (5, 5));
    assert_eq!(second.resumed, first.counts.white.games());
    assert!(second.to_string().contains("missing: none"));
    let mut reader = VisitsReader::open(&out.with_extension("visits")).unwrap();
    let mut numbers = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        assert!(game.steps.iter().all(|step| step.value.is_some() && !step.visits.is_empty()));
        numbers.push(game.number);
    }
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..5));
    let other = Settings { seed: 4, ..settings(5) };
    let error = play(other, Some(&out)).unwrap_err().to_string();
    assert!(error.contains("holds a self-play with other seeds"), "{error}");
}

#[test]
fn settings_that_make_no_games_are_refused() {
    let fen = |fen: &str| Settings { start: Start::Fen(fen.to_owned()), ..settings(1) };
    for (settings, said) in [
        (settings(0), "0 games"),
        (settings(MOST_GAMES + 1), "games: expected"),
        (Settings { shard: "3/3".parse().unwrap(), ..settings(2) }, "holds none"),
        (fen("8/8/8/8/8/8/8/8 w - - 0 1"), "is no position"),
        (fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), "the game is over"),
    ] {
        let error = play(settings, None).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
