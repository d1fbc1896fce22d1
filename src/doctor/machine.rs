//! Processor and memory.

use std::process::Command;

/// What the machine says of itself.
pub struct Machine {
    pub processor: String,
    /// The instruction sets that our kernels know.
    pub features: Vec<&'static str>,
    pub cores: usize,
    /// In MiB, if it can be found out.
    pub memory: Option<u64>,
}

impl Machine {
    pub fn look() -> Self {
        Self {
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.into()),
            features: features(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory(),
        }
    }

    pub fn memory_text(&self) -> String {
        self.memory.map_or("unknown".into(), |mib| format!("{mib} MiB"))
    }
}

fn processor() -> Option<String> {
    field("/proc/cpuinfo", "model name")
        .or_else(|| sysctl("machdep.cpu.brand_string"))
        .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

fn memory() -> Option<u64> {
    let kib = || field("/proc/meminfo", "MemTotal")?.split(' ').next()?.parse::<u64>().ok();
    let bytes = || sysctl("hw.memsize")?.parse::<u64>().ok();
    kib().map(|kib| kib >> 10).or_else(|| bytes().map(|bytes| bytes >> 20))
}

/// The value of the first line of a file that begins with that name.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// What macOS says of itself.
fn sysctl(name: &str) -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let output = Command::new("sysctl").args(["-n", name]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let mut found = Vec::new();
    macro_rules! look_for {
        ($($feature:tt)*) => {
            $(if is_x86_feature_detected!($feature) {
                found.push($feature);
            })*
        };
    }
    look_for!("sse4.1" "popcnt" "bmi1" "bmi2" "avx2" "avx512f" "avx512bw" "avx512vnni");
    found
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    if cfg!(target_arch = "aarch64") { vec!["neon"] } else { Vec::new() }
}
