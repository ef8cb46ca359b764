//! The entries of proxies, read from the right and as bytes: what a client wrote stands left of them, and whatever it wrote, a quote
//! that never ends included, moves none of them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header::FORWARDED};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address in the `hops`-th entry from the right of `X-Forwarded-For`, or in the nearest one right of it that has one.
pub(super) fn x_forwarded_for(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    let lines = headers.get_all(X_FORWARDED_FOR);
    let lines = lines.iter().rev().map(HeaderValue::as_bytes);
    let entries = lines.flat_map(|line| line.rsplit(|byte| *byte == b','));
    nearest(entries.map(node), hops)
}

/// The same of `Forwarded`.
pub(super) fn forwarded(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    let lines = headers.get_all(FORWARDED);
    let lines = lines.iter().rev().map(HeaderValue::as_bytes);
    nearest(
        lines.flat_map(|line| Elements(Some(line))).map(element),
        hops,
    )
}

/// Of the first `hops` entries, the last that is an address. `None`: there are not so many entries, or none is one.
fn nearest(entries: impl Iterator<Item = Option<IpAddr>>, hops: usize) -> Option<IpAddr> {
    let (mut seen, mut found) = (0, None);
    for entry in entries.take(hops) {
        seen += 1;
        found = entry.or(found);
    }
    found.filter(|_| seen == hops)
}

/// The elements of a `Forwarded` line from right to left, split at commas outside quotes. Quotes are counted from the right, where
/// the elements are that our proxies wrote.
struct Elements<'a>(Option<&'a [u8]>);

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.0?;
        let mut is_quoted = false;
        let comma = line.iter().rposition(|byte| {
            is_quoted ^= *byte == b'"';
            *byte == b',' && !is_quoted
        });
        let Some(comma) = comma else {
            return self.0.take();
        };
        self.0 = Some(&line[..comma]);
        Some(&line[comma + 1..])
    }
}

/// The address of the one `for` of an element such as `for="[2001:db8::1]:4711";proto=https`.
fn element(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?;
    let mut nodes = text.split(';').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then_some(value)
    });
    let (Some(value), None) = (nodes.next(), nodes.next()) else {
        return None;
    };
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    node(quoted.unwrap_or(value).as_bytes())
}

/// An address with or without brackets and port, as proxies write it.
fn node(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?.trim();
    if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let address = address.parse::<Ipv6Addr>().ok()?;
        let is_whole = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return is_whole.then_some(address.into());
    }
    text.parse().ok().or_else(|| {
        let (address, port) = text.split_once(':')?;
        let address = address.parse::<Ipv4Addr>().ok()?;
        is_port(port).then_some(address.into())
    })
}

/// Digits, or a name that hides them (RFC 7239, section 6).
fn is_port(text: &str) -> bool {
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let hidden = text.strip_prefix('_').filter(|name| !name.is_empty());
    is_number
        || hidden.is_some_and(|name| {
            name.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        })
}
