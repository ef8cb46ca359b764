//! Keeps the addresses of an upstream up to date with name resolution.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use futures::future::{BoxFuture, join_all};
use tokio::time::Instant;

use super::{balancer::Balancer, connection::Target, endpoint::Surroundings};

/// Maximum time between two resolutions of a name.
const INTERVAL: Duration = Duration::from_secs(5);
/// Minimum time between two resolutions when lost connections trigger them early.
const PAUSE_MIN: Duration = Duration::from_millis(500);

/// Looks up a host name.
pub(super) type Lookup =
    Arc<dyn Fn(&str, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// Returns the operating system's resolver.
pub(super) fn system() -> Lookup {
    Arc::new(|host, port| {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    })
}

/// The configured URLs of one upstream.
pub(super) struct Resolver {
    names: Vec<Name>,
    lookup: Lookup,
    balancer: Arc<Balancer>,
    surroundings: Arc<Surroundings>,
}

struct Name {
    host: String,
    port: u16,
    target: Arc<Target>,
    /// Result of the last successful look-up.
    addresses: Vec<SocketAddr>,
    /// The host is an IP address, which is never looked up.
    is_fixed: bool,
}

impl Resolver {
    pub(super) fn new(
        targets: Vec<Arc<Target>>,
        lookup: Lookup,
        balancer: Arc<Balancer>,
        surroundings: Arc<Surroundings>,
    ) -> Self {
        let names = targets.into_iter().map(Name::new).collect();
        Self {
            names,
            lookup,
            balancer,
            surroundings,
        }
    }

    /// Publishes the addresses if none needs a look-up. Returns whether any does.
    pub(super) fn begin(&self) -> bool {
        let is_fixed = self.names.iter().all(|name| name.is_fixed);
        if is_fixed {
            self.publish();
        }
        !is_fixed
    }

    /// Resolves periodically. Only one look-up of a name is under way at a time, however long it takes.
    pub(super) async fn run(mut self) {
        loop {
            let began = Instant::now();
            self.resolve().await;
            let lost = async {
                self.surroundings.lost.notified().await;
                tokio::time::sleep_until(began + PAUSE_MIN).await;
            };
            tokio::select! {
                () = lost => {}
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    async fn resolve(&mut self) {
        let lookup = Arc::clone(&self.lookup);
        let names = self.names.iter_mut().filter(|name| !name.is_fixed);
        let resolved = join_all(names.map(|name| name.resolve(&lookup))).await;
        for _ in resolved.into_iter().filter(|is_resolved| !is_resolved) {
            self.surroundings.meters.resolve_failures.inc();
        }
        self.publish();
    }

    fn publish(&self) {
        let addresses: Vec<_> = self
            .names
            .iter()
            .flat_map(|name| {
                let addresses = name.addresses.iter().copied();
                addresses.map(|address| (address, Arc::clone(&name.target)))
            })
            .collect();
        self.balancer.set(&addresses);
    }
}

impl Name {
    fn new(target: Arc<Target>) -> Self {
        let origin = &target.origin;
        let default_port = if target.tls.is_some() { 443 } else { 80 };
        let port = origin.port_u16().unwrap_or(default_port);
        let host = origin.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let fixed = host.parse().ok().map(|ip| SocketAddr::new(ip, port));
        Self {
            host: host.to_owned(),
            port,
            addresses: fixed.into_iter().collect(),
            is_fixed: fixed.is_some(),
            target,
        }
    }

    /// Looks the name up. On failure the previous addresses are kept. Returns whether it succeeded.
    async fn resolve(&mut self, lookup: &Lookup) -> bool {
        match lookup(&self.host, self.port).await {
            Ok(addresses) if !addresses.is_empty() => {
                if addresses != self.addresses {
                    tracing::debug!(host = self.host, ?addresses, "upstream resolved");
                }
                self.addresses = addresses;
                true
            }
            Ok(_) => {
                tracing::warn!(host = self.host, "upstream resolves to no address");
                false
            }
            Err(error) => {
                tracing::warn!(host = self.host, %error, "upstream cannot be resolved");
                false
            }
        }
    }
}
