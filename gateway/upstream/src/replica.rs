//! One address of an upstream, for streams. A stream counts neither as a call nor against the limits on calls.

use std::{net::SocketAddr, sync::Arc};

use tokio::time::timeout;

use super::{STREAM_CONNECT_TIMEOUT, connection::Connection, endpoint::Endpoint};

/// One address of an upstream.
#[derive(Debug)]
pub struct Replica(Arc<Endpoint>);

impl Replica {
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self(endpoint)
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// Waits until the upstream no longer has this address. Cancel safe.
    pub async fn gone(&self) {
        self.0.gone().cancelled().await;
    }

    /// Returns its connection, shared with calls. `None` if there is none within two seconds.
    pub async fn connection(&self) -> Option<Connection> {
        timeout(STREAM_CONNECT_TIMEOUT, self.connected()).await.ok()
    }

    async fn connected(&self) -> Connection {
        let mut changes = self.0.surroundings.changes.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(connection) = self.0.connection() {
                return connection;
            }
            self.0.connect(false);
            // The endpoint holds the sender, so the channel is never closed.
            let _ = timeout(STREAM_CONNECT_TIMEOUT, changes.changed()).await;
        }
    }
}
