//! Search-contempt in whole searches.

mod common;

use std::num::NonZeroI64;

use common::{KIWIPETE, Material, START, game, nodes, run, search_with, settings};
use tandem_chess::Color;
use tandem_mcts::{ContemptMode, Frozen, Mcts, Params};

fn params(limit: i64) -> Params {
    Params { sc_limit: NonZeroI64::new(limit), seed: 1, ..Params::default() }
}

fn searched(threads: usize, params: &Params, playouts: u64) -> Mcts<Material> {
    let mut search = search_with(&settings(threads, 64), params);
    run(&mut search, &game(KIWIPETE), &nodes(playouts));
    search
}

#[test]
fn a_limit_that_is_never_reached_changes_no_position_of_the_tree() {
    let (plain, endless) = (searched(1, &params(0), 20_000), searched(1, &params(1 << 40), 20_000));
    assert_eq!(plain.fingerprint(), endless.fingerprint());
    assert_eq!(endless.frozen().positions, 0);
    let off = Params { contempt_mode: ContemptMode::Off, ..params(5) };
    assert_eq!(plain.fingerprint(), searched(1, &off, 20_000).fingerprint());
    assert_ne!(plain.fingerprint(), searched(1, &params(5), 20_000).fingerprint());
}

#[test]
fn the_same_seed_draws_the_same_tree() {
    let tree = |seed| searched(1, &Params { seed, ..params(5) }, 20_000).fingerprint();
    assert_eq!(tree(1), tree(1));
    assert_ne!(tree(1), tree(2));
}

#[test]
fn the_limit_is_reached_and_never_passed() {
    for threads in [1, 3] {
        for limit in [1, 5, 28, 400] {
            let search = searched(threads, &params(limit), 60_000);
            let Frozen { positions, visits, unfrozen } = search.frozen();
            let limit = limit as u64;
            assert!(positions > 10, "{positions} with {threads} threads");
            assert_eq!(visits, Some((limit, limit)), "{threads} threads");
            assert!(unfrozen <= limit, "{unfrozen} of {limit} with {threads} threads");
            assert_eq!(search.visits_under_way(), 0);
        }
    }
}

#[test]
fn a_negative_limit_freezes_our_own_side() {
    let one_ply = |limit| {
        let mut search = search_with(&settings(1, 64), &params(limit));
        run(&mut search, &game(START), &nodes(30_000));
        search.frozen().positions
    };
    // The same position seen by the other side freezes the same moves.
    let other = Params { contempt_mode: ContemptMode::Against(Color::White), ..params(-5) };
    let mut search = search_with(&settings(1, 64), &other);
    run(&mut search, &game(START), &nodes(30_000));
    assert_eq!(search.frozen().positions, one_ply(5));
    assert_ne!(one_ply(-5), one_ply(5));
}

#[test]
fn a_tree_is_used_again_only_if_the_same_side_is_frozen_in_it() {
    let first = game(START);
    let mut second = first.clone();
    for m in ["e2e4", "e7e5"] {
        let m = second.position().legal_moves().into_iter().find(|l| l.to_string() == m).unwrap();
        second.play(m).unwrap();
    }
    let kept = |mode, moves: usize| {
        let mut search =
            search_with(&settings(1, 64), &Params { contempt_mode: mode, ..params(5) });
        run(&mut search, &first, &nodes(20_000));
        let mut game = first.clone();
        for &m in &second.moves()[..moves] {
            game.play(m).unwrap();
        }
        let (_, reports) = run(&mut search, &game, &nodes(1));
        reports.last().unwrap().hashfull > 1
    };
    let white = ContemptMode::Against(Color::White);
    assert!(kept(ContemptMode::Play, 2) && kept(white, 1) && kept(white, 2));
    assert!(!kept(ContemptMode::Play, 1), "the opponent is the other side now");
}
