//! The tables, the aims, and the file of numbers.

use std::{fs, path::Path};

use anyhow::Result;
use serde_json::{Value, json};

use crate::{
    Arguments,
    aims::{AIMS, Aim},
    case::Case,
    measurement::{Row, median, number},
    peer::{self, GATEWAY, NGINX},
    program::{PINNED, sum_of_load},
    soak::Soak,
};

#[derive(Debug)]
pub(crate) struct Report {
    seconds: u64,
    connections: usize,
    page: &'static str,
    rows: Vec<(usize, Row)>,
    pub(crate) load_average: Vec<String>,
    pub(crate) spans: Option<u64>,
    pub(crate) skipped: Vec<String>,
    pub(crate) soak: Option<Soak>,
    /// Turns that came to nothing, and why.
    pub(crate) failures: Vec<String>,
}

impl Report {
    pub(crate) fn new(arguments: &Arguments, page: &'static str) -> Result<Self> {
        Ok(Self {
            seconds: arguments.seconds,
            connections: arguments.connections,
            page,
            rows: Vec::new(),
            load_average: vec![sum_of_load()?],
            spans: None,
            skipped: Vec::new(),
            soak: None,
            failures: Vec::new(),
        })
    }

    /// Shows a turn as it comes.
    pub(crate) fn add(&mut self, round: usize, row: Row) {
        let cpu = shown(row.cpu_us, 1);
        println!(
            "round {round}  {:<18} {:<18} {cpu:>8} µs  p99 {:>7.2} ms  {:>7.0}/s",
            row.case.name(),
            row.peer,
            row.p99_ms,
            row.per_second
        );
        self.rows.push((round, row));
    }

    /// Notes a turn that came to nothing.
    pub(crate) fn failed(&mut self, round: usize, case: Case, peer: &str, error: &anyhow::Error) {
        let failure = format!("round {round}  {} of {peer}: {error:#}", case.name());
        println!("{failure}");
        self.failures.push(failure);
    }

    fn of(&self, case: Case, peer: &str) -> impl Iterator<Item = &(usize, Row)> {
        let is_it = move |row: &Row| row.case == case && row.peer == peer;
        self.rows.iter().filter(move |(_, row)| is_it(row))
    }

    fn middle(&self, case: Case, peer: &str, number: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        let numbers = self.of(case, peer).filter_map(|(_, row)| number(row));
        median(numbers.collect())
    }

    /// Median of the ratios within the rounds: both had the same seconds of the machine.
    fn ratio(&self, peer: &str, aim: &Aim) -> Option<f64> {
        let ratios = self.of(aim.case, peer).filter_map(|(round, row)| {
            let (_, other) = self.of(aim.case, aim.beside).find(|(of, _)| of == round)?;
            Some(aim.number.of(row)? / aim.number.of(other)?)
        });
        median(ratios.collect())
    }

    /// Names of those who took part in a case, in the order of the list.
    fn peers(&self, case: Case) -> impl Iterator<Item = &'static str> {
        let took_part = move |name: &&str| self.of(case, name).next().is_some();
        peer::NAMES.into_iter().filter(took_part)
    }

    pub(crate) fn print(&self) {
        for case in Case::ALL {
            if self.peers(case).next().is_some() {
                self.print_case(case);
            }
        }
        println!("\n{:<34} {:<18} {:>6}", "ratio to a peer", "of", "aim");
        for aim in &AIMS {
            self.print_aim(aim);
        }
        for case in [Case::CachedJson, Case::CachedPage] {
            let bytes = |peer| self.middle(case, peer, |row| Some(number(row.bytes as u64)));
            if let (Some(own), Some(other)) = (bytes(GATEWAY), bytes(NGINX))
                && (own - other).abs() >= 1.0
            {
                println!(
                    "{}: nginx sent {other} bytes, the gateway {own}",
                    case.name()
                );
            }
        }
        if let Some(spans) = self.spans {
            println!("the collector received {spans} spans");
        }
        if let Some(soak) = &self.soak {
            soak.print();
        }
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        println!("{PINNED}; {} connections", self.connections);
        println!("load average {}", self.load_average.join(", then "));
    }

    fn print_case(&self, case: Case) {
        println!(
            "\n{:<18} {:>8} {:>8} {:>8} {:>8} {:>11} {:>6} {:>7} {:>6} {:>6}",
            case.name(),
            "CPU µs",
            "p50 ms",
            "p99 ms",
            "req/s",
            "service µs",
            "RPCs",
            "bytes",
            "coding",
            "failed"
        );
        for peer in self.peers(case) {
            let middle = |number: fn(&Row) -> f64, digits| {
                shown(self.middle(case, peer, |row| Some(number(row))), digits)
            };
            let cpu = shown(self.middle(case, peer, |row| row.cpu_us), 1);
            let failed: u64 = self.of(case, peer).map(|(_, row)| row.failures).sum();
            let last = self.of(case, peer).last();
            let (bytes, coding) = last.map_or((0, ""), |(_, row)| (row.bytes, row.coding.as_str()));
            println!(
                "{peer:<18} {cpu:>8} {:>8} {:>8} {:>8} {:>11} {:>6} {bytes:>7} {coding:>6} {failed:>6}",
                middle(|row| row.p50_ms, 2),
                middle(|row| row.p99_ms, 2),
                middle(|row| row.per_second, 0),
                middle(|row| row.service_cpu_us, 1),
                middle(|row| row.service_calls, 2),
            );
        }
    }

    fn print_aim(&self, aim: &Aim) {
        let what = format!("{} {} / {}", aim.number.name(), aim.case.name(), aim.beside);
        for peer in self.peers(aim.case) {
            let ratio = self.ratio(peer, aim);
            let Some(ratio) = ratio.filter(|_| peer::is_gateway(peer)) else {
                continue;
            };
            // The others stand beside it for comparison.
            let met = match (peer == GATEWAY, ratio <= aim.at_most) {
                (false, _) => "",
                (true, true) => "met",
                (true, false) => "NOT MET",
            };
            println!(
                "{what:<34} {peer:<18} {:>6.2} {ratio:>7.2}  {met}",
                aim.at_most
            );
        }
    }

    fn json(&self) -> Value {
        let cases: Vec<_> = Case::ALL
            .into_iter()
            .flat_map(|case| self.peers(case).map(move |peer| self.json_of(case, peer)))
            .collect();
        let aims: Vec<_> = AIMS
            .iter()
            .map(|aim| {
                let ratio = self.ratio(GATEWAY, aim);
                json!({
                    "case": aim.case.name(), "number": aim.number.name(), "beside": aim.beside, "atMost": aim.at_most,
                    "ratio": ratio, "met": ratio.map(|ratio| ratio <= aim.at_most),
                })
            })
            .collect();
        json!({
            "pinned": PINNED, "connections": self.connections, "secondsPerTurn": self.seconds, "page": self.page,
            "loadAverage": self.load_average, "skipped": self.skipped, "failures": self.failures, "spans": self.spans,
            "measurements": cases, "aims": aims, "soak": self.soak.as_ref().map(Soak::json),
        })
    }

    fn json_of(&self, case: Case, peer: &str) -> Value {
        let rounds: Vec<_> = self
            .of(case, peer)
            .map(|(round, row)| {
                json!({
                    "round": round, "cpuUs": row.cpu_us, "p50Ms": row.p50_ms, "p99Ms": row.p99_ms, "requestsPerSecond": row.per_second,
                    "serviceCpuUs": row.service_cpu_us, "serviceCalls": row.service_calls, "bytes": row.bytes, "coding": row.coding,
                    "failures": row.failures,
                })
            })
            .collect();
        json!({
            "case": case.name(), "peer": peer, "cpuUs": self.middle(case, peer, |row| row.cpu_us),
            "p50Ms": self.middle(case, peer, |row| Some(row.p50_ms)), "p99Ms": self.middle(case, peer, |row| Some(row.p99_ms)),
            "rounds": rounds,
        })
    }

    pub(crate) fn keep(&self, path: Option<&Path>) -> Result<()> {
        match path {
            Some(path) => Ok(fs::write(path, format!("{:#}\n", self.json()))?),
            None => Ok(()),
        }
    }
}

fn shown(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}
