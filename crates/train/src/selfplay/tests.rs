use std::fs;
use std::path::Path;

use super::*;

fn settings(games: u64, threads: usize) -> SelfPlay {
    SelfPlay {
        nodes: 40,
        games,
        seed: 5,
        shard: Shard::default(),
        balance: 300,
        adjudication: Adjudication {
            resign: "2:900".parse().ok(),
            max_plies: Some(60),
            ..Adjudication::default()
        },
        threads,
        networks: None,
    }
}

fn run(settings: &SelfPlay, file: &Path) -> Yield {
    settings.run(file, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

#[test]
fn the_file_does_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["one", "two", "three"].map(|name| folder.path().join(name));
    let done = run(&settings(9, 1), &one);
    assert_eq!((done.games, done.resumed), (9, 0));
    assert_eq!(done.results.iter().sum::<u64>(), 9);
    run(&settings(9, 3), &two);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());

    let stop = AtomicBool::new(false);
    settings(9, 2)
        .run(&three, &stop, &mut |done| {
            if done.games == 4 {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
    let mut bytes = fs::read(&three).unwrap();
    assert!(bytes.len() < fs::read(&one).unwrap().len());
    // Something was being written when the power went.
    bytes.truncate(bytes.len() - 3);
    fs::write(&three, bytes).unwrap();
    let done = run(&settings(9, 2), &three);
    assert!((3..9).contains(&done.resumed) && done.cut_off > 0, "{done:?}");
    assert_eq!(fs::read(&one).unwrap(), fs::read(&three).unwrap());
}

#[test]
fn every_finished_game_is_in_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games");
    let mut sizes = Vec::new();
    settings(3, 1)
        .run(&file, &AtomicBool::new(false), &mut |_| {
            sizes.push(fs::metadata(&file).unwrap().len());
        })
        .unwrap();
    assert_eq!(sizes.len(), 4);
    assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
    assert_eq!(sizes[3], fs::metadata(&file).unwrap().len());
}

#[test]
fn parts_hold_different_games_and_every_game_its_own_opening() {
    let folder = tempfile::tempdir().unwrap();
    let mut starts = Vec::new();
    for shard in ["1/2", "2/2"] {
        let file = folder.path().join(shard.replace('/', "-"));
        run(&SelfPlay { shard: shard.parse().unwrap(), ..settings(5, 2) }, &file);
        let mut games = SoundGames::strict(open(&file, Format::Games).unwrap());
        while let Some(record) = games.next_game().unwrap() {
            assert!(!starts.contains(&record.start().key()));
            starts.push(record.start().key());
            assert!(record.plies().iter().all(|ply| ply.label.is_some()));
        }
    }
    assert_eq!(starts.len(), 10);
}
