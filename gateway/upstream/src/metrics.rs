//! Metrics of each upstream. Label values are the configured upstreams and a few fixed words.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use gateway_http::request::trace;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};
use service_kit::metrics::Latency;
use tonic::Code;

/// All reasons for refusing a call in the gateway, and for retrying one.
pub(super) const BULKHEAD: &str = "bulkhead";
pub(super) const BREAKER: &str = "breaker";
pub(super) const UNSENT: &str = "unsent";
pub(super) const CUT: &str = "cut";
pub(super) const TIMED_OUT: &str = "timed_out";
pub(super) const UNAVAILABLE: &str = "unavailable";

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct UpstreamLabels {
    upstream: Arc<str>,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReasonLabels {
    upstream: Arc<str>,
    reason: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct CodeLabels {
    upstream: Arc<str>,
    code: i32,
}

type ByUpstream<T> = Family<UpstreamLabels, T>;

#[derive(Debug, Default)]
struct Families {
    in_flight: ByUpstream<Gauge>,
    breaker: ByUpstream<Gauge>,
    connections: ByUpstream<Gauge>,
    ejections: ByUpstream<Counter>,
    connect_failures: ByUpstream<Counter>,
    resolve_failures: ByUpstream<Counter>,
    try_timeouts: ByUpstream<Counter>,
    budget_exhausted: ByUpstream<Counter>,
    refused: Family<ReasonLabels, Counter>,
    retries: Family<ReasonLabels, Counter>,
    durations: Family<CodeLabels, Latency>,
}

/// The metrics of one upstream.
#[derive(Clone, Debug)]
pub(super) struct Meters {
    name: Arc<str>,
    families: &'static Families,
    pub(super) in_flight: Gauge,
    pub(super) breaker: Gauge,
    pub(super) connections: Gauge,
    pub(super) ejections: Counter,
    pub(super) connect_failures: Counter,
    pub(super) resolve_failures: Counter,
    pub(super) try_timeouts: Counter,
    pub(super) budget_exhausted: Counter,
}

impl Meters {
    /// Returns the metrics of the upstream with this configured name.
    pub(super) fn of(name: &Arc<str>) -> Self {
        static FAMILIES: OnceLock<Families> = OnceLock::new();
        let families =
            FAMILIES.get_or_init(|| service_kit::metrics::with_registry(Families::register));
        let labels = UpstreamLabels {
            upstream: Arc::clone(name),
        };
        // Created before the first increment: a rate cannot see a counter that begins with 1.
        for reason in [BULKHEAD, BREAKER] {
            drop(families.refused.get_or_create(&reason_labels(name, reason)));
        }
        for reason in [UNSENT, CUT, TIMED_OUT, UNAVAILABLE] {
            drop(families.retries.get_or_create(&reason_labels(name, reason)));
        }
        Self {
            name: Arc::clone(name),
            families,
            in_flight: families.in_flight.get_or_create_owned(&labels),
            breaker: families.breaker.get_or_create_owned(&labels),
            connections: families.connections.get_or_create_owned(&labels),
            ejections: families.ejections.get_or_create_owned(&labels),
            connect_failures: families.connect_failures.get_or_create_owned(&labels),
            resolve_failures: families.resolve_failures.get_or_create_owned(&labels),
            try_timeouts: families.try_timeouts.get_or_create_owned(&labels),
            budget_exhausted: families.budget_exhausted.get_or_create_owned(&labels),
        }
    }

    /// Starts timing a call, including its retries.
    pub(super) fn begin(&self) -> CallInFlight<'_> {
        self.in_flight.inc();
        CallInFlight {
            meters: self,
            started: Instant::now(),
            code: Code::Cancelled,
        }
    }

    /// Counts a call refused by the gateway: [`BULKHEAD`] or [`BREAKER`].
    pub(super) fn refused(&self, reason: &'static str) {
        self.families
            .refused
            .get_or_create(&reason_labels(&self.name, reason))
            .inc();
    }

    /// Returns the number of timed-out tries and of calls without a bulkhead slot: signs of an overloaded service.
    pub(super) fn overloads(&self) -> u64 {
        let labels = reason_labels(&self.name, BULKHEAD);
        let full = self.families.refused.get_or_create_owned(&labels);
        self.try_timeouts.get() + full.get()
    }

    /// Counts a retry.
    pub(super) fn retried(&self, reason: &'static str) {
        self.families
            .retries
            .get_or_create(&reason_labels(&self.name, reason))
            .inc();
    }
}

fn reason_labels(name: &Arc<str>, reason: &'static str) -> ReasonLabels {
    ReasonLabels {
        upstream: Arc::clone(name),
        reason,
    }
}

/// Counts a call while it is under way, and records its duration. If dropped early, because the visitor left or the
/// request's deadline passed, the call counts as cancelled. The slowest calls are among these.
#[derive(Debug)]
pub(super) struct CallInFlight<'a> {
    meters: &'a Meters,
    started: Instant,
    code: Code,
}

impl CallInFlight<'_> {
    /// Ends the call with this code.
    pub(super) fn end(mut self, code: Code) {
        self.code = code;
    }
}

impl Drop for CallInFlight<'_> {
    fn drop(&mut self) {
        let meters = self.meters;
        meters.in_flight.dec();
        let labels = CodeLabels {
            upstream: Arc::clone(&meters.name),
            code: self.code as i32,
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let durations = meters.families.durations.get_or_create(&labels);
        durations.observe(seconds, trace::current_sampled());
    }
}

impl Families {
    fn register(registry: &mut Registry) -> Self {
        let families = Self::default();
        registry.register(
            "upstream_calls_in_flight",
            "Calls in flight, by upstream",
            families.in_flight.clone(),
        );
        registry.register(
            "upstream_breaker_state",
            "Circuit breaker: 0 closed, 1 open, 2 on trial",
            families.breaker.clone(),
        );
        registry.register(
            "upstream_connections",
            "Open connections, by upstream",
            families.connections.clone(),
        );
        registry.register(
            "upstream_ejections",
            "Ejections of addresses that did not answer",
            families.ejections.clone(),
        );
        registry.register(
            "upstream_connect_failures",
            "Failed connection attempts",
            families.connect_failures.clone(),
        );
        registry.register(
            "upstream_resolve_failures",
            "Failed name resolutions",
            families.resolve_failures.clone(),
        );
        registry.register(
            "upstream_try_timeouts",
            "Tries that timed out",
            families.try_timeouts.clone(),
        );
        registry.register(
            "upstream_retry_budget_exhausted",
            "Calls not retried because the retry budget was exhausted",
            families.budget_exhausted.clone(),
        );
        registry.register(
            "upstream_refused",
            "Calls refused by the gateway, by bulkhead or breaker",
            families.refused.clone(),
        );
        registry.register(
            "upstream_retries",
            "Retries, by outcome of the previous try",
            families.retries.clone(),
        );
        registry.register(
            "rpc_client_duration_seconds",
            "Duration of a call with its retries, by upstream and gRPC status code; 1: cancelled",
            families.durations.clone(),
        );
        families
    }
}
