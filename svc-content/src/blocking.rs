//! CPU-bound work that must not block the runtime.

use std::future;

/// Runs it on a blocking thread. A cancelled caller does not cancel it.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down: no caller is left.
            Err(_) => future::pending().await,
        },
    }
}
