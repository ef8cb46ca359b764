//! Authorises calls that are not public. Checks the bearer token before any call to an upstream, which checks it again.
//! Only its upstream checks a resource's own secret.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use gateway_contract::Policy;
use gateway_http::{
    problem::Problem,
    request::{log_budget, trace},
};
use service_kit::auth::{Refusal, Verifier};

use tonic::metadata::AsciiMetadataKey;

use super::TokenCheck;

/// Maximum length of a secret in bytes; longer values are ignored.
const SECRET_BYTES_MAX: usize = 128;

/// Credentials of a call, passed on to the upstream.
#[derive(Debug)]
pub(super) enum Credentials<'a> {
    /// The call is public; credentials of the caller are not passed on.
    None,
    /// The checked `Authorization` header, and the subject of its token.
    Token {
        value: &'a HeaderValue,
        subject: String,
    },
    /// A secret of the resource, not checked here.
    Secret(&'a AsciiMetadataKey, &'a HeaderValue),
}

/// Finds the credentials that `policy` requires. A token is preferred to a secret, and is checked here unless it was
/// checked before.
///
/// # Errors
/// 401 without a valid token or a well-formed secret, 403 without the scope, both with the challenge of RFC 6750,
/// section 3. 503 until the issuer's keys are available.
pub(super) fn check<'a>(
    verifier: &Verifier,
    headers: &'a HeaderMap,
    policy: &'a Policy,
    checked: Option<&TokenCheck>,
) -> Result<Credentials<'a>, Problem> {
    if policy.scope.is_empty() {
        return Ok(Credentials::None);
    }
    if !headers.contains_key(AUTHORIZATION)
        && let Some(name) = &policy.secret_header
        && let Some(secret) = secret(headers, name)
    {
        return Ok(Credentials::Secret(name, secret));
    }
    check_token(verifier, headers, &policy.scope, checked)
}

/// Returns the secret of the request, if there is exactly one and it is well-formed.
fn secret<'a>(headers: &'a HeaderMap, name: &AsciiMetadataKey) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name.as_str()).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let is_secret = (1..=SECRET_BYTES_MAX).contains(&value.len())
        && value.as_bytes().iter().all(u8::is_ascii_graphic);
    is_secret.then_some(value)
}

/// Returns the `Authorization` header, if its token carries `scope`.
fn check_token<'a>(
    verifier: &Verifier,
    headers: &'a HeaderMap,
    scope: &str,
    checked: Option<&TokenCheck>,
) -> Result<Credentials<'a>, Problem> {
    let value = headers.get(AUTHORIZATION);
    let text = value.and_then(|value| value.to_str().ok());
    let checked = checked.cloned();
    let refusal = match (
        checked.unwrap_or_else(|| verifier.check(text, scope)),
        value,
    ) {
        (Ok(caller), Some(value)) => {
            return Ok(Credentials::Token {
                value,
                subject: caller.subject,
            });
        }
        (Ok(_), None) => Refusal::Unauthenticated,
        (Err(refusal), _) => refusal,
    };
    if value.is_some() && !matches!(refusal, Refusal::Unavailable) && log_budget::take() {
        tracing::info!(
            trace_id = trace::current_trace_id(),
            scope,
            reason = ?refusal,
            "a token was refused"
        );
    }
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
