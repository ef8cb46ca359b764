//! Connections that ask one call after the other for some time, and what came of it.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures::future::try_join_all;
use hdrhistogram::Histogram;

use crate::{
    connection::{Answer, Connection},
    measurement::number,
};

/// Of a hundred calls so many may fail before a measurement is none.
const FAILURES_PERCENT_MAX: u64 = 1;

#[derive(Debug)]
pub(crate) struct Load {
    latencies_us: Histogram<u64>,
    elapsed: Duration,
    pub(crate) failures: u64,
    first_failure: Option<String>,
    pub(crate) last: Answer,
}

impl Load {
    fn new() -> Result<Self> {
        Ok(Self {
            latencies_us: Histogram::new(3)?,
            elapsed: Duration::ZERO,
            failures: 0,
            first_failure: None,
            last: Answer::default(),
        })
    }

    fn add(&mut self, other: Self) -> Result<()> {
        self.latencies_us.add(other.latencies_us)?;
        self.failures += other.failures;
        self.first_failure = self.first_failure.take().or(other.first_failure);
        if other.last.bytes > 0 {
            self.last = other.last;
        }
        Ok(())
    }

    pub(crate) fn count(&self) -> u64 {
        self.latencies_us.len()
    }

    /// Successful ones, at least 1.
    pub(crate) fn answers(&self) -> f64 {
        number(self.count().max(1))
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.answers() / self.elapsed.as_secs_f64()
    }

    pub(crate) fn quantile_ms(&self, quantile: f64) -> f64 {
        number(self.latencies_us.value_at_quantile(quantile)) / 1000.0
    }

    /// A peer that refuses is quick; its numbers are not what was asked for.
    pub(crate) fn check(&self) -> Result<()> {
        let first = self.first_failure.as_deref().unwrap_or("no reason");
        ensure!(self.count() > 0, "no call was answered: {first}");
        ensure!(
            self.failures * 100 <= self.count() * FAILURES_PERCENT_MAX,
            "{} of {} calls failed, the first with {first}",
            self.failures,
            self.count() + self.failures
        );
        Ok(())
    }
}

/// Every connection asks until the time is over, and then waits for its last answer.
pub(crate) async fn drive(connections: &mut [Connection], time: Duration) -> Result<Load> {
    let started = Instant::now();
    let each = connections
        .iter_mut()
        .map(|connection| drive_one(connection, started + time));
    let mut all = Load::new()?;
    for own in try_join_all(each).await? {
        all.add(own)?;
    }
    all.elapsed = started.elapsed();
    Ok(all)
}

async fn drive_one(connection: &mut Connection, until: Instant) -> Result<Load> {
    let mut load = Load::new()?;
    loop {
        let begun = Instant::now();
        if begun >= until {
            return Ok(load);
        }
        match connection.once().await {
            Ok(None) => return Ok(load),
            Ok(Some(answer)) => {
                let elapsed = u64::try_from(begun.elapsed().as_micros())?;
                load.latencies_us.record(elapsed.max(1))?;
                load.last = answer;
            }
            Err(error) => {
                load.failures += 1;
                load.first_failure
                    .get_or_insert_with(|| format!("{error:#}"));
                // A peer that is gone would be asked without end.
                connection.renew().await?;
            }
        }
    }
}
