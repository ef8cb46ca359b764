//! One unary call to an upstream: span, deadline, and at most two retries of what is safe to repeat.

use std::{
    fmt,
    time::{Duration, Instant},
};

use axum::http::uri::PathAndQuery;
use bytes::Bytes;
use tonic::{Code, Request, Status, client::Grpc, metadata::MetadataMap, transport::Channel};
use tower::retry::budget::{Budget, TpsBudget};
use tracing::{Instrument, Span};

use super::{addresses::Upstreams, codec::BytesCodec};
use crate::{metrics::Metrics, request::trace};

/// Held back from the upstream's deadline, so that time is left to write the answer.
const MARGIN: Duration = Duration::from_millis(100);
/// Retries of one call: reads, and writes that carry an idempotency key.
const RETRIES_MAX: u32 = 2;
/// Backoff before the first retry; doubled each time, with jitter up to twice as long.
const BACKOFF: Duration = Duration::from_millis(20);
/// Retry budget: at most a fifth of the calls of the last ten seconds, and always ten a second.
const BUDGET_WINDOW: Duration = Duration::from_secs(10);
const BUDGET_SHARE: f32 = 0.2;
const BUDGET_PER_SECOND_MIN: u32 = 10;

/// One unary call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// `package.Service/Method`, the name of its span.
    pub(crate) name: &'a str,
    /// `/package.Service/Method`.
    pub(crate) path: &'a PathAndQuery,
    /// Package of the contract, by which its upstream is known.
    pub(crate) package: &'a str,
    /// The request, in protobuf.
    pub(crate) message: Bytes,
    /// What goes with it, apart from the trace and the deadline.
    pub(crate) metadata: MetadataMap,
    /// Of the request that it is made for.
    pub(crate) deadline: Instant,
    /// Whether making it twice leaves what making it once leaves.
    pub(crate) is_repeatable: bool,
}

/// An upstream's answer.
#[derive(Debug)]
pub(crate) struct Reply {
    /// In protobuf.
    pub(crate) message: Bytes,
    pub(crate) metadata: MetadataMap,
}

/// Calls upstreams.
pub(crate) struct RpcClient {
    upstreams: Upstreams,
    budget: TpsBudget,
    metrics: &'static Metrics,
}

impl fmt::Debug for RpcClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RpcClient")
            .field("upstreams", &self.upstreams)
            .finish_non_exhaustive()
    }
}

impl RpcClient {
    pub(crate) fn new(upstreams: Upstreams, metrics: &'static Metrics) -> Self {
        Self {
            upstreams,
            budget: TpsBudget::new(BUDGET_WINDOW, BUDGET_PER_SECOND_MIN, BUDGET_SHARE),
            metrics,
        }
    }

    /// Makes `call` and gives it until shortly before its deadline.
    ///
    /// # Errors
    /// The upstream's own refusal, or UNAVAILABLE and DEADLINE_EXCEEDED of this side.
    pub(crate) async fn call(&self, call: &Call<'_>) -> Result<Reply, Status> {
        let package = call.package;
        let Some(channel) = self.upstreams.channel(package) else {
            tracing::error!(package, "no upstream is configured for this package");
            return Err(Status::unavailable("no upstream is configured"));
        };
        let retries = if call.is_repeatable { RETRIES_MAX } else { 0 };
        self.budget.deposit();
        for retry in 0..retries {
            match attempt(channel, call).await {
                Err(status) if status.code() == Code::Unavailable && self.budget.withdraw() => {
                    self.metrics.retries.inc();
                    let backoff = BACKOFF * 2_u32.pow(retry);
                    let jitter = backoff.mul_f64(rand::random_range(0.0..1.0));
                    tokio::time::sleep(backoff + jitter).await;
                }
                answer => return answer,
            }
        }
        attempt(channel, call).await
    }
}

async fn attempt(channel: &Channel, call: &Call<'_>) -> Result<Reply, Status> {
    let remaining = call.deadline.saturating_duration_since(Instant::now());
    let time = remaining.saturating_sub(MARGIN.min(remaining / 2));
    if time.is_zero() {
        return Err(Status::deadline_exceeded("no time is left for the call"));
    }
    let mut request = Request::new(call.message.clone());
    *request.metadata_mut() = call.metadata.clone();
    // Sends `grpc-timeout`, so that the upstream stops when the deadline has passed.
    request.set_timeout(time);
    let span = trace::rpc_span(call.name, request.metadata_mut());
    let path = call.path.clone();
    let work = async {
        let mut client = Grpc::new(channel.clone());
        client
            .ready()
            .await
            .map_err(|error| Status::unavailable(error.to_string()))?;
        client.unary(request, path, BytesCodec).await
    };
    let bounded = tokio::time::timeout(time, work);
    let outcome = match &span {
        Some(span) => bounded.instrument(span.clone()).await,
        None => bounded.await,
    };
    let answer = outcome
        .unwrap_or_else(|_| Err(Status::deadline_exceeded("the upstream took too long")))
        .map(|response| {
            let (metadata, message, _) = response.into_parts();
            Reply { message, metadata }
        });
    if let Some(span) = &span {
        let code = answer.as_ref().map_or_else(Status::code, |_| Code::Ok);
        note(span, code);
    }
    answer
}

fn note(span: &Span, code: Code) {
    span.record("rpc.response.status_code", code as i32);
    if is_failure(code) {
        span.record("otel.status_code", "ERROR");
    }
}

/// Whether the upstream failed, as opposed to refusing.
pub(crate) fn is_failure(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::Internal
            | Code::DataLoss
            | Code::Unimplemented
            | Code::Unavailable
            | Code::DeadlineExceeded
            | Code::Cancelled
    )
}
