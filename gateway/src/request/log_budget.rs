//! How many lines a second may be written about failing requests: a service that is down fails thousands of requests in the
//! same way, and who sends them must not decide what logging costs. Metrics count every one.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering},
};

use super::budget::Budget;

const LINES_PER_SECOND_MAX: usize = 20;

static BUDGET: LazyLock<Budget> = LazyLock::new(|| Budget::per_second(LINES_PER_SECOND_MAX));
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// Whether one more line may be written now. Says how many were left out once there is room again.
pub(crate) fn take() -> bool {
    if !BUDGET.take(1) {
        LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        return false;
    }
    let lines = LEFT_OUT.swap(0, Ordering::Relaxed);
    if lines > 0 {
        tracing::warn!(lines, "lines about failing requests were left out");
    }
    true
}
