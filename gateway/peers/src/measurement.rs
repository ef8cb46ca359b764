//! The figures of one turn, and arithmetic on them.

use crate::case::Case;

/// One turn of one peer.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) case: Case,
    pub(crate) peer: &'static str,
    /// Of the peer, per request. None: there is no peer between.
    pub(crate) cpu_us: Option<f64>,
    /// Of the booking service, per request.
    pub(crate) service_cpu_us: f64,
    /// RPCs of the booking service per request: 0 where the answer was kept, 1 where it was not.
    pub(crate) service_calls: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) failures: u64,
    /// Of the body on the wire.
    pub(crate) bytes: usize,
    pub(crate) coding: String,
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

/// Returns the upper median; `None` without numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
