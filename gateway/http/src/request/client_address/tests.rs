use axum::http::{HeaderName, HeaderValue, header::FORWARDED};
use proptest::prelude::*;

use super::*;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const PEER: &str = "127.0.0.1:4000";

const PROXIES: [&str; 3] = ["127.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24"];

fn networks(texts: &[&str]) -> Vec<Network> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn found_by(name: &HeaderName, lines: &[&[u8]], hops: u8, networks: Vec<Network>) -> ClientNetwork {
    let mut headers = HeaderMap::new();
    for line in lines {
        headers.append(name, HeaderValue::from_bytes(line).unwrap());
    }
    let header = if *name == FORWARDED {
        ForwardedHeader::Forwarded
    } else {
        ForwardedHeader::XForwardedFor
    };
    let proxies = TrustedProxies {
        hops,
        header,
        networks,
    };
    client_network(PEER.parse().unwrap(), &headers, &proxies)
}

fn found_in(name: &HeaderName, lines: &[&[u8]], hops: u8) -> ClientNetwork {
    found_by(name, lines, hops, networks(&PROXIES))
}

fn found(lines: &[&str], hops: u8) -> ClientNetwork {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    found_in(&X_FORWARDED_FOR, &lines, hops)
}

fn forwarded(line: &str) -> ClientNetwork {
    found_in(&FORWARDED, &[line.as_bytes()], 1)
}

fn expected(address: &str) -> ClientNetwork {
    address.parse::<IpAddr>().unwrap().into()
}

#[test]
fn trusts_forwarded_addresses_only_from_trusted_hops() {
    let lines = ["203.0.113.9, 198.51.100.7", "192.0.2.1"];
    assert_eq!(found(&lines, 0), expected("127.0.0.1"));
    assert_eq!(found(&lines, 1), expected("192.0.2.1"));
    assert_eq!(found(&lines, 2), expected("198.51.100.7"));
    assert_eq!(found(&lines, 4), expected("203.0.113.9"));
    assert_eq!(found(&[], 1), expected("127.0.0.1"));
}

/// G6: only our own proxies are trusted: the nearest one, and those before it.
#[test]
fn ignores_the_header_from_untrusted_peers() {
    let lines: [&[u8]; 1] = [b"203.0.113.9, 203.0.113.8, 192.0.2.1"];
    let found =
        |trusted: &[&str], hops| found_by(&X_FORWARDED_FOR, &lines, hops, networks(trusted));
    assert_eq!(found(&["10.0.0.0/8"], 2), expected("127.0.0.1"));
    assert_eq!(found(&[], 2), expected("127.0.0.1"));
    // The request bypassed the outer proxy.
    assert_eq!(found(&["127.0.0.0/8"], 2), expected("192.0.2.1"));
    assert_eq!(found(&PROXIES, 3), expected("203.0.113.8"));
}

/// X9: the scheme of the address in the browser is part of an origin.
#[test]
fn takes_the_scheme_from_the_connection_or_a_trusted_proxy() {
    let proxies = |hops, header| TrustedProxies {
        hops,
        header,
        networks: networks(&PROXIES),
    };
    let is_https = |name: &'static str, value: &'static str, hops, header, is_tls| {
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )]);
        let peer = PEER.parse().unwrap();
        Client::of(peer, &headers, &proxies(hops, header), is_tls).is_https
    };
    let (x, standard) = (ForwardedHeader::XForwardedFor, ForwardedHeader::Forwarded);
    for (name, value, hops, header, is_tls, expected) in [
        ("x-forwarded-proto", "https", 1, x, false, true),
        ("x-forwarded-proto", "http, HTTPS", 1, x, false, true),
        ("x-forwarded-proto", "https, http", 1, x, false, false),
        ("x-forwarded-proto", "https", 0, x, false, false),
        ("x-forwarded-proto", "https", 1, standard, false, false),
        ("x-forwarded-proto", "http", 1, x, true, true),
        (
            "forwarded",
            "for=1.2.3.4;proto=https",
            1,
            standard,
            false,
            true,
        ),
        (
            "forwarded",
            "proto=https, proto=http",
            1,
            standard,
            false,
            false,
        ),
        ("forwarded", "proto=https", 1, x, false, false),
    ] {
        let found = is_https(name, value, hops, header, is_tls);
        assert_eq!(
            found, expected,
            "{name}: {value}, {hops} {header:?} {is_tls}"
        );
    }
}

#[test]
fn counts_an_obfuscated_client_as_its_proxy() {
    for hidden in ["unknown", "_hidden", "", "10.0.0.300", "[::1", "\u{e9}"] {
        let line = format!("203.0.113.9, {hidden}, 192.0.2.1");
        assert_eq!(found(&[&line], 2), expected("192.0.2.1"), "{hidden}");
        assert_eq!(found(&[hidden], 1), expected("127.0.0.1"), "{hidden}");
    }
}

#[test]
fn ignores_ports_and_brackets() {
    for (entry, address) in [
        ("192.0.2.1:4711", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ] {
        assert_eq!(found(&[entry], 1), expected(address), "{entry}");
        let quoted = format!("for=\"{entry}\"");
        assert_eq!(forwarded(&quoted), expected(address), "{quoted}");
    }
}

#[test]
fn reads_the_standard_header_per_rfc_7239() {
    for (line, address) in [
        ("for=192.0.2.43", "192.0.2.43"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        ("proto=http;FOR=192.0.2.60;by=203.0.113.43", "192.0.2.60"),
        ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ("for=\"192.0.2.43:_hidden\"", "192.0.2.43"),
        // None of these identifies a client.
        ("for=unknown", "127.0.0.1"),
        ("for=_SEVKISEK", "127.0.0.1"),
        ("by=203.0.113.43", "127.0.0.1"),
        ("for=192.0.2.1;for=192.0.2.2", "127.0.0.1"),
        ("192.0.2.43", "127.0.0.1"),
        // A client's quote does not swallow what a proxy wrote.
        ("for=\"x, for=198.51.100.17", "198.51.100.17"),
        ("for=\"x\", y=\", for=\"198.51.100.17\"", "198.51.100.17"),
    ] {
        assert_eq!(forwarded(line), expected(address), "{line}");
    }
    // The header that is not configured is ignored.
    assert_eq!(
        found_in(&X_FORWARDED_FOR, &[b"for=192.0.2.43"], 1),
        expected("127.0.0.1")
    );
}

#[test]
fn records_only_a_wide_network() {
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
fn networks_contain_their_addresses() {
    let counted = |address: &str, size| expected(address).counted().nth(size);
    for (size, one, same, other) in [
        (0, "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
        (1, "192.0.2.1", "192.0.2.200", "192.0.3.1"),
        (
            0,
            "2001:db8:1:2::1",
            "2001:db8:1:2:ffff::9",
            "2001:db8:1:3::1",
        ),
        (
            1,
            "2001:db8:1:2::1",
            "2001:db8:1:ff::1",
            "2001:db8:1:100::1",
        ),
        (2, "2001:db8:1::1", "2001:db8:1:ffff::1", "2001:db8:2::1"),
    ] {
        assert_eq!(counted(one, size), counted(same, size), "{one} {size}");
        assert_ne!(counted(one, size), counted(other, size), "{one} {size}");
    }
}

fn name_of(header: usize) -> HeaderName {
    [X_FORWARDED_FOR, FORWARDED][header].clone()
}

fn entry_of(header: usize, address: IpAddr) -> String {
    match (header, address) {
        (0, address) => address.to_string(),
        (_, IpAddr::V4(address)) => format!("for={address};proto=https"),
        (_, IpAddr::V6(address)) => format!("proto=https;for=\"[{address}]:4711\""),
    }
}

proptest! {
    /// Whatever a client writes, in separate lines or left of what the proxies add, changes nothing.
    #[test]
    fn client_supplied_entries_change_nothing(
        own in prop::collection::vec(prop::collection::vec(32_u8..=255, 0..40), 0..4),
        pieces in prop::collection::vec("[\",;= \\[\\]:a-f0-9.]{0,12}|for=\"|, ", 0..8),
        addresses in prop::collection::vec(any::<IpAddr>(), 1..4),
        header in 0..2_usize,
        is_own_line in any::<bool>(),
    ) {
        let printable = |line: &Vec<u8>| HeaderValue::from_bytes(line).is_ok();
        let mut lines: Vec<Vec<u8>> = own.into_iter().filter(printable).collect();
        lines.push(pieces.concat().into_bytes());
        let added: Vec<String> = addresses.iter().map(|a| entry_of(header, *a)).collect();
        let added = added.join(", ").into_bytes();
        match lines.last_mut() {
            Some(last) if !is_own_line => {
                last.extend_from_slice(b", ");
                last.extend_from_slice(&added);
            }
            _ => lines.push(added),
        }
        let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let hops = u8::try_from(addresses.len()).unwrap();
        let own = addresses[1..].iter().map(|address| Network::around(*address, 128));
        let trusted = own.chain(networks(&PROXIES[..1])).collect();
        let found = found_by(&name_of(header), &lines, hops, trusted);
        prop_assert_eq!(found, ClientNetwork::from(addresses[0]));
    }

    /// Arbitrary bytes in the header are trusted at most as far as it is configured, and never cause a panic.
    #[test]
    fn never_panics_on_arbitrary_headers(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..4),
        hops in 0..=10_u8,
        header in 0..2_usize,
    ) {
        let lines: Vec<&[u8]> = lines
            .iter()
            .map(Vec::as_slice)
            .filter(|line| HeaderValue::from_bytes(line).is_ok())
            .collect();
        found_in(&name_of(header), &lines, hops).cidr();
    }
}
