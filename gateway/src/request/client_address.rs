//! Whose request it is, as far as an address can say. Forwarded addresses count only from proxies of our own.

mod forwarded;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;
use clap::ValueEnum;

/// An IPv6 customer gets a network of this many bits at least; counting single addresses would count nothing.
const IPV6_NETWORK_BITS: u8 = 64;
/// Wider networks for whoever keeps a record of them: they still tell abuse apart, and hardly a person.
const RECORDED_IPV4_BITS: u8 = 24;
const RECORDED_IPV6_BITS: u8 = 48;
/// Bits of an IPv6 address before the IPv4 address that is mapped into it.
const MAPPED_BITS: u8 = 96;

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

/// The network that limits are counted for: an IPv4 address or an IPv6 /64.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ClientNetwork(Ipv6Addr);

impl ClientNetwork {
    /// The IPv4 /24 or IPv6 /48 around it in CIDR notation, for example `192.0.2.0/24`.
    pub fn cidr(self) -> String {
        if self.is_ipv4() {
            let network = prefix(self.0, MAPPED_BITS + RECORDED_IPV4_BITS);
            let network = network.to_ipv4_mapped().unwrap_or(Ipv4Addr::UNSPECIFIED);
            return format!("{network}/{RECORDED_IPV4_BITS}");
        }
        let network = prefix(self.0, RECORDED_IPV6_BITS);
        format!("{network}/{RECORDED_IPV6_BITS}")
    }

    /// Whether it is an IPv4 address.
    pub fn is_ipv4(self) -> bool {
        self.0.to_ipv4_mapped().is_some()
    }

    /// The network of so many bits around it (IPv4: 0 to 32, IPv6: 0 to 64), as bytes that no other network of this size has.
    pub fn around(self, bits: u8) -> [u8; 16] {
        let before = if self.is_ipv4() { MAPPED_BITS } else { 0 };
        prefix(self.0, before + bits).octets()
    }
}

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => prefix(address, IPV6_NETWORK_BITS),
        })
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

/// The first bits of an address; the others are zero.
fn prefix(address: Ipv6Addr, bits: u8) -> Ipv6Addr {
    let mask = u128::MAX.checked_shl(u32::from(128 - bits.min(128)));
    Ipv6Addr::from_bits(address.to_bits() & mask.unwrap_or(0))
}
