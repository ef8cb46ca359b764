//! Sign-out: by the person, and by the issuer (OpenID Connect Back-Channel Logout 1.0).

use std::sync::Arc;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value};
use service_kit::{auth::Refusal, source::Clock};
use url::form_urlencoded;

use super::{
    ended::{Target, sid_mark},
    expiring::Used,
    issuer::{Issuer, IssuerError, LEEWAY},
    location,
    secrets::Mark,
    session::{AGE_MAX, Sessions},
    site::Site,
};

/// Maximum length of a logout request, in bytes.
const BODY_BYTES_MAX: usize = 40 * 1024;
/// Maximum number of remembered logout tokens.
const TOKENS_MAX: usize = 10_000;
/// Member of the claim `events` that makes a token a logout token.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A response that completes a sign-out.
#[derive(Clone, Debug)]
pub struct SignedOut {
    /// `Location` header: an address at the issuer that ends the session there and returns to this site; or a page of
    /// this site if the issuer has no such address. May contain the ID token: logs must not contain it.
    pub location: HeaderValue,
    /// `Set-Cookie` headers: they remove the session and a pending sign-in.
    pub cookies: Vec<HeaderValue>,
}

/// Why a back-channel logout is refused.
#[derive(Debug, thiserror::Error)]
pub enum LogoutError {
    /// The body is not a form with one `logout_token`.
    #[error("the body is not a form with one logout_token")]
    Body,
    /// The token is not a valid logout token of the issuer for this client.
    #[error("the logout token is not valid")]
    Token,
    /// The token was used before.
    #[error("the logout token was used before")]
    Replayed,
    /// The token cannot be checked at the moment.
    #[error("logout tokens cannot be checked at the moment")]
    Unavailable(#[source] Option<IssuerError>),
    /// Too many requests wait for the issuer.
    #[error("too many requests at once")]
    Busy,
}

impl LogoutError {
    /// Status of the response to the issuer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Body | Self::Token | Self::Replayed => StatusCode::BAD_REQUEST,
            Self::Unavailable(_) | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl From<IssuerError> for LogoutError {
    fn from(error: IssuerError) -> Self {
        Self::Unavailable(Some(error))
    }
}

/// The claims of a logout token. Times are seconds since 1970, possibly with a fraction.
#[derive(Deserialize)]
struct Claims {
    iat: f64,
    exp: f64,
    jti: String,
    events: Map<String, Value>,
    sub: Option<String>,
    sid: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Sign-outs of this site.
#[derive(Debug)]
pub(crate) struct SignOuts {
    site: Site,
    used: Used,
    clock: Arc<dyn Clock>,
}

impl SignOuts {
    pub(crate) fn new(site: Site, clock: Arc<dyn Clock>) -> Self {
        Self {
            site,
            used: Used::new(TOKENS_MAX),
            clock,
        }
    }

    /// Ends the session of a request. Returns the response; the caller adds the cookie of a pending sign-in.
    pub(crate) async fn sign_out(
        &self,
        issuer: &Issuer,
        sessions: &Sessions,
        headers: &HeaderMap,
    ) -> SignedOut {
        let mut id_token = None;
        if let Some(current) = sessions.of(headers) {
            sessions.end(&current.session).await;
            tracing::info!("a member of staff signed out");
            id_token = current.session.id_token;
        }
        // Without a valid session here, the person may still have one at the issuer.
        let elsewhere = issuer.end_session(id_token.as_deref(), &self.site.signed_out());
        SignedOut {
            location: match elsewhere {
                Some(url) => location(url.as_str()),
                None => location(Site::signed_out_path()),
            },
            cookies: vec![sessions.cookie.clear()],
        }
    }

    /// Ends the sessions that a logout token names.
    pub(crate) async fn back_channel(
        &self,
        issuer: &Issuer,
        sessions: &Sessions,
        body: &[u8],
    ) -> Result<(), LogoutError> {
        let token = logout_token(body)?;
        let permit = issuer.logout_permit().ok_or(LogoutError::Busy)?;
        let known = issuer.known().await?;
        let claims = issuer.logout_claims::<Claims>(&known, &token).await;
        drop(permit);
        let claims = claims.map_err(|refusal| match refusal {
            Refusal::Unavailable => LogoutError::Unavailable(None),
            _ => LogoutError::Token,
        })?;
        let now = self.clock.now();
        let token_issued = claims.check(now)?;
        self.use_up(&claims, now)?;
        // Sessions that began after the token did are others, even if the token arrives late.
        let sessions_until = now.min(token_issued + LEEWAY);
        let target = match (&claims.sid, &claims.sub) {
            (Some(sid), _) => Target::IssuerSession(sid_mark(sid)),
            (None, Some(subject)) => Target::Person(subject),
            (None, None) => return Err(LogoutError::Token),
        };
        sessions
            .ended
            .end(target, sessions_until, now + AGE_MAX)
            .await;
        tracing::info!(
            is_one_session = claims.sid.is_some(),
            "the issuer ended sessions"
        );
        Ok(())
    }

    /// A token counts once.
    fn use_up(&self, claims: &Claims, now: DateTime<Utc>) -> Result<(), LogoutError> {
        let until = time(claims.exp).ok_or(LogoutError::Token)? + LEEWAY;
        let mark = Mark::of("jti", claims.jti.as_bytes());
        let (now, until) = (now.timestamp_millis(), until.timestamp_millis());
        let is_first = self.used.insert(now, mark, until);
        is_first.then_some(()).ok_or(LogoutError::Replayed)
    }
}

impl Claims {
    /// Checks what makes this a logout token that is valid now. Returns when it was issued.
    fn check(&self, now: DateTime<Utc>) -> Result<DateTime<Utc>, LogoutError> {
        let (issued, ends) = (time(self.iat), time(self.exp));
        let (issued, ends) = issued.zip(ends).ok_or(LogoutError::Token)?;
        let is_logout = self.events.get(EVENT).is_some_and(Value::is_object)
            && !self.others.contains_key("nonce")
            && !self.jti.is_empty();
        let names_sessions = self.sid.is_some() || self.sub.is_some();
        let is_in_time = issued - LEEWAY <= now && ends + LEEWAY > now;
        (is_logout && names_sessions && is_in_time)
            .then_some(issued)
            .ok_or(LogoutError::Token)
    }
}

/// Converts seconds since 1970.
fn time(seconds: f64) -> Option<DateTime<Utc>> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a value out of range saturates, and is no time then"
    )]
    let millis = (seconds * 1000.0) as i64;
    DateTime::from_timestamp_millis(millis)
}

/// Returns the one `logout_token` of a form.
fn logout_token(body: &[u8]) -> Result<String, LogoutError> {
    if body.len() > BODY_BYTES_MAX {
        return Err(LogoutError::Body);
    }
    let mut tokens = form_urlencoded::parse(body).filter(|(name, _)| name == "logout_token");
    match (tokens.next(), tokens.next()) {
        (Some((_, token)), None) => Ok(token.into_owned()),
        _ => Err(LogoutError::Body),
    }
}
