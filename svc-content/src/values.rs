//! Validated value types of the content files. Each rejects bad input during parsing, so that errors have a position in
//! the file.

mod calendar;

use std::{fmt, net::Ipv6Addr, str::FromStr};

use serde::Deserialize;
use url::Url;

pub(crate) use calendar::IST;
pub use calendar::{Day, Instant, Month, MonthlyRule, TimeRange, Weekdays};

/// One line of at most `CHARS_MAX` characters, without surrounding white space.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Line<const CHARS_MAX: usize>(String);

impl<const CHARS_MAX: usize> TryFrom<String> for Line<CHARS_MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() {
            return Err("must not be empty".to_owned());
        }
        if text.trim() != text {
            return Err("must not begin or end with white space".to_owned());
        }
        if text.chars().count() > CHARS_MAX {
            return Err(format!("must have at most {CHARS_MAX} characters"));
        }
        if text.chars().any(char::is_control) {
            return Err("must be one line without control characters".to_owned());
        }
        Ok(Self(text))
    }
}

impl<const CHARS_MAX: usize> From<Line<CHARS_MAX>> for String {
    fn from(line: Line<CHARS_MAX>) -> Self {
        line.0
    }
}

impl<const CHARS_MAX: usize> AsRef<str> for Line<CHARS_MAX> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<const CHARS_MAX: usize> fmt::Display for Line<CHARS_MAX> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Text of at most `CHARS_MAX` characters, with paragraphs separated by empty lines. Surrounding white space is
/// trimmed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Prose<const CHARS_MAX: usize>(String);

impl<const CHARS_MAX: usize> TryFrom<String> for Prose<CHARS_MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("must not be empty".to_owned());
        }
        if text.chars().count() > CHARS_MAX {
            return Err(format!("must have at most {CHARS_MAX} characters"));
        }
        if text
            .chars()
            .any(|character| character.is_control() && character != '\n')
        {
            return Err("must not have control characters other than line breaks".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}

impl<const CHARS_MAX: usize> From<Prose<CHARS_MAX>> for String {
    fn from(prose: Prose<CHARS_MAX>) -> Self {
        prose.0
    }
}

/// Declares validated text types, each with its rule and error message.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $rule:expr, $problem:literal;)+) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let rule: fn(&str) -> bool = $rule;
                if rule(&text) { Ok(Self(text)) } else { Err($problem.to_owned()) }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::try_from(text.to_owned())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        })+
    };
}

/// Length of the hash of an uploaded picture, in characters.
const MEDIA_HASH_LENGTH: usize = 40;

texts! {
    /// A URL path segment, also used as a stable record id.
    Slug: is_slug, "must be lower case letters and digits, joined by single hyphens";

    /// Path of an image on the site, or `/media/` and the hash of an uploaded picture.
    ImagePath: is_image_path, "must look like /images/doctors/name.svg or /media/ and the hash of a picture";

    /// An e-mail address.
    Email: is_email, "must look like name@domain.example";

    /// A telephone number in readable form, with country code.
    Phone: is_phone, "must be a + and 8 to 15 digits, with single spaces between groups";

    /// A URL on another site.
    HttpsUrl: is_https_url, "must be an https:// address";

    /// A URL on this site or another.
    Link: is_link, "must be a path on this site, such as /events, or an https:// address";

    /// A time of the 24-hour clock; `24:00` is midnight at the end of a day.
    ClockTime: is_clock_time, "must be a time from 00:00 to 24:00 such as 09:00";

    /// Scheme, host and optional port of a site.
    Origin: is_origin, "must be http:// or https://, a host and optionally a port, without a trailing slash";
}

impl Phone {
    /// Returns the number for a `tel:` link.
    pub fn e164(&self) -> String {
        self.0.replace(' ', "")
    }
}

impl ImagePath {
    /// Returns the hash of an uploaded picture; `None` for a file of the site.
    pub fn media_hash(&self) -> Option<&str> {
        self.0.strip_prefix("/media/")
    }
}

/// A fee in whole rupees, 1 to 1,00,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct FeeRupees(u32);

impl TryFrom<u32> for FeeRupees {
    type Error = String;

    fn try_from(rupees: u32) -> Result<Self, String> {
        if (1..=100_000).contains(&rupees) {
            Ok(Self(rupees))
        } else {
            Err("must be between 1 and 100000 rupees".to_owned())
        }
    }
}

impl fmt::Display for FeeRupees {
    /// Formats with Indian grouping: `₹700`, `₹1,200`, `₹1,00,000`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lakhs, thousands, rest) = (self.0 / 100_000, self.0 / 1000 % 100, self.0 % 1000);
        match (lakhs, thousands) {
            (0, 0) => write!(formatter, "₹{rest}"),
            (0, _) => write!(formatter, "₹{thousands},{rest:03}"),
            _ => write!(formatter, "₹{lakhs},{thousands:02},{rest:03}"),
        }
    }
}

/// Stars, 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i32")]
pub struct Rating(i32);

impl TryFrom<i32> for Rating {
    type Error = String;

    fn try_from(stars: i32) -> Result<Self, String> {
        if (1..=5).contains(&stars) {
            Ok(Self(stars))
        } else {
            Err("must be between 1 and 5".to_owned())
        }
    }
}

impl From<Rating> for i32 {
    fn from(rating: Rating) -> Self {
        rating.0
    }
}

/// Returns whether this is an https URL with a domain name and without characters that could end an attribute or a
/// line.
fn is_https_url(text: &str) -> bool {
    // URLs that a browser would silently correct, such as `https:///a`, are rejected.
    let is_plain = text.len() <= 500
        && is_address_text(text)
        && text.starts_with("https://")
        && !text.starts_with("https:///");
    is_plain
        && Url::parse(text).is_ok_and(|url| {
            url.username().is_empty()
                && url.password().is_none()
                && url.domain().is_some_and(|host| host.contains('.'))
        })
}

/// Returns whether this is an absolute path, excluding `//`, which browsers treat as another host.
pub(crate) fn is_site_path(text: &str) -> bool {
    text.len() <= 500 && text.starts_with('/') && !text.starts_with("//") && is_address_text(text)
}

fn is_link(text: &str) -> bool {
    is_site_path(text) || is_https_url(text)
}

fn is_address_text(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte))
}

fn is_slug(text: &str) -> bool {
    text.len() <= 80
        && text.split('-').all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
}

fn is_clock_time(text: &str) -> bool {
    let is_time = text.len() == 5 && chrono::NaiveTime::parse_from_str(text, "%H:%M").is_ok();
    is_time || text == "24:00"
}

fn is_image_path(text: &str) -> bool {
    if let Some(hash) = text.strip_prefix("/media/") {
        return is_media_hash(hash);
    }
    let parts: Option<Vec<_>> = text
        .strip_prefix("/images/")
        .and_then(|path| path.rsplit_once('.'))
        .filter(|(_, extension)| ["svg", "avif", "webp"].contains(extension))
        .map(|(path, _)| path.split('/').collect());
    parts.is_some_and(|parts| parts.into_iter().all(is_slug))
}

/// Returns the hashes of the uploaded pictures that a text names by their addresses.
pub(crate) fn media_hashes(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("/media/").filter_map(|(at, prefix)| {
        let rest = &text[at + prefix.len()..];
        rest.get(..MEDIA_HASH_LENGTH)
            .filter(|hash| is_media_hash(hash))
    })
}

/// Returns whether this can be the hash of an uploaded picture.
pub(crate) fn is_media_hash(text: &str) -> bool {
    text.len() == MEDIA_HASH_LENGTH
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty()
            && local
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
            && domain.contains('.')
            && domain.split('.').all(is_slug)
    })
}

fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (8..=15).contains(&digits)
        && text.strip_prefix('+').is_some_and(|rest| {
            rest.split(' ')
                .all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
        })
}

fn is_origin(text: &str) -> bool {
    let Some(authority) = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
    else {
        return false;
    };
    let (host, port) = match authority.rsplit_once(':') {
        // The colons in `[::1]` do not separate a port.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_ipv6 = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    (is_ipv6 || host.split('.').all(is_slug))
        && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

#[cfg(test)]
mod tests;
