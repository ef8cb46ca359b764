//! Work that takes longer than other requests should wait.

use std::future;

/// Runs it on a thread beside the runtime's. A caller who goes does not end it.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime stops; nobody will ask.
            Err(_) => future::pending().await,
        },
    }
}
