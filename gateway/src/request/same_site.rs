//! Whether a request that changes something comes from a page of ours.

use axum::http::{HeaderMap, Uri, header::HOST};

const SEC_FETCH_SITE: &str = "sec-fetch-site";
const ORIGIN: &str = "origin";

/// Whether a browser says that the request comes from the same site, or no browser says anything.
///
/// `Sec-Fetch-Site` cannot be set by a page, so it decides where it is sent. Older browsers send `Origin`, which must
/// be the host that was called, or a host above or below it (`API_HOST` is one). A program that is no browser sends
/// neither and carries no visitor's rights that could be abused.
///
/// `authority` is that of the request line (HTTP/2), where there is no `Host` header.
pub fn allowed(headers: &HeaderMap, authority: Option<&str>) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return matches!(site.as_bytes(), b"same-origin" | b"same-site" | b"none");
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin: Option<Uri> = origin.to_str().ok().and_then(|text| text.parse().ok());
    let origin = origin.as_ref().and_then(Uri::authority);
    match (origin, host.or(authority)) {
        (Some(origin), Some(host)) => related(origin.as_str(), host),
        _ => false,
    }
}

fn related(origin: &str, host: &str) -> bool {
    let (origin, host) = (origin.to_ascii_lowercase(), host.to_ascii_lowercase());
    let below = |child: &str, parent: &str| {
        // A parent without a dot is a top-level domain, which is no site.
        parent.contains('.')
            && child
                .strip_suffix(parent)
                .is_some_and(|rest| rest.ends_with('.'))
    };
    origin == host || below(&origin, &host) || below(&host, &origin)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn check(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers
            .iter()
            .map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v)))
            .collect();
        allowed(&headers, None)
    }

    #[test]
    fn the_browsers_word_decides() {
        assert!(check(&[(SEC_FETCH_SITE, "same-origin")]));
        assert!(!check(&[(SEC_FETCH_SITE, "cross-site")]));
        assert!(!check(&[
            (SEC_FETCH_SITE, "cross-site"),
            (ORIGIN, "http://a.example"),
            ("host", "a.example"),
        ]));
    }

    #[test]
    fn without_it_the_origin_must_be_of_this_site() {
        let from = |origin| check(&[(ORIGIN, origin), ("host", "api.hospital.example:8080")]);
        assert!(from("http://api.hospital.example:8080"));
        assert!(from("http://hospital.example:8080"));
        assert!(!from("http://example:8080"));
        assert!(!from("http://evilhospital.example:8080"));
        assert!(!from("https://evil.example"));
        assert!(!from("null"));
        assert!(check(&[]));
    }
}
