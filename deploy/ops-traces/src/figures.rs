//! Requests, errors and durations by surface, from two scrapes of one process.

use std::collections::{BTreeMap, BTreeSet};

use crate::exposition::{Exemplar, Sample, increases};
use crate::{history, modules, problems};

const REQUESTS: &str = "http_server_requests_total";
const REQUEST_BUCKETS: &str = "http_server_request_duration_seconds_bucket";
const RPC_COUNTS: &str = "rpc_server_duration_seconds_count";
const RPC_BUCKETS: &str = "rpc_server_duration_seconds_bucket";

/// Surfaces, as shown.
pub const PAGES: &str = "Pages";
pub const API: &str = "API";
pub const RPCS: &str = "RPCs";
const FILES: &str = "Files";
const BROWSERS: &str = "Browser reports";

/// gRPC codes of a service's failures, as in the recording rules.
const RPC_FAILURES: [&str; 5] = ["2", "4", "13", "14", "15"];

/// Whether samples of this name are kept.
pub fn is_wanted(name: &str) -> bool {
    [REQUESTS, REQUEST_BUCKETS, RPC_COUNTS, RPC_BUCKETS].contains(&name)
        || ["build_info", "process_ready", "process_start_time_seconds"].contains(&name)
        || modules::is_wanted(name)
        || problems::is_wanted(name)
        || history::is_wanted(name)
}

/// Requests of one surface of a process in some time.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    pub requests: f64,
    pub errors: f64,
    /// Cumulative request counts by the bucket's upper bound in microseconds. The infinite bound, [`u64::MAX`], comes
    /// last.
    pub buckets: BTreeMap<u64, f64>,
    /// Slowest sampled request among the new exemplars; in seconds.
    pub slowest: Option<Exemplar>,
}

impl Sum {
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.errors += other.errors;
        for (bound, count) in &other.buckets {
            *self.buckets.entry(*bound).or_default() += count;
        }
        self.slowest = slower(self.slowest, other.slowest);
    }

    /// Returns the share of errors, 0 to 1; `None` without requests.
    pub fn error_share(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| self.errors / self.requests)
    }

    /// Returns p50, p95 and p99 in seconds; `None` without requests, infinite beyond the last bucket.
    pub fn quantiles(&self) -> [Option<f64>; 3] {
        [0.5, 0.95, 0.99].map(|share| quantile(&self.buckets, share))
    }

    fn count(&mut self, sample: &Sample, added: f64, is_error: bool) {
        match sample.name.as_str() {
            REQUESTS | RPC_COUNTS => {
                self.requests += added;
                self.errors += if is_error { added } else { 0.0 };
            }
            _ => *self.buckets.entry(bound(sample.label("le"))).or_default() += added,
        }
    }
}

/// Sums the requests between two scrapes of one process, by surface.
pub fn sums(oldest: &[Sample], newest: &[Sample]) -> BTreeMap<&'static str, Sum> {
    // A bucket keeps its exemplar until another request falls into the bucket. Exemplars of the oldest scrape are
    // therefore outdated.
    let known: BTreeSet<u128> = exemplars(oldest).map(|found| found.trace_id).collect();
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for (sample, added) in increases(oldest, newest) {
        let Some(surface) = surface(sample) else {
            continue;
        };
        let is_error =
            sample.label("status").starts_with('5') || RPC_FAILURES.contains(&sample.label("code"));
        let sum = sums.entry(surface).or_default();
        sum.count(sample, added, is_error);
        let fresh = sample
            .exemplar
            .filter(|found| !known.contains(&found.trace_id));
        sum.slowest = slower(sum.slowest, fresh);
    }
    sums
}

fn exemplars(samples: &[Sample]) -> impl Iterator<Item = Exemplar> {
    samples.iter().filter_map(|sample| sample.exemplar)
}

fn slower(one: Option<Exemplar>, other: Option<Exemplar>) -> Option<Exemplar> {
    one.into_iter()
        .chain(other)
        .max_by(|one, other| one.value.total_cmp(&other.value))
}

/// Excludes probes, which reveal nothing about visitors, and watch calls, which last as long as the watcher stays.
fn surface(sample: &Sample) -> Option<&'static str> {
    let route = sample.label("route");
    match sample.name.as_str() {
        RPC_COUNTS | RPC_BUCKETS if sample.label("method").contains("/Watch") => None,
        RPC_COUNTS | RPC_BUCKETS => Some(RPCS),
        REQUESTS | REQUEST_BUCKETS if matches!(route, "/healthz" | "/readyz") => None,
        REQUESTS | REQUEST_BUCKETS if route.starts_with("/api") => Some(API),
        REQUESTS | REQUEST_BUCKETS if route == "/telemetry" => Some(BROWSERS),
        REQUESTS | REQUEST_BUCKETS if route == "file" => Some(FILES),
        REQUESTS | REQUEST_BUCKETS => Some(PAGES),
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds are seconds between 0 and some hours; infinity becomes the largest number"
)]
fn bound(le: &str) -> u64 {
    le.parse::<f64>()
        .map_or(u64::MAX, |seconds| (seconds * 1e6).round() as u64)
}

/// Returns the duration below which this share of the requests lies, interpolated within its bucket.
#[expect(
    clippy::cast_precision_loss,
    reason = "bounds are far below 2^52 microseconds"
)]
fn quantile(buckets: &BTreeMap<u64, f64>, share: f64) -> Option<f64> {
    let all = *buckets.get(&u64::MAX)?;
    if all <= 0.0 {
        return None;
    }
    let wanted = all * share;
    let (mut below, mut counted) = (0.0, 0.0);
    for (bound, count) in buckets {
        if *bound == u64::MAX {
            break;
        }
        let seconds = *bound as f64 / 1e6;
        if *count >= wanted && *count > counted {
            return Some(below + (seconds - below) * (wanted - counted) / (count - counted));
        }
        (below, counted) = (seconds, *count);
    }
    Some(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposition::read;

    fn samples(text: &str) -> Vec<Sample> {
        read(text, 100, is_wanted).unwrap()
    }

    #[test]
    fn computes_rates_errors_and_durations_of_the_window() {
        let before = samples("http_server_requests_total{route=\"/api/a\",status=\"200\"} 100\n");
        let after = samples(
            "http_server_requests_total{route=\"/api/a\",status=\"200\"} 190\n\
             http_server_requests_total{route=\"/api/a\",status=\"503\"} 10\n\
             http_server_requests_total{route=\"/readyz\",status=\"200\"} 1000\n\
             http_server_request_duration_seconds_bucket{route=\"/api/a\",le=\"0.01\"} 50\n\
             http_server_request_duration_seconds_bucket{route=\"/api/a\",le=\"0.1\"} 98\n\
             http_server_request_duration_seconds_bucket{route=\"/api/a\",le=\"+Inf\"} 100\n",
        );
        let all = sums(&before, &after);
        assert_eq!(all.keys().copied().collect::<Vec<_>>(), [API]);
        let api = &all[API];
        assert!((api.requests - 100.0).abs() < 1e-9);
        assert!((api.error_share().unwrap() - 0.1).abs() < 1e-9);
        let [p50, p95, p99] = api.quantiles().map(Option::unwrap);
        assert!(
            (p50 - 0.01).abs() < 1e-9 && p95 > 0.09 && p95 < 0.1,
            "{p50} {p95}"
        );
        assert!(p99.is_infinite());
    }

    #[test]
    fn finds_the_slowest_request_of_the_window() {
        let line = |le: &str, count: u32, id: u32, seconds: &str| {
            format!(
                "rpc_server_duration_seconds_bucket{{le=\"{le}\"}} {count} # {{trace_id=\"{id:032x}\"}} {seconds} 1\n"
            )
        };
        let before = samples(&[line("0.1", 1, 1, "0.05"), line("+Inf", 2, 2, "9")].concat());
        let after = samples(&[line("0.1", 3, 3, "0.07"), line("+Inf", 4, 2, "9")].concat());
        let slowest = |from, to| sums(from, to)["RPCs"].slowest.map(|found| found.trace_id);
        assert_eq!(slowest(&before, &after), Some(3));
        assert_eq!(slowest(&[], &after), Some(2));
        assert_eq!(slowest(&after, &after), None);
    }

    #[test]
    fn a_restarted_process_counts_from_zero() {
        let before = samples("rpc_server_duration_seconds_count{method=\"a/B\",code=\"0\"} 1000\n");
        let after = samples(
            "rpc_server_duration_seconds_count{method=\"a/B\",code=\"0\"} 5\n\
             rpc_server_duration_seconds_count{method=\"a/WatchChanges\",code=\"0\"} 7\n\
             rpc_server_duration_seconds_count{method=\"a/B\",code=\"14\"} 5\n",
        );
        let all = &sums(&before, &after)["RPCs"];
        assert!((all.requests - 10.0).abs() < 1e-9);
        assert!((all.error_share().unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(all.quantiles(), [None; 3]);
    }

    #[test]
    fn a_window_without_requests_has_no_errors() {
        let same = samples("rpc_server_duration_seconds_count{method=\"a/B\",code=\"0\"} 5\n");
        assert_eq!(sums(&same, &same)["RPCs"].error_share(), None);
        assert!(sums(&[], &[]).is_empty());
    }
}
