//! Middleware around every RPC: admission, concurrency limit, span, deadline, panic containment, metrics.

use std::{collections::HashSet, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures::FutureExt;
use opentelemetry::trace::TraceId;
use prost::{DecodeError, Message as _};
use prost_types::FileDescriptorSet;
use tokio::{sync::Semaphore, time::Instant};
use tonic::{Code, Status, body::Body};
use tracing::{Instrument, Span};

use super::{
    admission,
    refusals::{Refusal, Refusals},
};
use crate::{
    deadline,
    metrics::{RpcLabels, RpcMetrics},
    semconv, trace,
};

/// Method name for all methods outside the contracts (OpenTelemetry, `rpc.method`).
const OTHER_METHOD: &str = "_OTHER";

/// The RPCs of the contracts. Only these name metrics and spans, because arbitrary paths from callers would be
/// unbounded.
#[derive(Debug)]
pub(super) struct Methods(HashSet<String>);

impl Methods {
    /// Reads the methods of an encoded `FileDescriptorSet`.
    pub(super) fn read(descriptor_set: &[u8]) -> Result<Self, DecodeError> {
        let set = FileDescriptorSet::decode(descriptor_set)?;
        let mut paths = HashSet::new();
        for file in &set.file {
            for service in &file.service {
                for method in &service.method {
                    let (package, service, method) =
                        (file.package(), service.name(), method.name());
                    paths.insert(format!("/{package}.{service}/{method}"));
                }
            }
        }
        Ok(Self(paths))
    }

    fn name<'a>(&'a self, path: &str) -> &'a str {
        self.0.get(path).map_or(OTHER_METHOD, String::as_str)
    }
}

/// State shared by all RPCs.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) permits: Semaphore,
    pub(super) timeout: Duration,
    pub(super) metrics: RpcMetrics,
    pub(super) methods: Methods,
    pub(super) refusals: Arc<Refusals>,
}

impl Guard {
    fn count(&self, method: &str, code: Code, started: Instant, sampled: Option<TraceId>) {
        // Gateways probe every service for optional RPCs; a service without them has not failed.
        if code == Code::Unimplemented {
            return;
        }
        let labels = RpcLabels {
            method: method.to_owned(),
            code: code as i32,
        };
        self.metrics
            .duration_seconds
            .get_or_create(&labels)
            .observe(started.elapsed().as_secs_f64(), sampled);
    }
}

pub(super) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    if let Some((status, refusal)) = admission::refusal(&request) {
        guard.refusals.add(refusal);
        return status.into_response();
    }
    // Health watches stay open for as long as the client watches.
    if request.uri().path().starts_with("/grpc.") {
        return next.run(request).await;
    }
    let started = Instant::now();
    let method = guard.methods.name(request.uri().path());
    // Before the span is created: a shed request must cost next to nothing.
    let Ok(permit) = guard.permits.try_acquire() else {
        guard.refusals.add(Refusal::Shed);
        guard.count(method, Code::Unavailable, started, None);
        return refuse(Status::unavailable(
            "too many requests at once, please try again",
        ));
    };
    let (response, sampled) = call(&guard, method, request, next).await;
    drop(permit);
    guard.count(method, status_code(&response), started, sampled);
    response
}

/// Returns the response, and the call's trace id if sampled.
async fn call(
    guard: &Guard,
    method: &str,
    request: Request,
    next: Next,
) -> (Response, Option<TraceId>) {
    let parent = trace::remote_parent(request.headers());
    let limit = deadline::from_headers(request.headers())
        .map_or(guard.timeout, |asked| asked.min(guard.timeout));
    let trace_id = parent.as_ref().map(|p| p.trace_id().to_string());
    // An unsampled caller gets no span object, which is what makes not sampling cheap.
    let (span, sampled) = if parent.as_ref().is_some_and(|p| !p.is_sampled()) {
        (Span::none(), None)
    } else {
        trace::server_span(method, parent)
    };
    let work = AssertUnwindSafe(deadline::scope(limit, next.run(request))).catch_unwind();
    let response = match tokio::time::timeout(limit, work)
        .instrument(span.clone())
        .await
    {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            span.in_scope(|| tracing::error!(method, "a request panicked"));
            refuse(Status::internal("internal error"))
        }
        Err(_) => refuse(Status::deadline_exceeded("the deadline passed")),
    };
    let code = status_code(&response);
    span.record(semconv::RPC_RESPONSE_STATUS_CODE, semconv::grpc_code(code));
    if is_server_error(code) {
        span.record(semconv::OTEL_STATUS_CODE, semconv::ERROR);
        span.record(semconv::ERROR_TYPE, semconv::grpc_code(code));
    }
    match code {
        // Not logged one by one: callers choose their deadlines, so there may be as many of these as calls.
        Code::DeadlineExceeded => guard.refusals.add(Refusal::Deadline),
        code if is_server_error(code) => span.in_scope(|| {
            tracing::warn!(method, code = ?code, caller_trace_id = trace_id, "request failed");
        }),
        _ => {}
    }
    (response, sampled)
}

fn refuse(status: Status) -> Response {
    let response: http::Response<Body> = status.into_http();
    response.into_response()
}

/// Returns the status code. A unary RPC has its error in the headers; without one it succeeded.
fn status_code(response: &Response) -> Code {
    response
        .headers()
        .get("grpc-status")
        .map_or(Code::Ok, |value| Code::from_bytes(value.as_bytes()))
}

/// Returns whether the code is the server's fault. A caller's mistake is not, nor is a method that only other services
/// offer.
fn is_server_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}
