//! t
use tandem_chess::*;
use tandem_classic::*;
fn main() {
    let max: u32 = std::env::args().nth(1).map_or(8, |s| s.parse().unwrap());
    let mib: usize = std::env::args().nth(2).map_or(64, |s| s.parse().unwrap());
    let only = std::env::args().nth(3);
    for step in Step::ALL {
        if only.as_ref().is_some_and(|o| o != step.name()) {
            continue;
        }
        for d in 6..=max {
            let m = step.measure(&Position::startpos(), Evaluation::Positional, d, mib);
            let t = m.time.as_secs_f64();
            println!(
                "{:10} {d} {:?} {:?} {:?} {t:.3}s {:.2}M/s interior",
                step.name(),
                m.counts,
                m.value,
                m.best,
                m.counts.interior as f64 / t / 1e6
            );
        }
    }
}
