//! Rates, errors and durations of the newest minute, from two scrapes of one process.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::exposition::{Exemplar, Sample, increases};
use crate::modules;

const REQUESTS: &str = "http_server_requests_total";
const REQUEST_BUCKETS: &str = "http_server_request_duration_seconds_bucket";
const RPCS: &str = "rpc_server_duration_seconds_count";
const RPC_BUCKETS: &str = "rpc_server_duration_seconds_bucket";

/// Metrics shown with their current value: name, distinguishing label, title.
pub const NOW: [(&str, &str, &str); 6] = [
    ("outbox_waiting", "lane", "outbox: messages that wait"),
    (
        "outbox_oldest_age_seconds",
        "lane",
        "outbox: oldest that is due, s",
    ),
    ("outbox_dead", "", "outbox: given up"),
    (
        "upstream_breaker_state",
        "upstream",
        "breaker (0 closed, 1 open, 2 on trial)",
    ),
    ("upstream_connections", "upstream", "connections"),
    (
        "rate_limit_exhausted_keys",
        "limit",
        "callers with nothing left",
    ),
];

/// Metrics shown with their increase in the window: name, distinguishing label, title.
pub const LATELY: [(&str, &str, &str); 6] = [
    ("http_server_shed_total", "", "requests shed"),
    (
        "http_server_rate_limited_total",
        "limit",
        "requests refused by the limiter",
    ),
    (
        "upstream_refused_total",
        "reason",
        "calls refused by breaker or bulkhead",
    ),
    ("rpc_server_refused_total", "reason", "requests refused"),
    ("render_failures_total", "module", "renders that failed"),
    ("page_registry_refusals_total", "", "publications refused"),
];

/// gRPC codes of a service's failures, as in the recording rules.
const RPC_FAILURES: [&str; 5] = ["2", "4", "13", "14", "15"];

/// Whether samples of this name are kept.
pub fn is_wanted(name: &str) -> bool {
    let shown = NOW
        .iter()
        .chain(&LATELY)
        .any(|(wanted, ..)| *wanted == name);
    shown
        || modules::is_wanted(name)
        || ["build_info", REQUESTS, REQUEST_BUCKETS, RPCS, RPC_BUCKETS].contains(&name)
}

/// Rate, errors and durations of one surface of a process in the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Red {
    pub surface: &'static str,
    pub per_second: f64,
    /// 0 to 1; `None` without requests.
    pub error_share: Option<f64>,
    /// p50, p95 and p99 in seconds; `None` without requests, infinite beyond the last bucket.
    pub quantiles: [Option<f64>; 3],
    /// Slowest sampled request among the window's new exemplars; in seconds.
    pub slowest: Option<Exemplar>,
}

#[derive(Debug, Default)]
struct Sum {
    requests: f64,
    errors: f64,
    /// Cumulative request counts by the bucket's upper bound in microseconds. The infinite bound comes last.
    buckets: BTreeMap<u64, f64>,
    slowest: Option<Exemplar>,
}

/// Computes the figures between two scrapes of one process, `time` apart.
pub fn red(oldest: &[Sample], newest: &[Sample], time: Duration) -> Vec<Red> {
    // A bucket keeps its exemplar until another request falls into the bucket. Exemplars of the oldest scrape are
    // therefore outdated.
    let known: BTreeSet<u128> = exemplars(oldest).map(|found| found.trace_id).collect();
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for (sample, added) in increases(oldest, newest) {
        let Some(surface) = surface(sample) else {
            continue;
        };
        let sum = sums.entry(surface).or_default();
        match sample.name.as_str() {
            REQUESTS => {
                sum.requests += added;
                sum.errors += if sample.label("status").starts_with('5') {
                    added
                } else {
                    0.0
                };
            }
            RPCS => {
                sum.requests += added;
                sum.errors += if RPC_FAILURES.contains(&sample.label("code")) {
                    added
                } else {
                    0.0
                };
            }
            REQUEST_BUCKETS | RPC_BUCKETS => {
                *sum.buckets.entry(bound(sample.label("le"))).or_default() += added;
                let fresh = sample
                    .exemplar
                    .filter(|found| !known.contains(&found.trace_id));
                sum.slowest = slower(sum.slowest, fresh);
            }
            _ => {}
        }
    }
    let seconds = time.as_secs_f64().max(f64::MIN_POSITIVE);
    sums.into_iter()
        .map(|(surface, sum)| Red {
            surface,
            per_second: sum.requests / seconds,
            error_share: (sum.requests > 0.0).then(|| sum.errors / sum.requests),
            quantiles: [0.5, 0.95, 0.99].map(|share| quantile(&sum.buckets, share)),
            slowest: sum.slowest,
        })
        .collect()
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
        RPCS | RPC_BUCKETS if sample.label("method").contains("/Watch") => None,
        RPCS | RPC_BUCKETS => Some("RPCs"),
        REQUESTS | REQUEST_BUCKETS if matches!(route, "/healthz" | "/readyz") => None,
        REQUESTS | REQUEST_BUCKETS if route.starts_with("/api") => Some("API"),
        REQUESTS | REQUEST_BUCKETS if route == "/telemetry" => Some("browser spans"),
        REQUESTS | REQUEST_BUCKETS => Some("pages and files"),
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
        let all = red(&before, &after, Duration::from_secs(10));
        let [api] = all.as_slice() else {
            panic!("{all:?}")
        };
        assert_eq!(api.surface, "API");
        assert!((api.per_second - 10.0).abs() < 1e-9);
        assert!((api.error_share.unwrap() - 0.1).abs() < 1e-9);
        let [p50, p95, p99] = api.quantiles.map(Option::unwrap);
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
        let second = Duration::from_secs(1);
        let slowest = |from, to| red(from, to, second)[0].slowest.map(|found| found.trace_id);
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
        let all = red(&before, &after, Duration::from_secs(1));
        assert!((all[0].per_second - 10.0).abs() < 1e-9);
        assert!((all[0].error_share.unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(all[0].quantiles, [None; 3]);
    }

    #[test]
    fn a_window_without_requests_has_no_errors() {
        let same = samples("rpc_server_duration_seconds_count{method=\"a/B\",code=\"0\"} 5\n");
        assert_eq!(
            red(&same, &same, Duration::from_secs(5))[0].error_share,
            None
        );
        assert!(red(&[], &[], Duration::ZERO).is_empty());
    }
}
