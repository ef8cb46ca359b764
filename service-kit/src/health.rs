//! Whether a process wants traffic. Readiness never depends on other services.

use tokio::sync::watch;

/// Readiness: set by the process, published by `grpc.health.v1` and `/readyz`.
#[derive(Clone, Debug)]
pub struct Readiness(watch::Sender<bool>);

impl Default for Readiness {
    fn default() -> Self {
        Self::new()
    }
}

impl Readiness {
    /// Not ready yet.
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Sets whether the process wants traffic from now on.
    pub fn set_ready(&self, ready: bool) {
        self.0.send_replace(ready);
    }

    /// Whether the process wants traffic.
    pub fn is_ready(&self) -> bool {
        *self.0.borrow()
    }

    /// Subscribes to changes.
    pub fn subscribe(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}
