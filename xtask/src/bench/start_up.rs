//! Time until each process listens, its resident memory at that point, and the duration of a warm `up`.

use std::{
    fs,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use rustix::process::Pid;
use serde_json::json;

use super::{results, site};
use crate::{
    project::{Profile, Project},
    shell,
    site::{GATEWAY, Site},
    supervise::Supervisor,
    up,
};

/// Number of starts per process; the median is reported.
const STARTS: usize = 5;

struct Measured {
    name: String,
    start_ms: f64,
    /// Sampled right after the process listens.
    resident_mb: f64,
}

pub(super) fn run(project: &Project) -> Result<()> {
    let site = site(project)?;
    let warm = warm_up(project, &site)?;
    let mut rows = Vec::new();
    for (name, _) in site.services() {
        rows.push(measure(&site, name)?);
    }
    rows.push(measure(&site, GATEWAY)?);
    println!("{:<16} {:>10} {:>12}", "process", "start", "resident");
    for Measured {
        name,
        start_ms,
        resident_mb,
    } in &rows
    {
        println!("{name:<16} {start_ms:>7.0} ms {resident_mb:>9.1} MB");
    }
    println!("warm up to the first page: {}", shell::seconds(warm));
    let rows: Vec<_> = rows
        .iter()
        .map(|row| json!({ "process": row.name, "startMs": row.start_ms, "residentMb": row.resident_mb }))
        .collect();
    let all = json!({ "warmUpMs": warm.as_secs_f64() * 1000.0, "processes": rows });
    Ok(fs::write(
        results(project).join("start.json"),
        format!("{all:#}\n"),
    )?)
}

/// Measures an `up` with nothing changed since the last run: checks, starts and first page.
fn warm_up(project: &Project, site: &Site) -> Result<Duration> {
    let started = Instant::now();
    up::prepare(project, Profile::Dist)?;
    let mut supervisor = Supervisor::new()?;
    let address = up::start(&mut supervisor, site)?;
    up::first_page(&address)?;
    let elapsed = started.elapsed();
    supervisor.stop();
    Ok(elapsed)
}

fn measure(site: &Site, name: &str) -> Result<Measured> {
    let mut milliseconds = Vec::new();
    let mut megabytes = Vec::new();
    for _ in 0..STARTS {
        let mut command = if name == GATEWAY {
            site.gateway()
        } else {
            let found = site
                .services()
                .into_iter()
                .find(|(service, _)| *service == name);
            found.context("a service of the site")?.1
        };
        let mut supervisor = Supervisor::new()?;
        let started = Instant::now();
        supervisor.start(name, &mut command, &site.log(name))?;
        supervisor.wait_ready(&[name])?;
        milliseconds.push(started.elapsed().as_secs_f64() * 1000.0);
        let (_, pid) = *supervisor.pids().first().context("it runs")?;
        megabytes.push(resident_mb(pid)?);
        supervisor.stop();
    }
    Ok(Measured {
        name: name.to_owned(),
        start_ms: median(milliseconds),
        resident_mb: median(megabytes),
    })
}

fn resident_mb(pid: Pid) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero()))?;
    let kilobytes: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"))
        .context("/proc has the resident memory")?
        .trim()
        .parse()?;
    Ok(kilobytes / 1024.0)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn one_slow_start_does_not_change_the_median() {
        assert!((median(vec![40.0, 900.0, 41.0]) - 41.0).abs() < f64::EPSILON);
    }
}
