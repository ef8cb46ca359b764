//! What a call that changes something must carry, so that no foreign page can make a browser send it.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};

use crate::{problem::Problem, request::same_site};

const REQUESTED_WITH: &str = "x-requested-with";

/// Refuses a write without `X-Requested-With` (a form cannot send it, a foreign script may not), with a body that is
/// not declared as JSON (nor may it send that), or from another site.
pub fn check(
    method: &Method,
    headers: &HeaderMap,
    authority: Option<&str>,
    has_body: bool,
) -> Result<(), Problem> {
    if method.is_safe() {
        return Ok(());
    }
    if !same_site::allowed(headers, authority) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "CROSS_SITE",
            "This call cannot be made from another site.",
        ));
    }
    if headers
        .get(REQUESTED_WITH)
        .is_none_or(HeaderValue::is_empty)
    {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "REQUESTED_WITH_REQUIRED",
            "Send the header X-Requested-With with this call.",
        ));
    }
    if has_body && !is_json(headers) {
        return Err(Problem::unsupported_media_type());
    }
    Ok(())
}

/// Whether the body is declared as `application/json`, with or without parameters.
pub fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn status(headers: &[(&'static str, &'static str)]) -> Option<u16> {
        let headers = headers
            .iter()
            .map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v)))
            .collect();
        check(&Method::POST, &headers, None, true)
            .err()
            .map(|problem| problem.status().as_u16())
    }

    #[test]
    fn each_missing_proof_is_refused() {
        const WITH: (&str, &str) = (REQUESTED_WITH, "fetch");
        const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
        assert_eq!(status(&[WITH, JSON]), None);
        assert_eq!(status(&[JSON]), Some(403));
        assert_eq!(status(&[WITH]), Some(415));
        assert_eq!(status(&[WITH, ("content-type", "text/plain")]), Some(415));
        assert_eq!(
            status(&[WITH, JSON, ("sec-fetch-site", "cross-site")]),
            Some(403)
        );
    }
}
