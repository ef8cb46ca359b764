//! Authorises calls that are not public: checks the bearer token before any call to an upstream, which checks it again.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use service_kit::auth::{Refusal, Verifier};

use crate::problem::Problem;

/// Checks that the caller has `scope`; returns the header value to forward to the upstream.
///
/// # Errors
/// 401 without a valid token, 403 without the scope, with the challenge of RFC 6750, section 3; 503 before the issuer's keys
/// have come.
pub(super) fn check<'a>(
    verifier: &Verifier,
    headers: &'a HeaderMap,
    scope: &str,
) -> Result<&'a HeaderValue, Problem> {
    let value = headers.get(AUTHORIZATION);
    let text = value.and_then(|value| value.to_str().ok());
    let refusal = match (verifier.check(text, scope), value) {
        (Ok(_), Some(value)) => return Ok(value),
        (Ok(_), None) => Refusal::Unauthenticated,
        (Err(refusal), _) => refusal,
    };
    let challenge = match refusal {
        Refusal::Unavailable => return Err(Problem::from_status(&refusal.into())),
        Refusal::Unauthenticated if value.is_none() => "Bearer".to_owned(),
        Refusal::Unauthenticated => "Bearer error=\"invalid_token\"".to_owned(),
        Refusal::PermissionDenied => {
            format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"")
        }
    };
    let challenge = HeaderValue::try_from(challenge).unwrap_or(HeaderValue::from_static("Bearer"));
    Err(Problem::from_status(&refusal.into()).with_header(WWW_AUTHENTICATE, challenge))
}
