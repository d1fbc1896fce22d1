//! What machine this is, in a few words.

use std::fs;

/// The processor, how many threads it runs at a time, and the operating system.
#[must_use]
pub fn describe() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let model = processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{model}, {threads} threads, {}", std::env::consts::OS)
}

/// The processor's name where the system tells it in a file.
fn processor() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// What this machine is called.
#[must_use]
pub fn host() -> String {
    let told = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let set = || ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|name| std::env::var(name).ok());
    told.or_else(set).map_or("unknown".to_owned(), |name| name.trim().to_owned())
}
