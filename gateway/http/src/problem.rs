//! Errors as clients see them: RFC 9457 `application/problem+json`, with one shape for every rejection and failure.
//!
//! Internal details from an upstream (addresses, stack traces, driver messages) are logged and never sent.

#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use axum::http::{
    HeaderName, HeaderValue, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use bytes::Bytes;
use serde::{Serialize, Serializer};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::request::trace;

/// Media type of every error.
pub const CONTENT_TYPE_PROBLEM: &str = "application/problem+json";
/// Text from the catalogue for a visitor who calls too often.
pub const RATE_LIMITED: &str = "Rate limit exceeded. Please try again later.";
/// Default `Retry-After` in seconds, used when no exact value is available.
const RETRY_AFTER_S: u64 = 1;

/// Limits of the metadata that a service attaches to its reason; further entries are dropped.
const METADATA_ENTRIES_MAX: usize = 8;
const METADATA_BYTES_MAX: usize = 1024;

/// Source of a status that replaces an oversized upstream reply.
#[derive(Debug, thiserror::Error)]
#[error("the service's reply exceeds {bytes_max} bytes")]
pub struct ReplyTooLarge {
    /// Maximum size of a reply.
    pub bytes_max: usize,
}

/// A rejected field and the reason.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Field {
    /// Path in the payload, camelCase, for example `patientName`.
    pub field: String,
    /// Human-readable error message.
    pub message: String,
    /// Machine-readable reason in UPPER_SNAKE; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Field {
    /// Returns a violation without a machine-readable reason.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
            reason: String::new(),
        }
    }
}

/// Metadata that a service attaches to its reason. A boxed slice keeps `Problem` small, because `Problem` is the `Err`
/// of many results.
#[derive(Clone, Debug, Default)]
struct Metadata(Box<[(String, String)]>);

impl Metadata {
    /// Keeps the entries that fit the limits, in the order of their names.
    fn bounded(entries: HashMap<String, String>) -> Self {
        let in_order: BTreeMap<String, String> = entries.into_iter().collect();
        let mut left = METADATA_BYTES_MAX;
        let fits = |(name, value): &(String, String)| {
            let rest = left.checked_sub(name.len() + value.len());
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let kept = in_order.into_iter().filter(fits);
        Self(kept.take(METADATA_ENTRIES_MAX).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An error on its way to the client. The trace id is added on serialisation, because one failed shared (single flight)
/// read answers several requests.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    reason: Cow<'static, str>,
    detail: Cow<'static, str>,
    fields: Vec<Field>,
    metadata: Metadata,
    headers: Vec<(HeaderName, HeaderValue)>,
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    reason: &'a str,
    fields: &'a [Field],
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: &'a Metadata,
    #[serde(rename = "traceId")]
    trace_id: String,
}

impl Problem {
    /// Creates an error with a machine-readable `reason` in UPPER_SNAKE and a human-readable `detail`.
    pub fn new(
        status: StatusCode,
        reason: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            status,
            reason: reason.into(),
            detail: detail.into(),
            fields: Vec::new(),
            metadata: Metadata::default(),
            headers: Vec::new(),
        }
    }

    /// Returns 400 `INVALID_ARGUMENT` for one invalid field.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid_fields(vec![Field::new(field, message)])
    }

    /// Returns 400 `INVALID_ARGUMENT` for several invalid fields.
    pub fn invalid_fields(fields: Vec<Field>) -> Self {
        let mut problem = Self::new(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            "The request has fields that are not valid.",
        );
        problem.fields = fields;
        problem
    }

    /// Returns 404 for an unknown path.
    pub fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "NOT_FOUND",
            "There is nothing at this address.",
        )
    }

    /// Returns 405 for a known path without this method. `allow` lists the supported methods.
    pub fn method_not_allowed(allow: &HeaderValue) -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "METHOD_NOT_ALLOWED",
            "This address does not offer this method.",
        )
        .with_header(ALLOW, allow.clone())
    }

    /// Returns 413 for a body larger than `bytes_max`.
    pub fn body_too_large(bytes_max: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "BODY_TOO_LARGE",
            format!("The body is larger than {bytes_max} bytes."),
        )
    }

    /// Returns 414 when this part of the address (`path`, `query`) is longer than `bytes_max`.
    pub fn address_too_long(part: &str, bytes_max: usize) -> Self {
        let mut problem = Self::new(
            StatusCode::URI_TOO_LONG,
            "ADDRESS_TOO_LONG",
            "The address is too long.",
        );
        let message = format!("must not be longer than {bytes_max} bytes");
        problem.fields = vec![Field::new(part, message)];
        problem
    }

    /// Returns 415 for a body whose content type is not JSON.
    pub fn unsupported_media_type() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            "Send the body as application/json.",
        )
    }

    /// Returns 429 for a rate-limited client, which may retry after `retry_after_s` seconds.
    pub fn rate_limited(retry_after_s: u64) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", RATE_LIMITED)
            .with_retry_after(retry_after_s)
    }

    /// Returns 429 when the client's network has too many concurrent requests.
    pub fn too_many_at_once() -> Self {
        Self::rate_limited(RETRY_AFTER_S)
    }

    /// Returns 503 when load is shed because every permit is taken.
    pub fn overloaded() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "OVERLOADED",
            "Too many requests at the moment. Please try again.",
        )
        .with_retry_after(RETRY_AFTER_S)
    }

    /// Returns 503 when the service behind this path does not respond.
    pub fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            "This part of the site is not available at the moment. Please try again.",
        )
        .with_retry_after(RETRY_AFTER_S)
    }

    /// Returns 504 when a call exceeded its deadline.
    pub fn deadline_exceeded() -> Self {
        Self::new(
            StatusCode::GATEWAY_TIMEOUT,
            "DEADLINE_EXCEEDED",
            "The answer took too long. Please try again.",
        )
    }

    /// Returns 500 for an internal failure.
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL",
            "Something went wrong on our side.",
        )
    }

    /// Returns 502 for an unusable upstream reply.
    fn bad_reply() -> Self {
        Self::new(
            StatusCode::BAD_GATEWAY,
            "BAD_REPLY",
            "Something went wrong on our side.",
        )
    }

    /// Maps an upstream's gRPC status to an error, in one exhaustive match.
    pub fn from_status(status: &Status) -> Self {
        if let Some(source) = std::error::Error::source(status)
            && source.is::<ReplyTooLarge>()
        {
            return Self::bad_reply();
        }
        let info = status.get_details_error_info();
        let info = info.filter(|info| !info.reason.is_empty());
        let (reason, metadata) = info.map(|info| (info.reason, info.metadata)).unzip();
        let spoken = |http: StatusCode, default: &'static str| {
            let reason = reason.clone().map_or(Cow::Borrowed(default), Cow::Owned);
            let detail = match status.message() {
                "" => Cow::Borrowed(http.canonical_reason().unwrap_or_default()),
                spoken => Cow::Owned(spoken.to_owned()),
            };
            Self {
                metadata: metadata.clone().map(Metadata::bounded).unwrap_or_default(),
                ..Self::new(http, reason, detail)
            }
        };
        match status.code() {
            Code::InvalidArgument if reason.as_deref() == Some("REQUEST_ID_REUSED") => {
                spoken(StatusCode::UNPROCESSABLE_ENTITY, "REQUEST_ID_REUSED")
            }
            Code::InvalidArgument => {
                let mut problem = spoken(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT");
                problem.fields = status
                    .get_details_bad_request()
                    .map(|bad| bad.field_violations)
                    .unwrap_or_default()
                    .into_iter()
                    .map(|violation| Field {
                        field: violation.field,
                        message: violation.description,
                        reason: violation.reason,
                    })
                    .collect();
                problem
            }
            Code::FailedPrecondition => spoken(StatusCode::BAD_REQUEST, "FAILED_PRECONDITION"),
            Code::OutOfRange => spoken(StatusCode::BAD_REQUEST, "OUT_OF_RANGE"),
            Code::NotFound => spoken(StatusCode::NOT_FOUND, "NOT_FOUND"),
            Code::AlreadyExists => spoken(StatusCode::CONFLICT, "ALREADY_EXISTS"),
            Code::Aborted if reason.as_deref() == Some("ETAG_MISMATCH") => {
                spoken(StatusCode::PRECONDITION_FAILED, "ETAG_MISMATCH")
            }
            Code::Aborted => spoken(StatusCode::CONFLICT, "ABORTED"),
            Code::PermissionDenied => spoken(StatusCode::FORBIDDEN, "PERMISSION_DENIED"),
            Code::Unauthenticated => spoken(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED")
                .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
            Code::ResourceExhausted => {
                let wait = status.get_details_retry_info();
                let wait_s = wait
                    .and_then(|info| info.retry_delay)
                    .map_or(RETRY_AFTER_S, |delay| delay.as_secs().max(1));
                // A status without a reason concerns call limits, and its message is not meant for visitors.
                if reason.is_some() {
                    spoken(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED").with_retry_after(wait_s)
                } else {
                    Self::rate_limited(wait_s)
                }
            }
            Code::Unavailable => Self::unavailable(),
            // The channel reports its own deadline as CANCELLED.
            Code::DeadlineExceeded | Code::Cancelled => Self::deadline_exceeded(),
            Code::Ok | Code::Unknown | Code::Internal | Code::DataLoss | Code::Unimplemented => {
                Self::internal()
            }
        }
    }

    /// Sets a header of the response and replaces any previous value.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value));
        self
    }

    fn with_retry_after(self, seconds: u64) -> Self {
        self.with_header(RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the human-readable description.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the headers specific to this error, such as `Retry-After` and `Allow`.
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> + '_ {
        self.headers.iter().cloned()
    }

    /// Builds the response, including the trace id of the current request.
    pub fn into_response(self) -> Response<Bytes> {
        let body = Body {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.detail,
            reason: &self.reason,
            fields: &self.fields,
            metadata: &self.metadata,
            trace_id: trace::current_trace_id(),
        };
        // A struct of strings always serialises. The fallback is an empty body with the right status.
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Bytes::from(json));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE_PROBLEM));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(self.headers);
        response
    }
}
