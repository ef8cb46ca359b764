//! One registry of metrics for the process, in OpenMetrics text at `/metrics`.

use std::sync::OnceLock;

use parking_lot::Mutex;
use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{
        counter::Counter, family::Family, gauge::ConstGauge, histogram::Histogram, info::Info,
    },
    registry::Registry,
};
use tracing_appender::non_blocking::ErrorCounter;

/// Content type of the text that [`encode`] gives.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Bounds in seconds, from half a millisecond to the longest that a call may take.
pub const DURATION_BOUNDS_SECONDS: [f64; 13] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];

static REGISTRY: OnceLock<Mutex<Registry>> = OnceLock::new();

/// Gives access to the registry, to add metrics at start.
pub fn with_registry<T>(add: impl FnOnce(&mut Registry) -> T) -> T {
    add(&mut REGISTRY
        .get_or_init(|| Mutex::new(Registry::default()))
        .lock())
}

/// A histogram with [`DURATION_BOUNDS_SECONDS`].
pub fn duration_histogram() -> Histogram {
    Histogram::new(DURATION_BOUNDS_SECONDS)
}

/// Adds `build_info` and the process's memory to the registry. Once per process.
pub fn register_process(service_name: &str, version: &str) {
    with_registry(|registry| {
        registry.register(
            "build",
            "Name and version of the process",
            Info::new([
                ("service_name", service_name.to_owned()),
                ("version", version.to_owned()),
            ]),
        );
        registry.register_collector(Box::new(ProcessCollector));
    });
}

/// Adds the number of log lines that were dropped because nobody read the log. Once per process.
pub(crate) fn register_dropped_log_lines(lines: ErrorCounter) {
    with_registry(|registry| registry.register_collector(Box::new(LogCollector(lines))));
}

/// The registry as OpenMetrics text.
pub fn encode() -> String {
    let mut out = String::new();
    with_registry(|registry| {
        if let Err(error) = text::encode(&mut out, registry) {
            tracing::error!(%error, "metrics could not be written");
        }
    });
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
            "Log lines that were dropped because nobody read the log",
            None,
            prometheus_client::metrics::MetricType::Counter,
        )?;
        let counter = prometheus_client::metrics::counter::ConstCounter::new(lines);
        prometheus_client::encoding::EncodeMetric::encode(&counter, metric)
    }
}

#[derive(Debug)]
struct ProcessCollector;

impl prometheus_client::collector::Collector for ProcessCollector {
    fn encode(
        &self,
        mut encoder: prometheus_client::encoding::DescriptorEncoder<'_>,
    ) -> Result<(), std::fmt::Error> {
        let gauge = ConstGauge::new(resident_memory_bytes().unwrap_or(0));
        let metric = encoder.encode_descriptor(
            "process_resident_memory_bytes",
            "Resident memory",
            None,
            prometheus_client::metrics::MetricType::Gauge,
        )?;
        prometheus_client::encoding::EncodeMetric::encode(&gauge, metric)
    }
}

/// From `VmRSS` of `/proc/self/status`; `None` where there is no such file.
fn resident_memory_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Metrics of the RPC server.
#[derive(Clone, Debug)]
pub(crate) struct RpcMetrics {
    pub(crate) duration_seconds: Family<RpcLabels, Histogram, fn() -> Histogram>,
    pub(crate) refused: Family<RefusalLabels, Counter>,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(crate) struct RpcLabels {
    pub(crate) method: String,
    pub(crate) code: i32,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(crate) struct RefusalLabels {
    pub(crate) reason: &'static str,
}

impl RpcMetrics {
    /// The process's own, made at the first call.
    pub(crate) fn global() -> Self {
        static METRICS: OnceLock<RpcMetrics> = OnceLock::new();
        METRICS
            .get_or_init(|| {
                let duration_seconds =
                    Family::new_with_constructor(duration_histogram as fn() -> Histogram);
                let refused = Family::<RefusalLabels, Counter>::default();
                with_registry(|registry| {
                    registry.register(
                        "rpc_server_duration_seconds",
                        "Time to answer an RPC, by method and gRPC status code",
                        duration_seconds.clone(),
                    );
                    registry.register(
                        "rpc_server_refused",
                        "Requests and connections that the server refused, by reason",
                        refused.clone(),
                    );
                });
                Self {
                    duration_seconds,
                    refused,
                }
            })
            .clone()
    }
}
