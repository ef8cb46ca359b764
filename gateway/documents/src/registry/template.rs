//! API paths with placeholders, as page modules declare their data: `/doctors/{params.slug}?q={query.q}`.

use std::{collections::BTreeMap, fmt::Write as _};

/// Values of a route's parameters or of a page's declared query.
pub(crate) type Values = BTreeMap<String, String>;

/// Source of a module's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Api(PathTemplate),
    /// The directory of published pages, which this process provides.
    Directory,
    /// The pages of the staff area that the signed-in person may see.
    Desk,
    /// Facts of this process, for pages of the staff area.
    Operations(&'static str),
}

/// Name of the directory in declared data.
pub(crate) const DIRECTORY: &str = "site:/pages";
/// Name of the list of staff pages in declared data.
pub(crate) const DESK: &str = "site:/staff";
/// Name of the live and the refused versions in declared data.
pub(crate) const RELEASES: &str = "site:/releases";
/// Name of the health of the services in declared data.
pub(crate) const SERVICES: &str = "site:/services";

impl Source {
    /// Parses `text`. The error describes the problem.
    pub(crate) fn parse(
        text: &str,
        parameters: &[String],
        query: &[String],
    ) -> Result<Self, String> {
        match text {
            DIRECTORY => Ok(Self::Directory),
            DESK => Ok(Self::Desk),
            RELEASES => Ok(Self::Operations(RELEASES)),
            SERVICES => Ok(Self::Operations(SERVICES)),
            _ => PathTemplate::parse(text, parameters, query).map(Self::Api),
        }
    }

    /// Returns the source for one visit: an API path, or the name of a list of this process.
    pub(crate) fn fill(&self, parameters: &Values, query: &Values) -> String {
        match self {
            Self::Api(path) => path.fill(parameters, query),
            Self::Directory => DIRECTORY.to_owned(),
            Self::Desk => DESK.to_owned(),
            Self::Operations(name) => (*name).to_owned(),
        }
    }
}

impl Source {
    /// Returns the collection of an API path, which is its first segment, and an example of the path.
    pub(crate) fn collection(&self) -> Option<(String, String)> {
        let Self::Api(template) = self else {
            return None;
        };
        let example = template.example();
        let path = example.split('?').next().unwrap_or_default();
        let collection = path.split('/').nth(1).unwrap_or_default();
        let is_literal = template.begins_with(&format!("/{collection}"));
        (is_literal && !collection.is_empty()).then(|| (collection.to_owned(), path.to_owned()))
    }
}

/// A parsed API path. It can only use parameters that its page has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathTemplate(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Parameter(String),
    Query(String),
}

impl PathTemplate {
    /// Parses `text`. The error describes the problem.
    pub(crate) fn parse(
        text: &str,
        parameters: &[String],
        query: &[String],
    ) -> Result<Self, String> {
        if !text.starts_with('/') || text.starts_with("//") {
            return Err(format!(
                "`{text}` is not an API path: it must begin with one `/`"
            ));
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            let end = rest[start..]
                .find('}')
                .ok_or_else(|| format!("`{text}` has a `{{` without `}}`"))?
                + start;
            pieces.push(Piece::Literal(rest[..start].to_owned()));
            let name = &rest[start + 1..end];
            pieces.push(match name.split_once('.') {
                Some(("params", key)) if parameters.iter().any(|known| known == key) => {
                    Piece::Parameter(key.to_owned())
                }
                Some(("query", key)) if query.iter().any(|known| known == key) => {
                    Piece::Query(key.to_owned())
                }
                _ => {
                    return Err(format!(
                        "`{text}` names `{{{name}}}`, which the page does not declare"
                    ));
                }
            });
            rest = &rest[end + 1..];
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// Returns the path with an example for each value.
    fn example(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Literal(text) => text.as_str(),
            Piece::Parameter(_) | Piece::Query(_) => "x",
        });
        pieces.collect()
    }

    /// Whether the text before the first value begins with `text`.
    fn begins_with(&self, text: &str) -> bool {
        matches!(self.0.first(), Some(Piece::Literal(first)) if first.starts_with(text))
    }

    /// Returns the path for one visit. Values are percent-encoded, and a missing one is empty.
    pub(crate) fn fill(&self, parameters: &Values, query: &Values) -> String {
        let mut path = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(text) => path.push_str(text),
                Piece::Parameter(name) => {
                    encode_into(&mut path, parameters.get(name).map_or("", String::as_str));
                }
                Piece::Query(name) => {
                    encode_into(&mut path, query.get(name).map_or("", String::as_str));
                }
            }
        }
        path
    }
}

/// Appends `value` with RFC 3986 percent-encoding of everything but unreserved characters.
pub(crate) fn encode_into(output: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            output.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(output, "%{byte:02X}");
        }
    }
}

/// Decodes percent-encoding. `None` when it is malformed, not UTF-8 or contains a control character.
pub(crate) fn decode(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.chars().any(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_and_encodes_parameters() {
        let template = PathTemplate::parse(
            "/doctors/{params.slug}?q={query.q}",
            &["slug".into()],
            &["q".into()],
        )
        .expect("valid template");
        let slug = Values::from([("slug".to_owned(), "a/b".to_owned())]);
        let query = Values::from([("q".to_owned(), "é &".to_owned())]);
        assert_eq!(
            template.fill(&slug, &query),
            "/doctors/a%2Fb?q=%C3%A9%20%26"
        );
        assert_eq!(template.fill(&slug, &Values::new()), "/doctors/a%2Fb?q=");
    }

    #[test]
    fn refuses_undeclared_parameters() {
        let error = PathTemplate::parse("/doctors?q={query.q}", &[], &[]).expect_err("undeclared");
        assert!(error.contains("{query.q}"), "{error}");
        assert!(PathTemplate::parse("doctors", &[], &[]).is_err());
        assert!(PathTemplate::parse("//example.org/", &[], &[]).is_err());
        assert!(PathTemplate::parse("/a{", &[], &[]).is_err());
    }

    #[test]
    fn decodes_only_clean_text() {
        assert_eq!(decode("a%20b").as_deref(), Some("a b"));
        assert_eq!(decode("%zz"), None);
        assert_eq!(decode("%ff"), None);
        assert_eq!(decode("%00"), None);
        assert_eq!(decode("%2"), None);
    }
}
