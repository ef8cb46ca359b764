//! Published files, served from memory. The registry finds files by exact path, so path traversal is impossible there.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use gateway_cache::variants::Variants;

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Files at the site's root keep their names when they change.
const ROOT: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Policy of scripts at the site's root. A service worker there runs under the policy of its own response and fetches
/// pages of this site.
const ROOT_SCRIPT_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// A file with all data of its response.
#[derive(Debug)]
pub(crate) struct StaticFile {
    variants: Variants,
    content_type: HeaderValue,
}

impl StaticFile {
    pub(crate) fn new(
        name: &str,
        bytes: Bytes,
        gzip: Option<Bytes>,
        brotli: Option<Bytes>,
    ) -> Self {
        Self {
            variants: Variants::with_siblings(bytes, gzip, brotli),
            content_type: HeaderValue::from_static(content_type(name)),
        }
    }

    /// Returns the file's text; `None` when it is not UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.variants.plain()).ok()
    }

    /// Returns the bytes held in memory.
    pub(crate) fn size(&self) -> usize {
        self.variants.size()
    }

    /// Answers GET and HEAD. `is_root` marks a file at the site's root, which is not immutable.
    pub(crate) fn respond(&self, request: &HeaderMap, is_root: bool) -> Response<Body> {
        let chosen = self.variants.select(request);
        let is_known = self.variants.is_known(request);
        let body = if is_known {
            Body::empty()
        } else {
            Body::from(chosen.bytes.clone())
        };
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        // Reserves room for these headers and for those added by outer layers.
        headers.reserve(16);
        headers.insert(header::ETAG, chosen.etag.clone());
        headers.insert(
            header::CACHE_CONTROL,
            if is_root { ROOT } else { IMMUTABLE },
        );
        headers.insert(header::VARY, ACCEPT_ENCODING);
        if is_root && self.content_type == JAVASCRIPT {
            headers.insert(header::CONTENT_SECURITY_POLICY, ROOT_SCRIPT_POLICY);
        }
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        if let Some(coding) = &chosen.coding {
            headers.insert(header::CONTENT_ENCODING, coding.clone());
        }
        response
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" | "mjs" => JAVASCRIPT,
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "html" => "text/html; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
