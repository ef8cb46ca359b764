//! One try of a call over one connection: its span, its timeout and its outcome.

use std::{fmt::Write as _, net::SocketAddr, sync::Arc, time::Duration};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use gateway_http::{problem::ReplyTooLarge, request::trace};
use service_kit::semconv;
use tokio::time::Instant;
use tonic::{Code, Status};
use tracing::{Instrument, Span};

use super::{
    Upstream,
    call::{Call, Effect, Reply, is_failure},
    endpoint::{Lease, Symptom},
    metrics::{CUT, TIMED_OUT, UNAVAILABLE, UNSENT},
    unary::{self, REPLY_BYTES_MAX},
};

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// Capacity for the headers of a call.
const HEADERS: usize = 8;

/// Reason why a try failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Not processed: there was no connection, or the upstream reported that it had not begun.
    Unsent(String),
    /// The connection broke after the call was sent. Whether it was processed is unknown.
    Cut(String),
    /// No answer within the try's timeout. `is_slow`: the endpoint answered other calls during this try.
    TimedOut { is_slow: bool },
    /// The service's own status.
    Refused(Status),
    /// The reply exceeds [`REPLY_BYTES_MAX`].
    TooLarge,
}

/// What the outcome of a call shows about its upstream, for the breaker.
#[derive(Clone, Copy, Debug)]
pub(super) enum Evidence {
    Alive,
    Outage,
    /// Slow, or unable to write, but perhaps alive.
    Inconclusive,
}

/// Whether a live service cannot write, for example because its disk is full. Reads may still succeed.
fn is_unable_to_write(status: &Status, effect: Effect) -> bool {
    effect != Effect::Read && status.code() == Code::Unavailable
}

impl Failure {
    /// Classifies a status of the service.
    pub(super) fn of_status(status: Status) -> Self {
        match status.code() {
            Code::DeadlineExceeded => Self::TimedOut { is_slow: false },
            _ => Self::Refused(status),
        }
    }

    /// Returns the reason for a retry, as a label. `None` if the call must not be retried: it may have been processed,
    /// and repeating it would have a further effect.
    pub(super) fn retry_reason(&self, effect: Effect) -> Option<&'static str> {
        let reason = match self {
            Self::Unsent(_) => return Some(UNSENT),
            Self::Cut(_) => CUT,
            Self::TimedOut { .. } => TIMED_OUT,
            Self::Refused(status) if status.code() == Code::Unavailable => UNAVAILABLE,
            Self::Refused(_) | Self::TooLarge => return None,
        };
        effect.is_repeatable().then_some(reason)
    }

    pub(super) fn evidence(&self, effect: Effect) -> Evidence {
        match self {
            Self::Unsent(_) | Self::Cut(_) | Self::TimedOut { is_slow: false } => Evidence::Outage,
            Self::TimedOut { is_slow: true } => Evidence::Inconclusive,
            Self::Refused(status) if is_unable_to_write(status, effect) => Evidence::Inconclusive,
            Self::Refused(status) if status.code() == Code::Unavailable => Evidence::Outage,
            Self::Refused(_) | Self::TooLarge => Evidence::Alive,
        }
    }

    pub(super) fn into_status(self, effect: Effect) -> Status {
        match self {
            Self::Unsent(text) => Status::unavailable(text),
            Self::Cut(text) if effect.is_repeatable() => Status::unavailable(text),
            // A client must not be advised to send it again.
            Self::Cut(text) => Status::unknown(text),
            Self::TimedOut { .. } => Status::deadline_exceeded("the upstream took too long"),
            Self::Refused(status) => status,
            Self::TooLarge => {
                let bytes_max = REPLY_BYTES_MAX;
                let source = ReplyTooLarge { bytes_max };
                let mut status = Status::internal(source.to_string());
                status.set_source(Arc::new(source));
                status
            }
        }
    }

    fn code(&self, effect: Effect) -> Code {
        match self {
            Self::Unsent(_) => Code::Unavailable,
            Self::Cut(_) if effect.is_repeatable() => Code::Unavailable,
            Self::Cut(_) => Code::Unknown,
            Self::TimedOut { .. } => Code::DeadlineExceeded,
            Self::Refused(status) => status.code(),
            Self::TooLarge => Code::Internal,
        }
    }
}

impl Upstream {
    /// Makes one try of `call`, in at most `time`. Prefers an address that is not in `tried`, and adds the chosen one
    /// to it.
    pub(super) async fn attempt(
        &self,
        call: &Call<'_>,
        time: Duration,
        retry: u32,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Reply, Failure> {
        let mut headers = HeaderMap::with_capacity(HEADERS);
        headers.extend(call.metadata.as_ref().clone());
        let span = trace::rpc_span(call.name, retry, &mut headers);
        let work = self.exchange(call, headers, time, tried);
        let outcome = match &span {
            Some(span) => work.instrument(span.clone()).await,
            None => work.await,
        };
        if let Some(span) = &span {
            let code = outcome.as_ref().err().map(|f| f.code(call.effect));
            record_status(span, code.unwrap_or(Code::Ok));
        }
        outcome
    }

    async fn exchange(
        &self,
        call: &Call<'_>,
        mut headers: HeaderMap,
        time: Duration,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Reply, Failure> {
        let ends = Instant::now() + time;
        let chosen = tokio::time::timeout_at(ends, self.balancer.choose(tried)).await;
        let Ok(Ok(mut lease)) = chosen else {
            return Err(Failure::Unsent("cannot connect to any address".to_owned()));
        };
        tried.push(lease.endpoint.address);
        // The upstream stops at the deadline.
        headers.insert(
            GRPC_TIMEOUT,
            grpc_timeout(ends.duration_since(Instant::now())),
        );
        let answer = unary::call(&mut lease.connection, call.path, headers, &call.message);
        let answered = tokio::time::timeout_at(ends, answer).await;
        let outcome = match answered.unwrap_or(Err(Failure::TimedOut { is_slow: false })) {
            // Timed out here, or at the service.
            Err(Failure::TimedOut { .. }) => Err(Failure::TimedOut {
                is_slow: lease.is_merely_slow(),
            }),
            outcome => outcome,
        };
        self.record_outcome(&lease, call.effect, outcome.as_ref().err());
        outcome
    }

    /// Records the outcome of a try at its endpoint.
    fn record_outcome(&self, lease: &Lease, effect: Effect, failure: Option<&Failure>) {
        let symptom = match failure {
            Some(Failure::Cut(_)) => Symptom::Broken,
            // A service that cannot write is judged by its reads.
            Some(Failure::Refused(status)) if is_unable_to_write(status, effect) => return,
            Some(Failure::Refused(status)) if status.code() == Code::Unavailable => Symptom::Broken,
            Some(Failure::TimedOut { is_slow }) => {
                self.meters.try_timeouts.inc();
                if *is_slow {
                    return;
                }
                Symptom::Silent
            }
            // The connection task reports its own closure.
            Some(Failure::Unsent(_)) => return,
            None | Some(Failure::Refused(_) | Failure::TooLarge) => return lease.answered(),
        };
        lease.failed(symptom, || self.balancer.has_choice());
    }
}

fn record_status(span: &Span, code: Code) {
    span.record(semconv::RPC_RESPONSE_STATUS_CODE, semconv::grpc_code(code));
    if is_failure(code) {
        span.record(semconv::OTEL_STATUS_CODE, semconv::ERROR);
        span.record(semconv::ERROR_TYPE, semconv::grpc_code(code));
    }
}

/// Returns the value of `grpc-timeout`, which has at most eight digits. It differs in each call, so the header
/// compression must not store it.
fn grpc_timeout(time: Duration) -> HeaderValue {
    const DIGITS_MAX: u128 = 99_999_999;
    let mut text = String::with_capacity(9);
    let micros = time.as_micros();
    // Writing to a string cannot fail.
    _ = if micros <= DIGITS_MAX {
        write!(text, "{micros}u")
    } else {
        write!(text, "{}m", time.as_millis().min(DIGITS_MAX))
    };
    let mut value = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("0u"));
    value.set_sensitive(true);
    value
}
