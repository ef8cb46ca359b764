//! The services behind the gateway: which package of the contracts is served where.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::Arc, time::Duration};

use hyper_util::client::legacy::connect::HttpConnector;
use tokio::sync::watch;
use tonic::transport::{Channel, Endpoint, Uri};
use tower::ServiceExt as _;

/// A service that is up answers a connection attempt on the same network well within this time.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
/// HTTP/2 keep-alive: a dead peer is detected after one interval and one timeout.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// One `package=url` of the configuration.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Upstream {
    /// Package of the contract, for example `hospital.booking.v1`.
    pub package: String,
    /// Where it is served, for example `http://127.0.0.1:50052`.
    pub address: Uri,
}

impl FromStr for Upstream {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (package, address) = text
            .split_once('=')
            .ok_or("expected package=http://host:port")?;
        let address: Uri = address
            .trim()
            .parse()
            .map_err(|e| format!("address: {e}"))?;
        if package.trim().is_empty() {
            return Err("expected a package before the equals sign".to_owned());
        }
        if address.scheme_str() != Some("http") || address.authority().is_none() {
            return Err("expected an address such as http://127.0.0.1:50051".to_owned());
        }
        Ok(Self {
            package: package.trim().to_owned(),
            address,
        })
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.package, self.address)
    }
}

/// One lazily connected channel per package, so that the gateway starts with no service up.
#[derive(Clone, Debug)]
pub struct Upstreams {
    channels: BTreeMap<Arc<str>, Connection>,
}

#[derive(Clone, Debug)]
struct Connection {
    address: Uri,
    channel: Channel,
    /// How many times it was made so far.
    count: watch::Receiver<u64>,
}

/// One address and everything that is served there.
#[derive(Clone, Debug)]
pub struct Source {
    /// Packages of the contracts.
    pub packages: Vec<Arc<str>>,
    /// Lazily connected.
    pub channel: Channel,
    /// How many connections its channel has made so far: each may lead to another version of the service.
    pub connections: watch::Receiver<u64>,
}

impl Upstreams {
    /// Prepares the channels; connects nothing. Must be called inside a tokio runtime.
    pub fn new(upstreams: &[Upstream]) -> Self {
        let channels = upstreams
            .iter()
            .map(|upstream| {
                let connection = Connection::new(upstream.address.clone());
                (Arc::from(upstream.package.as_str()), connection)
            })
            .collect();
        Self { channels }
    }

    /// The channel of a package, if it is configured.
    pub fn channel(&self, package: &str) -> Option<&Channel> {
        self.channels
            .get(package)
            .map(|connection| &connection.channel)
    }

    /// The addresses, each once.
    pub fn sources(&self) -> Vec<Source> {
        let mut sources = BTreeMap::new();
        for (package, connection) in &self.channels {
            let source = sources
                .entry(connection.address.to_string())
                .or_insert_with(|| Source {
                    packages: Vec::new(),
                    channel: connection.channel.clone(),
                    connections: connection.count.clone(),
                });
            source.packages.push(Arc::clone(package));
        }
        sources.into_values().collect()
    }
}

impl Connection {
    /// Connects nothing.
    fn new(address: Uri) -> Self {
        let (made, count) = watch::channel(0);
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let connector = connector.map_response(move |stream| {
            made.send_modify(|count| *count += 1);
            stream
        });
        let channel = Endpoint::from(address.clone())
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
            .connect_with_connector_lazy(connector);
        Self {
            address,
            channel,
            count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_package_and_address() {
        let upstream: Upstream = "hospital.booking.v1=http://127.0.0.1:50052"
            .parse()
            .unwrap();
        assert_eq!(upstream.package, "hospital.booking.v1");
        assert_eq!(
            upstream.to_string(),
            "hospital.booking.v1=http://127.0.0.1:50052/"
        );
    }

    #[test]
    fn refuses_what_is_no_upstream() {
        for text in [
            "",
            "x",
            "=http://a:1",
            "x=",
            "x=127.0.0.1:50051",
            "x=ftp://a:1",
        ] {
            assert!(text.parse::<Upstream>().is_err(), "{text}");
        }
    }
}
