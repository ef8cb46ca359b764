//! The same bytes in the codings that a request may ask for, with their entity tags made in advance.

use axum::http::{HeaderMap, HeaderValue};
use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_128;

use super::{
    coding::Accepted,
    compression::{self, Effort},
};
use crate::request::etag::{self, Suffix};

const GZIP: HeaderValue = HeaderValue::from_static("gzip");
const BROTLI: HeaderValue = HeaderValue::from_static("br");

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
    /// What the tags of all codings have in common.
    version: Box<str>,
    identity: Variant,
    gzip: Option<Variant>,
    brotli: Option<Variant>,
}

impl Variants {
    /// From bytes that a build compressed already.
    pub(crate) fn with_siblings(bytes: Bytes, gzip: Option<Bytes>, brotli: Option<Bytes>) -> Self {
        let suffixes = (Suffix::Gzip, Suffix::Brotli);
        Self::assemble(bytes, None, (gzip, brotli), suffixes)
    }

    /// Compresses `bytes`, which are known by their `version` or else by their hash. May block for as long as [`Effort`] says.
    pub(crate) fn compressed(bytes: Bytes, version: Option<&str>, effort: Effort) -> Self {
        let coded = (
            compression::gzip(&bytes, effort),
            compression::brotli(&bytes, effort),
        );
        let suffixes = if effort == Effort::Best {
            (Suffix::GzipBest, Suffix::BrotliBest)
        } else {
            (Suffix::Gzip, Suffix::Brotli)
        };
        Self::assemble(bytes, version, coded, suffixes)
    }

    /// Of a body that is sent as it is.
    pub(crate) fn plain_only(bytes: Bytes, version: Option<&str>) -> Self {
        Self::assemble(bytes, version, (None, None), (Suffix::Gzip, Suffix::Brotli))
    }

    fn assemble(
        bytes: Bytes,
        version: Option<&str>,
        (gzip, brotli): (Option<Bytes>, Option<Bytes>),
        (gzip_suffix, brotli_suffix): (Suffix, Suffix),
    ) -> Self {
        let version = version.filter(|version| etag::is_version(version));
        let version = version.map_or_else(|| format!("{:032x}", xxh3_128(&bytes)), str::to_owned);
        let variant = |bytes: Bytes, suffix, coding| Variant {
            bytes,
            // Versions and digits are valid values.
            etag: etag::tag(&version, suffix).unwrap_or(HeaderValue::from_static("\"\"")),
            coding,
        };
        let size = bytes.len();
        let smaller = |found: &Bytes| found.len() < size;
        Self {
            gzip: gzip
                .filter(smaller)
                .map(|bytes| variant(bytes, gzip_suffix, Some(GZIP))),
            brotli: brotli
                .filter(smaller)
                .map(|bytes| variant(bytes, brotli_suffix, Some(BROTLI))),
            identity: variant(bytes, Suffix::None, None),
            version: version.into(),
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

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The coding that the request wants; of those it wants alike, the smallest.
    pub(crate) fn select(&self, request: &HeaderMap) -> &Variant {
        if self.gzip.is_none() && self.brotli.is_none() {
            return &self.identity;
        }
        let accepted = Accepted::of(request);
        let first = self.brotli.as_ref().filter(|_| accepted.brotli());
        first
            .or_else(|| self.gzip.as_ref().filter(|_| accepted.gzip()))
            .or_else(|| self.brotli.as_ref().filter(|_| accepted.brotli_at_all()))
            .unwrap_or(&self.identity)
    }

    /// True when the client's copy is current (`If-None-Match`).
    pub(crate) fn is_known(&self, request: &HeaderMap) -> bool {
        etag::is_known(request, &self.version)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};

    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn what_is_not_there_is_not_chosen() {
        let body = Bytes::from_static(b"0123456789");
        let gzip = Some(Bytes::from_static(b"01234"));
        let variants = Variants::with_siblings(body.clone(), gzip, None);
        let coding = |accept| variants.select(&accepting(accept)).coding.clone();
        assert_eq!(coding("br, gzip;q=0.5"), Some(GZIP));
        assert_eq!(coding("br"), None);
        let brotli = Some(Bytes::from_static(b"0123"));
        let larger = Some(Bytes::from_static(b"01234567890"));
        let variants = Variants::with_siblings(body, larger, brotli);
        let coding = |accept| variants.select(&accepting(accept)).coding.clone();
        assert_eq!(coding("gzip, br;q=0.5"), Some(BROTLI), "gzip is no smaller");
        assert_eq!(coding("gzip"), None);
    }

    #[test]
    fn each_effort_and_coding_has_a_tag_of_its_own_and_any_of_them_is_known() {
        let body = Bytes::from("a".repeat(2000));
        let variants = [Effort::Quick, Effort::Best]
            .map(|effort| Variants::compressed(body.clone(), Some("v7"), effort));
        let mut tags: Vec<HeaderValue> = Vec::new();
        for variants in &variants {
            for accept in ["", "gzip", "br"] {
                tags.push(variants.select(&accepting(accept)).etag.clone());
            }
        }
        for tag in &tags {
            let request = HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())]);
            assert!(variants.iter().all(|variants| variants.is_known(&request)));
        }
        tags.sort_by(|one, other| one.as_bytes().cmp(other.as_bytes()));
        tags.dedup();
        assert_eq!(tags.len(), 5, "identity is the same in both: {tags:?}");
    }
}
