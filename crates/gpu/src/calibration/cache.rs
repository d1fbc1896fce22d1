//! Measurements that are kept for the next start.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tandem_nnue::{Digest, Networks, PolicyEvaluator};

use super::{Calibration, Timing};
use crate::AdapterReport;

/// The folder with the measurements.
#[derive(Clone, Debug)]
pub struct Cache(Option<PathBuf>);

impl Cache {
    /// The user's folder; without one nothing is kept.
    #[must_use]
    pub fn of_user() -> Self {
        Self(tandem_nnue::cache_folder().map(|cache| cache.join("tandem/gpu")))
    }

    /// Another folder.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self(Some(folder))
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// What was measured under that key, if it can still be read.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<Calibration> {
        parse(&fs::read_to_string(self.file(key)?).ok()?, key)
    }

    /// Keeps a measurement. Where that fails, the next start measures again.
    pub fn keep(&self, key: &str, calibration: &Calibration) {
        let Some(file) = self.file(key) else { return };
        let part = file.with_extension(format!("{}.part", std::process::id()));
        let written = file
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&part, print(key, calibration)))
            .and_then(|()| fs::rename(&part, &file));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        let name = &Digest::of(key.as_bytes()).to_string()[..16];
        Some(self.0.as_ref()?.join(format!("{name}.txt")))
    }
}

/// Everything that a measurement depends on. Of a network only the shape does.
#[must_use]
pub(crate) fn key(
    adapter: &AdapterReport,
    networks: &Networks,
    policy: Option<&PolicyEvaluator>,
    threads: usize,
) -> String {
    let info = &adapter.info;
    let mut shapes: Vec<_> = [Some(networks.large()), networks.small()]
        .into_iter()
        .flatten()
        .map(|network| format!("{:08x}", network.architecture().hash()))
        .collect();
    shapes.extend(policy.map(|policy| policy.network().architecture()));
    let memory = if adapter.is_unified { "shared" } else { "copied" };
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "tandem {version}; {} {} {} {}; {memory}; {}; {} {threads}",
        info.name,
        info.backend,
        info.driver,
        info.driver_info,
        shapes.join(" "),
        networks.kernel()
    )
}

fn print(key: &str, calibration: &Calibration) -> String {
    let mut text = format!("{key}\n");
    for timing in &calibration.timings {
        let Timing { size, cpu, plain, subgroup } = timing;
        let _ = writeln!(text, "{size} {cpu:.3} {plain:.3} {subgroup:.3}");
    }
    text + "end\n"
}

fn parse(text: &str, key: &str) -> Option<Calibration> {
    let body = text.strip_prefix(key)?.strip_prefix('\n')?.strip_suffix("end\n")?;
    let timing = |line: &str| {
        let mut words = line.split(' ');
        let size = words.next()?.parse().ok()?;
        let mut time = || words.next()?.parse().ok().filter(|&time: &f64| time > 0.0);
        let (cpu, plain, subgroup) = (time()?, time()?, time()?);
        words.next().is_none().then_some(Timing { size, cpu, plain, subgroup })
    };
    let timings: Vec<_> = body.lines().map(timing).collect::<Option<_>>()?;
    let is_sorted = timings.is_sorted_by(|a: &Timing, b: &Timing| a.size < b.size);
    (is_sorted && !timings.is_empty()).then_some(Calibration { timings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_and_what_is_damaged_is_not() {
        let folder = std::env::temp_dir().join(format!("tandem-gpu-cache-{}", std::process::id()));
        let cache = Cache::in_folder(folder.clone());
        let timing = |size, subgroup| Timing { size, cpu: 1.5, plain: 2.5, subgroup };
        let timings = vec![timing(1, f64::INFINITY), timing(64, 3.25)];
        let calibration = Calibration { timings };
        assert_eq!(cache.find("a"), None);
        cache.keep("a", &calibration);
        assert_eq!(cache.find("a"), Some(calibration));
        assert_eq!(cache.find("b"), None);

        let file = cache.file("a").unwrap();
        let whole = fs::read_to_string(&file).unwrap();
        for damaged in
            ["", "a\n", "a\nend\n", &whole[..whole.len() - 3], &whole.replace("1.5", "x")]
        {
            fs::write(&file, damaged).unwrap();
            assert_eq!(cache.find("a"), None, "{damaged:?}");
        }
        fs::write(&file, [0xff, 0xfe]).unwrap();
        assert_eq!(cache.find("a"), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
