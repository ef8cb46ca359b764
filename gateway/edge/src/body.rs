//! Reads a request's body, limited in bytes and time, before a work permit is taken.

use std::{borrow::Cow, time::Duration};

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header::CONNECTION};
use bytes::Bytes;
use gateway_http::{problem::Problem, request::BodyTooSlow};
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};

/// Bounds of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    pub(crate) bytes_max: usize,
    /// From the head to the last byte.
    pub(crate) time_max: Duration,
}

/// Largest declared length of an oversized body that is still read and discarded. A client that is cut off while
/// sending sees a broken connection instead of the answer with the reason.
const DROPPED_BYTES_MAX: usize = 1024 * 1024;

/// Reads a body within `limits`.
///
/// # Errors
/// 413 if it is too large, 408 if it does not arrive before the time limit, 400 if the client stops sending.
pub(crate) async fn read(body: Body, limits: BodyLimits) -> Result<Bytes, Problem> {
    let BodyLimits {
        bytes_max,
        time_max,
    } = limits;
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if declared > bytes_max {
        if declared <= DROPPED_BYTES_MAX {
            // The answer is the same, whether the rest arrives or not.
            _ = tokio::time::timeout(time_max, drain(body)).await;
        }
        return Err(Problem::body_too_large(bytes_max));
    }
    let read = Limited::new(body, bytes_max).collect();
    match tokio::time::timeout(time_max, read).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::body_too_large(bytes_max)),
        Ok(Err(error)) if is_too_slow(&*error) => Err(too_slow("The body arrived too slowly.")),
        Ok(Err(error)) => {
            tracing::debug!(%error, "client stopped sending its body");
            Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "BODY_INCOMPLETE",
                "The body did not arrive in full.",
            ))
        }
        Err(_) => Err(too_late(time_max)),
    }
}

/// Returns 408 for a body that did not arrive in time.
pub(crate) fn too_late(time_max: Duration) -> Problem {
    too_slow(format!(
        "The body did not arrive within {} s.",
        time_max.as_secs().max(1)
    ))
}

fn too_slow(detail: impl Into<Cow<'static, str>>) -> Problem {
    // Otherwise the rest of the body would be parsed as the next request.
    Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", detail)
        .with_header(CONNECTION, HeaderValue::from_static("close"))
}

fn is_too_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(<dyn std::error::Error>::is::<BodyTooSlow>)
}

async fn drain(mut body: Body) {
    while let Some(Ok(_)) = body.frame().await {}
}
