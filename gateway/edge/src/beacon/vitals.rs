//! Web Vitals measured by browsers, by route and by the team whose part of the page determined the value.
//!
//! Anybody can post a report, so labels are limited to published names, and values to what a page load can produce.

use std::sync::{Arc, OnceLock};

use gateway_http::problem::Problem;
use opentelemetry::trace::{SpanContext, TraceId};
use prometheus_client::{encoding::EncodeLabelSet, metrics::family::Family, registry::Registry};
use serde::Deserialize;
use service_kit::{
    metrics::{Latency, with_registry},
    trace,
};

use super::client_failures::{Published, UNKNOWN};

/// Maximum values in one report: one of each kind.
const VALUES_MAX: usize = 5;
/// Maximum length of a path in bytes, as for documents.
const PATH_BYTES_MAX: usize = 1024;
/// Maximum accepted time in milliseconds. A tab opened in the background may be viewed much later.
const MILLISECONDS_MAX: f64 = 600_000.0;
/// Maximum accepted sum of layout shifts. Up to 0.1 is good, above 0.25 is poor.
const SHIFT_MAX: f64 = 100.0;
/// Histogram bounds in seconds. They include the good and poor thresholds of INP (0.2, 0.5), TTFB (0.8, 1.8), FCP (1.8,
/// 3) and LCP (2.5, 4).
const SECONDS_BOUNDS: [f64; 12] = [
    0.025, 0.05, 0.1, 0.2, 0.5, 0.8, 1.2, 1.8, 2.5, 3.0, 4.0, 10.0,
];
const SHIFT_BOUNDS: [f64; 6] = [0.01, 0.05, 0.1, 0.15, 0.25, 0.5];

#[derive(Debug, Deserialize)]
pub(super) struct ReportedVitals {
    /// Path of the document.
    path: String,
    /// `traceparent` of the response that delivered the document.
    #[serde(default)]
    traceparent: String,
    values: Vec<ReportedVital>,
}

#[derive(Debug, Deserialize)]
struct ReportedVital {
    name: String,
    value: f64,
    team: String,
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    /// Name of the vital, and its value in seconds.
    Seconds(&'static str, f64),
    /// Cumulative layout shift, without a unit.
    Shift(f64),
}

/// A validated report.
#[derive(Debug, PartialEq)]
pub(super) struct Vitals {
    route: Arc<str>,
    sampled: Option<TraceId>,
    values: Vec<(Measure, String)>,
}

/// Validates the vitals of a report.
///
/// # Errors
/// 400 when there are more than 5 values, or when a value has an unknown name or is outside the range of a page load.
pub(super) fn read(reported: ReportedVitals, published: &dyn Published) -> Result<Vitals, Problem> {
    let ReportedVitals {
        path,
        traceparent,
        values,
    } = reported;
    if values.len() > VALUES_MAX {
        let message = format!("has more than {VALUES_MAX} entries");
        return Err(Problem::invalid_field("vitals.values", message));
    }
    let route = Some(path).filter(|path| path.len() <= PATH_BYTES_MAX);
    let route = route.and_then(|path| published.page_route(&path));
    let values = values.into_iter().enumerate().map(|(n, value)| {
        let measure = measure(&value.name, value.value).map_err(|field| {
            Problem::invalid_field(format!("vitals.values[{n}].{field}"), "is not valid")
        })?;
        let is_team = published.has_team(&value.team);
        let team = if is_team { value.team } else { UNKNOWN.into() };
        Ok((measure, team))
    });
    Ok(Vitals {
        route: route.unwrap_or_else(|| UNKNOWN.into()),
        sampled: sampled(&traceparent),
        values: values.collect::<Result<_, Problem>>()?,
    })
}

fn measure(name: &str, value: f64) -> Result<Measure, &'static str> {
    let vital = match name {
        "CLS" if (0.0..=SHIFT_MAX).contains(&value) => return Ok(Measure::Shift(value)),
        "CLS" => return Err("value"),
        "FCP" => "fcp",
        "INP" => "inp",
        "LCP" => "lcp",
        "TTFB" => "ttfb",
        _ => return Err("name"),
    };
    if (0.0..=MILLISECONDS_MAX).contains(&value) {
        Ok(Measure::Seconds(vital, value / 1000.0))
    } else {
        Err("value")
    }
}

/// Returns the trace id of a W3C `traceparent` with the sampled flag. `None` for anything else, because such an id
/// leads to no stored trace.
fn sampled(traceparent: &str) -> Option<TraceId> {
    let context = trace::parse(traceparent).filter(SpanContext::is_sampled)?;
    Some(context.trace_id())
}

/// Bounded labels: 4 kinds, and the routes and teams published here.
#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct SecondsLabels {
    vital: &'static str,
    route: Arc<str>,
    team: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ShiftLabels {
    route: Arc<str>,
    team: String,
}

struct VitalMetrics {
    seconds: Family<SecondsLabels, Latency, fn() -> Latency>,
    shifts: Family<ShiftLabels, Latency, fn() -> Latency>,
}

impl VitalMetrics {
    fn global() -> &'static Self {
        static METRICS: OnceLock<VitalMetrics> = OnceLock::new();
        METRICS.get_or_init(|| with_registry(Self::register))
    }

    fn register(registry: &mut Registry) -> Self {
        let metrics = Self {
            seconds: Family::new_with_constructor(|| Latency::with_bounds(SECONDS_BOUNDS)),
            shifts: Family::new_with_constructor(|| Latency::with_bounds(SHIFT_BOUNDS)),
        };
        registry.register(
            "browser_web_vital_seconds",
            "Web Vitals of page loads: time to first byte, to the first and the largest contentful paint, and of the slowest interaction",
            metrics.seconds.clone(),
        );
        registry.register(
            "browser_cumulative_layout_shift",
            "Cumulative layout shift of a page load; no unit",
            metrics.shifts.clone(),
        );
        metrics
    }
}

/// Registers the metrics before the first visitor.
pub(super) fn register() {
    VitalMetrics::global();
}

impl Vitals {
    /// Records the values.
    pub(super) fn record(self) {
        let (metrics, sampled) = (VitalMetrics::global(), self.sampled);
        for (measure, team) in self.values {
            let route = Arc::clone(&self.route);
            match measure {
                Measure::Seconds(vital, seconds) => {
                    let labels = SecondsLabels { vital, route, team };
                    let observed = metrics.seconds.get_or_create_owned(&labels);
                    observed.observe(seconds, sampled);
                }
                Measure::Shift(shift) => {
                    let labels = ShiftLabels { route, team };
                    let observed = metrics.shifts.get_or_create_owned(&labels);
                    observed.observe(shift, sampled);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    struct Clinic;

    impl Published for Clinic {
        fn has(&self, _: &str, _: &str, _: &str) -> bool {
            false
        }

        fn has_team(&self, team: &str) -> bool {
            team == "clinic"
        }

        fn take_report(&self, _: &str, _: &[(&str, &str)]) -> Option<Vec<bool>> {
            None
        }

        fn is_route(&self, _: &str) -> bool {
            false
        }

        fn page_route(&self, path: &str) -> Option<Arc<str>> {
            path.starts_with("/doctors/")
                .then(|| "/doctors/{slug}".into())
        }
    }

    fn read_json(change: impl Fn(&mut Value)) -> Result<Vitals, String> {
        let mut report = json!({
            "path": "/doctors/asha",
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "values": [{"name": "LCP", "value": 1200.5, "team": "clinic"}],
        });
        change(&mut report);
        let report = serde_json::from_value(report).expect("a report");
        read(report, &Clinic).map_err(|problem| {
            String::from_utf8(problem.into_response().into_body().to_vec()).expect("text")
        })
    }

    #[test]
    fn accepts_only_known_routes_and_teams() {
        let vitals = read_json(|_| {}).expect("taken");
        assert_eq!(&*vitals.route, "/doctors/{slug}");
        let expected = (Measure::Seconds("lcp", 1.2005), "clinic".to_owned());
        assert_eq!(vitals.values, [expected]);
        for path in ["/asha".to_owned(), format!("/doctors/{}", "a".repeat(1024))] {
            let vitals = read_json(|report| report["path"] = path.as_str().into()).expect("taken");
            assert_eq!(&*vitals.route, UNKNOWN);
        }
        let vitals = read_json(|report| report["values"][0]["team"] = "asha".into());
        assert_eq!(vitals.expect("taken").values[0].1, UNKNOWN);
    }

    #[test]
    fn refuses_impossible_values_by_name() {
        for (field, value, named) in [
            ("name", json!("FID"), "vitals.values[0].name"),
            ("value", json!(-1), "vitals.values[0].value"),
            ("value", json!(600_001), "vitals.values[0].value"),
        ] {
            let refused = read_json(|report| report["values"][0][field] = value.clone());
            let text = refused.expect_err("refused");
            assert!(text.contains(named), "{text}");
        }
        let shift = |value: f64| {
            read_json(|report| {
                report["values"][0] = json!({"name": "CLS", "value": value, "team": "clinic"});
            })
        };
        assert_eq!(
            shift(0.25).expect("taken").values[0].0,
            Measure::Shift(0.25)
        );
        assert!(shift(101.0).is_err());
        let many = read_json(|report| {
            report["values"] = vec![report["values"][0].clone(); 6].into();
        });
        let text = many.expect_err("refused");
        assert!(text.contains("vitals.values"), "{text}");
    }

    #[test]
    fn uses_only_sampled_traces_as_exemplars() {
        let id = "0af7651916cd43dd8448eb211c80319c";
        for (traceparent, expected) in [
            (format!("00-{id}-b7ad6b7169203331-01"), Some(id.to_owned())),
            (format!("00-{id}-b7ad6b7169203331-00"), None),
            (format!("00-{}-b7ad6b7169203331-01", "0".repeat(32)), None),
            (format!("00-+{}-b7ad6b7169203331-01", &id[1..]), None),
            ("asha".to_owned(), None),
            (String::new(), None),
        ] {
            let found = sampled(&traceparent).map(|id| id.to_string());
            assert_eq!(found, expected, "{traceparent}");
        }
    }
}
