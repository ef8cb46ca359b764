//! Versions of resources (AIP-154) as HTTP has them: `ETag` on the way out, `If-Match` on the way in.

use axum::http::HeaderValue;

/// Two codings of one body need two strong tags (RFC 9110, 8.8.3.3); what the gateway adds to a tag it takes away again.
const GZIP: &str = "-gzip";
const ENTITY_TAG: &str = "one entity tag in double quotes, or *";

/// The tags of a version: of the plain body and of the compressed one. `None` if the version cannot stand in a header.
pub(crate) fn tags(version: &str) -> Option<(HeaderValue, HeaderValue)> {
    let is_opaque = version.bytes().all(is_tag_character);
    if !is_opaque || version.is_empty() || version.ends_with(GZIP) {
        return None;
    }
    let plain = HeaderValue::try_from(format!("\"{version}\"")).ok()?;
    let gzip = HeaderValue::try_from(format!("\"{version}{GZIP}\"")).ok()?;
    Some((plain, gzip))
}

/// The version that a change must find, empty for any. The error says what was expected.
///
/// A weak tag is refused: it does not say that nothing has changed (RFC 9110, 13.1.1). So is a list, because a request
/// message has room for one version.
pub(crate) fn from_if_match(condition: &HeaderValue) -> Result<String, &'static str> {
    let text = condition.to_str().map_err(|_| ENTITY_TAG)?.trim();
    if text == "*" {
        return Ok(String::new());
    }
    let tag = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .ok_or(ENTITY_TAG)?;
    if tag.is_empty() || !tag.bytes().all(is_tag_character) {
        return Err(ENTITY_TAG);
    }
    Ok(tag.strip_suffix(GZIP).unwrap_or(tag).to_owned())
}

/// `etagc` of RFC 9110 without the bytes beyond ASCII.
fn is_tag_character(byte: u8) -> bool {
    byte == 0x21 || (0x23..=0x7e).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(condition: &'static str) -> Result<String, &'static str> {
        from_if_match(&HeaderValue::from_static(condition))
    }

    #[test]
    fn a_tag_that_was_sent_comes_back_as_its_version() {
        let (plain, gzip) = tags("v1").unwrap();
        assert_eq!(plain, "\"v1\"");
        assert_ne!(plain, gzip);
        for tag in [plain, gzip] {
            assert_eq!(from_if_match(&tag).as_deref(), Ok("v1"));
        }
        assert_eq!(version("*").as_deref(), Ok(""));
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for condition in [
            "",
            "v1",
            "\"v1",
            "\"\"",
            "W/\"v1\"",
            "\"v1\", \"v2\"",
            "\"a b\"",
        ] {
            assert!(version(condition).is_err(), "{condition}");
        }
        for version in ["", "a\"b", "a b", "é", "v1-gzip"] {
            assert!(tags(version).is_none(), "{version}");
        }
    }
}
