//! Logs to standard error, traces to an OTLP collector. An unavailable collector or an unread log does not slow the
//! process: both queues are bounded and drop.

mod spans;

use std::{fmt, io::IsTerminal, time::Duration};

use opentelemetry::{KeyValue, trace::TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracerProvider},
};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::{
    metrics, semconv,
    source::{Ids, RandomIds},
};

/// Maximum log lines queued for the reader of standard error; further ones are dropped and counted. An unread pipe must
/// not block the process.
const LOG_LINES_MAX: usize = 8192;
/// Timeout of one export.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3);

/// Libraries that log a warning per character of a caller's input; limited to errors whatever the filter.
const QUIET: [&str; 1] = ["html5ever=error"];

/// Identity of the process in traces, logs and metrics.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Name of the program.
    pub name: &'static str,
    /// `service_kit::version!()`.
    pub version: &'static str,
    /// The team that owns it and is on call for it.
    pub team: &'static str,
}

/// Destinations and format of logs and traces.
#[derive(Clone, Debug, clap::Args)]
pub struct TelemetryConfig {
    /// Format of the log lines on standard error.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t = LogFormat::Human)]
    pub log_format: LogFormat,
    /// Filter of the log lines, in the syntax of tracing's EnvFilter.
    #[arg(long, env = "RUST_LOG", default_value = "info")]
    pub log_filter: String,
    /// OTLP/gRPC address of the trace collector, for example http://127.0.0.1:4317. Default: no traces are sent.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<http::Uri>,
}

/// Format of the log lines.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub enum LogFormat {
    /// For a terminal.
    Human,
    /// One JSON object per line.
    Json,
}

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter does not follow EnvFilter's syntax.
    #[error("log filter is not valid: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// The collector's address cannot be used.
    #[error("OTLP exporter: {0}")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
    /// Logging was already set up.
    #[error("logging is already set up: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Owns the exporter and the log writer. Shut it down at the end, so that the last spans and lines are written.
pub struct TelemetryGuard {
    provider: SdkTracerProvider,
    /// Flushes queued lines when dropped, for at most one second.
    _log: WorkerGuard,
}

impl fmt::Debug for TelemetryGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TelemetryGuard")
    }
}

impl TelemetryGuard {
    /// Flushes queued spans, for at most 3 s, and log lines, for at most 1 s.
    pub async fn shutdown(self) {
        let provider = self.provider.clone();
        let result =
            tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(EXPORT_TIMEOUT))
                .await;
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the last spans were not sent"),
            Err(error) => tracing::debug!(%error, "the last spans were not sent"),
        }
    }
}

/// Starts logging, tracing and the process's own metrics. Must be called inside a tokio runtime.
///
/// # Errors
/// When the filter or the address is invalid, or `init` was called before.
pub fn init(
    identity: Identity,
    config: &TelemetryConfig,
) -> Result<TelemetryGuard, TelemetryError> {
    let spans = spans::Counts::default();
    let provider = tracer_provider(identity, config.otlp_endpoint.as_ref(), &spans)?;
    let mut filter = EnvFilter::try_new(&config.log_filter)?;
    for directive in QUIET {
        filter = filter.add_directive(directive.parse()?);
    }
    let (writer, log_guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(LOG_LINES_MAX)
        .thread_name("log")
        .finish(std::io::stderr());
    let dropped_lines = writer.error_counter();
    let log = match config.log_format {
        LogFormat::Human => tracing_subscriber::fmt::layer()
            .with_writer(writer)
            .with_ansi(std::io::stderr().is_terminal())
            .boxed(),
        LogFormat::Json => tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            // The outermost span has the trace's id; the current one may be that of a database call.
            .with_current_span(false)
            .with_span_list(true)
            .with_writer(writer)
            .boxed(),
    };
    // Library spans would bury ours, which are all at INFO.
    let ours = Targets::new().with_default(LevelFilter::INFO).with_targets(
        [
            "h2",
            "hyper",
            "hyper_util",
            "tonic",
            "tower",
            "sqlx",
            "opentelemetry",
        ]
        .map(|t| (t, LevelFilter::OFF)),
    );
    let traces = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(identity.name))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_filter(ours);
    tracing_subscriber::registry()
        .with(log.with_filter(filter))
        .with(traces)
        .try_init()?;
    // After the steps that fail on a second call: each metric must be registered once.
    metrics::process::register(identity);
    metrics::register_dropped_log_lines(dropped_lines);
    metrics::with_registry(|registry| spans.register(registry));
    Ok(TelemetryGuard {
        provider,
        _log: log_guard,
    })
}

fn tracer_provider(
    identity: Identity,
    endpoint: Option<&http::Uri>,
    counts: &spans::Counts,
) -> Result<SdkTracerProvider, TelemetryError> {
    let resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new(semconv::SERVICE_NAME, identity.name),
            KeyValue::new(semconv::SERVICE_NAMESPACE, semconv::NAMESPACE),
            KeyValue::new(semconv::SERVICE_VERSION, identity.version),
            KeyValue::new(semconv::SERVICE_INSTANCE_ID, RandomIds.uuid().to_string()),
            KeyValue::new(semconv::HOSPITAL_TEAM, identity.team),
        ])
        .build();
    // The gateway decides on sampling. A call without a sampling decision is sampled.
    let mut builder = SdkTracerProvider::builder()
        .with_resource(resource)
        .with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)));
    if let Some(endpoint) = endpoint {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint.to_string())
            .with_timeout(EXPORT_TIMEOUT)
            .build()?;
        builder = builder.with_span_processor(spans::processor(exporter, counts));
    }
    Ok(builder.build())
}
