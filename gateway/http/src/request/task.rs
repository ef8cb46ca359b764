//! Work that outlives the request that started it. A visitor who disconnects cancels neither a shared flight nor a
//! write in progress.

use tokio::task::JoinHandle;

use crate::request::trace::RequestTrace;

/// Runs `work` in a separate task, in the given trace.
pub fn spawn<T: Send + 'static>(
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
