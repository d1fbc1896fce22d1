//! The GPUs, and what was chosen and why.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_gpu::{AdapterReport, AdaptiveEvaluator, Calibration, Preference, Timing};
use tandem_nnue::{Networks, PolicyEvaluator};

/// A device that has not answered by then is not one to recommend.
const PATIENCE: Duration = Duration::from_mins(1);

/// What was found out about the GPUs.
pub struct Gpu {
    adapters: Vec<AdapterReport>,
    calibration: Option<Arc<Calibration>>,
    trouble: Option<String>,
}

impl Gpu {
    /// Looks for GPUs, and measures the best with what a search would have it do.
    pub fn look(
        networks: Option<&Networks>,
        policy: Option<&PolicyEvaluator>,
        threads: usize,
    ) -> Self {
        let adapters = tandem_gpu::adapters();
        let mut gpu = Self { adapters, calibration: None, trouble: None };
        if let Some(networks) = networks.filter(|_| !gpu.adapters.is_empty()) {
            let evaluator = AdaptiveEvaluator::new(networks, policy, threads, Preference::Fastest);
            evaluator.wait_until_open(PATIENCE);
            gpu.calibration = evaluator.calibration();
            gpu.trouble = evaluator.take_trouble();
        }
        gpu
    }

    /// Whether there is one at all.
    pub const fn has_adapter(&self) -> bool {
        !self.adapters.is_empty()
    }

    /// Whether the best one is none in software: that would be the processor by another name, and gains only
    /// the threads that it takes from others.
    pub fn is_hardware(&self) -> bool {
        self.adapters.first().is_some_and(|adapter| !adapter.is_software())
    }

    /// Whether the GPU is worth its while here.
    pub fn wins(&self) -> bool {
        let is_faster = |known: &Arc<Calibration>| known.device_from().is_some();
        self.is_hardware() && self.calibration.as_ref().is_some_and(is_faster)
    }

    fn reason(&self) -> String {
        let Some(known) = &self.calibration else {
            let none = || "there is no GPU, or no driver for it".to_owned();
            return format!("cpu: {}", self.trouble.clone().unwrap_or_else(none));
        };
        match known.device_from() {
            None => "cpu: the GPU was slower at every batch size".into(),
            Some(_) if !self.is_hardware() => {
                "cpu: the GPU is one in software, the processor by another name".into()
            }
            Some(size) => format!("gpu from batches of {size} on, cpu below"),
        }
    }

    pub fn as_json(&self) -> Value {
        let adapter = |report: &AdapterReport| {
            json!({
                "name": report.info.name, "backend": report.info.backend.to_string(),
                "driver": report.info.driver, "driver_info": report.info.driver_info,
                "software": report.is_software(), "unified_memory": report.is_unified,
                "subgroups": report.has_subgroups, "max_buffer": report.limits.max_buffer_size,
                "max_binding": report.limits.max_storage_buffer_binding_size,
            })
        };
        let timing = |t: &Timing| {
            json!({
                "batch": t.size, "cpu": t.cpu, "plain": t.plain,
                "subgroup": t.subgroup.is_finite().then_some(t.subgroup), "best": t.best().to_string(),
            })
        };
        let timings = self
            .calibration
            .as_ref()
            .map(|known| known.timings.iter().map(timing).collect::<Vec<_>>());
        json!({
            "adapters": self.adapters.iter().map(adapter).collect::<Vec<_>>(),
            "calibration": timings, "choice": self.reason(),
        })
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in &self.adapters {
            let mib = |bytes: u64| bytes >> 20;
            writeln!(
                f,
                "gpu              {}; {} {}; buffer {} MiB, binding {} MiB, memory {}, subgroups {}",
                report.name(),
                report.info.driver,
                report.info.driver_info,
                mib(report.limits.max_buffer_size),
                mib(report.limits.max_storage_buffer_binding_size),
                if report.is_unified { "shared" } else { "its own" },
                if report.has_subgroups { "yes" } else { "no" },
            )?;
        }
        if let Some(known) = &self.calibration {
            writeln!(f, "microseconds     batch        cpu      plain   subgroup  best")?;
            for t in &known.timings {
                writeln!(
                    f,
                    "                 {:>5} {:>10.1} {:>10.1} {:>10.1}  {}",
                    t.size,
                    t.cpu,
                    t.plain,
                    t.subgroup,
                    t.best()
                )?;
            }
        }
        write!(f, "chosen           {}", self.reason())
    }
}
