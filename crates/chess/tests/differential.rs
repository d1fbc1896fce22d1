//! Random games played side by side with `shakmaty`: every position on the way is compared in
//! every respect.

mod support;

use tandem_chess::Position;

use support::compare::compare;
use support::oracle::{self, Pair};
use support::random::Random;
use support::{starts, suite};

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

/// Endgames that games rarely reach: few men, thrown on the board.
#[test]
fn random_placements_are_judged_alike() {
    let mut random = Random::new(64);
    let (mut compared, mut refused) = (0, 0);
    while compared < 8000 {
        let fen = random_placement(&mut random);
        let ours = Position::from_fen(&fen);
        match oracle::judge(&fen) {
            Ok(theirs) => {
                let ours = ours.unwrap_or_else(|error| panic!("{fen}: {error}"));
                compare(&Pair { ours, theirs }, &mut random);
                compared += 1;
            }
            Err(error) => {
                // Two checks that no single move can give are not worth a refusal to everyone.
                let debatable = error.ignore_impossible_check().is_ok();
                assert!(ours.is_err() || debatable, "{fen} is impossible");
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "only {refused} impossible positions");
}

/// Both kings and up to ten other men anywhere, pawns on the last ranks included.
fn random_placement(random: &mut Random) -> String {
    let mut board = [' '; 64];
    let others = random.below(11);
    let kinds: Vec<char> = "PNBRQpnbrq".chars().collect();
    let men = (0..others).map(|_| random.pick(&kinds)).collect::<Vec<_>>();
    for man in ['K', 'k'].into_iter().chain(men) {
        board[random.below(64)] = man;
    }
    let ranks: Vec<String> = board
        .chunks(8)
        .map(|rank| {
            let mut text: String = rank.iter().collect();
            for gap in (1..=8).rev() {
                text = text.replace(&" ".repeat(gap), &gap.to_string());
            }
            text
        })
        .collect();
    format!(
        "{} {} - - {} 1",
        ranks.join("/"),
        random.pick(&["w", "b"]),
        random.below(120)
    )
}
