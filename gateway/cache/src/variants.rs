//! One body in the codings that a request may accept, with their entity tags.

use std::sync::OnceLock;

use axum::http::{HeaderMap, HeaderValue};
use bytes::Bytes;
use gateway_http::request::etag::{self, Suffix};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    coding::Accepted,
    compression::{self, Effort},
};

const GZIP: HeaderValue = HeaderValue::from_static("gzip");
const BROTLI: HeaderValue = HeaderValue::from_static("br");

/// One coding of a body.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Body in this coding.
    pub bytes: Bytes,
    /// Strong entity tag of these bytes.
    pub etag: HeaderValue,
    /// `Content-Encoding`; `None` for identity.
    pub coding: Option<HeaderValue>,
}

impl Variant {
    /// `version` must be valid in an entity tag.
    fn new(bytes: Bytes, version: &str, suffix: Suffix, coding: Option<HeaderValue>) -> Self {
        Self {
            bytes,
            // Versions and digits are valid header values.
            etag: etag::tag(version, suffix).unwrap_or(HeaderValue::from_static("\"\"")),
            coding,
        }
    }
}

/// Identity, gzip and brotli variants of one body. A coding that does not make it smaller is omitted.
#[derive(Debug)]
pub struct Variants {
    /// Common part of the tags of all codings.
    version: Box<str>,
    identity: Variant,
    gzip: OnceLock<Option<Variant>>,
    brotli: OnceLock<Option<Variant>>,
}

/// A deferred coding is kept only if it is at most the body's size divided by this. Both codings together are then no
/// larger than the body. JSON shrinks to a tenth.
const DEFERRED_SAVING_MIN: usize = 2;

impl Variants {
    /// Builds variants from siblings compressed at build time.
    pub fn with_siblings(bytes: Bytes, gzip: Option<Bytes>, brotli: Option<Bytes>) -> Self {
        let suffixes = (Suffix::Gzip, Suffix::Brotli);
        Self::assemble(bytes, None, (gzip, brotli), suffixes)
    }

    /// Compresses `bytes`. Tags use `version`, or else a hash of the body. May block for as long as [`Effort`] states.
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

    /// Builds only the identity variant.
    pub(crate) fn plain_only(bytes: Bytes, version: Option<&str>) -> Self {
        Self::assemble(bytes, version, (None, None), (Suffix::Gzip, Suffix::Brotli))
    }

    /// Compresses `bytes` fast, each coding when it is first requested. Most short-lived answers are requested in one
    /// coding, and many in none. Only for bodies whose compression is [`Effort::is_on_the_spot`].
    pub(crate) fn deferred(bytes: Bytes, version: Option<&str>) -> Self {
        let is_worth_it = bytes.len() >= compression::BYTES_MIN;
        let new = Self::plain_only(bytes, version);
        if !is_worth_it {
            return new;
        }
        Self {
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
            ..new
        }
    }

    fn assemble(
        bytes: Bytes,
        version: Option<&str>,
        (gzip, brotli): (Option<Bytes>, Option<Bytes>),
        (gzip_suffix, brotli_suffix): (Suffix, Suffix),
    ) -> Self {
        let version = version.filter(|version| etag::is_version(version));
        let version = version.map_or_else(|| format!("{:032x}", xxh3_128(&bytes)), str::to_owned);
        let size = bytes.len();
        let coded = |coded: Option<Bytes>, suffix, coding| {
            let smaller = coded.filter(|coded| coded.len() < size);
            smaller.map(|bytes| Variant::new(bytes, &version, suffix, Some(coding)))
        };
        Self {
            gzip: coded(gzip, gzip_suffix, GZIP).into(),
            brotli: coded(brotli, brotli_suffix, BROTLI).into(),
            identity: Variant::new(bytes, &version, Suffix::None, None),
            version: version.into(),
        }
    }

    fn gzip(&self) -> Option<&Variant> {
        made(&self.gzip, || {
            self.code(compression::gzip, Suffix::Gzip, GZIP)
        })
    }

    fn brotli(&self) -> Option<&Variant> {
        made(&self.brotli, || {
            self.code(compression::brotli, Suffix::Brotli, BROTLI)
        })
    }

    fn code(
        &self,
        compress: impl FnOnce(&[u8], Effort) -> Option<Bytes>,
        suffix: Suffix,
        coding: HeaderValue,
    ) -> Option<Variant> {
        let plain = self.plain();
        let coded = compress(plain, Effort::Fast);
        let worth = coded.filter(|coded| coded.len() <= plain.len() / DEFERRED_SAVING_MIN);
        worth.map(|bytes| Variant::new(bytes, &self.version, suffix, Some(coding)))
    }

    /// Returns the maximum bytes held over all codings, including those not yet made.
    pub fn size(&self) -> usize {
        let plain = self.identity.bytes.len();
        let coded = |variant: &OnceLock<Option<Variant>>| match variant.get() {
            None => plain / DEFERRED_SAVING_MIN,
            Some(made) => made.as_ref().map_or(0, |made| made.bytes.len()),
        };
        plain + coded(&self.gzip) + coded(&self.brotli)
    }

    /// Returns the body without a coding.
    pub fn plain(&self) -> &Bytes {
        &self.identity.bytes
    }

    /// Returns the common part of the tags of all codings.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns the variant that the request prefers; the smallest of equally preferred ones.
    pub fn select(&self, request: &HeaderMap) -> &Variant {
        let is_left_out = |variant: &OnceLock<Option<Variant>>| matches!(variant.get(), Some(None));
        if is_left_out(&self.gzip) && is_left_out(&self.brotli) {
            return &self.identity;
        }
        let accepted = Accepted::of(request);
        let chosen = accepted.brotli().then(|| self.brotli()).flatten();
        chosen
            .or_else(|| accepted.gzip().then(|| self.gzip()).flatten())
            .or_else(|| accepted.brotli_at_all().then(|| self.brotli()).flatten())
            .unwrap_or(&self.identity)
    }

    /// Whether the client's copy is current (`If-None-Match`).
    pub fn is_known(&self, request: &HeaderMap) -> bool {
        etag::is_known(request, &self.version)
    }
}

/// Returns the existing variant, or makes it. Concurrent callers may all make it, and one result is kept. Waiting for
/// another thread would hold up every request on this one.
fn made(
    variant: &OnceLock<Option<Variant>>,
    make: impl FnOnce() -> Option<Variant>,
) -> Option<&Variant> {
    if let Some(made) = variant.get() {
        return made.as_ref();
    }
    let new = make();
    variant.get_or_init(|| new).as_ref()
}

#[cfg(test)]
mod tests {
    use axum::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};

    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn chooses_only_available_codings() {
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
    fn makes_a_deferred_coding_on_demand_within_the_stated_size() {
        let body = Bytes::from("availability ".repeat(200));
        let variants = Variants::deferred(body.clone(), None);
        let stated = variants.size();
        assert_eq!(variants.select(&accepting("")).bytes, body);
        assert!(variants.gzip.get().is_none() && variants.brotli.get().is_none());
        let brotli = variants.select(&accepting("gzip, br")).clone();
        assert_eq!(brotli.coding, Some(BROTLI));
        assert!(variants.gzip.get().is_none(), "nobody has asked for it");
        let gzip = variants.select(&accepting("gzip")).clone();
        assert_eq!(gzip.coding, Some(GZIP));
        assert_ne!(gzip.etag, brotli.etag);
        assert!(variants.size() <= stated, "{} {stated}", variants.size());
        let again = variants.select(&accepting("gzip"));
        assert_eq!(again.bytes.as_ptr(), gzip.bytes.as_ptr(), "made once");
    }

    #[test]
    fn sends_small_or_incompressible_bodies_plain() {
        let small = Variants::deferred(Bytes::from("a".repeat(1000)), None);
        assert_eq!(small.size(), 1000, "nothing is held in reserve");
        assert_eq!(small.select(&accepting("gzip, br")).coding, None);
        let noise: Vec<u8> = (0..4096_u64)
            .flat_map(|n| xxh3_128(&n.to_le_bytes()).to_le_bytes())
            .collect();
        let dense = Variants::deferred(noise.into(), None);
        assert_eq!(dense.select(&accepting("gzip, br")).coding, None);
    }

    #[test]
    fn tags_each_effort_and_coding_and_recognises_them_all() {
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
