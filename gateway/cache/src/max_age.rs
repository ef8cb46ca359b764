//! Precomputed values of `Cache-Control: public, max-age=…`.

use std::{sync::LazyLock, time::Duration};

use axum::http::HeaderValue;

/// Ages are exact up to the first limit in seconds, in tens up to the second, and in minutes up to an hour. Longer ages
/// are sent as an hour.
const EXACT_S_MAX: u64 = 60;
const TENS_S_MAX: u64 = 600;
const MINUTES_S_MAX: u64 = 3600;

static VALUES: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let exact = 0..=EXACT_S_MAX;
    let tens = (EXACT_S_MAX + 10..=TENS_S_MAX).step_by(10);
    let minutes = (TENS_S_MAX + 60..=MINUTES_S_MAX).step_by(60);
    let all = exact.chain(tens).chain(minutes);
    all.map(|seconds| {
        HeaderValue::try_from(format!("public, max-age={seconds}"))
            .unwrap_or(HeaderValue::from_static("no-cache"))
    })
    .collect()
});

/// Returns the value for an answer that stays fresh for `left`. Rounds down, so that no browser keeps it longer than
/// the gateway.
pub(super) fn value(left: Duration) -> HeaderValue {
    let seconds = left.as_secs().min(MINUTES_S_MAX);
    let exact = seconds.min(EXACT_S_MAX);
    let tens = (seconds.clamp(EXACT_S_MAX, TENS_S_MAX) - EXACT_S_MAX) / 10;
    let minutes = (seconds.max(TENS_S_MAX) - TENS_S_MAX) / 60;
    let at = usize::try_from(exact + tens + minutes).unwrap_or_default();
    VALUES[at].clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_exceeds_the_remaining_lifetime() {
        for (left, said) in [
            (0, 0),
            (1, 1),
            (59, 59),
            (60, 60),
            (61, 60),
            (79, 70),
            (599, 590),
            (600, 600),
            (659, 600),
            (660, 660),
            (3599, 3540),
            (3600, 3600),
            (u64::MAX, 3600),
        ] {
            let expected = format!("public, max-age={said}");
            assert_eq!(value(Duration::from_secs(left)), expected, "{left} s");
        }
    }
}
