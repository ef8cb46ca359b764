//! CPU-bound work that must not block the runtime.

use std::future;

/// Runs `work` on a blocking thread. Cancelling the caller does not cancel the work.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, so no caller is left.
            Err(_) => future::pending().await,
        },
    }
}
