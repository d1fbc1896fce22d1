//! Random games played side by side with `shakmaty`: every position on the way is compared in
//! every respect.

mod support;

use std::collections::{HashMap, HashSet};

use tandem_chess::Position;

use support::compare::compare;
use support::oracle::{self, Pair, Verdict};
use support::random::Random;
use support::{placement, starts, suite};

/// Plays random moves from a position, comparing before each. Returns how many were compared.
fn playout(fen: &str, plies: usize, random: &mut Random) -> usize {
    let mut pair = Pair::new(fen);
    for ply in 0..plies {
        compare(&pair, random);
        match pair.random_move(random) {
            Some(m) => pair.play(m),
            None => return ply + 1,
        }
    }
    plies
}

#[test]
fn games_from_the_start_position_agree() {
    let mut random = Random::new(1);
    let fen = starts::start_fen(518, 518);
    let compared: usize = (0..40).map(|_| playout(&fen, 400, &mut random)).sum();
    assert!(compared >= 8000, "only {compared} positions");
}

#[test]
fn games_from_every_chess960_start_agree() {
    let mut random = Random::new(960);
    let compared: usize = (0..960)
        .map(|number| {
            let plies = if number % 16 == 0 { 200 } else { 12 };
            playout(&starts::start_fen(number, number), plies, &mut random)
        })
        .sum();
    assert!(compared >= 15_000, "only {compared} positions");
}

#[test]
fn games_from_double_chess960_starts_agree() {
    let mut random = Random::new(960 * 960);
    let compared: usize = (0..250)
        .map(|_| {
            let fen = starts::start_fen(random.below(960), random.below(960));
            playout(&fen, 60, &mut random)
        })
        .sum();
    assert!(compared >= 12_000, "only {compared} positions");
}

#[test]
fn games_from_the_perft_positions_agree() {
    let mut random = Random::new(174);
    let compared: usize =
        suite::all_entries().iter().map(|entry| playout(&entry.fen, 60, &mut random)).sum();
    assert!(compared >= 6000, "only {compared} positions");
}

/// Pieces, side to move, castling and en-passant rights decide the key, and nothing else does.
#[test]
fn positions_have_one_key_if_they_are_the_same_and_two_if_not() {
    let mut random = Random::new(2);
    let mut keys: HashMap<u64, String> = HashMap::new();
    let mut fens: Vec<String> = suite::all_entries().into_iter().map(|entry| entry.fen).collect();
    // The same pieces with all sets of rights.
    for rights in 0..16 {
        let letters = "KQkq".chars().enumerate().filter(|(bit, _)| rights >> bit & 1 == 1);
        let castling: String = letters.map(|(_, letter)| letter).collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        for rest in ["w {} -", "b {} -", "w {} d6", "b {} e3"] {
            let rest = rest.replace("{}", castling);
            fens.push(format!("r3k2r/8/8/3pP3/3pP3/8/8/R3K2R {rest} 0 1"));
        }
    }
    for fen in fens {
        let mut pair = Pair::new(&fen);
        for _ in 0..200 {
            let identity: Vec<String> =
                oracle::fen(&pair.theirs).split(' ').take(4).map(str::to_owned).collect();
            let identity = identity.join(" ");
            let known = keys.entry(pair.ours.key()).or_insert_with(|| identity.clone());
            assert_eq!(*known, identity, "the key {:#x}", pair.ours.key());
            match pair.random_move(&mut random) {
                Some(m) => pair.play(m),
                None => break,
            }
        }
    }
    let identities: HashSet<&String> = keys.values().collect();
    assert_eq!(identities.len(), keys.len(), "a position has two keys");
    assert!(keys.len() > 20_000, "only {} positions", keys.len());
}

/// Reads FENs with both programs until so many were possible: each is accepted or refused by
/// both, odd checks apart. Returns how many were impossible.
fn judge(wanted: usize, make: fn(&mut Random) -> String) -> usize {
    let mut random = Random::new(64);
    let (mut compared, mut refused) = (0, 0);
    while compared < wanted {
        let fen = make(&mut random);
        let ours = Position::from_fen(&fen);
        match oracle::judge(&fen) {
            Verdict::Possible(theirs) => {
                let ours = ours.unwrap_or_else(|error| panic!("{fen}: {error}"));
                compare(&Pair { ours, theirs }, &mut random);
                compared += 1;
            }
            Verdict::Impossible => {
                assert!(ours.is_err(), "{fen} is impossible");
                refused += 1;
            }
            Verdict::OddCheck => {}
        }
    }
    refused
}

#[test]
fn endgames_that_games_rarely_reach_are_judged_alike() {
    assert!(judge(8000, placement::sparse) > 1000);
}

#[test]
fn crowded_boards_are_judged_alike() {
    assert!(judge(2000, placement::crowded) > 1000);
}

#[test]
fn claims_about_castling_and_en_passant_are_judged_alike() {
    assert!(judge(8000, placement::with_rights) > 1000);
}
