//! A measurement needs the machine for itself: programs beside it take processor time from it and from its peers, not
//! equally.

use std::{fs, thread, time::Duration};

use anyhow::{Context, Result, ensure};

/// Time over which the machine is watched.
const WATCHED: Duration = Duration::from_secs(5);
/// Maximum share of one processor that other programs may use meanwhile.
const BUSY_MAX: f64 = 0.1;

/// Watches the machine; prints how busy it is.
///
/// # Errors
/// When other programs use it, unless `is_busy_allowed`.
#[expect(
    clippy::disallowed_methods,
    reason = "a share of time is measured over a fixed time"
)]
pub(super) fn check(is_busy_allowed: bool) -> Result<()> {
    let before = Times::read()?;
    thread::sleep(WATCHED);
    let busy = Times::read()?.processors_since(&before)?;
    println!("other programs use {busy:.2} processors");
    ensure!(
        is_busy_allowed || busy <= BUSY_MAX,
        "other programs use {busy:.2} processors; at most {BUSY_MAX} may be in use. Stop them, or measure with --busy"
    );
    Ok(())
}

/// Processor time since the start of the machine, in clock ticks, over all processors.
#[derive(Debug, PartialEq)]
struct Times {
    total: u64,
    idle: u64,
    processors: u32,
}

impl Times {
    fn read() -> Result<Self> {
        Self::parse(&fs::read_to_string("/proc/stat")?)
    }

    fn parse(text: &str) -> Result<Self> {
        let line = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("cpu "));
        let ticks = line.context("/proc/stat has the sum of all processors")?;
        let ticks: Vec<u64> = ticks
            .split_whitespace()
            // User, nice, system, idle, waiting for a device, interrupts, soft interrupts, stolen. The rest is part of these.
            .take(8)
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        let processors = text.lines().skip(1).filter(|line| line.starts_with("cpu"));
        ensure!(ticks.len() == 8, "/proc/stat has {} numbers", ticks.len());
        Ok(Self {
            total: ticks.iter().sum(),
            idle: ticks[3] + ticks[4],
            processors: u32::try_from(processors.count())?,
        })
    }

    /// Returns the average number of processors in use since then.
    fn processors_since(&self, before: &Self) -> Result<f64> {
        let total = f64::from(u32::try_from(self.total - before.total)?);
        let idle = f64::from(u32::try_from(self.idle.saturating_sub(before.idle))?);
        Ok((1.0 - idle / total.max(1.0)).max(0.0) * f64::from(self.processors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_processors_in_use() {
        let before =
            Times::parse("cpu  100 0 50 1000 10 0 0 0 0 0\ncpu0 1\ncpu1 2\nintr 5").unwrap();
        assert_eq!(
            before,
            Times {
                total: 1160,
                idle: 1010,
                processors: 2
            }
        );
        let now = Times::parse("cpu  150 0 50 1050 10 0 0 0 0 0\ncpu0 1\ncpu1 2\n").unwrap();
        assert!((now.processors_since(&before).unwrap() - 1.0).abs() < f64::EPSILON);
    }
}
