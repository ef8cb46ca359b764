//! Limits the log lines a second about failing requests. A service that is down fails thousands of requests in the same
//! way, and clients must not control the cost of logging. Metrics count every failure.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering},
};

use super::budget::Budget;

const LINES_PER_SECOND_MAX: usize = 20;

static BUDGET: LazyLock<Budget> = LazyLock::new(|| Budget::per_second(LINES_PER_SECOND_MAX));
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// Whether another line may be written now. Logs the number of suppressed lines once there is room again.
pub fn take() -> bool {
    if !BUDGET.take(1) {
        LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        return false;
    }
    let lines = LEFT_OUT.swap(0, Ordering::Relaxed);
    if lines > 0 {
        tracing::warn!(lines, "log lines about failed requests were dropped");
    }
    true
}
