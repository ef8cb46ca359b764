//! Metrics of the process itself, read at each scrape. A value that the system does not provide is omitted, never zero.

use std::{fmt, fs};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge, info::Info},
};

use super::with_registry;
use crate::{
    source::{Clock as _, SystemClock},
    telemetry::Identity,
};

/// Ticks per second of the times in `/proc`, independent of the kernel's own tick rate (Linux's `USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;

/// Registers `build_info` and the standard process metrics of Prometheus clients. Call once, at start: the call defines
/// the start time.
pub(crate) fn register(identity: Identity) {
    let started = SystemClock.now().timestamp_millis();
    with_registry(|registry| {
        registry.register(
            "build",
            "Name and version of the process, and the team that owns it",
            Info::new([
                ("service", identity.name),
                ("version", identity.version),
                ("team", identity.team),
            ]),
        );
        registry.register_collector(Box::new(Process {
            started_seconds: seconds_of_millis(started),
        }));
    });
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds since 1970 need 41 bits of 52"
)]
fn seconds_of_millis(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

#[derive(Debug)]
struct Process {
    started_seconds: f64,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let mut gauge = |name, help, value: Option<f64>| match value {
            Some(value) => {
                let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
                ConstGauge::new(value).encode(metric)
            }
            None => Ok(()),
        };
        gauge(
            "process_start_time_seconds",
            "When the process started, in seconds since 1970",
            Some(self.started_seconds),
        )?;
        gauge(
            "process_resident_memory_bytes",
            "Resident memory",
            resident_memory_bytes(),
        )?;
        gauge(
            "process_open_fds",
            "Open file descriptors, sockets included",
            open_files(),
        )?;
        gauge(
            "process_max_fds",
            "File descriptors that the process may have open",
            open_files_max(),
        )?;
        let Some(seconds) = cpu_seconds() else {
            return Ok(());
        };
        let metric = encoder.encode_descriptor(
            "process_cpu_seconds",
            "Time on processors, in the program and in the kernel for it",
            None,
            MetricType::Counter,
        )?;
        ConstCounter::new(seconds).encode(metric)
    }
}

/// Returns `VmRSS` from `/proc/self/status`.
fn resident_memory_bytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024.0)
}

fn open_files() -> Option<f64> {
    // Excludes the descriptor of the folder being read.
    let files = fs::read_dir("/proc/self/fd").ok()?.count().checked_sub(1)?;
    Some(f64::from(u32::try_from(files).ok()?))
}

/// Returns the soft limit from `/proc/self/limits`; `None` when unlimited.
fn open_files_max() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns `utime` plus `stime` from `/proc/self/stat`.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in brackets and may contain anything; `utime` is the twelfth field after
    // it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_memory_files_and_cpu_time() {
        let memory = resident_memory_bytes().unwrap();
        assert!(memory > 1_000_000.0 && memory < 1e11, "{memory}");
        let (before, max) = (open_files().unwrap(), open_files_max().unwrap());
        assert!(before >= 3.0 && before < max, "{before} of {max}");
        let before = cpu_seconds().unwrap();
        // Runs until two ticks have passed, on machines of any speed.
        while cpu_seconds().unwrap() < before + 0.02 {
            std::hint::spin_loop();
        }
        assert!(cpu_seconds().unwrap() < 3600.0);
    }
}
