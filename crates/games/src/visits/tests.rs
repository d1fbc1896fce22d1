use std::fs;

use tandem_chess::Random;

use super::*;

/// Plays by chance and invents what was known.
fn random_game(number: u64) -> VisitedGame {
    let mut random = Random::new(number);
    let start = match number % 3 {
        0 => Position::startpos(),
        1 => {
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap()
        }
        _ => Position::chess960(random.below(960)),
    };
    let mut position = start;
    let mut steps = Vec::new();
    for ply in 0..random.below(60) {
        let legal = in_order(&position);
        if legal.is_empty() {
            break;
        }
        let m = legal[random.below(legal.len())];
        let is_known = ply > 3 && number.is_multiple_of(2);
        let value = (ply > 3).then(|| Value {
            q: random.below(20_001) as i16 - 10_000,
            draw: random.below(10_001) as u16,
        });
        let count = |random: &mut Random| random.bits() >> (40 + random.below(24));
        let visits = legal.iter().map(|&m| (m, count(&mut random)));
        let visits = visits.filter(|&(_, visits)| is_known && visits > 0).collect();
        steps.push(Step { m, value, visits });
        position = position.after(m);
    }
    let white = [GameScore::Loss, GameScore::Draw, GameScore::Win][random.below(3)];
    VisitedGame { number, start, steps, white, end: End::ALL[random.below(End::ALL.len())] }
}

fn written(games: &[VisitedGame]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.visits");
    let mut writer = VisitsWriter::resume(&path, "made for a test", &[]).unwrap();
    for game in games {
        writer.write(game).unwrap();
    }
    fs::read(&path).unwrap()
}

/// All games up to the end or the damage.
fn read(bytes: &[u8]) -> (Vec<VisitedGame>, Option<String>) {
    let mut reader = VisitsReader::new(bytes, "data".as_ref());
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(game)) => games.push(game),
            Ok(None) => return (games, None),
            Err(error) => {
                assert!(reader.next_game().unwrap().is_none());
                return (games, Some(error.to_string()));
            }
        }
    }
}

fn games(count: u64) -> Vec<VisitedGame> {
    (0..count).map(random_game).collect()
}

#[test]
fn games_come_back_as_they_were() {
    let games = games(60);
    let bytes = written(&games);
    assert_eq!(read(&bytes), (games.clone(), None));
    let joined = [bytes.as_slice(), &bytes].concat();
    assert_eq!(read(&joined).0.len(), 120);
    let mut reader = VisitsReader::new(bytes.as_slice(), "data".as_ref());
    assert!(reader.next_game().unwrap().is_some());
    assert_eq!(reader.notes(), ["made for a test"]);
}

#[test]
fn the_order_of_moves_is_that_of_their_squares() {
    let position: Position = "1n2k3/P7/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    let names: Vec<String> = in_order(&position).iter().map(ToString::to_string).collect();
    assert_eq!(names[..4], ["a1b1", "a1c1", "a1d1", "a1a2"]);
    let promotions = ["a7a8n", "a7a8b", "a7a8r", "a7a8q", "a7b8n", "a7b8b", "a7b8r", "a7b8q"];
    assert_eq!(names[names.len() - 8..], promotions);
}

#[test]
fn a_file_cut_anywhere_gives_its_whole_games_and_the_place_of_the_cut() {
    let games = games(3);
    let bytes = written(&games);
    let ends: Vec<usize> = (0..=3).map(|count| written(&games[..count]).len()).collect();
    for length in ends[0]..bytes.len() {
        let whole = ends.iter().rposition(|&end| end <= length).unwrap();
        let (found, error) = read(&bytes[..length]);
        assert_eq!(found, games[..whole]);
        if length == ends[whole] {
            assert_eq!(error, None);
        } else {
            let place = format!("data: damaged at byte {}: the file ends", ends[whole]);
            assert!(error.unwrap().starts_with(&place));
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let games = games(2);
    let bytes = written(&games);
    let mut random = Random::new(3);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << random.below(8);
        let (found, error) = read(&damaged);
        assert!(error.unwrap().starts_with("data: damaged at byte "), "byte {at}");
        assert!(found.len() < 2 && found.iter().all(|game| games.contains(game)));
    }
}

#[test]
fn a_sound_frame_around_nonsense_is_refused() {
    let mut random = Random::new(6);
    let good = payload::game(&random_game(4));
    for at in 0..good.len() {
        let mut changed = good.clone();
        changed[at] = changed[at].wrapping_add(1 + random.below(255) as u8);
        // Whatever comes of it, the reader does not fall.
        let _ = payload::read(&changed);
        assert!(payload::read(&good[..at]).is_err(), "{at}");
    }
    assert!(payload::read(&[&good[..], &[0]].concat()).is_err());
    assert!(payload::read(&[9]).is_err_and(|reason| reason.contains("unknown kind 9")));
}

#[test]
fn a_file_goes_on_behind_the_games_that_were_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.visits");
    let games = games(4);
    let whole = written(&games);
    for cut in 0..9 {
        // The third game was not noted elsewhere, or not wholly written.
        fs::write(&path, &written(&games[..3])[..written(&games[..3]).len() - cut]).unwrap();
        let mut writer = VisitsWriter::resume(&path, "made for a test", &[0, 1]).unwrap();
        for game in &games[2..] {
            writer.write(game).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    let error = |kept: &[u64]| VisitsWriter::resume(&path, "", kept).err().unwrap().to_string();
    assert!(error(&[0, 2]).contains("game 2 is missing"));
    assert!(error(&[0, 1, 2, 3, 4]).contains("game 4 is missing"));
    assert_eq!(fs::read(&path).unwrap(), whole, "a refusal changes nothing");
}
