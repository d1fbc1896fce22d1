//! Batches from several callers, failures in the middle of them, and the way back.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{
    TRANSFERS, WAYS, assert_no_complaint, device, device_with, embedded, positions, real,
};
use tandem_chess::Position;
use tandem_gpu::limits::MAX_BATCH;
use tandem_gpu::{
    AdaptiveEvaluator, Checks, Device, DeviceOptions, GpuBatchEvaluator, GpuError, Model, Options,
    Preference,
};
use tandem_nnue::{BatchError, BatchEvaluator, Evaluator, Networks, Score, Ticket};

fn single() -> Networks {
    Networks::new(embedded(), None).unwrap()
}

fn pair() -> Networks {
    Networks::new(real(common::THREATS), Some(real(common::SMALL))).unwrap()
}

fn expected(networks: &Networks, positions: &[Position]) -> Vec<Score> {
    let mut evaluator = Evaluator::new(networks, &Position::startpos());
    let score = |position: &Position| {
        evaluator.reset(position);
        evaluator.evaluate()
    };
    positions.iter().map(score).collect()
}

fn scores(evaluator: &dyn BatchEvaluator, batch: &[Position]) -> Vec<Score> {
    let answers = evaluator.wait(evaluator.submit(batch.to_vec())).unwrap();
    answers.into_iter().map(|answer| answer.score).collect()
}

#[test]
fn a_pair_of_networks_gives_the_scores_of_the_processor() {
    let (networks, positions) = (pair(), positions(900));
    let expected = expected(&networks, &positions);
    for (transfer, reading) in WAYS {
        let device = device_with(transfer, reading);
        let gpu = GpuBatchEvaluator::new(&device, &networks, None, Options::default()).unwrap();
        assert_eq!(scores(&gpu, &positions), expected, "{transfer:?} {reading:?}");
        assert_no_complaint(&device);
    }
}

#[test]
fn batches_of_any_size_from_many_threads_come_back_whole_and_in_order() {
    for (transfer, reading) in WAYS {
        come_back_whole_and_in_order(&device_with(transfer, reading));
    }
}

fn come_back_whole_and_in_order(device: &Device) {
    let (networks, positions) = (single(), positions(MAX_BATCH + 700));
    let expected = expected(&networks, &positions);
    let gpu = GpuBatchEvaluator::new(device, &networks, None, Options::default()).unwrap();
    assert_eq!(scores(&gpu, &positions), expected);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (gpu, positions, expected) = (&gpu, &positions, &expected);
            scope.spawn(move || {
                for round in 0..6 {
                    let sizes = [0, 1, 7 + thread, 64, 100 * (round + 1), 513];
                    let tickets =
                        sizes.map(|size| gpu.submit(positions[thread..][..size].to_vec()));
                    for (ticket, size) in tickets.into_iter().zip(sizes).rev() {
                        let answers = gpu.wait(ticket).unwrap();
                        let scores: Vec<_> = answers.iter().map(|answer| answer.score).collect();
                        assert_eq!(scores, expected[thread..][..size]);
                    }
                }
            });
        }
    });
    let statistics = gpu.statistics();
    assert!(statistics.most_in_flight >= 2, "{statistics:?}");
    // What queues up while the device is busy is computed together.
    let requests = 1 + 4 * 6 * 5;
    assert!(statistics.batches < requests, "{statistics:?}");
    assert!(statistics.busy > Duration::ZERO && statistics.mean_fill() > 64.0);
    assert_no_complaint(device);
}

#[test]
fn a_foreign_ticket_is_refused() {
    let gpu = GpuBatchEvaluator::new(&device(), &single(), None, Options::default()).unwrap();
    assert_eq!(gpu.wait(Ticket::new(77)), Err(BatchError::UnknownTicket(77)));
    let _nobody_waits_for_this = gpu.submit(positions(50));
}

#[test]
fn every_ticket_of_a_lost_device_is_answered_with_an_error() {
    for transfer in TRANSFERS {
        let options = DeviceOptions { transfer, ..DeviceOptions::default() };
        answers_with_an_error_when_lost(&Device::open_with(options).unwrap());
    }
}

fn answers_with_an_error_when_lost(device: &Device) {
    let gpu = GpuBatchEvaluator::new(device, &single(), None, Options::default()).unwrap();
    let batch = positions(400);
    assert_eq!(scores(&gpu, &batch).len(), 400);
    let tickets: Vec<_> = (0..8).map(|_| gpu.submit(batch.clone())).collect();
    device.lose();
    let late = gpu.submit(batch);
    for ticket in tickets {
        // Those that were done in time are whole, the others are errors; none hangs.
        if let Ok(answers) = gpu.wait(ticket) {
            assert_eq!(answers.len(), 400);
        }
    }
    assert!(matches!(gpu.wait(late), Err(BatchError::Lost(_))));
    assert!(gpu.trouble().unwrap().to_string().starts_with("the GPU was lost"));
}

#[test]
fn a_hung_device_is_given_up() {
    let device = Device::open().unwrap();
    let impatient = Options { patience: Duration::from_nanos(1), ..Options::default() };
    let gpu = GpuBatchEvaluator::new(&device, &single(), None, impatient).unwrap();
    let tickets: Vec<_> = (0..3).map(|_| gpu.submit(positions(MAX_BATCH))).collect();
    for ticket in tickets {
        assert!(matches!(gpu.wait(ticket), Err(BatchError::Lost(_))));
    }
    assert!(gpu.trouble().unwrap().to_string().contains("did not answer"));
}

#[test]
fn the_processor_takes_over_what_a_lost_device_leaves_and_the_device_comes_back() {
    let (networks, positions) = (single(), positions(600));
    let expected = expected(&networks, &positions);
    let start = Instant::now();
    let evaluator = Arc::new(AdaptiveEvaluator::new(&networks, None, 2, Preference::Gpu));
    assert!(start.elapsed() < Duration::from_millis(500), "creation does not wait for a device");
    assert_eq!(scores(&*evaluator, &positions), expected);
    assert!(evaluator.wait_until_open(Duration::from_mins(1)), "{:?}", evaluator.take_trouble());
    assert_eq!(scores(&*evaluator, &positions), expected);
    assert!(evaluator.statistics().unwrap().positions >= 600);
    assert_eq!(evaluator.take_trouble(), None);
    assert!(!evaluator.calibration().unwrap().timings.is_empty());

    let tickets: Vec<_> = (0..6).map(|_| evaluator.submit(positions.clone())).collect();
    evaluator.device().unwrap().lose();
    for ticket in tickets {
        let answers = evaluator.wait(ticket).unwrap();
        let scores: Vec<_> = answers.iter().map(|answer| answer.score).collect();
        assert_eq!(scores, expected);
    }
    assert_eq!(scores(&*evaluator, &positions), expected);
    let trouble = evaluator.take_trouble().unwrap();
    assert!(trouble.starts_with("the GPU was lost"), "{trouble}");
    assert_eq!(evaluator.take_trouble(), None, "a sentence is said once");

    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(scores(&*evaluator, &positions), expected);
    assert!(evaluator.wait_until_open(Duration::from_mins(1)), "{:?}", evaluator.take_trouble());
    assert_eq!(scores(&*evaluator, &positions), expected);
    assert!(evaluator.statistics().unwrap().positions >= 600);
}

#[test]
fn the_processor_takes_over_from_a_hung_device() {
    let (networks, positions) = (single(), positions(1000));
    let expected = expected(&networks, &positions);
    let impatient = Options { patience: Duration::from_nanos(1), ..Options::default() };
    let evaluator = AdaptiveEvaluator::with_options(&networks, None, 1, Preference::Gpu, impatient);
    assert!(evaluator.wait_until_open(Duration::from_mins(1)), "{:?}", evaluator.take_trouble());
    assert_eq!(scores(&evaluator, &positions), expected);
    assert!(evaluator.take_trouble().unwrap().contains("did not answer"));
}

/// Options for a device that can hold so many bytes.
fn with_memory(bytes: u64) -> Options {
    let device = DeviceOptions { memory: Some(bytes), ..DeviceOptions::default() };
    Options { device, ..Options::default() }
}

#[test]
fn a_network_or_batches_that_do_not_fit_are_refused() {
    let networks = single();
    let device = Device::open().unwrap();
    let size = Model::new(&device, networks.large(), Checks::Off).unwrap().memory();
    // None of the network, nearly all of it, and the network without its batches.
    for room in [0, size - 1, size + (1 << 20)] {
        let options = with_memory(room);
        let device = Device::open_with(options.device).unwrap();
        let refused = GpuBatchEvaluator::new(&device, &networks, None, options).err();
        assert_eq!(refused, Some(GpuError::OutOfMemory), "{room} bytes");
    }
}

#[test]
fn the_processor_serves_where_the_device_has_no_memory_and_one_sentence_says_so() {
    let (networks, positions) = (single(), positions(600));
    let expected = expected(&networks, &positions);
    let options = with_memory(1 << 20);
    let evaluator = AdaptiveEvaluator::with_options(&networks, None, 2, Preference::Gpu, options);
    assert!(!evaluator.wait_until_open(Duration::from_mins(1)));
    assert_eq!(scores(&evaluator, &positions), expected);
    let trouble = evaluator.take_trouble().unwrap();
    assert!(trouble.starts_with("the GPU has no memory left"), "{trouble}");
    // It is tried again, refuses again, and nobody is told twice.
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(scores(&evaluator, &positions), expected);
    assert!(!evaluator.wait_until_open(Duration::from_mins(1)));
    assert_eq!(evaluator.take_trouble(), None);
}

#[test]
fn all_threads_that_wait_for_a_device_when_it_is_lost_get_the_processors_scores() {
    let (networks, positions) = (single(), positions(2000));
    let expected = expected(&networks, &positions);
    for transfer in TRANSFERS {
        let device = DeviceOptions { transfer, ..DeviceOptions::default() };
        let options = Options { device, ..Options::default() };
        let evaluator =
            AdaptiveEvaluator::with_options(&networks, None, 1, Preference::Gpu, options);
        assert!(
            evaluator.wait_until_open(Duration::from_mins(1)),
            "{:?}",
            evaluator.take_trouble()
        );
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (evaluator, positions, expected) = (&evaluator, &positions, &expected);
                scope.spawn(move || {
                    for size in [700, 1, 2000 - thread, 64, 1500, 300] {
                        let batch = &positions[thread..][..size];
                        assert_eq!(scores(evaluator, batch), expected[thread..][..size]);
                    }
                });
            }
            // Batches are on their way by now: each takes the device some milliseconds.
            std::thread::sleep(Duration::from_millis(10));
            evaluator.device().unwrap().lose();
        });
        let trouble = evaluator.take_trouble().unwrap();
        assert!(trouble.starts_with("the GPU was lost"), "{trouble}");
        assert_eq!(evaluator.take_trouble(), None, "one sentence, whoever met the failure");
    }
}
