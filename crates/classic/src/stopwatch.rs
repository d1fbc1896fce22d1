//! Time as C's `clock` measures it, with which the paper's program is timed.

use std::time::Duration;

/// The processor time of this thread so far: it stands still while others have the processor.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where nobody counts it for us, the time on the wall.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_costs_hardly_any_processor_time() {
        let before = processor_time();
        std::thread::sleep(Duration::from_millis(200));
        let slept = processor_time().saturating_sub(before);
        assert!(cfg!(not(unix)) || slept < Duration::from_millis(100));
    }
}
