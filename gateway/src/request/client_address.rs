//! Whose request it is, as far as an address can say. Forwarded addresses count only from proxies of our own.

mod forwarded;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use clap::ValueEnum;
use service_kit::network::{self, Network};

/// The header in which proxies say who called them. The other one is not read: a proxy that does not know it passes on what the
/// client wrote.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: 203.0.113.9, 198.51.100.7`.
    #[default]
    XForwardedFor,
    /// `Forwarded: for=203.0.113.9;proto=https, for="[2001:db8::1]:4711"` (RFC 7239).
    Forwarded,
}

/// The proxies of our own before this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrustedProxies {
    /// How many of them a request comes through. 0: none, no header is read.
    pub hops: u8,
    /// The header that each of them appends to.
    pub header: ForwardedHeader,
}

/// The narrowest network that limits are counted for: an IPv4 address or an IPv6 /64, by its first address.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// The IPv4 /24 or IPv6 /48 around it in CIDR notation, for example `192.0.2.0/24`: what services learn of a client.
    pub fn cidr(self) -> String {
        self.widest().to_string()
    }

    /// Whether it is an IPv4 address.
    pub fn is_ipv4(self) -> bool {
        self.0.is_ipv4()
    }

    /// The widest of the networks that count: IPv4 /24 or IPv6 /48.
    pub fn widest(self) -> Network {
        network::widest(self.0)
    }

    /// The networks that count, narrowest first; the first is this one.
    pub fn counted(self) -> impl DoubleEndedIterator<Item = Network> + ExactSizeIterator {
        network::counted(self.0)
    }
}

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        Self(network::narrowest(address).first())
    }
}

/// Finds the client behind our own proxies.
///
/// Each proxy appends the address it was called from, so the entry that the outermost of them wrote is the `hops`-th from the
/// right; what stands left of it, the client could have made up. Where that entry names no address (`unknown`, an obfuscated
/// identifier), the client counts as the nearest trusted hop that does: all whom that proxy hides are one client. With fewer
/// entries than proxies the request came past one of them, and nothing in the header is believed.
pub fn client_network(
    peer: SocketAddr,
    headers: &HeaderMap,
    proxies: TrustedProxies,
) -> ClientNetwork {
    let hops = usize::from(proxies.hops);
    let found = match proxies.header {
        _ if hops == 0 => None,
        ForwardedHeader::XForwardedFor => forwarded::x_forwarded_for(headers, hops),
        ForwardedHeader::Forwarded => forwarded::forwarded(headers, hops),
    };
    found.unwrap_or_else(|| peer.ip()).into()
}
