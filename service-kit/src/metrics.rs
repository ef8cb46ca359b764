//! The process's metrics registry, served as OpenMetrics text at `/metrics`.

mod certificates;
mod latency;
pub(crate) mod process;
mod rpc;

use std::sync::OnceLock;

use parking_lot::Mutex;
use prometheus_client::{encoding::text, metrics::gauge::Gauge, registry::Registry};
use tracing_appender::non_blocking::ErrorCounter;

pub use certificates::CertificateMetrics;
pub use latency::Latency;
pub(crate) use rpc::{RefusalLabels, RpcLabels, RpcMetrics};

/// Content type of the text that [`encode`] returns.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Histogram bounds in seconds, from half a millisecond to the longest allowed call.
pub const DURATION_BOUNDS_SECONDS: [f64; 13] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];

static REGISTRY: OnceLock<Mutex<Registry>> = OnceLock::new();

/// Gives access to the registry, for adding metrics at start.
pub fn with_registry<T>(add: impl FnOnce(&mut Registry) -> T) -> T {
    add(&mut REGISTRY
        .get_or_init(|| Mutex::new(Registry::default()))
        .lock())
}

/// Registers the number of log lines dropped because no reader kept up. Once per process.
pub(crate) fn register_dropped_log_lines(lines: ErrorCounter) {
    with_registry(|registry| registry.register_collector(Box::new(LogCollector(lines))));
}

/// Returns the registry as OpenMetrics text.
pub fn encode() -> String {
    with_registry(|registry| text_of(registry))
}

/// As [`encode`], with `process_ready` set from `is_ready`, so that it matches the caller's `/readyz`.
pub(crate) fn encode_ready(is_ready: bool) -> String {
    static READY: OnceLock<Gauge> = OnceLock::new();
    let ready = READY.get_or_init(|| {
        let ready = Gauge::default();
        with_registry(|registry| {
            registry.register(
                "process_ready",
                "Whether the process is ready for traffic: 1 or 0",
                ready.clone(),
            );
        });
        ready
    });
    // Set under the lock: a process may have several servers, as in tests.
    with_registry(|registry| {
        ready.set(i64::from(is_ready));
        text_of(registry)
    })
}

fn text_of(registry: &Registry) -> String {
    let mut out = String::new();
    if let Err(error) = text::encode(&mut out, registry) {
        tracing::error!(%error, "metrics could not be written");
    }
    out
}

#[derive(Debug)]
struct LogCollector(ErrorCounter);

impl prometheus_client::collector::Collector for LogCollector {
    fn encode(
        &self,
        mut encoder: prometheus_client::encoding::DescriptorEncoder<'_>,
    ) -> Result<(), std::fmt::Error> {
        let lines = u64::try_from(self.0.dropped_lines()).unwrap_or(u64::MAX);
        let metric = encoder.encode_descriptor(
            "log_lines_dropped",
            "Log lines dropped because the log was not read fast enough",
            None,
            prometheus_client::metrics::MetricType::Counter,
        )?;
        let counter = prometheus_client::metrics::counter::ConstCounter::new(lines);
        prometheus_client::encoding::EncodeMetric::encode(&counter, metric)
    }
}
