//! Search-contempt, contempt by ratings and temperature in whole searches.

mod common;

use std::num::NonZeroI64;

use common::{KIWIPETE, Material, START, game, nodes, run, search_with, settings};
use tandem_chess::Color;
use tandem_mcts::{ContemptMode, Frozen, Mcts, Params, Temperature};
use tandem_search::Score;

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

/// The score of the start position, and the share of draws.
fn shown(params: &Params) -> (i32, u16) {
    let (_, reports) =
        run(&mut search_with(&settings(1, 64), params), &game(START), &nodes(20_000));
    let last = reports.last().unwrap();
    let Score::Centipawns(score) = last.score else { panic!("{:?}", last.score) };
    (score, last.wdl.unwrap()[1])
}

#[test]
fn contempt_is_felt_but_not_shown_unless_asked_for() {
    let contempt = Params { rating_advantage: 200.0, draw_score: -0.2, ..Params::default() };
    let (plain, hidden) = (shown(&Params::default()).0, shown(&contempt).0);
    let felt = shown(&Params { shows_contempt: true, ..contempt }).0;
    assert!((hidden - plain).abs() < 25, "{plain} is shown as {hidden}");
    assert!((felt - plain).abs() > 50, "{plain} looks like {felt}");
    let off = Params { contempt_mode: ContemptMode::Off, ..contempt };
    assert_eq!(shown(&off), shown(&Params::default()));
}

#[test]
fn a_draw_is_taken_or_not_as_it_is_worth() {
    // White has a perpetual check and nothing better.
    let drawish = game("6k1/6p1/8/7Q/8/7P/1qr3P1/7K w - - 0 1");
    let value = |draw_score| {
        let params = Params { draw_score, shows_contempt: true, ..Params::default() };
        let (_, reports) =
            run(&mut search_with(&settings(1, 64), &params), &drawish, &nodes(20_000));
        let Score::Centipawns(score) = reports.last().unwrap().score else { return 10_000 };
        score
    };
    assert!(value(1.0) > value(-1.0) + 100, "{} {}", value(1.0), value(-1.0));
}

#[test]
fn chance_chooses_among_moves_by_their_visits() {
    let best = |temperature: Temperature, seed| {
        let params = Params { temperature, seed, ..Params::default() };
        run(&mut search_with(&settings(1, 16), &params), &game(START), &nodes(300)).0.best
    };
    let some = |temperature| {
        let mut moves: Vec<_> =
            (0..30).map(|seed| best(temperature, seed).unwrap().bits()).collect();
        moves.sort_unstable();
        moves.dedup();
        moves.len()
    };
    let warm = Temperature { start: 1.0, ..Temperature::default() };
    assert_eq!(some(Temperature::default()), 1);
    assert!(some(warm) >= 4, "{}", some(warm));
    assert_eq!(best(warm, 3), best(warm, 3));
    assert_eq!(
        some(Temperature { visit_offset: -1e6, ..warm }),
        1,
        "nothing is left to choose from"
    );
    assert!(some(Temperature { start: 100.0, value_cutoff: 0.0, ..warm }) <= 2);
    assert_eq!(some(Temperature { cutoff_move: 1, ..warm }), 1);
}
