//! The same bytes in the codings a browser may ask for, with their entity tags made in advance.

use std::io::Write as _;

use axum::http::{HeaderMap, HeaderValue, header};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

/// How hard to compress; in entity tags a suffix distinguishes the two results.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// About a millisecond for a document: somebody waits for it.
    Quick,
    /// Some 50 ms for a document: done in the background for what is sent again and again.
    Best,
}

/// One coding of a body.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) bytes: Bytes,
    pub(crate) etag: HeaderValue,
    pub(crate) coding: Option<HeaderValue>,
}

/// Identity, gzip and brotli of one body. A coding that does not make it smaller is left out.
#[derive(Debug)]
pub(crate) struct Variants {
    hash: String,
    identity: Variant,
    gzip: Option<Variant>,
    brotli: Option<Variant>,
}

impl Variants {
    /// From bytes that a build compressed already.
    pub(crate) fn with_siblings(bytes: Bytes, gzip: Option<Bytes>, brotli: Option<Bytes>) -> Self {
        Self::assemble(bytes, gzip.map(|b| (b, "gz")), brotli.map(|b| (b, "br")))
    }

    /// Compresses `bytes`. Blocks for as long as [`Effort`] says: call it off the event loop.
    pub(crate) fn compressed(bytes: Bytes, effort: Effort) -> Self {
        let (gzip, brotli) = (gzip(&bytes, effort), brotli(&bytes, effort));
        let (gzip_suffix, brotli_suffix) = match effort {
            Effort::Quick => ("gzq", "brq"),
            Effort::Best => ("gz", "br"),
        };
        Self::assemble(
            bytes,
            gzip.map(|b| (b, gzip_suffix)),
            brotli.map(|b| (b, brotli_suffix)),
        )
    }

    fn assemble(bytes: Bytes, gzip: Option<(Bytes, &str)>, brotli: Option<(Bytes, &str)>) -> Self {
        let hash = format!("{:016x}", xxh3_64(&bytes));
        let size = bytes.len();
        let variant = |coding: &'static str, (bytes, suffix): (Bytes, &str)| Variant {
            bytes,
            etag: tag(&format!("\"{hash}-{suffix}\"")),
            coding: Some(HeaderValue::from_static(coding)),
        };
        let smaller = |found: &(Bytes, &str)| found.0.len() < size;
        let gzip = gzip.filter(smaller).map(|found| variant("gzip", found));
        let brotli = brotli.filter(smaller).map(|found| variant("br", found));
        let identity = Variant {
            bytes,
            etag: tag(&format!("\"{hash}\"")),
            coding: None,
        };
        Self {
            hash,
            identity,
            gzip,
            brotli,
        }
    }

    /// Bytes held in memory over all codings.
    pub(crate) fn size(&self) -> usize {
        let coded = |variant: &Option<Variant>| variant.as_ref().map_or(0, |v| v.bytes.len());
        self.identity.bytes.len() + coded(&self.gzip) + coded(&self.brotli)
    }

    pub(crate) fn plain(&self) -> &Bytes {
        &self.identity.bytes
    }

    /// The smallest coding that the request accepts.
    pub(crate) fn select(&self, headers: &HeaderMap) -> &Variant {
        let accepted = headers
            .get(header::ACCEPT_ENCODING)
            .map_or(&b""[..], HeaderValue::as_bytes);
        if let Some(brotli) = &self.brotli
            && accepts(accepted, b"br")
        {
            return brotli;
        }
        if let Some(gzip) = &self.gzip
            && accepts(accepted, b"gzip")
        {
            return gzip;
        }
        &self.identity
    }

    /// True when the browser's cached copy is current (If-None-Match). The codings of one body are one representation here,
    /// so the tag of any of them matches.
    pub(crate) fn is_known(&self, headers: &HeaderMap) -> bool {
        headers.get_all(header::IF_NONE_MATCH).iter().any(|value| {
            value
                .as_bytes()
                .split(|byte| *byte == b',')
                .any(|candidate| {
                    let candidate = candidate.trim_ascii();
                    if candidate == b"*" {
                        return true;
                    }
                    let candidate = candidate.strip_prefix(b"W/").unwrap_or(candidate);
                    let Some(opaque) = candidate
                        .strip_prefix(b"\"")
                        .and_then(|rest| rest.strip_suffix(b"\""))
                    else {
                        return false;
                    };
                    opaque.split(|byte| *byte == b'-').next() == Some(self.hash.as_bytes())
                })
        })
    }
}

fn tag(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// RFC 9110 section 12.5.3 for one coding; `*` is not taken as a wish for it.
fn accepts(accepted: &[u8], coding: &[u8]) -> bool {
    accepted.split(|byte| *byte == b',').any(|element| {
        let mut parts = element.split(|byte| *byte == b';');
        let name = parts.next().unwrap_or_default().trim_ascii();
        name.eq_ignore_ascii_case(coding)
            && !parts.any(|parameter| is_zero_quality(parameter.trim_ascii()))
    })
}

fn is_zero_quality(parameter: &[u8]) -> bool {
    let value = parameter
        .strip_prefix(b"q=")
        .or_else(|| parameter.strip_prefix(b"Q="));
    value.is_some_and(|value| {
        value.first() == Some(&b'0') && value.iter().skip(1).all(|b| matches!(b, b'.' | b'0'))
    })
}

fn gzip(bytes: &[u8], effort: Effort) -> Option<Bytes> {
    let level = match effort {
        Effort::Quick => flate2::Compression::new(6),
        Effort::Best => flate2::Compression::best(),
    };
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

fn brotli(bytes: &[u8], effort: Effort) -> Option<Bytes> {
    let params = BrotliEncoderParams {
        quality: match effort {
            Effort::Quick => 5,
            Effort::Best => 11,
        },
        lgwin: 20,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut output = Vec::with_capacity(bytes.len() / 3);
    brotli::BrotliCompress(&mut &bytes[..], &mut output, &params).ok()?;
    Some(Bytes::from(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn picks_the_smallest_accepted_coding() {
        let variants = Variants::compressed(Bytes::from("a".repeat(2000)), Effort::Quick);
        let coding = |accept| {
            let chosen = variants.select(&headers(header::ACCEPT_ENCODING, accept));
            chosen
                .coding
                .as_ref()
                .map(|value| value.to_str().expect("ascii").to_owned())
        };
        assert_eq!(coding("gzip, deflate, br").as_deref(), Some("br"));
        assert_eq!(coding("br;q=0, gzip").as_deref(), Some("gzip"));
        assert_eq!(coding("BR; q=0.5").as_deref(), Some("br"));
        assert_eq!(coding("br;q=0.000"), None);
        assert_eq!(coding("identity"), None);
    }

    #[test]
    fn a_tag_of_any_coding_is_known() {
        let variants = Variants::with_siblings(Bytes::from_static(b"x"), None, None);
        let tag = format!("W/\"old\", \"{}-brq\"", variants.hash);
        let known = HeaderMap::from_iter([(
            header::IF_NONE_MATCH,
            HeaderValue::from_str(&tag).expect("ascii"),
        )]);
        assert!(variants.is_known(&known));
        assert!(!variants.is_known(&headers(header::IF_NONE_MATCH, "\"old\"")));
        assert!(!variants.is_known(&HeaderMap::new()));
    }
}
