//! Entries of proxies, parsed from the right and as bytes. What a client wrote is to the left of them. Nothing that it
//! wrote affects them, not even a quote without an end.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, header::FORWARDED};

const X_FORWARDED_FOR: &str = "x-forwarded-for";
const X_FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Returns the addresses of the entries of `X-Forwarded-For`, from right to left; `None` for an entry without an
/// address.
pub(super) fn x_forwarded_for(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    entries(headers, X_FORWARDED_FOR).map(node)
}

/// Returns the addresses of the elements of `Forwarded`, in the same way.
pub(super) fn forwarded(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    elements(headers).map(|element| node(parameter(element, "for")?.as_bytes()))
}

/// Whether the last entry of `X-Forwarded-Proto` is https.
pub(super) fn is_x_forwarded_https(headers: &HeaderMap) -> bool {
    let last = entries(headers, X_FORWARDED_PROTO).next();
    last.is_some_and(|last| last.trim_ascii().eq_ignore_ascii_case(b"https"))
}

/// Whether the last element of `Forwarded` has `proto=https`.
pub(super) fn is_forwarded_https(headers: &HeaderMap) -> bool {
    let protocol = elements(headers)
        .next()
        .and_then(|last| parameter(last, "proto"));
    protocol.is_some_and(|protocol| protocol.eq_ignore_ascii_case("https"))
}

/// Returns the entries of a list, from right to left.
fn entries<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    let lines = headers.get_all(name).iter().rev();
    lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','))
}

/// Returns the elements of `Forwarded`, from right to left.
fn elements(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let lines = headers.get_all(FORWARDED).iter().rev();
    lines.flat_map(|line| Elements(Some(line.as_bytes())))
}

/// The elements of a `Forwarded` line from right to left, split at commas outside quotes. Quotes are counted from the
/// right, where the elements of our proxies are.
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

/// Returns the value of the parameter `wanted` without quotes, from an element such as
/// `for="[2001:db8::1]:4711";proto=https`. Returns `None` unless the parameter occurs exactly once.
fn parameter<'a>(element: &'a [u8], wanted: &str) -> Option<&'a str> {
    let text = str::from_utf8(element).ok()?;
    let mut values = text.split(';').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(wanted).then_some(value)
    });
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    Some(quoted.unwrap_or(value))
}

/// Parses an address with or without brackets and port, as proxies write it.
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

/// Whether a port is digits, or a name that hides them (RFC 7239, section 6).
fn is_port(text: &str) -> bool {
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let hidden = text.strip_prefix('_').filter(|name| !name.is_empty());
    is_number
        || hidden.is_some_and(|name| {
            name.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        })
}
