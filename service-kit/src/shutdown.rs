//! Stop signals.

use tokio::signal::unix::{Signal, SignalKind};

/// Completes on SIGTERM or SIGINT. If a handler cannot be installed, it never completes for that signal, whose default
/// action then stops the process at once.
///
/// Installs the handlers when called, not when first polled: a parent that reads `listening on` may send the signal
/// immediately.
///
/// # Panics
/// Outside a Tokio runtime.
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
