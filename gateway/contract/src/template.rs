//! Path templates of `google.api.http` (AIP-127): `/shelves/{shelf}/books/{book=**}:verb`.

use std::borrow::Cow;

/// One segment of a template.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Piece {
    // Declaration order is match preference: the first variant wins when two templates match one path.
    Literal(String),
    One,
    Rest,
}

/// A variable that spans the segments `start..end` of the template.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Variable {
    field_path: String,
    start: usize,
    end: usize,
}

/// A parsed template.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Template {
    pieces: Vec<Piece>,
    variables: Vec<Variable>,
    verb: Option<String>,
}

/// Reasons why a template is invalid.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TemplateError {
    /// The template does not begin with a slash.
    #[error("a path template must begin with a slash")]
    NoSlash,
    /// Braces do not match or are nested.
    #[error("braces do not match")]
    Braces,
    /// `**` matches everything that follows, so it must be the last segment.
    #[error("`**` must be the last segment")]
    RestNotLast,
    /// Two slashes have nothing between them.
    #[error("empty segment")]
    EmptySegment,
}

impl Template {
    /// Parses a template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let rest = text.strip_prefix('/').ok_or(TemplateError::NoSlash)?;
        let (rest, verb) = split_verb(rest);
        let mut template = Self {
            pieces: Vec::new(),
            variables: Vec::new(),
            verb: verb.map(str::to_owned),
        };
        for part in split_outside_braces(rest)? {
            match part.strip_prefix('{') {
                Some(inner) => {
                    let inner = inner.strip_suffix('}').ok_or(TemplateError::Braces)?;
                    let (field_path, pattern) = inner.split_once('=').unwrap_or((inner, "*"));
                    let start = template.pieces.len();
                    template.push_all(pattern)?;
                    template.variables.push(Variable {
                        field_path: field_path.trim().to_owned(),
                        start,
                        end: template.pieces.len(),
                    });
                }
                None => template.push_all(part)?,
            }
        }
        let rest_at = template.pieces.iter().position(|p| *p == Piece::Rest);
        if rest_at.is_some_and(|at| at + 1 != template.pieces.len()) {
            return Err(TemplateError::RestNotLast);
        }
        Ok(template)
    }

    fn push_all(&mut self, pattern: &str) -> Result<(), TemplateError> {
        for segment in pattern.split('/') {
            self.pieces.push(match segment {
                "" => return Err(TemplateError::EmptySegment),
                "*" => Piece::One,
                "**" => Piece::Rest,
                literal if literal.contains(['{', '}']) => return Err(TemplateError::Braces),
                literal => Piece::Literal(literal.to_owned()),
            });
        }
        Ok(())
    }

    /// Returns the paths of the request fields bound by the template, in order.
    pub fn field_paths(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.field_path.as_str())
    }

    /// Returns the whole path if the template has neither variables nor wildcards.
    pub fn literal(&self) -> Option<String> {
        self.pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Literal(_)))
            .then(|| self.route(|_| String::new()))
    }

    /// Formats the template for telemetry and OpenAPI, with one `{name}` per variable.
    pub fn route(&self, name: impl Fn(&str) -> String) -> String {
        let mut route = String::new();
        let mut at = 0;
        while at < self.pieces.len() {
            route.push('/');
            if let Some(variable) = self.variables.iter().find(|v| v.start == at) {
                route.push('{');
                route.push_str(&name(&variable.field_path));
                route.push('}');
                at = variable.end;
                continue;
            }
            match &self.pieces[at] {
                Piece::Literal(text) => route.push_str(text),
                Piece::One => route.push('*'),
                Piece::Rest => route.push_str("**"),
            }
            at += 1;
        }
        if let Some(verb) = &self.verb {
            route.push(':');
            route.push_str(verb);
        }
        route
    }

    /// Returns whether the template ends in a custom verb such as `:cancel`.
    pub fn has_verb(&self) -> bool {
        self.verb.is_some()
    }

    /// Sort key for templates that match the same path; more specific templates sort first.
    pub fn preference(&self) -> impl Ord + use<> {
        (self.verb.is_none(), self.pieces.clone())
    }

    /// Returns whether `path` (with its leading slash, not yet decoded) matches this template.
    pub fn matches(&self, path: &str) -> bool {
        self.split(path).is_some()
    }

    /// Returns the decoded values of the variables in the order of [`Self::field_paths`]. `None` if the path does not
    /// match or is not UTF-8 once decoded.
    pub fn capture(&self, path: &str) -> Option<Vec<String>> {
        let segments = self.split(path)?;
        self.variables
            .iter()
            .map(|variable| {
                let last_is_rest = self.pieces[variable.end - 1] == Piece::Rest;
                let end = if last_is_rest {
                    segments.len()
                } else {
                    variable.end
                };
                let decoded: Option<Vec<Cow<'_, str>>> = segments[variable.start..end]
                    .iter()
                    .map(|segment| percent_decode(segment))
                    .collect();
                Some(decoded?.join("/"))
            })
            .collect()
    }

    /// Returns the path with literal segments spelled as in the template. `None` if the path differs in more than
    /// letter case.
    pub fn respelled(&self, path: &str) -> Option<String> {
        let given: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let mut meant = String::new();
        for (at, segment) in given.iter().enumerate() {
            let literal = match self.pieces.get(at) {
                Some(Piece::Literal(text)) if text.eq_ignore_ascii_case(segment) => text,
                Some(Piece::Literal(_)) => return None,
                _ => *segment,
            };
            meant.push('/');
            meant.push_str(literal);
        }
        self.matches(&meant).then_some(meant)
    }

    fn split<'p>(&self, path: &'p str) -> Option<Vec<&'p str>> {
        let mut path = path.strip_prefix('/')?;
        if let Some(verb) = &self.verb {
            path = path.strip_suffix(verb.as_str())?.strip_suffix(':')?;
        }
        let segments: Vec<&str> = path.split('/').collect();
        let open_ended = self.pieces.last() == Some(&Piece::Rest);
        let enough = if open_ended {
            segments.len() >= self.pieces.len()
        } else {
            segments.len() == self.pieces.len()
        };
        let fits = enough
            && self
                .pieces
                .iter()
                .zip(&segments)
                .all(|(piece, segment)| match piece {
                    Piece::Literal(text) => text == segment,
                    Piece::One | Piece::Rest => !segment.is_empty(),
                });
        fits.then_some(segments)
    }
}

/// Splits off the verb. It follows the last colon that is outside of braces and after the last slash.
fn split_verb(text: &str) -> (&str, Option<&str>) {
    let tail = text.rfind(['/', '}']).map_or(0, |at| at + 1);
    match text[tail..].rfind(':') {
        Some(at) => (&text[..tail + at], Some(&text[tail + at + 1..])),
        None => (text, None),
    }
}

fn split_outside_braces(text: &str) -> Result<Vec<&str>, TemplateError> {
    let mut parts = Vec::new();
    let (mut start, mut open) = (0, false);
    for (at, character) in text.char_indices() {
        match character {
            '{' if open => return Err(TemplateError::Braces),
            '{' => open = true,
            '}' if !open => return Err(TemplateError::Braces),
            '}' => open = false,
            '/' if !open => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if open {
        return Err(TemplateError::Braces);
    }
    parts.push(&text[start..]);
    Ok(parts)
}

/// Decodes percent encoding. `None` if an escape is malformed or the result is not UTF-8.
pub fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(out).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(template: &str, path: &str) -> Option<Vec<String>> {
        Template::parse(template).unwrap().capture(path)
    }

    #[test]
    fn decodes_segments_of_variables() {
        assert_eq!(
            captured("/doctors/{id}", "/doctors/a%20b").unwrap(),
            ["a b"]
        );
        assert_eq!(
            captured(
                "/v/{name=shelves/*/books/*}:read",
                "/v/shelves/1/books/2:read"
            )
            .unwrap(),
            ["shelves/1/books/2"]
        );
        assert_eq!(
            captured("/files/{path=**}", "/files/a/b/c").unwrap(),
            ["a/b/c"]
        );
        assert_eq!(captured("/a/{b.c}/d/{e}", "/a/1/d/2").unwrap(), ["1", "2"]);
    }

    #[test]
    fn does_not_match_other_paths() {
        for path in [
            "/doctors",
            "/doctors/",
            "/doctors/1/2",
            "/doctor/1",
            "doctors/1",
        ] {
            assert_eq!(captured("/doctors/{id}", path), None, "{path}");
        }
        assert_eq!(captured("/doctors/{id}:go", "/doctors/1"), None);
        assert_eq!(captured("/doctors/{id}", "/doctors/%ff"), None);
    }

    #[test]
    fn refuses_malformed_templates() {
        for template in ["", "a", "/{a", "/a}", "/{a{b}}", "/a//b", "/{a=**}/b"] {
            assert!(Template::parse(template).is_err(), "{template}");
        }
    }

    #[test]
    fn route_names_each_variable_once() {
        let template = Template::parse("/v/{name=shelves/*}/books/{book_id}:read").unwrap();
        assert_eq!(
            template.route(str::to_owned),
            "/v/{name}/books/{book_id}:read"
        );
        assert_eq!(
            Template::parse("/a/b").unwrap().literal().as_deref(),
            Some("/a/b")
        );
        assert_eq!(template.literal(), None);
    }

    #[test]
    fn prefers_literals_to_variables_and_variables_to_wildcards() {
        let mut templates = ["/a/{b=**}", "/a/{b}", "/a/b", "/a/{b}:c"]
            .map(|text| (Template::parse(text).unwrap(), text));
        templates.sort_by_key(|(template, _)| template.preference());
        assert_eq!(
            templates.map(|(_, text)| text),
            ["/a/{b}:c", "/a/b", "/a/{b}", "/a/{b=**}"]
        );
    }
}
