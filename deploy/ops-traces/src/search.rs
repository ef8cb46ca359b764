//! Search filters, parsed from the query parameters of Jaeger's v1 API.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::span::{Kind, Span, TraceId};

/// Default number of traces in a response; Jaeger's own default.
const TRACES_DEFAULT: usize = 20;
/// Maximum number of traces in a response: the largest limit that the Jaeger UI offers. A larger one is reduced to
/// this.
const TRACES_MAX: usize = 1_500;
/// Jaeger's default for the service map.
const DEPENDENCIES_LOOKBACK_DEFAULT: Duration = Duration::from_hours(24);

/// Query parameters in the order of the request; names may repeat.
pub type Parameters = Vec<(String, String)>;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ParameterError {
    #[error("parameter '{name}' is not a duration such as 1.5s, 200ms or 2h: '{value}'")]
    Duration { name: &'static str, value: String },
    #[error("parameter '{name}' is not a whole number of {unit}: '{value}'")]
    Number {
        name: &'static str,
        unit: &'static str,
        value: String,
    },
    #[error("parameter 'tags' is not a JSON object of strings such as {{\"error\":\"true\"}}")]
    Tags,
    #[error("parameter 'tag' is not key:value: '{0}'")]
    Tag(String),
    #[error("not a trace id of up to 32 hexadecimal digits: '{0}'")]
    TraceId(String),
    #[error(
        "parameter 'spanKind' is not one of internal, server, client, producer, consumer: '{0}'"
    )]
    SpanKind(String),
    #[error("parameter 'service' is required")]
    ServiceMissing,
}

/// Search conditions. All must hold for the same span, as in Jaeger; an absent condition accepts every span.
#[derive(Debug, PartialEq, Eq)]
pub struct Filter {
    pub service: Option<String>,
    pub operation: Option<String>,
    /// Each tag must be among the span's tags, its process's tags or the fields of its logs.
    pub tags: Vec<(String, String)>,
    pub duration_min_nanos: u64,
    pub duration_max_nanos: u64,
    /// Microseconds since 1970, both ends included.
    pub start_min_micros: u64,
    pub start_max_micros: u64,
    /// Maximum number of traces.
    pub limit: usize,
}

impl Filter {
    /// Parses the filter. `lookback` applies only without `start`; it is relative to `end`, or to now without `end`.
    /// The UI sends all three.
    pub fn from_parameters(
        parameters: &Parameters,
        now: SystemTime,
    ) -> Result<Self, ParameterError> {
        let start_max_micros = number(parameters, "end", "microseconds")?;
        let start_min_micros = match number(parameters, "start", "microseconds")? {
            Some(start) => start,
            None => match lookback(parameters)? {
                Some(lookback) => start_max_micros
                    .unwrap_or_else(|| micros(now))
                    .saturating_sub(lookback),
                None => 0,
            },
        };
        let limit = number(parameters, "limit", "traces")?.map_or(TRACES_DEFAULT, |limit| {
            usize::try_from(limit).unwrap_or(TRACES_MAX).min(TRACES_MAX)
        });
        Ok(Self {
            service: text(parameters, "service").map(str::to_owned),
            operation: text(parameters, "operation")
                .filter(|name| *name != "all")
                .map(str::to_owned),
            tags: tags(parameters)?,
            duration_min_nanos: duration(parameters, "minDuration")?.map_or(0, nanos),
            duration_max_nanos: duration(parameters, "maxDuration")?.map_or(u64::MAX, nanos),
            start_min_micros,
            start_max_micros: start_max_micros.unwrap_or(u64::MAX),
            limit,
        })
    }

    pub fn accepts(&self, span: &Span) -> bool {
        self.service
            .as_deref()
            .is_none_or(|service| *span.process.service == *service)
            && self
                .operation
                .as_deref()
                .is_none_or(|operation| *span.operation == *operation)
            && (self.duration_min_nanos..=self.duration_max_nanos).contains(&span.duration_nanos)
            && (self.start_min_micros..=self.start_max_micros).contains(&span.start_micros())
            && self
                .tags
                .iter()
                .all(|(key, value)| has_tag(span, key, value))
    }
}

fn has_tag(span: &Span, key: &str, value: &str) -> bool {
    let fields = span.logs.iter().flat_map(|log| &log.fields);
    span.tags
        .iter()
        .chain(&span.process.tags)
        .chain(fields)
        .any(|tag| tag.is(key, value))
}

/// Parses the ids of `traceID=`, which may repeat.
pub fn trace_ids(parameters: &Parameters) -> Result<Vec<TraceId>, ParameterError> {
    parameters
        .iter()
        .filter(|(name, _)| name == "traceID")
        .map(|(_, value)| trace_id(value))
        .collect()
}

pub fn trace_id(value: &str) -> Result<TraceId, ParameterError> {
    TraceId::parse(value.trim()).ok_or_else(|| ParameterError::TraceId(value.to_owned()))
}

/// Parses the service and the span kind of `/api/operations`.
pub fn operations(parameters: &Parameters) -> Result<(&str, Option<Kind>), ParameterError> {
    let service = text(parameters, "service").ok_or(ParameterError::ServiceMissing)?;
    let kind = match text(parameters, "spanKind") {
        None | Some("unspecified") => None,
        Some(name) => {
            let kinds = [
                Kind::Internal,
                Kind::Server,
                Kind::Client,
                Kind::Producer,
                Kind::Consumer,
            ];
            let kind = kinds.into_iter().find(|kind| kind.as_str() == name);
            Some(kind.ok_or_else(|| ParameterError::SpanKind(name.to_owned()))?)
        }
    };
    Ok((service, kind))
}

/// Returns the window of the service map in microseconds; its parameters `endTs` and `lookback` are in milliseconds.
pub fn dependency_window(
    parameters: &Parameters,
    now: SystemTime,
) -> Result<(u64, u64), ParameterError> {
    let milliseconds = |name| {
        Ok(number(parameters, name, "milliseconds")?.map(|value| value.saturating_mul(1_000)))
    };
    let end = milliseconds("endTs")?.unwrap_or_else(|| micros(now));
    let lookback =
        milliseconds("lookback")?.unwrap_or_else(|| nanos(DEPENDENCIES_LOOKBACK_DEFAULT) / 1_000);
    Ok((end.saturating_sub(lookback), end))
}

/// Returns a parameter's value. An empty value counts as absent, because HTML forms send empty fields.
fn text<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    parameters
        .iter()
        .find(|(key, value)| key == name && !value.is_empty())
        .map(|(_, value)| value.as_str())
}

fn number(
    parameters: &Parameters,
    name: &'static str,
    unit: &'static str,
) -> Result<Option<u64>, ParameterError> {
    text(parameters, name)
        .map(|value| {
            value.parse().map_err(|_| ParameterError::Number {
                name,
                unit,
                value: value.to_owned(),
            })
        })
        .transpose()
}

fn duration(
    parameters: &Parameters,
    name: &'static str,
) -> Result<Option<Duration>, ParameterError> {
    text(parameters, name)
        .map(|value| {
            parse_duration(value).ok_or_else(|| ParameterError::Duration {
                name,
                value: value.to_owned(),
            })
        })
        .transpose()
}

/// Returns the lookback in microseconds. The UI sends `custom` when `start` and `end` were picked by hand.
fn lookback(parameters: &Parameters) -> Result<Option<u64>, ParameterError> {
    if text(parameters, "lookback").is_some_and(|value| value.starts_with("custom")) {
        return Ok(None);
    }
    Ok(duration(parameters, "lookback")?.map(|lookback| nanos(lookback) / 1_000))
}

fn tags(parameters: &Parameters) -> Result<Vec<(String, String)>, ParameterError> {
    let mut tags = Vec::new();
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        match name.as_str() {
            "tag" => {
                let (key, value) = value
                    .split_once(':')
                    .ok_or_else(|| ParameterError::Tag(value.clone()))?;
                tags.push((key.to_owned(), value.to_owned()));
            }
            "tags" => {
                let object: serde_json::Map<String, serde_json::Value> =
                    serde_json::from_str(value).map_err(|_| ParameterError::Tags)?;
                for (key, value) in object {
                    let value = match value {
                        serde_json::Value::String(text) => text,
                        scalar @ (serde_json::Value::Bool(_) | serde_json::Value::Number(_)) => {
                            scalar.to_string()
                        }
                        _ => return Err(ParameterError::Tags),
                    };
                    tags.push((key, value));
                }
            }
            _ => {}
        }
    }
    Ok(tags)
}

/// Parses Go's notation, which the UI's fields use (`1h30m`, `1.5s`, `200ms`, `50us`), plus days and weeks.
fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (amount, after) = rest.split_at(digits);
        let unit_length = after
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_length);
        let unit_seconds = match unit {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            "w" => 604_800.0,
            _ => return None,
        };
        let amount: f64 = amount.parse().ok()?;
        total = total.checked_add(Duration::try_from_secs_f64(amount * unit_seconds).ok()?)?;
        rest = next;
    }
    Some(total)
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns microseconds since 1970.
pub fn micros(time: SystemTime) -> u64 {
    nanos(time.duration_since(UNIX_EPOCH).unwrap_or_default()) / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(pairs: &[(&str, &str)]) -> Parameters {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn filter(pairs: &[(&str, &str)]) -> Result<Filter, ParameterError> {
        Filter::from_parameters(&parameters(pairs), UNIX_EPOCH + Duration::from_secs(10_000))
    }

    #[test]
    fn parses_durations_of_go() {
        for (text, nanos) in [
            ("1.5s", 1_500_000_000),
            ("200ms", 200_000_000),
            ("50us", 50_000),
            ("50µs", 50_000),
            ("1h30m", 5_400_000_000_000),
            ("2d", 172_800_000_000_000),
        ] {
            assert_eq!(
                parse_duration(text),
                Some(Duration::from_nanos(nanos)),
                "{text}"
            );
        }
        for text in ["", "5", "s", "1x", "1.2.3s", "-1s", "1s5"] {
            assert_eq!(parse_duration(text), None, "{text:?}");
        }
    }

    #[test]
    fn lookback_counts_back_from_the_end_unless_a_start_is_given() {
        let from_now = filter(&[("lookback", "1h")]).expect("valid");
        assert_eq!(
            (from_now.start_min_micros, from_now.start_max_micros),
            (6_400_000_000, u64::MAX)
        );
        let from_end = filter(&[("lookback", "1s"), ("end", "5000000")]).expect("valid");
        assert_eq!(
            (from_end.start_min_micros, from_end.start_max_micros),
            (4_000_000, 5_000_000)
        );
        let from_start = filter(&[("lookback", "1h"), ("start", "7")]).expect("valid");
        assert_eq!(from_start.start_min_micros, 7);
        assert_eq!(
            filter(&[("lookback", "custom")])
                .expect("valid")
                .start_min_micros,
            0
        );
    }

    #[test]
    fn parses_tags_as_json_or_pairs_and_caps_limits() {
        let found = filter(&[
            ("tags", r#"{"error":true,"code":201}"#),
            ("tag", "a:b:c"),
            ("limit", "99999"),
        ]);
        let found = found.expect("valid");
        let expected = [("code", "201"), ("error", "true"), ("a", "b:c")];
        let mut tags: Vec<_> = found
            .tags
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        tags.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(tags, expected);
        assert_eq!(found.limit, TRACES_MAX);
        assert_eq!(filter(&[]).expect("valid").limit, TRACES_DEFAULT);
    }

    #[test]
    fn names_invalid_parameters() {
        for (name, value) in [
            ("minDuration", "fast"),
            ("limit", "-1"),
            ("start", "x"),
            ("tags", "[]"),
            ("tags", r#"{"a":{}}"#),
            ("tag", "a"),
        ] {
            let message = filter(&[(name, value)]).expect_err("refused").to_string();
            assert!(message.contains(&format!("'{name}'")), "{message}");
        }
        assert_eq!(
            operations(&parameters(&[])),
            Err(ParameterError::ServiceMissing)
        );
    }
}
