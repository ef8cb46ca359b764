//! Full load for minutes: does the gateway's memory stay where it is?

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    Arguments,
    case::Case,
    connection, load,
    measurement::{median, number},
    peer::{self, Peer},
    program::Program,
    services::Services,
    traffic::Traffic,
};

/// Who loads: 32 connections in all.
const MIX: [(Case, usize); 4] = [
    (Case::CachedJson, 8),
    (Case::CachedPage, 8),
    (Case::AvailabilityGzip, 8),
    (Case::Create, 8),
];
const SAMPLED: Duration = Duration::from_secs(10);
/// The limiter's window is a minute, and kept answers have their bound: what is in memory by then is what there will be.
const FILLED_AFTER_MINUTES: u64 = 2;
/// Median of the last quarter by that of the first minutes after this. A leak shows in ten minutes; noise of the allocator is less.
const GROWTH_MAX: f64 = 1.05;

#[derive(Debug)]
pub(crate) struct Soak {
    minutes: u64,
    /// Resident memory in MiB, every ten seconds.
    resident_mib: Vec<f64>,
    /// Answers and failures of each case.
    answers: Vec<(Case, u64, u64)>,
}

/// On a gateway that has just started, in front of the same services.
pub(crate) async fn run(
    arguments: &Arguments,
    folder: &Path,
    services: &Services,
    traffic: &Arc<Traffic>,
) -> Result<Soak> {
    let gateway = peer::gateway(arguments, folder, services, traffic).await?;
    let program = gateway.program.as_ref().context("a gateway is a program")?;
    let time = Duration::from_secs(arguments.minutes * 60);
    println!("full load for {} min", arguments.minutes);
    let mut resident_mib = Vec::new();
    let answers = tokio::select! {
        sampled = sample(program, &mut resident_mib) => {
            return Err(sampled.err().context("sampling does not end")?);
        }
        answers = load_all(&gateway, traffic, time) => answers?,
    };
    Ok(Soak {
        minutes: arguments.minutes,
        resident_mib,
        answers,
    })
}

async fn sample(program: &Program, resident_mib: &mut Vec<f64>) -> Result<()> {
    let mut ticks = interval(SAMPLED);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let mib = number(program.resident_kib()?) / 1024.0;
        println!(
            "{:>5} s {mib:>8.1} MiB",
            resident_mib.len() as u64 * SAMPLED.as_secs()
        );
        resident_mib.push(mib);
    }
}

async fn load_all(
    gateway: &Peer,
    traffic: &Arc<Traffic>,
    time: Duration,
) -> Result<Vec<(Case, u64, u64)>> {
    let each = MIX.map(|(case, count)| async move {
        let mut connections =
            connection::open(count, gateway.kind, gateway.address, case, traffic).await?;
        let load = load::drive(&mut connections, time).await?;
        anyhow::Ok((case, load.count(), load.failures))
    });
    futures::future::try_join_all(each).await
}

impl Soak {
    /// Last quarter by the time after it was filled; none when it was too short to say.
    fn growth(&self) -> Option<f64> {
        let filled = usize::try_from(FILLED_AFTER_MINUTES * 60 / SAMPLED.as_secs()).ok()?;
        let after = self.resident_mib.get(filled..)?;
        let quarter = after.len() / 4;
        if quarter == 0 {
            return None;
        }
        let first = median(after[..quarter].to_vec())?;
        let last = median(after[after.len() - quarter..].to_vec())?;
        Some(last / first)
    }

    pub(crate) fn print(&self) {
        println!("\nfull load for {} min", self.minutes);
        for (case, answers, failures) in &self.answers {
            println!(
                "{:<18} {answers:>9} answers {failures:>6} failed",
                case.name()
            );
        }
        match self.growth() {
            Some(growth) => {
                let met = if growth <= GROWTH_MAX {
                    "met"
                } else {
                    "NOT MET"
                };
                println!(
                    "resident memory, end by minute {FILLED_AFTER_MINUTES}: {growth:.3}, aim {GROWTH_MAX}  {met}"
                );
            }
            None => println!("too short to judge memory growth: at least 4 min required"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        let answers: Vec<_> = self
            .answers
            .iter()
            .map(|(case, answers, failures)| {
                json!({ "case": case.name(), "answers": answers, "failures": failures })
            })
            .collect();
        json!({
            "minutes": self.minutes, "residentMib": self.resident_mib, "everySeconds": SAMPLED.as_secs(), "answers": answers,
            "growth": self.growth(), "growthMax": GROWTH_MAX, "met": self.growth().map(|growth| growth <= GROWTH_MAX),
        })
    }
}
