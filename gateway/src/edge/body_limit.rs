//! A body is read to its limit and no further.

use std::{
    collections::VecDeque,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{body::Body, http::StatusCode};
use bytes::Bytes;
use http_body::{Body as _, Frame};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::{problem::Problem, request::BodyTooSlow};

/// Waits until a body is here, or as much of it as shows that it is too large, or its end before the time. What is wrong with it,
/// whoever reads it finds as if it came now.
pub async fn arrive(mut body: Body, bytes_max: usize) -> Body {
    if body.is_end_stream() || is_too_large(&body, bytes_max) {
        return body;
    }
    let mut frames = VecDeque::new();
    let mut bytes = 0;
    while bytes <= bytes_max {
        let Some(frame) = body.frame().await else {
            break;
        };
        let is_last = frame.is_err();
        let data = frame.as_ref().ok().and_then(Frame::data_ref);
        bytes += data.map_or(FRAME_BYTES_MIN, |data| data.len().max(FRAME_BYTES_MIN));
        frames.push_back(frame);
        if is_last {
            break;
        }
    }
    Body::new(Arrived { frames, rest: body })
}

/// A frame without a byte is not free either.
const FRAME_BYTES_MIN: usize = 16;

/// What has come of a body, and the body for what has not.
struct Arrived {
    frames: VecDeque<Result<Frame<Bytes>, axum::Error>>,
    rest: Body,
}

impl http_body::Body for Arrived {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.frames.pop_front() {
            Some(frame) => Poll::Ready(Some(frame)),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.frames.is_empty() && self.rest.is_end_stream()
    }
}

fn is_too_large(body: &Body, bytes_max: usize) -> bool {
    body.size_hint().lower() > u64::try_from(bytes_max).unwrap_or(u64::MAX)
}

/// Reads a body of at most `bytes_max` bytes; one that declares more is refused unread.
pub async fn read(body: Body, bytes_max: usize) -> Result<Bytes, Problem> {
    if is_too_large(&body, bytes_max) {
        return Err(Problem::body_too_large(bytes_max));
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Problem::body_too_large(bytes_max)),
        Err(error) if is_too_slow(&*error) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "BODY_TOO_SLOW",
            "The body came too slowly.",
        )),
        Err(error) => {
            tracing::debug!(%error, "the client stopped sending its body");
            Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "BODY_INCOMPLETE",
                "The body did not arrive in full.",
            ))
        }
    }
}

fn is_too_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(<dyn std::error::Error>::is::<BodyTooSlow>)
}
