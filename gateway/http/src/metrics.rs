//! Metrics of the gateway. Labels are route templates, methods and statuses, so cardinality is bounded and no visitor
//! data is included.

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::Hash,
    sync::{Arc, OnceLock},
};

use axum::http::{Method, StatusCode};
use opentelemetry::trace::TraceId;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};
use service_kit::metrics::{Latency, with_registry};

/// Labels of a served request.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct RequestLabels {
    route: Arc<str>,
    method: &'static str,
    status: u16,
}

/// Labels of counters that differ only by outcome.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct OutcomeLabels {
    outcome: &'static str,
}

/// Labels of a page module that failed in a browser. Bounded by the published modules.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ClientFailureLabels {
    team: String,
    version: String,
    module: String,
    kind: &'static str,
}

/// Labels of an upstream.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct UpstreamLabels {
    package: Arc<str>,
}

/// The gateway's metrics, shared by the whole process.
#[derive(Clone, Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Latency>,
    cache: Family<OutcomeLabels, Counter>,
    browser_spans: Family<OutcomeLabels, Counter>,
    client_failures: Family<ClientFailureLabels, Counter>,
    changes: Family<OutcomeLabels, Counter>,
    watching: Family<UpstreamLabels, Gauge>,
    shed: Family<ShedLabels, Counter>,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ShedLabels {
    limit: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct RouteLabels {
    route: Arc<str>,
    method: &'static str,
}

/// Maximum metric handles cached per thread and family; more than a gateway has routes and labels. A full cache is
/// cleared as a whole, because entries of replaced modules are never requested again.
const RESOLVED_MAX: usize = 1024;

/// Per-thread cache of metric handles. A lookup by labels takes a lock and hashes the label texts.
#[derive(Debug)]
pub struct Resolved<L, M>(HashMap<(usize, L), (Arc<str>, M)>);

impl<L, M> Default for Resolved<L, M> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<L: Eq + Hash, M> Resolved<L, M> {
    /// Returns the metric for a route and a label, resolving it with `find` on first use. The key is the address of the
    /// route's `Arc`. The entry holds the `Arc`, so the address is not reused while the entry exists.
    pub fn get(&mut self, route: &Arc<str>, label: L, find: impl FnOnce() -> M) -> &M {
        if self.0.len() >= RESOLVED_MAX {
            self.0.clear();
        }
        let found = self.0.entry((route.as_ptr().addr(), label));
        &found.or_insert_with(|| (Arc::clone(route), find())).1
    }
}

type Request = (Counter, Latency);

thread_local! {
    static REQUESTS: RefCell<Resolved<(&'static str, StatusCode), Request>> = RefCell::default();
}

impl Metrics {
    /// Returns the process-wide metrics. The first call registers them.
    pub fn global() -> &'static Self {
        static METRICS: OnceLock<Metrics> = OnceLock::new();
        METRICS.get_or_init(|| with_registry(Self::register))
    }

    fn register(registry: &mut Registry) -> Self {
        let metrics = Self {
            requests: Family::default(),
            durations: Family::default(),
            cache: Family::default(),
            browser_spans: Family::default(),
            client_failures: Family::default(),
            changes: Family::default(),
            watching: Family::default(),
            shed: Family::default(),
        };
        for limit in [
            "network",
            "network_bodies",
            "bodies",
            "reads",
            "writes",
            "staff_streams",
            "person_streams",
        ] {
            drop(metrics.shed.get_or_create(&ShedLabels { limit }));
        }
        registry.register(
            "http_server_requests",
            "Requests served, by route template, method and status",
            metrics.requests.clone(),
        );
        registry.register(
            "http_server_request_duration_seconds",
            "Time to answer a request, by route template and method",
            metrics.durations.clone(),
        );
        registry.register(
            "api_cache_reads",
            "Reads of cacheable operations, by result of the cache lookup; stale_on_error: failed refreshes",
            metrics.cache.clone(),
        );
        registry.register(
            "browser_spans",
            "Spans sent by browsers, by outcome",
            metrics.browser_spans.clone(),
        );
        registry.register(
            "browser_module_failures",
            "Page modules that failed in browsers, by team, version and kind; only reports with the token of a document",
            metrics.client_failures.clone(),
        );
        registry.register(
            "upstream_changes",
            "Changes announced by upstreams, by scope: paths or everything",
            metrics.changes.clone(),
        );
        registry.register(
            "upstream_change_stream_open",
            "Open change streams of an upstream, one for each of its addresses, by package",
            metrics.watching.clone(),
        );
        registry.register(
            "http_server_shed",
            "Requests shed at a concurrency limit: of one network (network, network_bodies), of one person (person_streams) or of \
             all (bodies, reads, writes, staff_streams)",
            metrics.shed.clone(),
        );
        metrics
    }

    /// Counts a served request. `sampled` is the request's trace id if the trace was sampled.
    pub fn request(
        &self,
        route: &Arc<str>,
        method: &Method,
        status: StatusCode,
        seconds: f64,
        sampled: Option<TraceId>,
    ) {
        let method = method_label(method);
        REQUESTS.with_borrow_mut(|resolved| {
            let find = || self.resolve(route, method, status);
            let (requests, durations) = resolved.get(route, (method, status), find);
            requests.inc();
            durations.observe(seconds, sampled);
        });
    }

    fn resolve(&self, route: &Arc<str>, method: &'static str, status: StatusCode) -> Request {
        let requests = RequestLabels {
            route: Arc::clone(route),
            method,
            status: status.as_u16(),
        };
        let durations = RouteLabels {
            route: Arc::clone(route),
            method,
        };
        (
            self.requests.get_or_create_owned(&requests),
            self.durations.get_or_create_owned(&durations),
        )
    }

    /// Returns the counter for reads of cacheable operations with this outcome: `hit`, `miss`, `stale`,
    /// `stale_on_error` or `absent`.
    pub fn cache_reads(&self, outcome: &'static str) -> Counter {
        self.cache.get_or_create_owned(&OutcomeLabels { outcome })
    }

    /// Counts a page module failure in a browser and returns the new total for these labels.
    pub fn client_failure(
        &self,
        team: &str,
        version: &str,
        module: &str,
        kind: &'static str,
    ) -> u64 {
        let labels = ClientFailureLabels {
            team: team.to_owned(),
            version: version.to_owned(),
            module: module.to_owned(),
            kind,
        };
        self.client_failures.get_or_create(&labels).inc() + 1
    }

    /// Returns the counter for requests shed at this limit. `network` and `network_bodies` limit the requests and
    /// incoming bodies of one network. `bodies` limits all incoming bodies. `reads` and `writes` limit all requests of
    /// that kind.
    pub fn shed(&self, limit: &'static str) -> Counter {
        self.shed.get_or_create(&ShedLabels { limit }).clone()
    }

    /// Counts a change announced by an upstream. The outcome is `paths` or `everything`.
    pub fn change(&self, outcome: &'static str) {
        self.changes.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Adds to the number of open change streams of these packages.
    pub fn watching(&self, packages: &[Arc<str>], more: i64) {
        for package in packages {
            let package = Arc::clone(package);
            self.watching
                .get_or_create(&UpstreamLabels { package })
                .inc_by(more);
        }
    }

    /// Counts spans from browsers. The outcome is `accepted`, `refused`, `dropped` (rate limit reached or queue full),
    /// `exported` or `failed`.
    pub fn browser_spans(&self, outcome: &'static str, spans: usize) {
        self.browser_spans
            .get_or_create(&OutcomeLabels { outcome })
            .inc_by(spans as u64);
    }
}

/// Bounds the cardinality of the label, because the client chooses the method.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
