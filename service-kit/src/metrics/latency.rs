//! Histogram of durations whose buckets each link to a trace.

use std::{fmt, time::SystemTime};

use opentelemetry::trace::TraceId;
use prometheus_client::{
    encoding::{EncodeLabel as _, EncodeLabelSet, EncodeMetric, LabelSetEncoder, MetricEncoder},
    metrics::{MetricType, TypedMetric, exemplar::HistogramWithExemplars},
};

use super::DURATION_BOUNDS_SECONDS;
use crate::source::{Clock as _, SystemClock};

/// Histogram with [`DURATION_BOUNDS_SECONDS`]. Each bucket keeps its latest sampled request as an exemplar `trace_id`:
/// at most 14 exemplars, whatever callers send.
#[derive(Clone, Debug)]
pub struct Latency(HistogramWithExemplars<SampledTrace>);

/// Label of an exemplar. Formatted at scrape time, not on each request.
#[derive(Clone, Debug)]
struct SampledTrace(TraceId);

impl EncodeLabelSet for SampledTrace {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), fmt::Error> {
        ("trace_id", self.0.to_string()).encode(encoder.encode_label())
    }
}

impl Default for Latency {
    fn default() -> Self {
        Self::with_bounds(DURATION_BOUNDS_SECONDS)
    }
}

impl Latency {
    /// Creates a histogram with other bounds, ascending, in the unit of the observed values.
    pub fn with_bounds(bounds: impl IntoIterator<Item = f64>) -> Self {
        Self(HistogramWithExemplars::new(bounds.into_iter()))
    }

    /// Records a duration. `sampled` is its trace, if sampled: an unsampled trace is not stored anywhere.
    pub fn observe(&self, seconds: f64, sampled: Option<TraceId>) {
        // Without its own timestamp, an exemplar would get the time of each scrape.
        let at = sampled.map(|_| SystemTime::from(SystemClock.now()));
        self.0.observe(seconds, sampled.map(SampledTrace), at);
    }
}

impl TypedMetric for Latency {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Latency {
    fn encode(&self, encoder: MetricEncoder<'_>) -> Result<(), fmt::Error> {
        self.0.encode(encoder)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::{encoding::text, registry::Registry};

    use super::*;

    fn written(latency: &Latency) -> String {
        let mut registry = Registry::default();
        registry.register("wait_seconds", "Waiting", latency.clone());
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        text
    }

    #[test]
    fn a_bucket_keeps_only_its_latest_sampled_trace() {
        let latency = Latency::default();
        let id = |number: u8| TraceId::from_bytes([number; 16]);
        latency.observe(0.003, Some(id(1)));
        latency.observe(0.004, Some(id(2)));
        latency.observe(0.004, None);
        latency.observe(0.2, None);
        latency.observe(60.0, Some(id(3)));
        let text = written(&latency);
        let line = |bound: &str| {
            let start = format!("wait_seconds_bucket{{le=\"{bound}\"}} ");
            text.lines()
                .find_map(|l| l.strip_prefix(start.as_str()))
                .unwrap()
        };
        let exemplar = format!("3 # {{trace_id=\"{}\"}} 0.004 ", id(2));
        assert!(line("0.005").starts_with(&exemplar), "{text}");
        let at = line("0.005").rsplit([' ', '.']).nth(1).unwrap();
        let age = SystemClock.now().timestamp() - at.parse::<i64>().unwrap();
        assert!((0..60).contains(&age), "{at}");
        assert_eq!(line("0.25"), "4");
        assert!(
            line("+Inf").starts_with(&format!("5 # {{trace_id=\"{}\"}} 60.0 ", id(3))),
            "{text}"
        );
        assert!(!text.contains(&id(1).to_string()), "{text}");
    }
}
