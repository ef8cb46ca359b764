//! Export of spans to the collector: the queue is bounded, and the outcome of each span is counted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use opentelemetry::Context;
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Span, SpanData, SpanExporter, SpanProcessor},
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// Maximum queued spans; further ones are dropped.
const QUEUE_MAX: usize = 4096;
/// Delay before a span is exported.
const DELAY: Duration = Duration::from_millis(500);

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    outcome: &'static str,
}

/// Outcomes of this process's spans.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    spans: Family<Labels, Counter>,
    /// Ended, but not yet exported or failed.
    waiting: Arc<AtomicUsize>,
}

impl Counts {
    /// Registers the counter `process_spans_total{outcome}`.
    pub(super) fn register(&self, registry: &mut Registry) {
        // Prometheus does not see the first event of a counter that starts with it.
        for outcome in ["exported", "failed", "dropped"] {
            self.add(outcome, 0);
        }
        registry.register(
            "process_spans",
            "Spans of this process: exported, failed (rejected by the collector) or dropped (the queue was full)",
            self.spans.clone(),
        );
    }

    fn add(&self, outcome: &'static str, spans: usize) {
        let counter = self.spans.get_or_create_owned(&Labels { outcome });
        counter.inc_by(u64::try_from(spans).unwrap_or(u64::MAX));
    }

    /// Reserves a place in the queue; counts the span as dropped if the queue is full.
    fn enter(&self) -> bool {
        let waiting = self.waiting.fetch_add(1, Ordering::AcqRel);
        if waiting >= QUEUE_MAX {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
            self.add("dropped", 1);
        }
        waiting < QUEUE_MAX
    }

    fn leave(&self, outcome: &'static str, spans: usize) {
        self.waiting.fetch_sub(spans, Ordering::AcqRel);
        self.add(outcome, spans);
    }
}

/// Sends spans to `exporter` in batches, and counts them.
pub(super) fn processor<E: SpanExporter + 'static>(
    exporter: E,
    counts: &Counts,
) -> impl SpanProcessor + use<E> {
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(QUEUE_MAX)
        .with_scheduled_delay(DELAY)
        .build();
    let exporter = CountedExporter {
        inner: exporter,
        counts: counts.clone(),
    };
    CountedProcessor {
        inner: BatchSpanProcessor::builder(exporter)
            .with_batch_config(batches)
            .build(),
        counts: counts.clone(),
    }
}

#[derive(Debug)]
struct CountedExporter<E> {
    inner: E,
    counts: Counts,
}

impl<E: SpanExporter> SpanExporter for CountedExporter<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.inner.export(batch).await;
        let outcome = if result.is_ok() { "exported" } else { "failed" };
        self.counts.leave(outcome, spans);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

#[derive(Debug)]
struct CountedProcessor {
    inner: BatchSpanProcessor,
    counts: Counts,
}

impl SpanProcessor for CountedProcessor {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.inner.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if self.counts.enter() {
            self.inner.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};

    use opentelemetry::trace::{Tracer as _, TracerProvider as _};
    use opentelemetry_sdk::{error::OTelSdkError, trace::SdkTracerProvider};

    use super::*;

    /// Collector that blocks until its response is set.
    #[derive(Clone, Debug, Default)]
    struct Collector(Arc<(Mutex<Option<bool>>, Condvar)>);

    impl Collector {
        fn say(&self, is_taken: bool) {
            *self.0.0.lock().unwrap() = Some(is_taken);
            self.0.1.notify_all();
        }
    }

    impl SpanExporter for Collector {
        async fn export(&self, _: Vec<SpanData>) -> OTelSdkResult {
            let said = self.0.0.lock().unwrap();
            let said = self.0.1.wait_while(said, |said| said.is_none()).unwrap();
            match *said {
                Some(true) => Ok(()),
                _ => Err(OTelSdkError::InternalFailure("away".to_owned())),
            }
        }
    }

    fn counted(counts: &Counts) -> [u64; 3] {
        ["exported", "failed", "dropped"]
            .map(|outcome| counts.spans.get_or_create(&Labels { outcome }).get())
    }

    fn ended(spans: usize, is_taken: bool) -> [u64; 3] {
        let (counts, collector) = (Counts::default(), Collector::default());
        let processor = processor(collector.clone(), &counts);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .build();
        let tracer = provider.tracer("test");
        for _ in 0..spans {
            drop(tracer.start("span"));
        }
        collector.say(is_taken);
        provider.shutdown().unwrap();
        assert_eq!(counts.waiting.load(Ordering::Acquire), 0);
        counted(&counts)
    }

    #[test]
    fn every_span_is_exported_failed_or_dropped() {
        assert_eq!(ended(3, true), [3, 0, 0]);
        assert_eq!(ended(3, false), [0, 3, 0]);
        let most = u64::try_from(QUEUE_MAX).unwrap();
        assert_eq!(ended(QUEUE_MAX + 5, true), [most, 0, 5]);
    }
}
