//! Content coding that a request prefers (RFC 9110, 12.5.3): the only place that parses `Accept-Encoding`.

use axum::http::{HeaderMap, header::ACCEPT_ENCODING};

/// Weight of a coding listed without one; weights are thousandths.
const WEIGHT_MAX: u16 = 1000;

/// Weights of the codings for one request, in thousandths; zero means not acceptable.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Accepted {
    brotli: u16,
    gzip: u16,
    /// `None`: not listed, so used only as the last resort.
    identity: Option<u16>,
}

impl Accepted {
    /// Parses every `Accept-Encoding` header of a request. Without the header only identity is accepted, because
    /// clients that can decode send one.
    ///
    /// `*` applies to gzip, which every client decodes, but not to brotli.
    pub(crate) fn of(request: &HeaderMap) -> Self {
        let (mut brotli, mut gzip, mut any) = (None, None, None);
        let mut identity = None;
        let values = request.get_all(ACCEPT_ENCODING).iter();
        for element in values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')) {
            let mut parts = element.split(|byte| *byte == b';');
            let name = parts.next().unwrap_or_default().trim_ascii();
            let place = if name.eq_ignore_ascii_case(b"br") {
                &mut brotli
            } else if name.eq_ignore_ascii_case(b"gzip") || name.eq_ignore_ascii_case(b"x-gzip") {
                &mut gzip
            } else if name.eq_ignore_ascii_case(b"identity") {
                &mut identity
            } else if name == b"*" {
                &mut any
            } else {
                continue;
            };
            *place = Some(parts.find_map(weight).unwrap_or(WEIGHT_MAX));
        }
        Self {
            brotli: brotli.unwrap_or_default(),
            gzip: gzip.or(any).unwrap_or_default(),
            identity: identity.or(any.filter(|weight| *weight == 0)),
        }
    }

    /// Whether brotli is preferred to gzip and identity. Brotli wins a tie because it is the smallest.
    pub(crate) fn brotli(self) -> bool {
        self.brotli > 0 && self.brotli >= self.gzip && self.is_before_identity(self.brotli)
    }

    /// Whether gzip is preferred to identity. Check [`Self::brotli`] first.
    pub(crate) fn gzip(self) -> bool {
        self.gzip > 0 && self.is_before_identity(self.gzip)
    }

    /// Whether brotli may be sent when there is no gzip variant.
    pub(crate) fn brotli_at_all(self) -> bool {
        self.brotli > 0 && self.is_before_identity(self.brotli)
    }

    fn is_before_identity(self, weight: u16) -> bool {
        self.identity.is_none_or(|identity| weight >= identity)
    }
}

/// Parses the weight of a parameter such as `q=0.5`. Returns `None` for other parameters.
fn weight(parameter: &[u8]) -> Option<u16> {
    let parameter = parameter.trim_ascii();
    let value = parameter
        .strip_prefix(b"q=")
        .or_else(|| parameter.strip_prefix(b"Q="))?;
    let (whole, rest) = value.split_first()?;
    let fraction = rest.strip_prefix(b".").unwrap_or_default();
    let digits = [100, 10, 1].into_iter().zip(fraction);
    let fraction = digits.fold(0, |sum, (place, digit)| {
        sum + place * u16::from(digit.saturating_sub(b'0').min(9))
    });
    match whole {
        b'0' => Some(fraction),
        // `1`, or malformed: the coding counts as fully wanted.
        _ => Some(WEIGHT_MAX),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn chosen(values: &[&'static str]) -> &'static str {
        let values = values.iter().map(|value| HeaderValue::from_static(value));
        let mut request = HeaderMap::new();
        for value in values {
            request.append(ACCEPT_ENCODING, value);
        }
        let accepted = Accepted::of(&request);
        match (accepted.brotli(), accepted.gzip()) {
            (true, _) => "br",
            (false, true) => "gzip",
            (false, false) => "",
        }
    }

    #[test]
    fn chooses_the_highest_weight_then_the_smallest_coding() {
        for (values, coding) in [
            (&["gzip, deflate, br, zstd"][..], "br"),
            (&["BR; q=0.5"], "br"),
            (&["gzip;q=1.0, br;q=0.1"], "gzip"),
            (&["gzip", "br"], "br"),
            (&["gzip;q=0.5, identity"], ""),
            (&["gzip;q=0.5, identity;q=0.1"], "gzip"),
            (&["x-gzip"], "gzip"),
            (&["*"], "gzip"),
            (&["*;q=0.3, identity;q=0.4"], ""),
            (&["identity"], ""),
            (&["deflate"], ""),
            (&[""], ""),
            (&[], ""),
        ] {
            assert_eq!(chosen(values), coding, "{values:?}");
        }
    }

    #[test]
    fn weight_of_zero_refuses_in_any_notation() {
        for (values, coding) in [
            (&["br;q=0, gzip"][..], "gzip"),
            (&["br;Q=0, gzip;Q=0"], ""),
            (&["gzip;q=0"], ""),
            (&["gzip; q=0.000"], ""),
            (&["gzip ;q=0., br;q=0"], ""),
            (&["*;q=0"], ""),
            (&["gzip, *;q=0"], "gzip"),
            (&["gzip;q=0, *"], ""),
            (&["gzip;q=0.001"], "gzip"),
        ] {
            assert_eq!(chosen(values), coding, "{values:?}");
        }
    }
}
