//! The language of a call: the query parameter `lang` of reads, and `Accept-Language` of writes.

use std::borrow::Cow;

use axum::http::{HeaderMap, Method};
use gateway_contract::Operation;
use gateway_http::{language::Language, problem::Problem};
use tonic::metadata::{AsciiMetadataValue, MetadataMap};

/// Query parameter of every GET. No request message has a field of this name.
pub(super) const PARAMETER: &str = "lang";
/// Metadata with the language for the upstream. Absent for English.
const METADATA: &str = "content-language";

/// Returns the language of a call, and its query without the parameter.
///
/// # Errors
/// 400 if the parameter has another value than the code of a language, or is given more than once.
pub(super) fn of<'q>(
    operation: &Operation,
    query: Option<&'q str>,
    headers: &HeaderMap,
) -> Result<(Language, Option<Cow<'q, str>>), Problem> {
    if operation.http_method != Method::GET {
        return Ok((Language::preferred(headers), query.map(Cow::from)));
    }
    let Some(query) = query else {
        return Ok((Language::default(), None));
    };
    let (values, rest) = split(query);
    let language = match values.as_slice() {
        [] => Language::default(),
        [code] => Language::of_code(code).ok_or_else(|| {
            Problem::invalid_field(PARAMETER, format!("must be {}", Language::codes()))
        })?,
        _ => return Err(Problem::invalid_field(PARAMETER, "is given more than once")),
    };
    Ok((language, Some(rest)))
}

/// Returns a query without the parameter.
pub(super) fn without(query: &str) -> Cow<'_, str> {
    split(query).1
}

/// Separates the values of the parameter from the rest of a query.
fn split(query: &str) -> (Vec<&str>, Cow<'_, str>) {
    let value = |pair: &'_ str| -> Option<usize> {
        let (name, _) = pair.split_once('=').unwrap_or((pair, ""));
        (name == PARAMETER).then_some(name.len() + 1)
    };
    if !query.split('&').any(|pair| value(pair).is_some()) {
        return (Vec::new(), query.into());
    }
    let (mut values, mut rest) = (Vec::new(), Vec::new());
    for pair in query.split('&') {
        match value(pair) {
            Some(start) => values.push(pair.get(start..).unwrap_or_default()),
            None => rest.push(pair),
        }
    }
    (values, rest.join("&").into())
}

/// Adds the language to the metadata of a call.
pub(super) fn write(language: Language, metadata: &mut MetadataMap) {
    if let Some(code) = language.other_than_default() {
        metadata.insert(METADATA, AsciiMetadataValue::from_static(code));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separates_the_parameter_from_the_rest() {
        for (query, values, rest) in [
            ("", vec![], ""),
            ("q=lang", vec![], "q=lang"),
            ("lang=kn", vec!["kn"], ""),
            ("a=1&lang=kn&b=lang%3D", vec!["kn"], "a=1&b=lang%3D"),
            ("lang", vec![""], ""),
            ("lang=&lang=hi", vec!["", "hi"], ""),
            ("language=kn&a", vec![], "language=kn&a"),
        ] {
            assert_eq!(split(query), (values, Cow::from(rest)), "{query}");
        }
    }
}
