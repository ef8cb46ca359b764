//! Validates redirect targets and links: only paths on this site.

use axum::http::HeaderValue;

/// Path of the status page. Page modules cannot use this route.
pub(crate) const STATUS: &str = "/status";
/// Path of the emergency page.
pub(crate) const EMERGENCY: &str = "/emergency";

/// Maximum length in bytes, including query and fragment.
const BYTES_MAX: usize = 2048;

/// Returns `text` as a header value if every browser reads it as an absolute path on this site. `//host` and `/\host`
/// are other sites. Browsers may drop characters other than visible ASCII before parsing.
pub(crate) fn on_this_site(text: &str) -> Option<HeaderValue> {
    let rest = text.strip_prefix('/')?;
    let is_path = !rest.starts_with('/') && !text.contains('\\');
    let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
    (is_path && is_visible && text.len() <= BYTES_MAX)
        .then(|| HeaderValue::try_from(text).ok())
        .flatten()
}

/// Returns the path of a location, without query and fragment.
pub(crate) fn path(location: &str) -> &str {
    location.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_paths_of_this_site() {
        for good in ["/", "/a", "/a/b?c=%20#d", "/#about", "/a//b"] {
            assert!(on_this_site(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "a",
            "//a",
            "/\\a",
            "/a\\b",
            "https://a/",
            "/a b",
            "/\ta",
            "/a\r\nb",
            "/é",
        ] {
            assert!(on_this_site(bad).is_none(), "{bad}");
        }
        assert!(on_this_site(&format!("/{}", "a".repeat(BYTES_MAX))).is_none());
    }
}
