//! Whose request it is, as far as an address can say. Forwarded addresses count only from proxies of our own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";
/// An IPv6 customer gets a network of this many bits at least; counting single addresses would count nothing.
const IPV6_NETWORK_BITS: u32 = 64;
/// Wider networks for whoever keeps a record of them: they still tell abuse apart, and hardly a person.
const RECORDED_IPV4_BITS: u32 = 24;
const RECORDED_IPV6_BITS: u32 = 48;

/// The network that limits are counted for: an IPv4 address or an IPv6 /64.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ClientNetwork(Ipv6Addr);

impl ClientNetwork {
    /// The IPv4 /24 or IPv6 /48 around it in CIDR notation, for example `192.0.2.0/24`.
    pub fn cidr(self) -> String {
        if let Some(address) = self.0.to_ipv4_mapped() {
            let mask = u32::MAX << (32 - RECORDED_IPV4_BITS);
            let network = Ipv4Addr::from_bits(address.to_bits() & mask);
            return format!("{network}/{RECORDED_IPV4_BITS}");
        }
        let network = ipv6_network(self.0, RECORDED_IPV6_BITS);
        format!("{network}/{RECORDED_IPV6_BITS}")
    }
}

/// Finds the client behind `trusted_hops` proxies of our own.
///
/// Each proxy appends the address it was called from, so the entry that the outermost trusted proxy wrote is the
/// `trusted_hops`-th from the right; what stands left of it, the client could have made up.
pub fn client_network(peer: SocketAddr, headers: &HeaderMap, trusted_hops: u8) -> ClientNetwork {
    let forwarded = (trusted_hops > 0)
        .then(|| forwarded_for(headers, usize::from(trusted_hops)))
        .flatten();
    network(forwarded.unwrap_or_else(|| peer.ip()))
}

fn forwarded_for(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    let values: Vec<&str> = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .collect();
    let entries = values.iter().rev().flat_map(|value| value.rsplit(','));
    let entry = entries.map(str::trim).nth(hops - 1)?;
    entry
        .parse()
        .or_else(|_| entry.parse::<SocketAddr>().map(|address| address.ip()))
        .ok()
}

fn network(address: IpAddr) -> ClientNetwork {
    ClientNetwork(match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => ipv6_network(address, IPV6_NETWORK_BITS),
    })
}

fn ipv6_network(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    let mask = u128::MAX << (128 - bits);
    Ipv6Addr::from_bits(address.to_bits() & mask)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn found(peer: &str, forwarded: &[&'static str], hops: u8) -> ClientNetwork {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(value));
        }
        client_network(peer.parse().unwrap(), &headers, hops)
    }

    fn expected(address: &str) -> ClientNetwork {
        network(address.parse().unwrap())
    }

    #[test]
    fn forwarded_addresses_count_only_behind_trusted_hops() {
        let forwarded = ["203.0.113.9, 198.51.100.7", "192.0.2.1"];
        let peer = "127.0.0.1:4000";
        assert_eq!(found(peer, &forwarded, 0), expected("127.0.0.1"));
        assert_eq!(found(peer, &forwarded, 1), expected("192.0.2.1"));
        assert_eq!(found(peer, &forwarded, 2), expected("198.51.100.7"));
        // A list that is too short was not written by that many proxies.
        assert_eq!(found(peer, &forwarded, 4), expected("127.0.0.1"));
        assert_eq!(found(peer, &["unknown"], 1), expected("127.0.0.1"));
    }

    #[test]
    fn what_is_recorded_is_a_wide_network() {
        for (address, network) in [
            ("203.0.113.77", "203.0.113.0/24"),
            ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:1:2:3::9", "2001:db8:1::/48"),
            ("::1", "::/48"),
        ] {
            assert_eq!(expected(address).cidr(), network);
        }
    }

    #[test]
    fn ipv6_counts_by_its_network_and_mapped_ipv4_as_ipv4() {
        assert_eq!(
            expected("2001:db8:1:2::1"),
            expected("2001:db8:1:2:ffff::9")
        );
        assert_ne!(expected("2001:db8:1:2::1"), expected("2001:db8:1:3::1"));
        assert_eq!(expected("::ffff:192.0.2.1"), expected("192.0.2.1"));
    }
}
