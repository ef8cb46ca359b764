//! Remaining time of a request, from its `grpc-timeout` header to all work done for it.

use std::time::Duration;

use http::HeaderMap;
use tokio::time::Instant;
use tonic::Status;

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Returns the remaining time of the current request: zero once it has expired, `None` outside a request.
pub fn remaining() -> Option<Duration> {
    DEADLINE
        .try_with(|at| at.saturating_duration_since(Instant::now()))
        .ok()
}

/// Runs `future` as a request with the time limit `limit`.
pub async fn scope<F: Future>(limit: Duration, future: F) -> F::Output {
    DEADLINE.scope(Instant::now() + limit, future).await
}

/// Runs `future` within the current request's remaining time, or within `default` outside a request.
///
/// # Errors
/// `DEADLINE_EXCEEDED` when the time runs out first.
pub async fn bounded<F, T>(future: F, default: Duration) -> Result<T, Status>
where
    F: Future<Output = T>,
{
    let limit = remaining().unwrap_or(default);
    tokio::time::timeout(limit, future)
        .await
        .map_err(|_| Status::deadline_exceeded("the deadline passed"))
}

/// Parses a `grpc-timeout` header (gRPC over HTTP/2, `Timeout`): at most 8 digits and a unit.
pub fn from_headers(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let value: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(value * 3600),
        "M" => Duration::from_secs(value * 60),
        "S" => Duration::from_secs(value),
        "m" => Duration::from_millis(value),
        "u" => Duration::from_micros(value),
        "n" => Duration::from_nanos(value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", text.parse().unwrap());
        from_headers(&headers)
    }

    #[test]
    fn parses_every_unit_and_refuses_the_rest() {
        assert_eq!(header("250m"), Some(Duration::from_millis(250)));
        assert_eq!(header("2S"), Some(Duration::from_secs(2)));
        assert_eq!(header("1H"), Some(Duration::from_hours(1)));
        assert_eq!(header("12345678m"), Some(Duration::from_millis(12_345_678)));
        assert_eq!(header("123456789m"), None);
        assert_eq!(header("m"), None);
        assert_eq!(header("5x"), None);
    }

    #[tokio::test]
    async fn a_call_gets_the_remaining_time() {
        scope(Duration::from_millis(40), async {
            assert!(remaining().unwrap() <= Duration::from_millis(40));
            let result = bounded(std::future::pending::<()>(), Duration::from_mins(10)).await;
            assert_eq!(result.unwrap_err().code(), tonic::Code::DeadlineExceeded);
            assert_eq!(remaining(), Some(Duration::ZERO));
        })
        .await;
        assert_eq!(remaining(), None);
    }
}
