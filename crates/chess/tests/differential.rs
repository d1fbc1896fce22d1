//! Random games played side by side with `shakmaty`: every position on the way is compared in
//! every respect.

mod support;

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
    let compared: usize = suite::all_entries()
        .iter()
        .map(|entry| playout(&entry.fen, 60, &mut random))
        .sum();
    assert!(compared >= 6000, "only {compared} positions");
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
fn claims_about_castling_and_en_passant_are_judged_alike() {
    assert!(judge(8000, placement::with_rights) > 1000);
}
