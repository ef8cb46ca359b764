//! A body is read to its limit and no further.

use axum::body::Body;
use bytes::Bytes;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::problem::Problem;

/// Reads a body of at most `bytes_max` bytes; one that declares more is refused unread.
pub async fn read(body: Body, bytes_max: usize) -> Result<Bytes, Problem> {
    let declared = body.size_hint().lower();
    if declared > u64::try_from(bytes_max).unwrap_or(u64::MAX) {
        return Err(Problem::body_too_large(bytes_max));
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Problem::body_too_large(bytes_max)),
        Err(error) => {
            tracing::debug!(%error, "the client stopped sending its body");
            Err(Problem::new(
                axum::http::StatusCode::BAD_REQUEST,
                "BODY_INCOMPLETE",
                "The body did not arrive in full.",
            ))
        }
    }
}
