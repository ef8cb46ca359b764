//! Networks of clients: the networks of an address that limits count, and CIDR notation.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// Counted prefix lengths, narrowest first. A household has one IPv4 address. A /24 is the smallest routed block, so an
/// attacker's many addresses are often in one.
const IPV4_BITS: [u8; 2] = [32, 24];
/// An IPv6 customer has a /64 (a phone), a /56 (a household) or a /48 (a company); counting single addresses is
/// useless.
const IPV6_BITS: [u8; 3] = [64, 56, 48];
/// Prefix bits of an IPv4 address mapped into IPv6.
const MAPPED_BITS: u8 = 96;

/// Returns the networks of an address that limits count, narrowest first: IPv4 /32 and /24; IPv6 /64, /56 and /48. An
/// IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) counts as IPv4.
///
/// Services receive the last network as `client-network`, and only that network may be recorded. It still separates
/// abusers, but hardly identifies a person.
pub fn counted(address: IpAddr) -> impl DoubleEndedIterator<Item = Network> + ExactSizeIterator {
    let bits = if is_ipv4(address) {
        IPV4_BITS.as_slice()
    } else {
        IPV6_BITS.as_slice()
    };
    bits.iter().map(move |bits| Network::around(address, *bits))
}

/// Returns the narrowest counted network of an address: IPv4 /32, IPv6 /64.
pub fn narrowest(address: IpAddr) -> Network {
    let [ipv4, ..] = IPV4_BITS;
    let [ipv6, ..] = IPV6_BITS;
    Network::around(address, if is_ipv4(address) { ipv4 } else { ipv6 })
}

/// Returns the widest counted network of an address: IPv4 /24, IPv6 /48.
pub fn widest(address: IpAddr) -> Network {
    let [.., ipv4] = IPV4_BITS;
    let [.., ipv6] = IPV6_BITS;
    Network::around(address, if is_ipv4(address) { ipv4 } else { ipv6 })
}

fn is_ipv4(address: IpAddr) -> bool {
    address.to_canonical().is_ipv4()
}

/// Addresses with a common prefix, for example `10.0.0.0/8`, or a single address. IPv4 networks are stored as
/// IPv4-mapped IPv6 networks, so values of both families are equal only if the networks are.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Network {
    first: Ipv6Addr,
    /// 0 to 128; 96 more than the prefix length of an IPv4 network.
    bits: u8,
}

/// The text is not a network.
#[derive(Debug, thiserror::Error)]
#[error("expected an address or a network such as 10.0.0.0/8")]
pub struct NetworkError;

impl Network {
    /// Returns the network of this prefix length around an address. IPv4: 0 to 32, IPv6: 0 to 128; a greater length
    /// means the whole address.
    pub fn around(address: IpAddr, bits: u8) -> Self {
        let (address, before) = match address.to_canonical() {
            IpAddr::V4(address) => (address.to_ipv6_mapped(), MAPPED_BITS),
            IpAddr::V6(address) => (address, 0),
        };
        Self::masked(address, bits.saturating_add(before).min(128))
    }

    /// Returns whether the address is in this network. IPv4 addresses are compared as IPv4-mapped IPv6.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = match address {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => address,
        };
        Self::masked(address, self.bits) == *self
    }

    /// Returns the first address as bytes, IPv4 mapped into IPv6. Comparable only between networks of one prefix
    /// length.
    pub fn octets(&self) -> [u8; 16] {
        self.first.octets()
    }

    /// Returns the first address.
    pub fn first(&self) -> IpAddr {
        self.parts().0
    }

    /// Returns first address and prefix length as in CIDR notation.
    fn parts(&self) -> (IpAddr, u8) {
        match (
            self.bits.checked_sub(MAPPED_BITS),
            self.first.to_ipv4_mapped(),
        ) {
            (Some(bits), Some(first)) => (first.into(), bits),
            _ => (self.first.into(), self.bits),
        }
    }

    fn masked(address: Ipv6Addr, bits: u8) -> Self {
        let mask = u128::MAX.checked_shl(u32::from(128 - bits)).unwrap_or(0);
        Self {
            first: Ipv6Addr::from_bits(address.to_bits() & mask),
            bits,
        }
    }
}

impl fmt::Display for Network {
    /// Writes CIDR notation: `192.0.2.0/24`, `2001:db8:1::/48`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, bits) = self.parts();
        write!(formatter, "{first}/{bits}")
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    /// Parses CIDR notation, or an address as a network of that address alone. Bits after the prefix are ignored.
    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| NetworkError)?)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| NetworkError)?;
        // Family as written: `::ffff:0:0/96` is an IPv6 network.
        let (address, before) = match address {
            IpAddr::V4(address) => (Ipv4Addr::to_ipv6_mapped(&address), MAPPED_BITS),
            IpAddr::V6(address) => (address, 0),
        };
        let most = 128 - before;
        let bits = bits.unwrap_or(most);
        if bits > most {
            return Err(NetworkError);
        }
        Ok(Self::masked(address, bits + before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(address: &str) -> Vec<String> {
        let networks = counted(address.parse().unwrap());
        networks.map(|network| network.to_string()).collect()
    }

    #[test]
    fn counts_two_sizes_of_ipv4_and_three_of_ipv6() {
        let v4 = ["192.0.2.7/32", "192.0.2.0/24"];
        assert_eq!(texts("192.0.2.7"), v4);
        assert_eq!(texts("::ffff:192.0.2.7"), v4);
        let v6 = [
            "2001:db8:1:2ff::/64",
            "2001:db8:1:200::/56",
            "2001:db8:1::/48",
        ];
        assert_eq!(texts("2001:db8:1:2ff::9"), v6);
        for address in ["192.0.2.7", "2001:db8:1:2ff::9"] {
            let address = address.parse().unwrap();
            assert_eq!(counted(address).next(), Some(narrowest(address)));
            assert_eq!(counted(address).last(), Some(widest(address)));
        }
    }

    #[test]
    fn parses_what_it_formats_and_separates_sizes() {
        for text in ["192.0.2.0/24", "2001:db8:1::/48", "0.0.0.0/0", "::/0"] {
            let network: Network = text.parse().unwrap();
            assert_eq!(network.to_string(), text);
        }
        let network = |text: &str| text.parse::<Network>().unwrap();
        assert_ne!(network("10.0.0.0/8"), network("10.0.0.0/24"));
        assert_ne!(network("0.0.0.0/0"), network("::/0"));
        assert_eq!(network("10.1.2.3/8"), network("10.0.0.0/8"));
    }

    #[test]
    fn contains_its_addresses() {
        for (network, address, is_in) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("0.0.0.0/0", "203.0.113.1", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("::/0", "203.0.113.1", true),
        ] {
            let found: Network = network.parse().unwrap();
            let found = found.contains(address.parse().unwrap());
            assert_eq!(found, is_in, "{network} {address}");
        }
        for bad in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/x", "/8"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }
}
