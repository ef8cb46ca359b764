//! Spans and durations of database calls, and the connections that serve them. A duration includes the wait for a
//! connection or for the writer.

use std::{
    fmt,
    sync::{LazyLock, Mutex, PoisonError},
    time::Instant,
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric as _},
    metrics::{MetricType, family::Family, gauge::ConstGauge},
};
use service_kit::{metrics::Latency, semconv, trace};
use tracing::Span;

use crate::{error::StoreError, url::DatabaseKind};

/// `error_type` of a call dropped before its end; its outcome is unknown.
const CANCELLED: &str = "cancelled";

/// Labels of `db.client.operation.duration`. All values are constants of the program: call summaries and error kinds.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    operation: &'static str,
    collection: &'static str,
    db_system: &'static str,
    /// Empty on success.
    error_type: &'static str,
}

static DURATIONS: LazyLock<Family<Labels, Latency>> = LazyLock::new(|| {
    let durations = Family::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "db_client_operation_duration_seconds",
            "Duration of a database call, including the wait for a connection, by operation, table and kind of error",
            Family::clone(&durations),
        );
    });
    durations
});

/// Times one call from its start. A call dropped before its end counts too: the slowest calls are those whose callers
/// gave up.
#[derive(Debug)]
pub(crate) struct Timer {
    summary: &'static str,
    kind: DatabaseKind,
    started: Instant,
    /// Span of the current request.
    span: Span,
    error_type: &'static str,
}

impl Timer {
    /// Starts timing a call. `summary` is an operation and a table (`INSERT appointments`).
    pub(crate) fn start(summary: &'static str, kind: DatabaseKind) -> Self {
        Self {
            summary,
            kind,
            started: Instant::now(),
            span: Span::current(),
            error_type: CANCELLED,
        }
    }

    /// Records the call with its outcome.
    pub(crate) fn end<T>(mut self, outcome: &Result<T, StoreError>) {
        self.error_type = outcome.as_ref().err().map_or("", StoreError::kind);
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        let (operation, collection) = self.summary.split_once(' ').unwrap_or((self.summary, ""));
        let labels = Labels {
            operation,
            collection,
            db_system: self.kind.system_name(),
            error_type: self.error_type,
        };
        let seconds = self.started.elapsed().as_secs_f64();
        // Evaluated before the family is locked.
        let sampled = trace::sampled(&self.span);
        DURATIONS.get_or_create(&labels).observe(seconds, sampled);
    }
}

/// Returns the client span of a database call, named by `summary` (`INSERT appointments`). It never contains the
/// statement's values. Returns a disabled span when the current request is not traced.
pub(crate) fn span(summary: &'static str, kind: DatabaseKind) -> Span {
    if Span::current().is_none() {
        return Span::none();
    }
    tracing::info_span!(
        "db",
        { semconv::OTEL_NAME } = summary,
        { semconv::OTEL_KIND } = "client",
        { semconv::DB_SYSTEM_NAME } = kind.system_name(),
        { semconv::DB_QUERY_SUMMARY } = summary,
    )
}

/// Connections of a pool at one moment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Connections {
    used: i64,
    idle: i64,
    max: i64,
}

type Read = Box<dyn Fn() -> Option<Connections> + Send>;

/// Reads the pool of the database that was opened last; a service has one.
static POOL: Mutex<Option<Read>> = Mutex::new(None);

static COLLECTOR: LazyLock<()> = LazyLock::new(|| {
    service_kit::metrics::with_registry(|registry| registry.register_collector(Box::new(Pool)));
});

impl Connections {
    /// The two counts are read one after the other, so more may be idle than were open.
    pub(crate) fn new(open: u32, idle: usize, max: u32) -> Self {
        let idle = i64::try_from(idle).unwrap_or(i64::MAX);
        Self {
            used: (i64::from(open) - idle).max(0),
            idle,
            max: i64::from(max),
        }
    }

    /// Exports what `read` returns, at each scrape; nothing after the database is dropped.
    pub(crate) fn watch(read: impl Fn() -> Option<Self> + Send + 'static) {
        *POOL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(read));
        LazyLock::force(&COLLECTOR);
    }
}

#[derive(Debug)]
struct Pool;

impl Collector for Pool {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let read = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(connections) = read.as_ref().and_then(|read| read()) else {
            return Ok(());
        };
        let mut metric = encoder.encode_descriptor(
            "db_client_connections",
            "Open connections of the pool, by state (used, idle); without the writer of SQLite",
            None,
            MetricType::Gauge,
        )?;
        for (state, count) in [("used", connections.used), ("idle", connections.idle)] {
            ConstGauge::new(count).encode(metric.encode_family(&[("state", state)])?)?;
        }
        let metric = encoder.encode_descriptor(
            "db_client_connections_max",
            "Connections that the pool may open",
            None,
            MetricType::Gauge,
        )?;
        ConstGauge::new(connections.max).encode(metric)
    }
}
