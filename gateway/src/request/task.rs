//! Work that outlives the request that started it: a visitor who disconnects cancels neither a shared flight nor a write
//! halfway.

use tokio::task::JoinHandle;

use crate::request::trace::RequestTrace;

/// Runs `work` in a task of its own, in the given trace.
pub(crate) fn spawn<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
    trace: Option<RequestTrace>,
) -> JoinHandle<T> {
    tokio::spawn(async move {
        match trace {
            Some(trace) => trace.scope(work).await,
            None => work.await,
        }
    })
}
