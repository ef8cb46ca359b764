//! PROXY protocol, versions 1 and 2: a balancer that forwards bytes sends the client's address first.
//! <https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt>
//!
//! Implemented here instead of with a crate. All it needs is one address from at most 536 bytes, and it must not take a
//! byte that follows the header. The caller limits the time.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use tokio::io::{AsyncRead, AsyncReadExt};

/// First bytes of version 2.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
/// First bytes of version 1.
const WORD: &[u8] = b"PROXY ";
/// Maximum bytes of a version 1 header, including its line end.
const LINE_BYTES_MAX: usize = 107;
/// Maximum bytes after the first sixteen of version 2: addresses, and what balancers add to them.
const REST_BYTES_MAX: usize = 520;

/// Origin of a connection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Client(SocketAddr),
    /// The balancer itself, or a client whose address it does not know.
    Balancer,
}

/// Reads the header and not a byte more.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Source> {
    let mut start = [0; SIGNATURE.len()];
    stream.read_exact(&mut start).await?;
    if start == SIGNATURE {
        return read_binary(stream).await;
    }
    if !start.starts_with(WORD) {
        return Err(malformed());
    }
    let mut line = start.to_vec();
    while !line.ends_with(b"\r\n") {
        if line.len() == LINE_BYTES_MAX {
            return Err(malformed());
        }
        line.push(stream.read_u8().await?);
    }
    parse_line(&line[WORD.len()..line.len() - 2]).ok_or_else(malformed)
}

/// Parses what follows `PROXY `, without the line end.
fn parse_line(line: &[u8]) -> Option<Source> {
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let family = words.next()?;
    if family == "UNKNOWN" {
        return Some(Source::Balancer);
    }
    let (source, destination): (IpAddr, IpAddr) =
        (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let source_port: u16 = words.next()?.parse().ok()?;
    let _destination_port: u16 = words.next()?.parse().ok()?;
    let is_version_4 = match family {
        "TCP4" => true,
        "TCP6" => false,
        _ => return None,
    };
    let agree = source.is_ipv4() == is_version_4 && destination.is_ipv4() == is_version_4;
    (agree && words.next().is_none()).then(|| Source::Client(SocketAddr::new(source, source_port)))
}

async fn read_binary(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Source> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).await?;
    let length = usize::from(u16::from_be_bytes([head[2], head[3]]));
    if length > REST_BYTES_MAX {
        return Err(malformed());
    }
    let mut rest = [0; REST_BYTES_MAX];
    stream.read_exact(&mut rest[..length]).await?;
    parse_binary(head[0], head[1], &rest[..length]).ok_or_else(malformed)
}

fn parse_binary(version_and_command: u8, family: u8, rest: &[u8]) -> Option<Source> {
    match version_and_command {
        // LOCAL: the balancer's own health check.
        0x20 => return Some(Source::Balancer),
        0x21 => {}
        _ => return None,
    }
    match family {
        // TCP over IPv4: two addresses, two ports.
        0x11 => {
            let (address, _) = rest.split_first_chunk::<4>()?;
            let port = port_at(rest.get(..12)?, 8);
            Some(Source::Client((Ipv4Addr::from(*address), port).into()))
        }
        // TCP over IPv6.
        0x21 => {
            let (address, _) = rest.split_first_chunk::<16>()?;
            let port = port_at(rest.get(..36)?, 32);
            Some(Source::Client((Ipv6Addr::from(*address), port).into()))
        }
        // Unspecified, datagrams, or local sockets of the balancer: no client address.
        0x00 | 0x12 | 0x22 | 0x31 | 0x32 => Some(Source::Balancer),
        _ => None,
    }
}

fn port_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a PROXY protocol header")
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use proptest::prelude::*;

    use super::*;

    /// Returns what is read from `bytes`, and how many of them are left.
    fn read_from(mut bytes: &[u8]) -> (io::Result<Source>, usize) {
        let found = read(&mut bytes).now_or_never().expect("bytes are there");
        (found, bytes.len())
    }

    fn binary(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
        let length = u16::try_from(rest.len()).unwrap().to_be_bytes();
        [&SIGNATURE[..], &[command, family], &length, rest].concat()
    }

    #[test]
    fn reads_the_source_and_leaves_the_rest() {
        let v4 = [
            &[203, 0, 113, 9, 10, 0, 0, 1, 0x12, 0x34, 0, 80][..],
            &[4, 0, 1, 0],
        ]
        .concat();
        let mut v6 = [0; 36];
        v6[..16].copy_from_slice(&"2001:db8::9".parse::<Ipv6Addr>().unwrap().octets());
        v6[33] = 7;
        for (header, expected) in [
            (
                b"PROXY TCP4 203.0.113.9 10.0.0.1 4660 80\r\n".to_vec(),
                Some("203.0.113.9:4660"),
            ),
            (
                b"PROXY TCP6 2001:db8::9 ::1 7 80\r\n".to_vec(),
                Some("[2001:db8::9]:7"),
            ),
            (b"PROXY UNKNOWN\r\n".to_vec(), None),
            (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".to_vec(), None),
            (binary(0x21, 0x11, &v4), Some("203.0.113.9:4660")),
            (binary(0x21, 0x21, &v6), Some("[2001:db8::9]:7")),
            (binary(0x20, 0x00, &[]), None),
            (binary(0x20, 0x11, &v4), None),
            (binary(0x21, 0x00, &[]), None),
        ] {
            let bytes = [&header[..], b"GET /"].concat();
            let (found, left) = read_from(&bytes);
            let client = |text: &str| Source::Client(text.parse().unwrap());
            let expected = expected.map_or(Source::Balancer, client);
            assert_eq!(found.unwrap(), expected, "{header:?}");
            assert_eq!(left, 5, "{header:?}");
        }
    }

    #[test]
    fn refuses_malformed_headers() {
        let long = format!("PROXY UNKNOWN {}\r\n", "x".repeat(100));
        for bytes in [
            &b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"[..],
            b"PROXY TCP4 203.0.113.9 10.0.0.1 4660\r\n",
            b"PROXY TCP4 203.0.113.9 10.0.0.1 4660 80 more\r\n",
            b"PROXY TCP4 2001:db8::9 ::1 7 80\r\n",
            b"PROXY TCP6 203.0.113.9 10.0.0.1 1 2\r\n",
            b"PROXY TCP4 203.0.113.9 10.0.0.1 70000 80\r\n",
            b"PROXY UDP4 203.0.113.9 10.0.0.1 1 2\r\n",
            b"proxy TCP4 203.0.113.9 10.0.0.1 1 2\r\n",
            long.as_bytes(),
            &binary(0x11, 0x11, &[0; 12]),
            &binary(0x22, 0x11, &[0; 12]),
            &binary(0x21, 0x11, &[0; 11]),
            &binary(0x21, 0x21, &[0; 35]),
            &binary(0x21, 0x44, &[0; 36]),
            &binary(0x20, 0x00, &[0; 521]),
        ] {
            let (found, _) = read_from(bytes);
            let text = String::from_utf8_lossy(bytes).into_owned();
            assert!(found.is_err(), "{text}: {found:?}");
        }
    }

    fn after_a_real_start() -> impl Strategy<Value = Vec<u8>> {
        let starts = prop_oneof![
            Just(SIGNATURE.to_vec()),
            Just([&SIGNATURE[..], &[0x21, 0x11, 0, 12]].concat()),
            Just(b"PROXY TCP4 ".to_vec()),
            Just(Vec::new()),
        ];
        let rest = proptest::collection::vec(any::<u8>(), 0..700);
        (starts, rest).prop_map(|(start, rest)| [start, rest].concat())
    }

    proptest! {
        #[test]
        fn never_panics_on_arbitrary_bytes(bytes in after_a_real_start()) {
            let (found, left) = read_from(&bytes);
            // Nothing beyond the longest header is read, regardless of the length it declares.
            prop_assert!(bytes.len() - left <= SIGNATURE.len() + 4 + REST_BYTES_MAX);
            if let Ok(Source::Client(address)) = found {
                prop_assert!(bytes.starts_with(&SIGNATURE) || bytes.starts_with(WORD), "{address}");
            }
        }

        #[test]
        fn reads_formatted_lines(address: Ipv4Addr, port: u16, follows: Vec<u8>) {
            let line = format!("PROXY TCP4 {address} 10.0.0.1 {port} 443\r\n");
            let bytes = [line.as_bytes(), &follows].concat();
            let (found, left) = read_from(&bytes);
            prop_assert_eq!(found.unwrap(), Source::Client(SocketAddr::from((address, port))));
            prop_assert_eq!(left, follows.len());
        }
    }
}
