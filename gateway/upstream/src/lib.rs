//! The services behind the gateway. Each has separate addresses, connections, bulkhead, breaker and retry budget. A
//! failing service takes down only its part of the site.
//!
//! A call passes the `bulkhead` (is there a free slot?) and then the `breaker` (does the service answer at all?).
//! It gets up to three tries, each over a connection from the `balancer`.

#![warn(missing_docs)]

pub mod addresses;
mod attempt;
mod balancer;
mod breaker;
mod bulkhead;
mod call;
mod config;
mod connection;
mod endpoint;
pub mod health_checks;
mod metrics;
mod replica;
mod resolver;
pub mod rpc;
mod unary;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use service_kit::client_tls::{ClientTls, ClientTlsError};
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tonic::{Status, transport::Uri};

use self::{
    balancer::Balancer,
    breaker::Breaker,
    bulkhead::Bulkhead,
    connection::Target,
    endpoint::Surroundings,
    metrics::Meters,
    resolver::{Lookup, Resolver},
    rpc::RetryBudget,
};

pub use self::{
    config::{UpstreamConfig, UpstreamTlsConfig},
    connection::{Connection, StreamBody},
    replica::Replica,
};

/// Maximum wait of a stream for a connection.
const STREAM_CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// One service: everything that is served at the same addresses.
#[derive(Debug)]
pub struct Upstream {
    /// Packages of its contracts; the first is its name in metrics.
    packages: Vec<Arc<str>>,
    balancer: Arc<Balancer>,
    surroundings: Arc<Surroundings>,
    bulkhead: Bulkhead,
    breaker: Breaker,
    budget: RetryBudget,
    meters: Meters,
    /// Resolves names; stops when the upstream is dropped.
    _resolving: JoinSet<()>,
}

/// All services, by the packages they serve.
#[derive(Clone, Debug)]
pub struct Upstreams {
    by_package: BTreeMap<Arc<str>, Arc<Upstream>>,
}

/// A connection for a stream, and what ends it.
#[derive(Debug)]
pub struct StreamConnection {
    /// Shared with calls.
    pub connection: Connection,
    /// Cancelled when the upstream no longer has this address.
    pub gone: CancellationToken,
}

impl Upstreams {
    /// Creates the upstreams without connecting, so that the gateway starts even if no service is up. Must be called
    /// inside a tokio runtime.
    ///
    /// # Errors
    /// If TLS is needed and its files cannot be used.
    pub fn new(config: &UpstreamConfig) -> Result<Self, ClientTlsError> {
        Self::with_lookup(config, &resolver::system())
    }

    fn with_lookup(config: &UpstreamConfig, lookup: &Lookup) -> Result<Self, ClientTlsError> {
        let tls = Targets::new(config)?;
        let mut services: Vec<(Vec<Uri>, Vec<Arc<str>>)> = Vec::new();
        for upstream in &config.upstreams {
            let package = Arc::from(upstream.package.as_str());
            match services.iter_mut().find(|(a, _)| *a == upstream.addresses) {
                Some((_, packages)) => packages.push(package),
                None => services.push((upstream.addresses.clone(), vec![package])),
            }
        }
        let mut by_package = BTreeMap::new();
        for (addresses, packages) in services {
            let targets = addresses.iter().map(|address| tls.target(address));
            let targets = targets.collect::<Result<Vec<_>, _>>()?;
            let upstream = Upstream::new(config, packages, targets, Arc::clone(lookup));
            let upstream = Arc::new(upstream);
            for package in &upstream.packages {
                by_package.insert(Arc::clone(package), Arc::clone(&upstream));
            }
        }
        Ok(Self { by_package })
    }

    /// Returns the service of a package, if one is configured.
    fn get(&self, package: &str) -> Option<&Upstream> {
        self.by_package.get(package).map(|upstream| &**upstream)
    }

    /// Returns the package of the upstream with this name: the last part of its package before the version, such as
    /// `booking` of `hospital.booking.v1`.
    fn package_named(&self, name: &str) -> Option<&Arc<str>> {
        let is_named = |package: &&Arc<str>| package.rsplit('.').nth(1) == Some(name);
        self.by_package.keys().find(is_named)
    }

    /// Returns each service once.
    pub fn services(&self) -> impl Iterator<Item = &Arc<Upstream>> {
        let firsts = self.by_package.iter();
        let firsts =
            firsts.filter(|(package, upstream)| upstream.packages.first() == Some(package));
        firsts.map(|(_, upstream)| upstream)
    }
}

impl Upstream {
    fn new(
        config: &UpstreamConfig,
        packages: Vec<Arc<str>>,
        targets: Vec<Arc<Target>>,
        lookup: Lookup,
    ) -> Self {
        let name = packages.first().cloned().unwrap_or_else(|| "".into());
        let meters = Meters::of(&name);
        let surroundings = Arc::new(Surroundings {
            changes: watch::Sender::new(0),
            connections: watch::Sender::new(0),
            lost: Notify::new(),
            meters: meters.clone(),
        });
        let balancer = Arc::new(Balancer::new(Arc::clone(&surroundings)));
        let resolver = Resolver::new(
            targets,
            lookup,
            Arc::clone(&balancer),
            Arc::clone(&surroundings),
        );
        let mut resolving = JoinSet::new();
        if resolver.begin() {
            resolving.spawn(resolver.run());
        }
        let writes_reserved = usize::try_from(config.upstream_writes_reserved);
        Self {
            packages,
            balancer,
            surroundings,
            bulkhead: Bulkhead::new(
                config.upstream_calls_max,
                writes_reserved.unwrap_or(usize::MAX),
            ),
            breaker: Breaker::new(meters.breaker.clone()),
            budget: RetryBudget::new(),
            meters,
            _resolving: resolving,
        }
    }

    /// Returns the packages of the contracts it serves.
    pub fn packages(&self) -> &[Arc<str>] {
        &self.packages
    }

    /// Returns a watch on the number of connections made so far. Each may lead to another version of the service.
    pub fn connections(&self) -> watch::Receiver<u64> {
        self.surroundings.connections.subscribe()
    }

    /// Returns a connection for a stream. A stream counts neither as a call nor against the limits on calls.
    ///
    /// # Errors
    /// UNAVAILABLE if no connection is available within two seconds.
    pub async fn stream_connection(&self) -> Result<StreamConnection, Status> {
        let chosen = tokio::time::timeout(STREAM_CONNECT_TIMEOUT, self.balancer.choose(&[])).await;
        let Ok(Ok(visit)) = chosen else {
            return Err(Status::unavailable("cannot connect to any address"));
        };
        Ok(StreamConnection {
            connection: visit.connection.clone(),
            gone: visit.endpoint.gone(),
        })
    }

    /// Returns the present addresses. They change with [`Self::changes`].
    pub fn replicas(&self) -> Vec<Replica> {
        self.balancer.replicas()
    }

    /// Returns a watch that is notified when the addresses or their connections change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.surroundings.changes.subscribe()
    }
}

/// Builds targets from URLs; TLS files are loaded once for all.
struct Targets {
    tls: Option<Arc<ClientTls>>,
}

impl Targets {
    fn new(config: &UpstreamConfig) -> Result<Self, ClientTlsError> {
        let mut addresses = config.upstreams.iter().flat_map(|u| &u.addresses);
        let is_needed = addresses.any(|address| address.scheme_str() == Some("https"));
        let tls = is_needed
            .then(|| ClientTls::load(&config.tls.files()))
            .transpose()?;
        Ok(Self {
            tls: tls.map(Arc::new),
        })
    }

    fn target(&self, address: &Uri) -> Result<Arc<Target>, ClientTlsError> {
        let tls = match &self.tls {
            Some(tls) if address.scheme_str() == Some("https") => {
                let host = address.host().unwrap_or_default();
                Some((Arc::clone(tls), tls.server_name(host)?))
            }
            _ => None,
        };
        Ok(Arc::new(Target {
            origin: address.clone(),
            tls,
        }))
    }
}
