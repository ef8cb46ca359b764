//! Readiness of a process for traffic. It never depends on other services.

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
    /// Creates a state that is not ready.
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Sets whether the process accepts traffic.
    pub fn set_ready(&self, ready: bool) {
        self.0.send_replace(ready);
    }

    /// Returns whether the process accepts traffic.
    pub fn is_ready(&self) -> bool {
        *self.0.borrow()
    }

    /// Subscribes to changes.
    pub fn subscribe(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}
