//! How many positions a second training learns from on this machine:
//! `cargo run --release -p tandem-train --example throughput [L1...]`.
//!
//! The positions come from random play that prefers captures now and then, so that all phases
//! occur; what they are labelled with has no influence on the speed.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tandem_chess::{Position, Random};
use tandem_train::{Config, GameResult, Memory, Observer, Progress, Record, Sample, Trainer};

/// Samples in memory; training passes over them again and again.
const SAMPLES: usize = 400_000;
/// Steps before each measurement, in which memory is first touched.
const FIRST: u64 = 5;
/// Steps of each measurement.
const STEPS: u64 = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let widths: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let widths = if widths.is_empty() { vec![256, 512, 1024] } else { widths };
    let source = samples();
    let folder = std::env::temp_dir().join(format!("tandem-throughput-{}", std::process::id()));
    println!("  L1  factorised  threads  positions/s  positions/CPU-s");
    for l1 in widths {
        for (factorised, threads) in [(true, 1), (true, 2), (false, 2)] {
            let mut config = Config::default();
            config.model.l1 = l1;
            config.model.factorised = factorised;
            config.training.threads = threads;
            config.training.batches = FIRST + STEPS;
            config.training.superbatches = 1;
            config.data.shuffle = SAMPLES;
            let samples = (STEPS * config.training.batch as u64) as f64;
            let mut trainer = Trainer::new(config)?;
            let mut meter = Meter::default();
            trainer.run(&source, None, &folder, &mut meter, &AtomicBool::new(false))?;
            let rate = samples / meter.seconds;
            let of_cpu =
                meter.cpu_seconds.map_or("?".into(), |cpu| format!("{:.0}", samples / cpu));
            println!("{l1:4}  {factorised:10}  {threads:7}  {rate:11.0}  {of_cpu:>15}");
        }
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Measures from the end of the first steps to the end of the last: on a machine that does other
/// work too, the processor time says more than the clock.
#[derive(Default)]
struct Meter {
    start: Option<(Instant, Option<f64>)>,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

impl Observer for Meter {
    fn step(&mut self, progress: &Progress) {
        if progress.step == FIRST {
            self.start = Some((Instant::now(), cpu_seconds()));
        }
        if let Some((start, cpu)) = self.start {
            self.seconds = start.elapsed().as_secs_f64();
            self.cpu_seconds = cpu.zip(cpu_seconds()).map(|(start, now)| now - start);
        }
    }

    fn superbatch(&mut self, _: &Record) {}
}

/// Processor time of all threads of this process, where the system tells it in this way.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<_> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn samples() -> Memory {
    let mut random = Random::new(1);
    let mut samples = Vec::with_capacity(SAMPLES);
    while samples.len() < SAMPLES {
        let mut position = Position::startpos();
        for _ in 0..160 {
            let captures: Vec<_> = position.captures().into_iter().collect();
            let quiet = captures.is_empty() || random.below(3) > 0;
            let moves = if quiet { position.legal_moves().into_iter().collect() } else { captures };
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
            let score = random.below(800) as i32 - 400;
            samples.extend(Sample::new(&position, score, GameResult::Draw));
        }
    }
    Memory(samples.chunks(10_000).map(<[_]>::to_vec).collect())
}
