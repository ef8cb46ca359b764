//! What is seen of a database call: its span, and how long it takes the service, waiting for a connection or for the writer included.

use std::{sync::LazyLock, time::Instant};

use prometheus_client::{encoding::EncodeLabelSet, metrics::family::Family};
use service_kit::{metrics::Latency, semconv, trace};
use tracing::Span;

use crate::{error::StoreError, url::DatabaseKind};

/// What `error_type` says of a call whose caller did not wait for its end: it is not known what became of it.
const CANCELLED: &str = "cancelled";

/// Labels of `db.client.operation.duration`. All are words of the program: the summaries of its calls, and kinds of errors.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    operation: &'static str,
    collection: &'static str,
    db_system: &'static str,
    /// Empty when nothing went wrong.
    error_type: &'static str,
}

static DURATIONS: LazyLock<Family<Labels, Latency>> = LazyLock::new(|| {
    let durations = Family::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "db_client_operation_duration_seconds",
            "Time of a database call, waiting included, by operation, table and kind of error",
            Family::clone(&durations),
        );
    });
    durations
});

/// Times one call from its beginning. Dropped before its end it counts too: the slowest calls are those that nobody waits for.
#[derive(Debug)]
pub(crate) struct Timer {
    summary: &'static str,
    kind: DatabaseKind,
    started: Instant,
    /// Of the request at hand.
    span: Span,
    error_type: &'static str,
}

impl Timer {
    /// Of a call with this summary: an operation and a table (`INSERT appointments`).
    pub(crate) fn start(summary: &'static str, kind: DatabaseKind) -> Self {
        Self {
            summary,
            kind,
            started: Instant::now(),
            span: Span::current(),
            error_type: CANCELLED,
        }
    }

    /// Counts the call with what became of it.
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
        // Asked before the family is locked.
        let sampled = trace::sampled(&self.span);
        DURATIONS.get_or_create(&labels).observe(seconds, sampled);
    }
}

/// The client span of a database call, named by `summary` (`INSERT appointments`); never the statement's values.
/// Nothing when the request at hand is not traced.
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
