//! Batches give the integers that single evaluations give, and explanations agree with both.

mod common;

use std::sync::Arc;
use std::time::Duration;

use tandem_chess::Position;
use tandem_nnue::{
    BatchError, BatchEvaluator, CpuBatchEvaluator, Evaluator, Network, Networks, PolicyEvaluator,
    PolicyNetwork,
};

fn positions() -> Vec<Position> {
    let lines = include_str!("data/golden.tsv").lines().skip(1);
    lines.map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect()
}

fn pair() -> Networks {
    let load = |name| Arc::new(Network::load(common::path(name)).unwrap());
    Networks::new(load(common::THREATS), Some(load(common::SMALL))).unwrap()
}

#[test]
fn batches_equal_single_evaluations_whatever_the_threads_and_the_order() {
    let (networks, positions) = (pair(), positions());
    let mut evaluator = Evaluator::new(&networks, &positions[0]);
    let mut single = |position: &Position| {
        evaluator.reset(position);
        evaluator.evaluate()
    };
    let expected: Vec<_> = positions.iter().map(&mut single).collect();
    for threads in [1, 2, 3] {
        let batches = CpuBatchEvaluator::new(&networks, None, threads);
        assert!(batches.preferred_batch() > 0);
        let sizes = [300, 0, 1, 17, 100];
        let tickets = sizes.map(|size| batches.submit(positions[..size].to_vec()));
        for (ticket, size) in tickets.into_iter().zip(sizes).rev() {
            let answers = batches.wait(ticket).unwrap();
            assert_eq!(answers.len(), size);
            for (answer, expected) in answers.iter().zip(&expected) {
                assert_eq!(answer.score, *expected);
                assert_eq!(answer.logits, None);
            }
        }
    }
}

#[test]
fn moves_are_judged_beside_the_values_where_a_policy_network_is_loaded() {
    let (networks, positions) = (pair(), positions());
    let network = Arc::new(PolicyNetwork::random(128, 3).unwrap());
    let mut policy = PolicyEvaluator::new(network).unwrap();
    let batches = CpuBatchEvaluator::new(&networks, Some(&policy), 2);
    let values = CpuBatchEvaluator::new(&networks, None, 1);
    let answers = batches.wait(batches.submit(positions.clone())).unwrap();
    let alone = values.wait(values.submit(positions.clone())).unwrap();
    let mut judged = 0;
    for ((position, answer), alone) in positions.iter().zip(answers).zip(alone) {
        assert_eq!(answer.score, alone.score);
        let moves = position.legal_moves();
        let mut expected = vec![0.0; moves.len()];
        policy.judge(position, &moves, &mut expected);
        judged += moves.len();
        assert_eq!(answer.logits, Some(expected), "{position}");
    }
    assert!(judged > 1000);
}

#[test]
fn a_foreign_ticket_is_refused() {
    let batches = CpuBatchEvaluator::new(&pair(), None, 1);
    let foreign = tandem_nnue::Ticket::new(77);
    assert_eq!(batches.wait(foreign), Err(BatchError::UnknownTicket(77)));
}

#[test]
fn a_batch_that_nobody_waits_for_does_no_harm() {
    let batches = CpuBatchEvaluator::new(&pair(), None, 2);
    let _ = batches.submit(positions());
}

#[test]
fn whether_a_batch_is_back_can_be_asked_without_losing_it() {
    let (batches, positions) = (CpuBatchEvaluator::new(&pair(), None, 2), positions());
    let [first, second] = [(); 2].map(|()| batches.submit(positions.clone()));
    while !batches.is_back(&first, Duration::from_micros(50)) {}
    assert_eq!(batches.wait(first).unwrap().len(), positions.len());
    let number = second.number();
    batches.forget(second);
    let again = tandem_nnue::Ticket::new(number);
    assert_eq!(batches.wait(again), Err(BatchError::UnknownTicket(number)));
}

#[test]
fn an_explanation_agrees_with_the_evaluation() {
    let networks = pair();
    for position in positions().into_iter().take(40) {
        let explanation = networks.explain(&position);
        let mut evaluator = Evaluator::new(&networks, &position);
        assert_eq!(explanation.score, evaluator.evaluate());
        assert_eq!(explanation.buckets[explanation.bucket], evaluator.outputs());
        assert_eq!(explanation.pieces.len(), position.occupied().count() as usize - 2);
    }
}

#[test]
fn a_queen_is_worth_more_than_a_knight() {
    let explanation = pair().explain(&Position::startpos());
    let worth = |letter: char| {
        let found = explanation.pieces.iter().find(|c| c.piece.letter() == letter);
        found.unwrap().centipawns.unwrap()
    };
    assert!(worth('Q') > worth('N') && worth('N') > 0, "{explanation:?}");
    assert!(worth('q') < worth('n') && worth('n') < 0, "{explanation:?}");
    assert!(!explanation.by_small && explanation.bucket == 7);
}
