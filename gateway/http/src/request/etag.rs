//! Entity tags carry versions of resources (AIP-154) over HTTP: `ETag` in responses, `If-Match` and `If-None-Match` in
//! requests.

use axum::http::{HeaderMap, HeaderValue, header::IF_NONE_MATCH};

/// Suffixes that the gateway adds to tags and removes again. Two codings of one body need two strong tags (RFC 9110,
/// 8.8.3.3), and so do two results of one coding.
const SUFFIXES: [&str; 4] = ["-gzip", "-br", "-gzip9", "-br11"];
const ENTITY_TAG: &str = "one entity tag in double quotes, or *";

/// Suffix that a coding adds to the tag of the plain body.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Suffix {
    /// The plain body.
    None,
    /// Compressed with gzip.
    Gzip,
    /// Compressed with brotli.
    Brotli,
    /// Compressed with the best effort.
    GzipBest,
    /// Compressed with brotli, with the best effort.
    BrotliBest,
}

impl Suffix {
    fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => SUFFIXES[0],
            Self::Brotli => SUFFIXES[1],
            Self::GzipBest => SUFFIXES[2],
            Self::BrotliBest => SUFFIXES[3],
        }
    }
}

/// Whether a version can be written into a tag and recovered from it.
pub fn is_version(version: &str) -> bool {
    let is_opaque = version.bytes().all(is_tag_character);
    is_opaque && !version.is_empty() && !SUFFIXES.iter().any(|suffix| version.ends_with(suffix))
}

/// Returns the tag of a version in one coding. `None` if the version is not valid in a header.
pub fn tag(version: &str, suffix: Suffix) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("\"{version}{}\"", suffix.text())).ok()
}

/// Parses the version that a change must find; empty for any. The error is the expected form.
///
/// A weak tag is refused, because it does not guarantee that nothing has changed (RFC 9110, 13.1.1). A list is refused,
/// because a request message has room for one version.
pub fn from_if_match(condition: &HeaderValue) -> Result<String, &'static str> {
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
    let mut suffixes = SUFFIXES.iter();
    let version = suffixes.find_map(|suffix| tag.strip_suffix(suffix));
    Ok(version.unwrap_or(tag).to_owned())
}

/// Whether the client has this version (`If-None-Match`). Compares weakly (RFC 9110, 13.1.2). All codings of a body are
/// one version, so the tag of any of them matches.
pub fn is_known(request: &HeaderMap, version: &str) -> bool {
    let mut conditions = request.get_all(IF_NONE_MATCH).iter();
    conditions.any(|condition| names(condition.as_bytes(), version.as_bytes()))
}

fn names(mut list: &[u8], version: &[u8]) -> bool {
    if list.trim_ascii() == b"*" {
        return true;
    }
    // A quoted tag may contain a comma, so only quotes are followed.
    while let Some(start) = list.iter().position(|byte| *byte == b'"') {
        let rest = &list[start + 1..];
        let Some(end) = rest.iter().position(|byte| *byte == b'"') else {
            return false;
        };
        if let Some(suffix) = rest[..end].strip_prefix(version)
            && (suffix.is_empty() || SUFFIXES.iter().any(|known| known.as_bytes() == suffix))
        {
            return true;
        }
        list = &rest[end + 1..];
    }
    false
}

/// Whether a byte is `etagc` of RFC 9110, without the bytes beyond ASCII.
fn is_tag_character(byte: u8) -> bool {
    byte == 0x21 || (0x23..=0x7e).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Suffix; 5] = [
        Suffix::None,
        Suffix::Gzip,
        Suffix::Brotli,
        Suffix::GzipBest,
        Suffix::BrotliBest,
    ];

    fn version(condition: &'static str) -> Result<String, &'static str> {
        from_if_match(&HeaderValue::from_static(condition))
    }

    fn knows(condition: &str, version: &str) -> bool {
        let value = HeaderValue::from_str(condition).unwrap();
        is_known(&HeaderMap::from_iter([(IF_NONE_MATCH, value)]), version)
    }

    #[test]
    fn reads_a_sent_tag_back_as_its_version() {
        for suffix in ALL {
            let sent = tag("v1", suffix).unwrap();
            assert_eq!(from_if_match(&sent).as_deref(), Ok("v1"), "{sent:?}");
            assert!(knows(sent.to_str().unwrap(), "v1"), "{sent:?}");
            let others = ALL.iter().filter(|other| **other != suffix);
            assert!(
                others
                    .filter_map(|other| tag("v1", *other))
                    .all(|other| other != sent)
            );
        }
        assert_eq!(version("*").as_deref(), Ok(""));
    }

    #[test]
    fn refuses_malformed_tags() {
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
        for version in ["", "a\"b", "a b", "é", "v1-gzip", "v1-br11"] {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn a_version_may_have_every_visible_character_but_the_quote() {
        let all: String = ('!'..='~').filter(|character| *character != '"').collect();
        assert!(is_version(&all));
        let sent = tag(&all, Suffix::Gzip).unwrap();
        assert_eq!(from_if_match(&sent), Ok(all));
    }

    #[test]
    fn matches_weak_tags_and_tags_of_any_coding() {
        for condition in [
            "*",
            "\"v1\"",
            "W/\"v1\"",
            "\"old\", \"v1-br\"",
            "\"old\",W/\"v1-gzip9\"",
            "\"a,b\", \"v1\"",
        ] {
            assert!(knows(condition, "v1"), "{condition}");
        }
        for condition in ["", "v1", "\"v1", "\"v12\"", "\"v1-x\"", "\"x,v1\"", "\"v\""] {
            assert!(!knows(condition, "v1"), "{condition}");
        }
        assert!(knows("\"a,b\"", "a,b"));
        assert!(!is_known(&HeaderMap::new(), "v1"));
    }
}
