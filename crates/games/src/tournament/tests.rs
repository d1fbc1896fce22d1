use std::path::Path;

use super::*;
use crate::adjudication::AdjudicationSpec;
use crate::book::{BookSpec, Order};
use crate::spec::tell_apart;
use crate::statistics::{EloModel, Sprt};
use std::time::Duration;

fn settings(players: &[&str], games: u64) -> Settings {
    let mut players: Vec<_> = players.iter().map(|line| line.parse().unwrap()).collect();
    tell_apart(&mut players);
    Settings {
        event: "a test".to_owned(),
        players,
        format: Format::RoundRobin,
        games,
        shard: crate::Shard::default(),
        book: BookSpec { file: None, plies: 8, order: Order::Sequential, seed: 7, chess960: false },
        adjudication: AdjudicationSpec {
            draw: "20:4:20".parse().ok(),
            resign: "3:500".parse().ok(),
            tables: None,
            max_plies: Some(200),
        },
        margin: Duration::ZERO,
        patience: Duration::from_mins(1),
        chess960: false,
        sprt: None,
    }
}

fn play(settings: Settings, out: Option<&Path>) -> Result<Report, MatchError> {
    let tournament = Tournament { settings, concurrency: 2, out: out.map(Path::to_owned) };
    tournament.run(&AtomicBool::new(false), &mut |_, _| {})
}

#[test]
fn more_nodes_win() {
    let report = play(settings(&["nodes=2000", "nodes=100"], 12), None).unwrap();
    let tally = report.standing.pairings()[0].tally;
    assert_eq!(tally.games(), 12);
    assert_eq!(tally.pair_count(), 6);
    assert!(tally.points() >= 10.0, "{tally:?}");
    let nodes = |player: usize| report.standing.conduct()[player].effort.nodes;
    assert!(nodes(0) > 5 * nodes(1));
    assert_eq!(report.unfinished, 0);
}

#[test]
fn an_interrupted_match_goes_on_and_plays_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("kept/match");
    let players = ["nodes=60", "nodes=60 name=other", "nodes=60 name=third"];
    let settings = settings(&players, 4);
    let stop = AtomicBool::new(false);
    let tournament =
        Tournament { settings: settings.clone(), concurrency: 2, out: Some(out.clone()) };
    let first = tournament
        .run(&stop, &mut |standing, _| {
            if standing.games() == 5 {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
    assert!((5..=7).contains(&first.standing.games()));
    assert!(first.interrupted);
    // Half a line at the end is a game that was being written.
    let journal = folder.path().join("kept/match.jsonl");
    let mut text = std::fs::read_to_string(&journal).unwrap();
    text.push_str("{\"number\":11,\"play");
    std::fs::write(&journal, text).unwrap();

    let second = play(settings.clone(), Some(&out)).unwrap();
    assert_eq!(second.resumed, first.standing.games());
    assert_eq!(second.standing.games(), 12);
    assert_eq!(second.unfinished, 1);
    let kept = std::fs::read_to_string(&journal).unwrap();
    let mut numbers: Vec<u64> = kept
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<GameRecord>(line).unwrap().number)
        .collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..12));
    let pgn = std::fs::read_to_string(folder.path().join("kept/match.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), 12);

    let third = play(settings.clone(), Some(&out)).unwrap();
    assert_eq!((third.resumed, third.standing.games()), (12, 12));
    let other = Settings { adjudication: AdjudicationSpec::default(), ..settings };
    let error = play(other, Some(&out)).unwrap_err().to_string();
    assert!(error.contains("other rules of adjudication"), "{error}");
}

#[test]
fn a_test_ends_the_match_when_it_has_decided() {
    let mut settings = settings(&["nodes=2000", "nodes=60"], 400);
    settings.sprt = Some(Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap());
    let report = play(settings, None).unwrap();
    assert!(report.standing.games() < 100);
    assert_eq!(report.sprt.unwrap().verdict, Verdict::AcceptH1);
    assert!(report.to_string().contains("not needed after the verdict"));
}

#[test]
fn the_giver_of_odds_always_has_less() {
    let report = play(settings(&["nodes=60 odds=d1", "nodes=60 name=b"], 4), None).unwrap();
    assert!(report.standing.pairings()[0].tally.points() <= 1.0);
    assert!(report.to_string().contains("without d1"));
}

#[test]
fn matches_that_make_no_sense_are_refused() {
    for (players, games, said) in [
        (&["nodes=1"][..], 2, "at least two players"),
        (&["nodes=1", "nodes=1"], 3, "3 games"),
        (&["nodes=1", ""], 2, "tandem 2 has no limit"),
        (&["nodes=1 side=white", "nodes=1 side=black"], 2, "cannot both have a fixed side"),
        (&["nodes=1", "nodes=1 option.Hsh=3"], 2, "no option 'Hsh'"),
        (&["nodes=1", "nodes=1 option.Hash=many"], 2, "'many'"),
        (&["nodes=1", "nodes=1 cmd=a-program-that-is-not-there"], 2, "cannot be started"),
        (&["nodes=1", "nodes=1 odds=e4"], 2, "no piece on e4"),
    ] {
        let error = play(settings(players, games), None).unwrap_err().to_string();
        assert!(error.contains(said), "{players:?}: {error}");
    }
}
