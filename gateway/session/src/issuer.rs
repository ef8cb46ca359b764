//! The issuer that signs staff in.

mod discovery;
mod exchange;
mod fetch;
mod id_token;

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwapOption;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::{
    auth::{Document, IssuerKeys, KeysError, Refusal},
    source::Clock,
};
use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use url::Url;

use self::{
    discovery::Metadata,
    fetch::HttpClient,
    id_token::{Claims, Expected},
};
use super::{
    config::{ClientSecret, Settings, client_secret},
    error::SessionError,
    reloaded::Reloaded,
    session::Identity,
    site::Site,
};

pub(crate) use self::exchange::ExchangeError;
pub use self::{fetch::IssuerError, id_token::IdTokenFault};

/// Time limit of a request to the issuer, to the last byte of the response.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Age at which a discovery document is fetched again. It stays valid while the issuer is down.
const DISCOVERY_AGE_MAX: TimeDelta = TimeDelta::minutes(10);
/// Age up to which a discovery document shows that the issuer is up. Sign-ins begin only at an issuer that is up.
const REACHED_AGE_MAX: TimeDelta = TimeDelta::seconds(5);
/// Minimum time between a failed discovery and the next: visitors must not drive the request rate to the issuer.
const DISCOVERY_RETRY_MIN: TimeDelta = TimeDelta::seconds(1);
/// Maximum number of sign-ins, and of back-channel logouts, that wait for the issuer at once. They are counted
/// separately, because any client can send invalid logout tokens, and these must not block sign-ins.
const EXCHANGES_MAX: usize = 16;
const LOGOUTS_MAX: usize = 16;
/// Tolerated difference between the issuer's clock and ours.
pub(crate) const LEEWAY: TimeDelta = TimeDelta::seconds(30);
/// Types of ID tokens and of logout tokens (OpenID Connect Back-Channel Logout, 2.4). A token may have no type.
const ID_TOKEN_TYPES: [&str; 1] = ["JWT"];
const LOGOUT_TOKEN_TYPES: [&str; 2] = ["JWT", "logout+jwt"];

/// The issuer and this site's registration there.
#[derive(Debug)]
pub(crate) struct Issuer {
    name: String,
    client_id: String,
    client_secret: Reloaded<ClientSecret>,
    groups_claim: String,
    scopes: String,
    callback: String,
    http: HttpClient,
    known: ArcSwapOption<Known>,
    /// Held by the one request that fetches the document. Contains the last failure.
    discovery: Mutex<Option<Failure>>,
    exchanges: Semaphore,
    logouts: Semaphore,
    clock: Arc<dyn Clock>,
}

/// What the issuer's discovery document describes.
#[derive(Debug)]
pub(crate) struct Known {
    metadata: Metadata,
    keys: IssuerKeys,
    fetched: DateTime<Utc>,
}

/// A failed discovery.
#[derive(Clone, Copy, Debug)]
struct Failure {
    at: DateTime<Utc>,
    is_down: bool,
}

impl Known {
    /// Whether every response of the issuer must name it (RFC 9207).
    pub(crate) fn names_itself(&self) -> bool {
        self.metadata.names_itself
    }
}

impl Issuer {
    pub(crate) fn new(
        settings: &Settings<'_>,
        site: &Site,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SessionError> {
        Document::Discovery.prepare();
        Ok(Self {
            name: settings.issuer.to_owned(),
            client_id: settings.client_id.to_owned(),
            client_secret: Reloaded::open(
                "STAFF_CLIENT_SECRET_FILE",
                settings.client_secret_file,
                client_secret,
            )?,
            groups_claim: settings.groups_claim.to_owned(),
            scopes: settings.scopes.to_owned(),
            callback: site.callback(),
            http: HttpClient::new(TIME_MAX).map_err(SessionError::Authorities)?,
            known: ArcSwapOption::empty(),
            discovery: Mutex::new(None),
            exchanges: Semaphore::new(EXCHANGES_MAX),
            logouts: Semaphore::new(LOGOUTS_MAX),
            clock,
        })
    }

    /// The issuer's name, exactly as configured.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns a permit for [`Self::identify`]; `None` if too many sign-ins wait.
    pub(crate) fn exchange_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.exchanges.try_acquire().ok()
    }

    /// Returns a permit for [`Self::logout_claims`]; `None` if too many logouts wait.
    pub(crate) fn logout_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.logouts.try_acquire().ok()
    }

    /// Returns what is known of the issuer. Fetches the discovery document if there is none or it is too old. An old
    /// document stays valid while the issuer is down or sends another.
    pub(crate) async fn known(&self) -> Result<Arc<Known>, IssuerError> {
        match self.fetched_within(DISCOVERY_AGE_MAX).await {
            Err(error) => self.known.load_full().ok_or(error),
            fetched => fetched,
        }
    }

    /// Returns what is known of an issuer that is up. An issuer that responds, but with an unusable document, is up.
    pub(crate) async fn reached(&self) -> Result<Arc<Known>, IssuerError> {
        match self.fetched_within(REACHED_AGE_MAX).await {
            Err(error) if !error.is_down() => self.known.load_full().ok_or(error),
            fetched => fetched,
        }
    }

    /// Returns what a discovery document of at most this age describes. Fetches one if necessary: one request fetches,
    /// others wait for it.
    async fn fetched_within(&self, age_max: TimeDelta) -> Result<Arc<Known>, IssuerError> {
        if let Some(known) = self.fresh(age_max) {
            return Ok(known);
        }
        let mut failure = self.discovery.lock().await;
        if let Some(known) = self.fresh(age_max) {
            return Ok(known);
        }
        if let Some(Failure { at, is_down }) = *failure
            && is_within(self.clock.now() - at, DISCOVERY_RETRY_MIN)
        {
            return Err(IssuerError::FailedBefore { is_down });
        }
        let earlier = self.known.load_full();
        let discovered = self.discover(earlier.as_deref()).await;
        Document::Discovery.count(discovered.is_ok());
        match discovered {
            Ok(known) => {
                let known = Arc::new(known);
                *failure = None;
                self.known.store(Some(Arc::clone(&known)));
                Ok(known)
            }
            Err(error) => {
                // After the fetch, which may have taken seconds: requests that waited for it must not fetch again.
                *failure = Some(Failure {
                    at: self.clock.now(),
                    is_down: error.is_down(),
                });
                tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    has_earlier = earlier.is_some(),
                    "the discovery document of STAFF_ISSUER cannot be used"
                );
                Err(error)
            }
        }
    }

    fn fresh(&self, age_max: TimeDelta) -> Option<Arc<Known>> {
        let age = |known: &Known| self.clock.now() - known.fetched;
        let known = self.known.load_full();
        known.filter(|known| is_within(age(known), age_max))
    }

    async fn discover(&self, earlier: Option<&Known>) -> Result<Known, IssuerError> {
        let metadata = discovery::fetch(&self.http, &self.name).await?;
        let same = earlier.filter(|earlier| earlier.metadata.jwks_uri == metadata.jwks_uri);
        let keys = match same {
            Some(earlier) => earlier.keys.clone(),
            None => IssuerKeys::start(metadata.jwks_uri.as_str()).map_err(unusable_keys)?,
        };
        Ok(Known {
            metadata,
            keys,
            fetched: self.clock.now(),
        })
    }

    /// Returns the address at the issuer that begins a sign-in (authorization code flow with PKCE).
    pub(crate) fn authorization(
        &self,
        known: &Known,
        state: &str,
        nonce: &str,
        challenge: &str,
    ) -> Url {
        let mut url = known.metadata.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", &self.callback)
            .append_pair("scope", &self.scopes)
            .append_pair("state", state)
            .append_pair("nonce", nonce)
            .append_pair("code_challenge", challenge)
            .append_pair("code_challenge_method", "S256");
        url
    }

    /// Returns the address at the issuer that ends the session there, if it has one.
    pub(crate) fn end_session(&self, id_token: Option<&str>, return_to: &str) -> Option<Url> {
        let known = self.known.load();
        let mut url = known.as_ref()?.metadata.end_session_endpoint.clone()?;
        let mut query = url.query_pairs_mut();
        query.append_pair("client_id", &self.client_id);
        if let Some(id_token) = id_token {
            query.append_pair("id_token_hint", id_token);
        }
        query.append_pair("post_logout_redirect_uri", return_to);
        drop(query);
        Some(url)
    }

    /// Exchanges a code for the identity of the person who signed in. The caller must hold a permit.
    pub(crate) async fn identify(
        &self,
        known: &Known,
        code: &str,
        verifier: &str,
        nonce: &str,
    ) -> Result<Identity, ExchangeError> {
        let secret = self.client_secret.current();
        let request = exchange::Exchange {
            client_id: &self.client_id,
            client_secret: &secret.0,
            callback: &self.callback,
            code,
            verifier,
        };
        let tokens = request.send(&self.http, &known.metadata).await?;
        let claims: Claims = known
            .keys
            .verify(
                &tokens.id_token,
                &self.name,
                &self.client_id,
                &ID_TOKEN_TYPES,
            )
            .await
            .map_err(|refusal| match refusal {
                Refusal::Unavailable => ExchangeError::Issuer(IssuerError::Keys),
                _ => ExchangeError::IdToken(IdTokenFault::Signature),
            })?;
        let expected = Expected {
            issuer: &self.name,
            client_id: &self.client_id,
            groups_claim: &self.groups_claim,
            nonce,
            now: self.clock.now(),
        };
        expected
            .check(claims, tokens)
            .map_err(ExchangeError::IdToken)
    }

    /// Returns the claims of a logout token that the issuer signed for this client. The caller must hold a permit.
    pub(crate) async fn logout_claims<C: serde::de::DeserializeOwned>(
        &self,
        known: &Known,
        token: &str,
    ) -> Result<C, Refusal> {
        let keys = &known.keys;
        keys.verify(token, &self.name, &self.client_id, &LOGOUT_TOKEN_TYPES)
            .await
    }
}

/// Whether an age is below a maximum. After the clock was set back, nothing is.
fn is_within(age: TimeDelta, max: TimeDelta) -> bool {
    age >= TimeDelta::zero() && age < max
}

fn unusable_keys(error: KeysError) -> IssuerError {
    match error {
        KeysError::Insecure { .. } => IssuerError::Endpoint { name: "jwks_uri" },
        other => IssuerError::Unreachable(Box::new(other)),
    }
}
