//! Authorises calls that are not public: checks the bearer token before any call to an upstream, which checks it again. A
//! resource's own secret is checked by its upstream alone.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use service_kit::auth::{Refusal, Verifier};

use tonic::metadata::AsciiMetadataKey;

use super::TokenCheck;
use crate::{
    contract::Policy,
    problem::Problem,
    request::{log_budget, trace},
};

/// Length of a secret; a longer one is none.
const SECRET_BYTES_MAX: usize = 128;

/// By what right a call is made; passed on to the upstream.
#[derive(Debug)]
pub(super) enum Credentials<'a> {
    /// The call is public, and what the caller has is none of the upstream's business.
    None,
    /// The `Authorization` header, checked, and whom it names.
    Token {
        value: &'a HeaderValue,
        subject: String,
    },
    /// A secret of the resource, not checked here.
    Secret(&'a AsciiMetadataKey, &'a HeaderValue),
}

/// Finds the credentials that `policy` asks for. A token is preferred to a secret; it is checked here unless it was before.
///
/// # Errors
/// 401 without a valid token or anything like a secret, 403 without the scope, with the challenge of RFC 6750, section 3; 503
/// before the issuer's keys have come.
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

/// The one secret of the request, if it has the form of one.
fn secret<'a>(headers: &'a HeaderMap, name: &AsciiMetadataKey) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name.as_str()).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let is_secret = (1..=SECRET_BYTES_MAX).contains(&value.len())
        && value.as_bytes().iter().all(u8::is_ascii_graphic);
    is_secret.then_some(value)
}

/// The `Authorization` header, if its token carries `scope`.
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
