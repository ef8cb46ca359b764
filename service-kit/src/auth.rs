//! Authentication of calls that are not public: a bearer JWT (RFC 7519) from an issuer whose public keys are
//! configured.
//!
//! Nothing here issues tokens. A token must name its issuer and audience. Its type, if present, must be `JWT` or
//! `at+jwt` (RFC 9068). The JSON Web Key Set (RFC 7517) is a file, reloaded on change, or is fetched from the issuer.
//! It is fetched every five minutes, and when a token names a key that the set lacks. Without a set, such calls are
//! refused.

mod fetched;
mod fetches;
mod issuer_keys;
mod keys;
mod ring_provider;

use std::{fmt, path::PathBuf, sync::Arc};

use serde::Deserialize;
use serde_json::Value;
use tonic::{Code, Status};

use crate::{
    input::{EmailAddress, Line},
    source::{Clock, SystemClock},
    status,
};
use fetched::{FetchIntervals, FetchedKeys};
use keys::{ACCESS_TOKEN, KeyFile, Keys, Party};

pub use fetches::Document;
pub use issuer_keys::IssuerKeys;
pub use keys::KeysError;

/// Maximum length of a token that is parsed, in bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;
/// Tolerated difference between the issuer's clock and ours, in seconds.
const LEEWAY_SECONDS: f64 = 30.0;
/// Maximum length of a stored subject, in bytes (OpenID Connect Core, 2: at most 255 ASCII characters).
const SUBJECT_BYTES_MAX: usize = 255;
/// Maximum length of a doctor's id, in bytes.
const DOCTOR_BYTES_MAX: usize = 64;
/// Maximum length of a name, in characters.
const NAME_CHARS_MAX: usize = 128;
/// Subject of a token without `sub`.
const UNKNOWN_SUBJECT: &str = "unknown";

/// Source of the keys, and the issuer and audience that tokens must name.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct AuthConfig {
    /// JSON Web Key Set file with the public keys of the token issuer: Ed25519 (EdDSA), P-256 (ES256) or RSA of at
    /// least 2048 bits (RS256). Reloaded when the file changes. Without it, calls that need a token are refused.
    #[arg(long, env = "JWKS_FILE")]
    pub jwks_file: Option<PathBuf>,

    /// Address of the JSON Web Key Set: https, or http on this machine. Fetched every 5 minutes and for unknown keys,
    /// at most 64 KiB within 5 s. The last good set stays valid for 24 hours; without a valid set, calls that need a
    /// token get UNAVAILABLE.
    #[arg(long, env = "JWKS_URL", conflicts_with = "jwks_file", value_parser = trustworthy)]
    pub jwks_url: Option<String>,

    /// Issuer (`iss`) that a token must name. Required with configured keys, because one key set may sign for several
    /// issuers.
    #[arg(long, env = "JWT_ISSUER", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub jwt_issuer: Option<String>,

    /// Audience (`aud`) that a token must name. Required with configured keys.
    #[arg(long, env = "JWT_AUDIENCE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub jwt_audience: Option<String>,
}

fn trustworthy(address: &str) -> Result<String, KeysError> {
    fetched::trustworthy(address).map(|_| address.to_owned())
}

/// Why a call is refused. Reveals nothing that would help to forge a token.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The token is missing or invalid: not a bearer token, not signed by a known key, for another audience, not yet
    /// valid, or expired.
    #[error("a valid bearer token is required")]
    Unauthenticated,
    /// The token is valid, but its scopes do not allow this call; or calls of this kind are never allowed.
    #[error("this call is not allowed")]
    PermissionDenied,
    /// The issuer's keys were never fetched, or not for 24 hours, so tokens cannot be checked.
    #[error("tokens cannot be checked at the moment")]
    Unavailable,
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let (code, reason) = match refusal {
            Refusal::Unauthenticated => (Code::Unauthenticated, "TOKEN_INVALID"),
            Refusal::PermissionDenied => (Code::PermissionDenied, "SCOPE_MISSING"),
            Refusal::Unavailable => (Code::Unavailable, "KEYS_UNAVAILABLE"),
        };
        status::with_reason(code, reason, &refusal.to_string())
    }
}

/// Checks bearer tokens. Cheap to clone.
#[derive(Clone)]
pub struct Verifier {
    source: Option<KeySource>,
    party: Party,
    clock: Arc<dyn Clock>,
}

/// Source of the keys.
#[derive(Clone, Debug)]
enum KeySource {
    File(Arc<KeyFile>),
    Issuer(Arc<FetchedKeys>),
}

impl KeySource {
    fn keys(&self) -> Result<Arc<Keys>, Refusal> {
        match self {
            Self::File(file) => Ok(file.keys()),
            Self::Issuer(fetched) => fetched.keys().ok_or(Refusal::Unavailable),
        }
    }

    /// Refreshes the key set early if the token names a key that is not in it: the issuer may have rotated its keys.
    fn refetch_for_unknown_key(&self, keys: &Keys, token: &str) {
        if let Self::Issuer(fetched) = self
            && !keys.has_key_of(token)
        {
            fetched.request_refetch();
        }
    }
}

/// The caller, as named by the token.
#[derive(Clone, Eq, PartialEq)]
pub struct Caller {
    /// The claim `sub` without control characters, truncated to 255 bytes; `unknown` when the token has none.
    pub subject: String,
    /// The claim `doctor`: id of the doctor whom the roster knows the caller as. 1 to 64 letters, digits, hyphens or
    /// underscores; any other value is no claim.
    pub doctor: Option<String>,
    /// The claim `name`: one line of at most 128 characters; any other value is no claim.
    pub name: Option<String>,
    /// The claim `email`, unless `email_verified` denies it.
    pub email: Option<String>,
}

/// Hides name and address.
impl fmt::Debug for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Caller")
            .field("subject", &self.subject)
            .field("doctor", &self.doctor)
            .finish_non_exhaustive()
    }
}

/// Returns the address that claims of an issuer state: a valid one, which the claim `email_verified`, if present, does
/// not deny. Some issuers write that claim as text.
pub fn stated_email(email: Option<&Value>, verified: Option<&Value>) -> Option<String> {
    let is_confirmed = match verified {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text == "true",
        Some(value) => value == &Value::Bool(true),
    };
    let email = email.and_then(Value::as_str).filter(|_| is_confirmed)?;
    let email = EmailAddress::parse(email).ok()?;
    Some(email.into_string())
}

impl Caller {
    /// Creates a caller of whom only the subject is known.
    pub fn named(subject: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            doctor: None,
            name: None,
            email: None,
        }
    }

    fn of(claims: Claims) -> Self {
        let mut subject = claims.sub.unwrap_or_default();
        // PostgreSQL rejects NUL, and log lines must not contain line breaks.
        subject.retain(|character| !character.is_control());
        subject.truncate(subject.floor_char_boundary(SUBJECT_BYTES_MAX));
        if subject.is_empty() {
            UNKNOWN_SUBJECT.clone_into(&mut subject);
        }
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_id =
            |id: &&str| (1..=DOCTOR_BYTES_MAX).contains(&id.len()) && id.bytes().all(is_letter);
        let doctor = claims.doctor.as_ref().and_then(Value::as_str);
        let name = claims.name.as_ref().and_then(Value::as_str);
        let name = name.and_then(|name| Line::parse(name, NAME_CHARS_MAX).ok());
        Self {
            subject,
            doctor: doctor.filter(is_id).map(str::to_owned),
            name: name.map(Line::into_string),
            email: stated_email(claims.email.as_ref(), claims.email_verified.as_ref()),
        }
    }
}

/// The claims that are checked. Times are seconds since 1970, possibly with a fraction (RFC 7519, NumericDate).
#[derive(Deserialize)]
struct Claims {
    exp: f64,
    nbf: Option<f64>,
    sub: Option<String>,
    /// Own claim of the gateway. Tokens of other issuers may use the name for anything.
    doctor: Option<Value>,
    /// Of any type too: a claim that is not used must not refuse the token.
    name: Option<Value>,
    email: Option<Value>,
    email_verified: Option<Value>,
    /// Scopes, separated by spaces (RFC 8693).
    #[serde(default)]
    scope: String,
}

impl Verifier {
    /// Builds a verifier with the configured keys and the machine's clock. Fetching keys needs a Tokio runtime.
    ///
    /// # Errors
    /// When the key file cannot be read or has no usable key, the key address is not allowed, or keys are configured
    /// without issuer or audience.
    pub fn from_config(config: &AuthConfig) -> Result<Self, KeysError> {
        ring_provider::install();
        let source = match (&config.jwks_file, &config.jwks_url) {
            (Some(path), _) => Some(KeySource::File(Arc::new(KeyFile::open(path)?))),
            (None, Some(address)) => {
                let fetched = FetchedKeys::start(address, FetchIntervals::default())?;
                Some(KeySource::Issuer(Arc::new(fetched)))
            }
            (None, None) => None,
        };
        let named = |value: &Option<String>, setting| match value {
            Some(value) => Ok(value.clone()),
            None if source.is_none() => Ok(String::new()),
            None => Err(KeysError::Unnamed { setting }),
        };
        Ok(Self {
            party: Party {
                issuer: named(&config.jwt_issuer, "JWT_ISSUER")?,
                audience: named(&config.jwt_audience, "JWT_AUDIENCE")?,
            },
            source,
            clock: Arc::new(SystemClock),
        })
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// As [`Self::check`], for the request of an RPC.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn check_request<T>(
        &self,
        request: &tonic::Request<T>,
        scope: &str,
    ) -> Result<Caller, Refusal> {
        // A value that is not text cannot be a token.
        let authorization = request.metadata().get("authorization");
        self.check(
            authorization.map(|value| value.to_str().unwrap_or_default()),
            scope,
        )
    }

    /// Authenticates the value of an `Authorization` header and authorises a call that needs `scope`. Returns the
    /// caller.
    ///
    /// # Errors
    /// The refusal. Without configured keys it is always [`Refusal::PermissionDenied`].
    pub fn check(&self, authorization: Option<&str>, scope: &str) -> Result<Caller, Refusal> {
        let source = self.source.as_ref().ok_or(Refusal::PermissionDenied)?;
        let keys = source.keys()?;
        let token = authorization.and_then(bearer);
        let token = token.ok_or(Refusal::Unauthenticated)?;
        let Some(claims) = self.claims(&keys, token) else {
            source.refetch_for_unknown_key(&keys, token);
            return Err(Refusal::Unauthenticated);
        };
        if claims.scope.split(' ').any(|granted| granted == scope) {
            Ok(Caller::of(claims))
        } else {
            Err(Refusal::PermissionDenied)
        }
    }

    /// Returns the claims of a token that is valid now.
    fn claims(&self, keys: &Keys, token: &str) -> Option<Claims> {
        let claims: Claims = keys.verify(token, &self.party, &ACCESS_TOKEN)?;
        let now = self.clock.now().timestamp_millis();
        #[expect(
            clippy::cast_precision_loss,
            reason = "milliseconds of today need 41 of 52 bits"
        )]
        let now = now as f64 / 1000.0;
        let has_begun = claims.nbf.is_none_or(|nbf| nbf - LEEWAY_SECONDS <= now);
        let has_ended = claims.exp + LEEWAY_SECONDS <= now;
        (has_begun && !has_ended).then_some(claims)
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Verifier")
            .field("source", &self.source)
            .field("party", &self.party)
            .finish_non_exhaustive()
    }
}

/// Returns the token of `Bearer <token>` (RFC 6750); the scheme is case-insensitive.
fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.len() <= TOKEN_BYTES_MAX)
        .then_some(token)
}

#[cfg(test)]
mod tests;
