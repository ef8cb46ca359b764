//! Sign-in: an OpenID Connect authorization code flow with PKCE. The gateway keeps no memory for it: the pending
//! sign-in is sealed in a cookie.

mod error;

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use http::{HeaderMap, HeaderValue};
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use service_kit::source::Clock;
use url::form_urlencoded;

use super::{
    cookies::Cookie,
    expiring::Used,
    issuer::{Issuer, IssuerError},
    keys::{Purpose, SealError, SealingKeys},
    location,
    reloaded::Reloaded,
    secrets::{Mark, is_equal, random_text},
    session::{Identity, Session, Sessions},
    site::Site,
};

pub use self::error::{IssuerReply, SignInError};

/// Maximum time between the start and the end of a sign-in.
const TIME_MAX: TimeDelta = TimeDelta::minutes(10);
/// Maximum seconds from a sign-in to the first page.
const DONE_SECONDS: i64 = 60;
/// Maximum time that the start or the end of a sign-in waits for the issuer, over all requests to it. The caller's own
/// time limit must be longer, or the person gets no page that tells what to do.
pub const ISSUER_WAIT_MAX: Duration = Duration::from_secs(10);
/// Random bytes of state, nonce and code verifier each.
const SECRET_BYTES: usize = 32;
/// Maximum length of the issuer's response, in bytes, and of the code in it.
const QUERY_BYTES_MAX: usize = 8 * 1024;
const CODE_BYTES_MAX: usize = 4 * 1024;
/// Maximum number of remembered states.
const STATES_MAX: usize = 10_000;

/// A response that sends the browser to the issuer.
#[derive(Clone, Debug)]
pub struct Redirect {
    /// `Location` header: an address at the issuer. Contains the state: logs must not contain it.
    pub location: HeaderValue,
    /// `Set-Cookie` headers.
    pub cookies: Vec<HeaderValue>,
}

/// A response that completes a sign-in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The new session.
    pub session: Session,
    /// `Location` header: the page of staff that the person wanted to open.
    pub location: HeaderValue,
    /// `Set-Cookie` headers: they begin the session and end the sign-in.
    pub cookies: Vec<HeaderValue>,
}

/// Content of the cookie of a pending sign-in.
#[derive(Deserialize, Serialize)]
struct Pending {
    state: String,
    nonce: String,
    verifier: String,
    return_to: String,
    /// Milliseconds since 1970.
    begun: i64,
}

impl Pending {
    fn ends(&self) -> Option<DateTime<Utc>> {
        Some(DateTime::from_timestamp_millis(self.begun)? + TIME_MAX)
    }
}

/// Sign-ins of this site.
#[derive(Debug)]
pub(crate) struct SignIns {
    keys: Arc<Reloaded<SealingKeys>>,
    context: String,
    site: Site,
    cookie: Cookie,
    /// Marks a sign-in that has just succeeded.
    done: Cookie,
    used: Used,
    clock: Arc<dyn Clock>,
}

impl SignIns {
    pub(crate) fn new(
        keys: Arc<Reloaded<SealingKeys>>,
        context: String,
        site: Site,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            keys,
            context,
            cookie: Cookie::sign_in(site.is_https()),
            done: Cookie::signed_in(site.is_https()),
            site,
            used: Used::new(STATES_MAX),
            clock,
        }
    }

    /// Begins a sign-in that returns to a path.
    pub(crate) async fn begin(
        &self,
        issuer: &Issuer,
        return_to: Option<&str>,
    ) -> Result<Redirect, SignInError> {
        let known = in_time(async { Ok(issuer.reached().await?) }).await?;
        let pending = Pending {
            state: random_text::<SECRET_BYTES>()?,
            nonce: random_text::<SECRET_BYTES>()?,
            verifier: random_text::<SECRET_BYTES>()?,
            return_to: self.site.return_path(return_to),
            begun: self.clock.now().timestamp_millis(),
        };
        let challenge = digest(&SHA256, pending.verifier.as_bytes());
        let challenge = URL_SAFE_NO_PAD.encode(challenge);
        let url = issuer.authorization(&known, &pending.state, &pending.nonce, &challenge);
        Ok(Redirect {
            location: location(url.as_str()),
            cookies: vec![self.set_cookie(&pending)?],
        })
    }

    /// Completes a sign-in with the issuer's response, which is the query of the callback.
    pub(crate) async fn finish(
        &self,
        issuer: &Issuer,
        sessions: &Sessions,
        query: &str,
        headers: &HeaderMap,
    ) -> Result<SignedIn, SignInError> {
        let response = Response::parse(query)?;
        let pending = self.pending(headers, &response.state)?;
        let identity = in_time(self.identity(issuer, response, &pending)).await?;
        // The browser had another session: it ends, because its cookie is replaced.
        if let Some(earlier) = sessions.of(headers) {
            sessions.end(&earlier.session).await;
        }
        let session = sessions.begin(identity)?;
        let cookie = sessions.set_cookie(&session)?;
        tracing::info!(scopes = session.scopes.len(), "a member of staff signed in");
        let opened = Site::opened_first(&pending.return_to, &session);
        Ok(SignedIn {
            location: location(opened),
            session,
            cookies: vec![
                cookie,
                self.cookie.clear(),
                self.done.set("1", Some(DONE_SECONDS)),
            ],
        })
    }

    /// Returns the identity of the person whom the issuer's response to a pending sign-in names.
    async fn identity(
        &self,
        issuer: &Issuer,
        response: Response,
        pending: &Pending,
    ) -> Result<Identity, SignInError> {
        let known = issuer.known().await?;
        // Mix-up (RFC 9207): before anything else of the response is used.
        match &response.issuer {
            Some(name) if name == issuer.name() => {}
            None if !known.names_itself() => {}
            _ => return Err(SignInError::MixUp),
        }
        // Before the state is used up: reloading the page tries again.
        let _permit = issuer.exchange_permit().ok_or(SignInError::Busy)?;
        self.use_up(pending)?;
        let code = response.code?;
        let identity = issuer.identify(&known, &code, &pending.verifier, &pending.nonce);
        Ok(identity.await?)
    }

    /// Returns the `Set-Cookie` header that ends a pending sign-in.
    pub(crate) fn clear(&self) -> HeaderValue {
        self.cookie.clear()
    }

    /// Whether this browser has not shown a page since it signed in.
    pub(crate) fn has_just_succeeded(&self, headers: &HeaderMap) -> bool {
        self.done.values(headers).any(|value| !value.is_empty())
    }

    /// Returns the `Set-Cookie` header that ends the mark of a sign-in.
    pub(crate) fn clear_done(&self) -> HeaderValue {
        self.done.clear()
    }

    fn set_cookie(&self, pending: &Pending) -> Result<HeaderValue, SignInError> {
        let plain = serde_json::to_vec(pending).map_err(|_| SealError::TooLong)?;
        let bytes_max = self.cookie.value_bytes_max();
        let keys = self.keys.current();
        let sealed = keys.seal(Purpose::SignIn, &self.context, &plain, bytes_max)?;
        Ok(self.cookie.set(&sealed, Some(TIME_MAX.num_seconds())))
    }

    /// Returns the pending sign-in of this browser that has the state. Other cookies of the same name may be from a
    /// neighbouring host.
    fn pending(&self, headers: &HeaderMap, state: &str) -> Result<Pending, SignInError> {
        let keys = self.keys.current();
        let mut fault = SignInError::NotPending;
        for value in self.cookie.values(headers) {
            let plain = keys.open(Purpose::SignIn, &self.context, value);
            let pending = plain.and_then(|plain| serde_json::from_slice::<Pending>(&plain).ok());
            let Some(pending) = pending else {
                continue;
            };
            if !is_equal(&pending.state, state) {
                fault = SignInError::State;
            } else if pending.ends().is_none_or(|ends| ends <= self.clock.now()) {
                fault = SignInError::Expired;
            } else {
                return Ok(pending);
            }
        }
        Err(fault)
    }

    /// A state counts once. The code is used up at the issuer anyway, but not every issuer enforces that.
    fn use_up(&self, pending: &Pending) -> Result<(), SignInError> {
        let now = self.clock.now();
        let until = (now + TIME_MAX).timestamp_millis();
        let mark = Mark::of("state", pending.state.as_bytes());
        let is_first = self.used.insert(now.timestamp_millis(), mark, until);
        is_first.then_some(()).ok_or(SignInError::Replayed)
    }
}

/// Limits how long a sign-in waits for the issuer.
async fn in_time<T>(work: impl Future<Output = Result<T, SignInError>>) -> Result<T, SignInError> {
    let seconds_max = ISSUER_WAIT_MAX.as_secs();
    tokio::time::timeout(ISSUER_WAIT_MAX, work)
        .await
        .unwrap_or(Err(IssuerError::Slow { seconds_max }.into()))
}

/// The issuer's response to a sign-in.
struct Response {
    state: String,
    issuer: Option<String>,
    code: Result<String, SignInError>,
}

impl Response {
    /// Parses a query. Each parameter may occur once; unknown ones are skipped.
    fn parse(query: &str) -> Result<Self, SignInError> {
        if query.len() > QUERY_BYTES_MAX {
            return Err(SignInError::Query);
        }
        let [mut state, mut issuer, mut code, mut error] = [const { None }; 4];
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let parameter = match &*name {
                "state" => &mut state,
                "iss" => &mut issuer,
                "code" => &mut code,
                "error" => &mut error,
                _ => continue,
            };
            if parameter.replace(value.into_owned()).is_some() {
                return Err(SignInError::Query);
            }
        }
        let code = match (code, error) {
            (Some(code), None) if (1..=CODE_BYTES_MAX).contains(&code.len()) => Ok(code),
            (None, Some(error)) => Err(SignInError::Issuer(IssuerReply::of(&error))),
            _ => return Err(SignInError::Query),
        };
        Ok(Self {
            state: state.ok_or(SignInError::Query)?,
            issuer,
            code,
        })
    }
}
