//! The table and the JSON lines of the bench.

use std::{fs::File, io::Write as _};

use crate::{Result, Scene};

/// One turn of a program in one case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// Processor time of the service per booking.
    pub(crate) cpu_us: f64,
    /// Calls without a booking.
    pub(crate) failures: u64,
}

/// A figure over all rounds.
struct Figure {
    median: f64,
    least: f64,
    most: f64,
    /// In the order of the rounds.
    rounds: Vec<f64>,
}

impl Figure {
    fn of(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> Self {
        let rounds: Vec<f64> = rounds
            .iter()
            .map(|round| json_number(figure(round)))
            .collect();
        let mut sorted = rounds.clone();
        sorted.sort_by(f64::total_cmp);
        Self {
            median: sorted[sorted.len() / 2],
            least: sorted[0],
            most: sorted[sorted.len() - 1],
            rounds,
        }
    }
}

/// Prints each measurement at once and keeps it for the final report.
#[derive(Debug)]
pub(crate) struct Report {
    lines: Vec<String>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Adds one measurement: a line of text, and JSON for programs.
    pub(crate) fn add(&mut self, text: impl AsRef<str>, json: &serde_json::Value) {
        println!("{}", text.as_ref());
        self.lines.push(json.to_string());
    }

    /// Adds the rounds of a program, a way and a number of clients.
    pub(crate) fn bookings(
        &mut self,
        scene: &Scene,
        (program, way, clients): (&str, &str, usize),
        rounds: &[Round],
    ) {
        let per_second = Figure::of(rounds, |round| round.per_second);
        let p50 = Figure::of(rounds, |round| round.p50_ms);
        let p99 = Figure::of(rounds, |round| round.p99_ms);
        let cpu = Figure::of(rounds, |round| round.cpu_us);
        let failures: u64 = rounds.iter().map(|round| round.failures).sum();
        let (database, rows) = (scene.database, scene.rows);
        self.add(
            format!(
                "{database:<10} {rows:>7} rows {program:<8} {way:<7} {clients:>3} clients {:>6.0} ({:.0} to {:.0}) bookings/s  \
                 p50 {:>5.1} ms  p99 {:>5.1} ({:.1} to {:.1}) ms  {:>4.0} ({:.0} to {:.0}) µs of the service's processor each  \
                 {failures} failures",
                per_second.median, per_second.least, per_second.most,
                p50.median, p99.median, p99.least, p99.most,
                cpu.median, cpu.least, cpu.most,
            ),
            &serde_json::json!({
                "bench": "booking-create", "database": database, "rows": rows, "program": program, "way": way,
                "clients": clients, "failures": failures, "bookings_per_second": per_second.rounds, "p50_ms": p50.rounds,
                "p99_ms": p99.rounds, "service_cpu_us": cpu.rounds,
            }),
        );
    }

    /// Writes the JSON lines to standard output and to the file in `BENCH_JSON`.
    pub(crate) fn finish(self) -> Result<()> {
        for line in &self.lines {
            println!("{line}");
        }
        if let Some(path) = std::env::var_os("BENCH_JSON") {
            let mut file = File::create(path)?;
            for line in &self.lines {
                writeln!(file, "{line}")?;
            }
        }
        Ok(())
    }
}

/// Rounds to one decimal place: more would be noise.
pub(crate) fn json_number(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
