//! When to stop.

use tokio::signal::unix::{Signal, SignalKind};

/// Ends when the process is asked to stop (SIGTERM or SIGINT). Without a handler it never ends, and the signals' own
/// default stops the process at once.
///
/// Registers the handlers at the call, not at the first poll: whoever reads `listening on` may send the signal right away.
///
/// # Panics
/// Outside of a runtime.
pub fn signal() -> impl Future<Output = ()> + Send + 'static {
    let listen = |kind: SignalKind| match tokio::signal::unix::signal(kind) {
        Ok(signal) => Some(signal),
        Err(error) => {
            tracing::error!(%error, ?kind, "cannot listen for the signal");
            None
        }
    };
    let terminate = listen(SignalKind::terminate());
    let interrupt = listen(SignalKind::interrupt());
    async {
        tokio::select! {
            () = received(terminate) => {}
            () = received(interrupt) => {}
        }
    }
}

async fn received(signal: Option<Signal>) {
    match signal {
        Some(mut signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
