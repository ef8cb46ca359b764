//! Addresses of pages by language: Kannada and Hindi have the prefixes `/kn` and `/hi`, English has none.
//!
//! Only pages of visitors have them. The staff area, previews, feeds, files and the API have one address.

pub(crate) use gateway_http::language::Language;

use crate::registry::location;

/// Returns the language of an address, and the path that routes match. `/kn` is the start in Kannada: `/`.
pub(crate) fn split(path: &str) -> (Language, &str) {
    let found = Language::ALL.into_iter().find_map(|language| {
        let rest = path.strip_prefix('/')?;
        let rest = rest.strip_prefix(language.other_than_default()?)?;
        match rest {
            "" => Some((language, "/")),
            _ => rest.starts_with('/').then_some((language, rest)),
        }
    });
    found.unwrap_or((Language::English, path))
}

/// Returns the address of a path in a language.
pub(crate) fn address(language: Language, path: &str) -> String {
    match language.other_than_default() {
        None => path.to_owned(),
        Some(code) => format!("/{code}{}", if path == "/" { "" } else { path }),
    }
}

/// Returns the address with the right spelling of its prefix, if that differs: `/kn/` and `/KN` are `/kn`, `/en/a` is
/// `/a`.
pub(crate) fn respelled(path: &str) -> Option<String> {
    let rest = path.strip_prefix('/')?;
    let (first, below) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let language = Language::of_code(&first.to_ascii_lowercase())?;
    let meant = address(language, if below.is_empty() { "/" } else { below });
    (meant != path && location::on_this_site(&meant).is_some()).then_some(meant)
}

/// Returns the API read of `path_and_query` in a language.
pub(crate) fn read(language: Language, mut path_and_query: String) -> String {
    if let Some(code) = language.other_than_default() {
        path_and_query.push(if path_and_query.contains('?') {
            '&'
        } else {
            '?'
        });
        path_and_query.push_str("lang=");
        path_and_query.push_str(code);
    }
    path_and_query
}

/// Whether a route or path begins with a prefix of a language, so that no page can have it.
pub(crate) fn is_prefixed(path: &str) -> bool {
    split(path).0 != Language::English || respelled(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_the_prefix_off() {
        for (whole, language, path) in [
            ("/", Language::English, "/"),
            ("/kn", Language::Kannada, "/"),
            ("/kn/", Language::Kannada, "/"),
            ("/hi/doctors/asha", Language::Hindi, "/doctors/asha"),
            ("/knee", Language::English, "/knee"),
            ("/en", Language::English, "/en"),
            ("/doctors/kn", Language::English, "/doctors/kn"),
            ("/kn//x", Language::Kannada, "//x"),
            ("/kn/hi/x", Language::Kannada, "/hi/x"),
            ("*", Language::English, "*"),
        ] {
            assert_eq!(split(whole), (language, path), "{whole}");
        }
        assert_eq!(address(Language::Kannada, "/"), "/kn");
        assert_eq!(address(Language::Hindi, "/a"), "/hi/a");
        assert_eq!(address(Language::English, "/"), "/");
    }

    #[test]
    fn respells_prefixes() {
        for (path, meant) in [
            ("/kn/", Some("/kn")),
            ("/KN/Doctors", Some("/kn/Doctors")),
            ("/en", Some("/")),
            ("/en/", Some("/")),
            ("/en/x", Some("/x")),
            ("/kn/x", None),
            ("/kn", None),
            ("/knee", None),
            ("/", None),
            // Another site.
            ("/en//evil.example", None),
        ] {
            assert_eq!(respelled(path).as_deref(), meant, "{path}");
        }
    }

    #[test]
    fn adds_the_language_to_reads() {
        let read = |path: &str| read(Language::Kannada, path.to_owned());
        assert_eq!(read("/doctors"), "/doctors?lang=kn");
        assert_eq!(read("/doctors?q="), "/doctors?q=&lang=kn");
    }
}
