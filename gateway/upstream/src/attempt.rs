//! One try of a call over one connection: its span, its timeout and its outcome.

use std::{error::Error as _, net::SocketAddr, sync::Arc, time::Duration};

use gateway_http::{problem::ReplyTooLarge, request::trace};
use service_kit::semconv;
use tonic::{Code, Request, Status, client::Grpc};
use tracing::{Instrument, Span};

use super::{
    Upstream,
    call::{Call, Effect, Reply, is_failure},
    codec::BytesCodec,
    connection::TransportError,
    endpoint::{Lease, Symptom},
    metrics::{CUT, TIMED_OUT, UNAVAILABLE, UNSENT},
};

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

/// Maximum size of a reply in bytes.
const REPLY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Whether a live service cannot write, for example because its disk is full. Reads may still succeed.
fn is_unable_to_write(status: &Status, effect: Effect) -> bool {
    effect != Effect::Read && status.code() == Code::Unavailable
}

impl Failure {
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
        let mut request = Request::new(call.message.clone());
        *request.metadata_mut() = call.metadata.clone();
        let span = trace::rpc_span(call.name, retry, request.metadata_mut());
        let work = self.exchange(call, request, time, tried);
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
        mut request: Request<bytes::Bytes>,
        time: Duration,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Reply, Failure> {
        let ends = tokio::time::Instant::now() + time;
        let chosen = tokio::time::timeout_at(ends, self.balancer.choose(tried)).await;
        let Ok(Ok(lease)) = chosen else {
            return Err(Failure::Unsent("cannot connect to any address".to_owned()));
        };
        tried.push(lease.endpoint.address);
        // Sends `grpc-timeout`, so that the upstream stops at the deadline.
        request.set_timeout(ends.saturating_duration_since(tokio::time::Instant::now()));
        let connection = lease.connection.clone();
        let origin = connection.origin();
        let client = Grpc::with_origin(connection, origin);
        let mut client = client.max_decoding_message_size(REPLY_BYTES_MAX);
        let answer = client.unary(request, call.path.clone(), BytesCodec);
        let outcome = match tokio::time::timeout_at(ends, answer).await {
            Ok(Ok(response)) => {
                let (metadata, message, _) = response.into_parts();
                Ok(Reply { message, metadata })
            }
            Ok(Err(status)) => Err(read(status, &lease)),
            Err(_) => Err(Failure::TimedOut {
                is_slow: lease.is_merely_slow(),
            }),
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

/// Classifies a status. Without a source it came from the service, in headers or trailers. With one it was made here
/// from a connection error.
fn read(status: Status, lease: &Lease) -> Failure {
    match status.source() {
        None if status.code() == Code::DeadlineExceeded => Failure::TimedOut {
            is_slow: lease.is_merely_slow(),
        },
        None if is_too_large(&status) => Failure::TooLarge,
        None => Failure::Refused(status),
        Some(source) => {
            let error = source.downcast_ref::<TransportError>();
            if error.is_some_and(|error| error.is_unsent) {
                Failure::Unsent(status.message().to_owned())
            } else {
                Failure::Cut(status.message().to_owned())
            }
        }
    }
}

/// Whether tonic refused a message for its length. Only the text tells this status from one of the service: tonic sets
/// neither a source nor details.
fn is_too_large(status: &Status) -> bool {
    status.code() == Code::OutOfRange
        && status.details().is_empty()
        && status
            .message()
            .starts_with("Error, decoded message length too large")
}
