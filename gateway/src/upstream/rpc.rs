//! One unary call to an upstream: span, deadline, and at most two retries of what is safe to repeat.

use std::{
    fmt,
    time::{Duration, Instant},
};

use prost_reflect::DynamicMessage;
use tonic::{Code, Request, Status, client::Grpc, transport::Channel};
use tower::retry::budget::{Budget, TpsBudget};
use tracing::{Instrument, Span};

use super::addresses::Upstreams;
use crate::{
    api::caller::Caller, contract::Operation, metrics::Metrics, problem::Problem, request::trace,
    wire::codec::DynamicCodec,
};

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

/// Metadata by which a service says that a create with this request id was made before.
const REPLAYED: &str = "idempotent-replayed";

/// Metadata by which a service says that an RPC that may create something created nothing: `false`.
const CREATED: &str = "resource-created";

/// An upstream's answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) message: DynamicMessage,
    /// It is the answer of an earlier create.
    pub(crate) is_replay: bool,
    /// Something exists now that this answer is about. Only of interest where the RPC creates.
    pub(crate) is_created: bool,
}

impl From<tonic::Response<DynamicMessage>> for Reply {
    fn from(response: tonic::Response<DynamicMessage>) -> Self {
        let said = |key, word| {
            response
                .metadata()
                .get(key)
                .is_some_and(|value| value == word)
        };
        Self {
            is_replay: said(REPLAYED, "true"),
            is_created: !said(CREATED, "false"),
            message: response.into_inner(),
        }
    }
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

    /// Calls the RPC of `operation` for `caller` and gives it until shortly before `deadline`.
    pub(crate) async fn call(
        &self,
        operation: &Operation,
        message: DynamicMessage,
        caller: &Caller<'_>,
        deadline: Instant,
    ) -> Result<Reply, Problem> {
        let package = &*operation.package;
        let Some(channel) = self.upstreams.channel(package) else {
            tracing::error!(package, "no upstream is configured for this package");
            return Err(Problem::unavailable());
        };
        let attempt = |message| attempt(channel, operation, message, caller, deadline);
        let retries = if operation.is_repeatable(&message) {
            RETRIES_MAX
        } else {
            0
        };
        self.budget.deposit();
        for retry in 0..retries {
            // Cloned, because a retry sends it again.
            match attempt(message.clone()).await {
                Err(status) if status.code() == Code::Unavailable && self.budget.withdraw() => {
                    self.metrics.retries.inc();
                    let backoff = BACKOFF * 2_u32.pow(retry);
                    let jitter = backoff.mul_f64(rand::random_range(0.0..1.0));
                    tokio::time::sleep(backoff + jitter).await;
                }
                answer => return answer.map_err(|status| refusal(operation, &status)),
            }
        }
        attempt(message)
            .await
            .map_err(|status| refusal(operation, &status))
    }
}

async fn attempt(
    channel: &Channel,
    operation: &Operation,
    message: DynamicMessage,
    caller: &Caller<'_>,
    deadline: Instant,
) -> Result<Reply, Status> {
    let remaining = deadline.saturating_duration_since(Instant::now());
    let time = remaining.saturating_sub(MARGIN.min(remaining / 2));
    if time.is_zero() {
        return Err(Status::deadline_exceeded("no time is left for the call"));
    }
    let mut request = Request::new(message);
    // Sends `grpc-timeout`, so that the upstream stops when the deadline has passed.
    request.set_timeout(time);
    caller.write(request.metadata_mut());
    let span = trace::rpc_span(&operation.rpc_name, request.metadata_mut());
    let call = async {
        let mut client = Grpc::new(channel.clone());
        client
            .ready()
            .await
            .map_err(|error| Status::unavailable(error.to_string()))?;
        let codec = DynamicCodec::new(operation.rpc.output());
        let path = operation.rpc_path.clone();
        client.unary(request, path, codec).await
    };
    let bounded = tokio::time::timeout(time, call);
    let outcome = match &span {
        Some(span) => bounded.instrument(span.clone()).await,
        None => bounded.await,
    };
    let answer = outcome
        .unwrap_or_else(|_| Err(Status::deadline_exceeded("the upstream took too long")))
        .map(Reply::from);
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
fn is_failure(code: Code) -> bool {
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

fn refusal(operation: &Operation, status: &Status) -> Problem {
    if is_failure(status.code()) {
        tracing::warn!(
            trace_id = trace::current_trace_id(),
            rpc = %operation.rpc_name,
            code = ?status.code(),
            error = status.message(),
            "an upstream failed"
        );
    }
    Problem::from_status(status)
}
