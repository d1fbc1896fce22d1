//! Moves that the device judges have the processor's integers, alone and beside the values.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{WAYS, assert_no_complaint, device_with, embedded, positions, real};
use tandem_chess::{Position, Random};
use tandem_gpu::kernels::{Reading, Variant};
use tandem_gpu::limits::MAX_BATCH;
use tandem_gpu::{
    AdaptiveEvaluator, Checks, Device, DeviceOptions, Direct, GpuBatchEvaluator, GpuError, Model,
    Options, PolicyModel, Preference, Transfer,
};
use tandem_nnue::{
    Assessment, BatchEvaluator, CpuBatchEvaluator, Networks, PolicyEvaluator, PolicyNetwork,
    PolicyParameters,
};

/// One legal move, as many as there can be, mate and stalemate, checks with few answers, promotions with and
/// without captures, en passant, castling in standard chess and in Chess960, and all of it for Black.
const SPECIAL: [&str; 15] = [
    "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1n1n1n1n/P1P1P1P1/8/1k6/8/8/5K2/8 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 0 1",
    "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
];

/// Positions of many kinds, the special ones first.
fn various(count: usize) -> Vec<Position> {
    let mut all: Vec<Position> = SPECIAL.iter().map(|fen| fen.parse().unwrap()).collect();
    all.extend(positions(count - all.len()));
    all
}

#[test]
fn the_special_positions_are_what_they_are_said_to_be() {
    let counts: Vec<_> = various(100).iter().map(|p| p.legal_moves().len()).collect();
    assert_eq!(counts[..5], [1, 218, 218, 0, 0]);
    assert!(counts.iter().all(|&count| count <= 218));
}

/// The policy network in the program.
fn own() -> PolicyEvaluator {
    let bytes = include_bytes!("../../../networks/default.policy");
    evaluator(PolicyNetwork::from_bytes(bytes).unwrap())
}

fn evaluator(network: PolicyNetwork) -> PolicyEvaluator {
    PolicyEvaluator::new(Arc::new(network)).unwrap()
}

/// Random numbers as wide as they can be, so that sums of neurons wrap around and outputs are large.
fn wild(hidden: usize) -> PolicyEvaluator {
    let mut random = Random::new(hidden as u64);
    let mut next = || random.bits();
    let mut numbers = PolicyParameters::zero(hidden, "wild");
    numbers.input_biases.fill_with(|| next() as i16);
    numbers.input_weights.fill_with(|| next() as i16);
    numbers.output_biases.fill_with(|| next() as i32);
    numbers.output_weights.fill_with(|| next() as i8);
    evaluator(PolicyNetwork::from_parameters(&numbers).unwrap())
}

fn expected(policy: &mut PolicyEvaluator, positions: &[Position]) -> Vec<i32> {
    let mut all = Vec::new();
    for position in positions {
        let moves = position.legal_moves();
        let start = all.len();
        all.resize(start + moves.len(), 0);
        policy.outputs(position, &moves, &mut all[start..]);
    }
    all
}

/// Both variants of the value kernels, beside which moves are judged.
fn agrees_on(device: &Device, policy: &mut PolicyEvaluator, checks: Checks, count: usize) {
    let model = Model::new(device, &embedded(), checks).unwrap();
    let network = Arc::clone(policy.network());
    let judge = Arc::new(PolicyModel::new(device, &network, checks).unwrap());
    assert_eq!(judge.shape().reading, device.reading());
    let mut direct = Direct::with_policy(&model, Some(&judge)).unwrap();
    let positions = various(count);
    let values = common::expected(&embedded(), &positions);
    let moves = expected(policy, &positions);
    for variant in [Variant::Plain, Variant::Subgroup] {
        let (outputs, judged, _) = direct.judge(&positions, variant).unwrap();
        assert!(outputs == values, "{network:?} beside {variant}");
        let differing = judged.iter().zip(&moves).filter(|(found, own)| found != own).count();
        assert_eq!((judged.len(), differing), (moves.len(), 0), "{network:?} beside {variant}");
    }
    // Values alone, after moves were judged.
    assert!(direct.evaluate(&positions, Variant::Plain).unwrap().0 == values);
    assert_no_complaint(device);
}

#[test]
fn the_policy_network_in_the_program() {
    for (transfer, reading) in WAYS {
        let device = device_with(transfer, reading);
        agrees_on(&device, &mut own(), Checks::Off, MAX_BATCH + 400);
        agrees_on(&device, &mut own(), Checks::On, 500);
    }
}

#[test]
fn policy_networks_of_every_size() {
    for hidden in [64, 128, 192, 320, 1024, 2048] {
        let network = PolicyNetwork::random(hidden, hidden as u64).unwrap();
        for reading in [Reading::Images, Reading::Buffers] {
            let device = device_with(Transfer::Shortest, reading);
            agrees_on(&device, &mut evaluator(network_of(&network)), Checks::Off, 300);
            agrees_on(&device, &mut wild(hidden), Checks::On, 150);
        }
    }
}

/// The same network once more.
fn network_of(network: &PolicyNetwork) -> PolicyNetwork {
    PolicyNetwork::from_bytes(&network.to_bytes()).unwrap()
}

fn answers(evaluator: &dyn BatchEvaluator, batch: &[Position]) -> Vec<Assessment> {
    evaluator.wait(evaluator.submit(batch.to_vec())).unwrap()
}

fn single() -> Networks {
    Networks::new(embedded(), None).unwrap()
}

/// The processor's answers.
fn reference(
    networks: &Networks,
    policy: &PolicyEvaluator,
    positions: &[Position],
) -> Vec<Assessment> {
    let answers = answers(&CpuBatchEvaluator::new(networks, Some(policy), 1), positions);
    assert!(answers.iter().all(|answer| answer.logits.is_some()));
    answers
}

#[test]
fn values_and_moves_come_back_together_whole_and_in_order() {
    let (networks, policy, positions) = (single(), own(), various(1500));
    let expected = reference(&networks, &policy, &positions);
    for (transfer, reading) in WAYS {
        let device = device_with(transfer, reading);
        let options = Options::default();
        let gpu = GpuBatchEvaluator::new(&device, &networks, Some(&policy), options).unwrap();
        assert!(answers(&gpu, &positions) == expected);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (gpu, positions, expected) = (&gpu, &positions, &expected);
                scope.spawn(move || {
                    let sizes = [0, 1, 7 + thread, 64, 100, 513];
                    let tickets =
                        sizes.map(|size| gpu.submit(positions[thread..][..size].to_vec()));
                    for (ticket, size) in tickets.into_iter().zip(sizes).rev() {
                        assert!(gpu.wait(ticket).unwrap() == expected[thread..][..size]);
                    }
                });
            }
        });
        assert!(gpu.statistics().most_in_flight >= 1);
        assert_no_complaint(&device);
    }
}

#[test]
fn moves_are_judged_once_where_a_small_network_leaves_positions_to_the_large_one() {
    let networks = Networks::new(real(common::THREATS), Some(real(common::SMALL))).unwrap();
    let (policy, positions) = (own(), various(700));
    let expected = reference(&networks, &policy, &positions);
    let device = device_with(Transfer::Shortest, Reading::Images);
    let gpu =
        GpuBatchEvaluator::new(&device, &networks, Some(&policy), Options::default()).unwrap();
    assert!(answers(&gpu, &positions) == expected);
}

#[test]
fn a_batch_with_more_moves_than_there_is_room_for_is_cut() {
    let (networks, policy) = (single(), own());
    // As many moves as a position can have, more often than the device judges at once.
    let positions = [various(15)[1]].repeat(1500);
    let expected = reference(&networks, &policy, &positions[..1]);
    let device = device_with(Transfer::Shortest, Reading::Images);
    let gpu =
        GpuBatchEvaluator::new(&device, &networks, Some(&policy), Options::default()).unwrap();
    let answers = answers(&gpu, &positions);
    assert_eq!(answers.len(), 1500);
    assert!(answers.iter().all(|answer| *answer == expected[0]));
    assert!(gpu.statistics().batches >= 2);
}

#[test]
fn without_a_policy_network_nothing_is_said_of_moves() {
    let (networks, positions) = (single(), various(40));
    let device = device_with(Transfer::Shortest, Reading::Images);
    let gpu = GpuBatchEvaluator::new(&device, &networks, None, Options::default()).unwrap();
    assert!(gpu.policy().is_none());
    assert!(answers(&gpu, &positions).iter().all(|answer| answer.logits.is_none()));
}

#[test]
fn a_policy_network_that_does_not_fit_is_refused() {
    let (networks, policy) = (single(), own());
    let device = Device::open().unwrap();
    let value = Model::new(&device, networks.large(), Checks::Off).unwrap().memory();
    let judge = PolicyModel::new(&device, policy.network(), Checks::Off).unwrap().memory();
    assert!(judge > 1 << 20);
    for room in [0, judge - 1, judge] {
        // What a value network needs beside its numbers is less than so much.
        let memory = Some(value + (1 << 16) + room);
        let device = DeviceOptions { memory, ..DeviceOptions::default() };
        let options = Options { device, ..Options::default() };
        let device = Device::open_with(device).unwrap();
        let refused = GpuBatchEvaluator::new(&device, &networks, Some(&policy), options).err();
        assert_eq!(refused, Some(GpuError::OutOfMemory), "{room} bytes");
    }
}

#[test]
fn the_processor_judges_what_a_lost_device_leaves() {
    let (networks, policy, positions) = (single(), own(), various(600));
    let expected = reference(&networks, &policy, &positions);
    let evaluator = AdaptiveEvaluator::new(&networks, Some(&policy), 2, Preference::Gpu);
    assert!(answers(&evaluator, &positions) == expected, "before there is a device");
    assert!(evaluator.wait_until_open(Duration::from_mins(1)), "{:?}", evaluator.take_trouble());
    assert!(answers(&evaluator, &positions) == expected);
    assert!(evaluator.statistics().unwrap().positions >= 600);
    let tickets: Vec<_> = (0..6).map(|_| evaluator.submit(positions.clone())).collect();
    evaluator.device().unwrap().lose();
    for ticket in tickets {
        assert!(evaluator.wait(ticket).unwrap() == expected);
    }
    assert!(answers(&evaluator, &positions) == expected);
    assert!(evaluator.take_trouble().unwrap().starts_with("the GPU was lost"));
}

#[test]
fn the_processor_judges_where_a_device_hangs() {
    let (networks, policy, positions) = (single(), own(), various(600));
    let expected = reference(&networks, &policy, &positions);
    let impatient = Options { patience: Duration::from_nanos(1), ..Options::default() };
    let gpu = Preference::Gpu;
    let evaluator = AdaptiveEvaluator::with_options(&networks, Some(&policy), 1, gpu, impatient);
    assert!(evaluator.wait_until_open(Duration::from_mins(1)), "{:?}", evaluator.take_trouble());
    assert!(answers(&evaluator, &positions) == expected);
    assert!(evaluator.take_trouble().unwrap().contains("did not answer"));
}
