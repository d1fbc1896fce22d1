//! The search with priors by a policy network.

mod common;

use std::sync::Arc;

use common::{KIWIPETE, Material, START, game, nodes, run, search_with, settings};
use tandem_mcts::{Mcts, Params, Policy};
use tandem_nnue::{PolicyEvaluator, PolicyNetwork};
use tandem_search::Search as _;

fn network(seed: u64) -> PolicyEvaluator {
    PolicyEvaluator::new(Arc::new(PolicyNetwork::random(128, seed).unwrap())).unwrap()
}

fn search(threads: usize, seed: u64) -> Mcts<Material> {
    search_with(&settings(threads, 16), &Params::default()).with_policy(Some(network(seed)))
}

#[test]
fn one_thread_builds_the_same_tree_again_and_another_network_another_one() {
    for fen in [START, KIWIPETE] {
        let tree = |seed| {
            let mut search = search(1, seed);
            let (choice, _) = run(&mut search, &game(fen), &nodes(20_000));
            (choice.best, search.fingerprint())
        };
        assert_eq!(tree(1), tree(1));
        assert_ne!(tree(1).1, tree(2).1);
    }
}

#[test]
fn two_threads_share_the_tree_and_leave_nothing_under_way() {
    let mut search = search(2, 1);
    for fen in [START, KIWIPETE] {
        let (choice, _) = run(&mut search, &game(fen), &nodes(30_000));
        assert!(choice.best.is_some());
        assert_eq!(search.visits_under_way(), 0);
    }
}

#[test]
fn priors_of_the_root_are_those_of_the_network() {
    let params = Params { verbose: true, ..Params::default() };
    let mut search = search_with(&settings(1, 16), &params).with_policy(Some(network(4)));
    let game = game(KIWIPETE);
    let (_, reports) = run(&mut search, &game, &nodes(500));
    let position = game.position();
    let moves = position.legal_moves();
    let mut expected = vec![0.0; moves.len()];
    network(4).judge(position, &moves, &mut expected);
    tandem_mcts::softmax(&mut expected, Policy::Network.root_temperature());
    let told = &reports.last().unwrap().moves;
    let mut compared = 0;
    for (m, expected) in moves.into_iter().zip(expected) {
        let report = told.iter().find(|report| report.m == Some(m)).expect("every move is told of");
        assert!((report.prior - expected).abs() < 1e-5, "{m}: {} {expected}", report.prior);
        compared += 1;
    }
    assert_eq!(compared, 48);
}

#[test]
fn without_a_network_moves_are_judged_by_chess_knowledge() {
    let fingerprint = |policy, network: Option<PolicyEvaluator>| {
        let params = Params { policy, ..Params::default() };
        let mut search = search_with(&settings(1, 16), &params).with_policy(network);
        run(&mut search, &game(KIWIPETE), &nodes(3000));
        search.fingerprint()
    };
    let heuristic = fingerprint(Policy::Heuristic, None);
    assert_eq!(fingerprint(Policy::Network, None), heuristic);
    assert_eq!(fingerprint(Policy::Heuristic, Some(network(1))), heuristic);
    assert_ne!(fingerprint(Policy::Network, Some(network(1))), heuristic);
}

#[test]
fn a_temperature_that_is_set_holds_for_every_policy() {
    let fingerprint = |policy, temperature| {
        let params = Params { policy, policy_temperature: temperature, ..Params::default() };
        let mut search = search_with(&settings(1, 16), &params).with_policy(Some(network(1)));
        run(&mut search, &game(KIWIPETE), &nodes(3000));
        search.fingerprint()
    };
    for policy in [Policy::Network, Policy::Heuristic] {
        let usual = fingerprint(policy, None);
        assert_eq!(fingerprint(policy, Some(policy.temperature())), usual);
        assert_ne!(fingerprint(policy, Some(0.7)), usual);
    }
    let mut search = search(1, 1);
    search.get_ready();
    assert!(run(&mut search, &game(START), &nodes(100)).0.best.is_some());
}
