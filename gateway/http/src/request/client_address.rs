//! The client of a request, as far as addresses identify it. Forwarded addresses count only from our own proxies.

mod forwarded;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
};

use axum::http::HeaderMap;
use clap::ValueEnum;
use service_kit::network::{self, Network};

/// Header in which proxies append their client's address. The other header is not read: a proxy that does not know it
/// forwards what the client wrote.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: 203.0.113.9, 198.51.100.7`.
    #[default]
    XForwardedFor,
    /// `Forwarded: for=203.0.113.9;proto=https, for="[2001:db8::1]:4711"` (RFC 7239).
    Forwarded,
}

/// Our own proxies in front of this process.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    /// Maximum number of them that a request passes through. 0: no header is read.
    pub hops: u8,
    /// Header that each of them appends to.
    pub header: ForwardedHeader,
    /// Their networks. The header is not trusted from other peers.
    pub networks: Vec<Network>,
}

impl TrustedProxies {
    /// Whether an address belongs to a proxy whose header is read.
    pub fn has(&self, address: IpAddr) -> bool {
        self.hops > 0
            && self
                .networks
                .iter()
                .any(|network| network.contains(address))
    }
}

/// Narrowest network that limits are counted for: an IPv4 address or an IPv6 /64, represented by its first address.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// Returns the IPv4 /24 or IPv6 /48 around it in CIDR notation, for example `192.0.2.0/24`. Services get no more
    /// precise address of a client.
    pub fn cidr(self) -> String {
        self.widest().to_string()
    }

    /// Whether it is an IPv4 address.
    pub fn is_ipv4(self) -> bool {
        self.0.is_ipv4()
    }

    /// Returns the widest of the counted networks: IPv4 /24 or IPv6 /48.
    pub fn widest(self) -> Network {
        network::widest(self.0)
    }

    /// Returns the counted networks, narrowest first; the first is this one.
    pub fn counted(self) -> impl DoubleEndedIterator<Item = Network> + ExactSizeIterator {
        network::counted(self.0)
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        network::narrowest(self.0).fmt(formatter)
    }
}

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        Self(network::narrowest(address).first())
    }
}

/// Sender of a request, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// Network of the client.
    pub network: ClientNetwork,
    /// Whether the client used https: to this process, or to our own proxy next to it, which forwards the scheme.
    pub is_https: bool,
}

impl Client {
    /// Identifies the client. Reads the headers of `proxies` only if `peer` is one of them. `is_tls`: whether TLS ends
    /// here.
    pub fn of(
        peer: SocketAddr,
        headers: &HeaderMap,
        proxies: &TrustedProxies,
        is_tls: bool,
    ) -> Self {
        let is_https = match proxies.header {
            _ if is_tls || !proxies.has(peer.ip()) => is_tls,
            ForwardedHeader::XForwardedFor => forwarded::is_x_forwarded_https(headers),
            ForwardedHeader::Forwarded => forwarded::is_forwarded_https(headers),
        };
        Self {
            network: client_network(peer, headers, proxies),
            is_https,
        }
    }
}

/// Finds the client behind our own proxies.
///
/// Each proxy appends the address of its client. The last entry is trusted if the peer is one of our proxies. The entry
/// left of it is trusted if the last one names one of our proxies too, and so on, for `hops` entries at most. The
/// client is the first address that is not one of our proxies. An entry without an address (`unknown`, an obfuscated
/// identifier) ends the search. All clients that such a proxy hides count as that proxy.
fn client_network(
    peer: SocketAddr,
    headers: &HeaderMap,
    proxies: &TrustedProxies,
) -> ClientNetwork {
    let found = match proxies.header {
        _ if !proxies.has(peer.ip()) => None,
        ForwardedHeader::XForwardedFor => nearest(forwarded::x_forwarded_for(headers), proxies),
        ForwardedHeader::Forwarded => nearest(forwarded::forwarded(headers), proxies),
    };
    found.unwrap_or_else(|| peer.ip()).into()
}

/// Returns the first of at most `hops` entries that is not a proxy's, or the last.
fn nearest(
    entries: impl Iterator<Item = Option<IpAddr>>,
    proxies: &TrustedProxies,
) -> Option<IpAddr> {
    let mut found = None;
    for entry in entries.take(usize::from(proxies.hops)) {
        let Some(address) = entry else { break };
        found = Some(address);
        if !proxies.has(address) {
            break;
        }
    }
    found
}
