//! What the process says of itself. Read at each scrape; what the system does not tell is left out, never zero.

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

/// Ticks in a second of the times in `/proc`, whatever the kernel's own clock is (`USER_HZ` of Linux's interface to programs).
const TICKS_PER_SECOND: f64 = 100.0;

/// Adds `build_info` and what Prometheus' clients say of a process. Once per process, at its start: the start time is this moment.
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

/// From `VmRSS` of `/proc/self/status`.
fn resident_memory_bytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024.0)
}

fn open_files() -> Option<f64> {
    // One of them is the folder that is being read.
    let files = fs::read_dir("/proc/self/fd").ok()?.count().checked_sub(1)?;
    Some(f64::from(u32::try_from(files).ok()?))
}

/// The soft limit in `/proc/self/limits`; absent when there is none.
fn open_files_max() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The fields `utime` and `stime` of `/proc/self/stat`.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in brackets, which may hold anything; `utime` is the twelfth after it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_what_is_read() {
        let memory = resident_memory_bytes().unwrap();
        assert!(memory > 1_000_000.0 && memory < 1e11, "{memory}");
        let (before, max) = (open_files().unwrap(), open_files_max().unwrap());
        assert!(before >= 3.0 && before < max, "{before} of {max}");
        let before = cpu_seconds().unwrap();
        // Until a tick has passed, however fast the machine is.
        while cpu_seconds().unwrap() < before + 0.02 {
            std::hint::spin_loop();
        }
        assert!(cpu_seconds().unwrap() < 3600.0);
    }
}
