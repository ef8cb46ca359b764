//! Authorises calls that are not public. Checks the bearer token or the sign-in before any call to an upstream, which
//! checks its own token again. Only the upstream checks a resource's own secret.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use gateway_contract::Policy;
use gateway_http::{
    problem::Problem,
    request::{log_budget, trace},
};
use service_kit::auth::{Caller, Refusal};

use tonic::metadata::AsciiMetadataKey;

use super::identity::{Identity, Person, TokenCheck, Tokens};

/// Maximum length of a secret in bytes; longer values are ignored.
const SECRET_BYTES_MAX: usize = 128;

/// Credentials of a call, passed on to the upstream.
#[derive(Debug)]
pub(super) enum Credentials<'a> {
    /// The call is public; credentials of the caller are not passed on.
    None,
    /// An `Authorization` header for the upstream, and the subject of its token.
    Token { value: HeaderValue, subject: String },
    /// A secret of the resource, not checked here.
    Secret(&'a AsciiMetadataKey, &'a HeaderValue),
}

/// Finds the credentials that `policy` requires. The order of preference is: a token, a secret, a sign-in. A token is
/// checked here unless `checked` has the result.
///
/// # Errors
/// 401 without a valid token, a well-formed secret or a sign-in, 403 without the scope, both with the challenge of RFC
/// 6750, section 3. 503 until the issuer's keys are available.
pub(super) fn check<'a>(
    tokens: &Tokens,
    headers: &'a HeaderMap,
    policy: &'a Policy,
    checked: Option<&Identity>,
) -> Result<Credentials<'a>, Problem> {
    if policy.scope.is_empty() {
        return Ok(Credentials::None);
    }
    if headers.contains_key(AUTHORIZATION) {
        return check_token(tokens, headers, &policy.scope, checked);
    }
    if let Some(name) = &policy.secret_header
        && let Some(secret) = secret(headers, name)
    {
        return Ok(Credentials::Secret(name, secret));
    }
    match checked {
        Some(Identity::Person(person)) => check_person(tokens, person, policy),
        _ => check_token(tokens, headers, &policy.scope, checked),
    }
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

/// Returns the credentials of a signed-in person whose roles have `scope`.
fn check_person<'a>(
    tokens: &Tokens,
    person: &Person,
    policy: &Policy,
) -> Result<Credentials<'a>, Problem> {
    if !person.has(&policy.scope) {
        return Err(refused(Refusal::PermissionDenied, &policy.scope, true));
    }
    let signer = tokens.signer.as_ref().ok_or_else(unsigned)?;
    let mut caller = person.claims.clone();
    caller.name = caller.name.filter(|_| policy.caller_name);
    caller.email = caller.email.filter(|_| policy.caller_email);
    let value = signer.authorization(&caller, &person.scopes);
    Ok(Credentials::Token {
        value: value.ok_or_else(unsigned)?,
        subject: caller.subject,
    })
}

/// Returns the credentials of the `Authorization` header, if its token carries `scope`. With a signer, the upstream gets
/// a token of this gateway with that scope alone. It has no claims of a person, whatever the program's token claims.
fn check_token<'a>(
    tokens: &Tokens,
    headers: &HeaderMap,
    scope: &str,
    checked: Option<&Identity>,
) -> Result<Credentials<'a>, Problem> {
    let value = headers.get(AUTHORIZATION);
    let text = value.and_then(|value| value.to_str().ok());
    let known: Option<TokenCheck> = match checked {
        Some(Identity::Token(checked)) => Some(checked.clone()),
        Some(Identity::Person(_)) | None => None,
    };
    let caller = match known {
        Some(known) => known,
        // A sign-in would help, also where no issuer of tokens is configured.
        None if value.is_none() && tokens.signer.is_some() => Err(Refusal::Unauthenticated),
        None => tokens.verifier.check(text, scope),
    };
    let refusal = match (caller, value) {
        (Ok(caller), Some(value)) => {
            let value = match &tokens.signer {
                Some(signer) => signer
                    .authorization(&Caller::named(&caller.subject), &[scope.to_owned()])
                    .ok_or_else(unsigned)?,
                None => value.clone(),
            };
            return Ok(Credentials::Token {
                value,
                subject: caller.subject,
            });
        }
        (Ok(_), None) => Refusal::Unauthenticated,
        (Err(refusal), _) => refusal,
    };
    Err(refused(refusal, scope, value.is_some()))
}

fn unsigned() -> Problem {
    tracing::error!("a token for an upstream could not be signed");
    Problem::internal()
}

/// Logs a refusal of given credentials, within the budget for such lines, and returns the error with its challenge.
fn refused(refusal: Refusal, scope: &str, has_credentials: bool) -> Problem {
    if has_credentials && !matches!(refusal, Refusal::Unavailable) && log_budget::take() {
        tracing::info!(
            trace_id = trace::current_trace_id(),
            scope,
            reason = ?refusal,
            "a token was refused"
        );
    }
    let challenge = match refusal {
        Refusal::Unavailable => return Problem::from_status(&refusal.into()),
        Refusal::Unauthenticated if !has_credentials => "Bearer".to_owned(),
        Refusal::Unauthenticated => "Bearer error=\"invalid_token\"".to_owned(),
        Refusal::PermissionDenied => {
            format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"")
        }
    };
    let challenge = HeaderValue::try_from(challenge).unwrap_or(HeaderValue::from_static("Bearer"));
    Problem::from_status(&refusal.into()).with_header(WWW_AUTHENTICATE, challenge)
}
