//! Staff sign-in: OpenID Connect, sealed session cookies, and the gateway's own tokens.
//!
//! The gateway is a backend for frontend: a browser holds a sealed cookie, and no token reaches a script. Sessions are
//! in the cookies only; the gateway remembers those that have ended. [`Staff`] composes the parts and has no routes:
//! the caller maps paths to its methods, and sets the headers that they return.
//!
//! Logs and `Debug` contain no cookie, code, token, state or name.

#![warn(missing_docs)]

mod config;
mod cookies;
mod ended;
mod error;
mod expiring;
mod issuer;
mod keys;
mod reloaded;
mod roles;
mod secrets;
mod session;
mod sign_in;
mod sign_out;
mod site;
mod token;
mod watch;

use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use service_kit::source::Clock;

use self::{
    cookies::Cookie, ended::Ended, issuer::Issuer, keys::SealingKeys, reloaded::Reloaded,
    roles::Roles, session::Sessions, sign_in::SignIns, sign_out::SignOuts, site::Site,
};

pub use self::{
    config::SessionConfig,
    error::SessionError,
    issuer::{IdTokenFault, IssuerError},
    keys::SealError,
    secrets::NoRandomness,
    session::{Current, Session},
    sign_in::{ISSUER_WAIT_MAX, IssuerReply, Redirect, SignInError, SignedIn},
    sign_out::{LogoutError, SignedOut},
    token::Signer,
    watch::SessionWatch,
};

/// The staff area of a site. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Staff(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    issuer: Issuer,
    sessions: Sessions,
    sign_ins: SignIns,
    sign_outs: SignOuts,
    signer: Signer,
}

impl Staff {
    /// Reads all files and begins to fetch the issuer's discovery document. Returns `None` without STAFF_ISSUER. An
    /// issuer that is down is no error. Needs a Tokio runtime.
    ///
    /// `site_origin` is the origin of the staff area, such as `https://hospital.example`. It decides whether cookies
    /// are `__Host-` and `Secure`. The issuer must know its `/staff/callback` as a redirect URI and its `/` as a
    /// post-logout redirect URI.
    ///
    /// # Errors
    /// When settings are missing, out of place or invalid, or a file cannot be used.
    pub fn start(
        config: &SessionConfig,
        site_origin: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Self>, SessionError> {
        let Some(settings) = config.settings()? else {
            return Ok(None);
        };
        let site = Site::parse(site_origin)?;
        let keys = Reloaded::open(
            "SESSION_KEYS_FILE",
            settings.session_keys_file,
            SealingKeys::parse,
        )?;
        let keys = Arc::new(keys);
        // A cookie of another site, issuer or client does not open.
        let context = [site.origin(), settings.issuer, settings.client_id].join("\0");
        let sessions = Sessions {
            keys: Arc::clone(&keys),
            context: context.clone(),
            roles: Reloaded::open("STAFF_ROLES", settings.roles, Roles::parse)?,
            ended: Ended::open(settings.ended_file, Arc::clone(&clock))?,
            cookie: Cookie::session(site.is_https()),
            clock: Arc::clone(&clock),
        };
        let staff = Self(Arc::new(Parts {
            issuer: Issuer::new(&settings, &site, Arc::clone(&clock))?,
            sessions,
            sign_ins: SignIns::new(keys, context, site.clone(), Arc::clone(&clock)),
            sign_outs: SignOuts::new(site, Arc::clone(&clock)),
            signer: Signer::open(settings.token_key_file, clock)?,
        }));
        // Early, so that a wrong address is in the log before the first sign-in.
        let parts = Arc::clone(&staff.0);
        tokio::spawn(async move { parts.issuer.known().await.map(drop) });
        Ok(Some(staff))
    }

    /// Returns the valid session of a request.
    pub fn session(&self, headers: &HeaderMap) -> Option<Current> {
        self.0.sessions.of(headers)
    }

    /// Begins a sign-in. It returns to the path `return_to` if that is a page of staff of at most 512 bytes, else to
    /// `/staff`.
    ///
    /// Waits at most [`ISSUER_WAIT_MAX`] for the issuer.
    ///
    /// # Errors
    /// When the issuer is down, or was never reached.
    pub async fn begin(&self, return_to: Option<&str>) -> Result<Redirect, SignInError> {
        self.0.sign_ins.begin(&self.0.issuer, return_to).await
    }

    /// Completes a sign-in with the query and the headers of the callback. An earlier session of the browser ends.
    /// Waits at most [`ISSUER_WAIT_MAX`] for the issuer.
    ///
    /// # Errors
    /// When the response does not complete a sign-in of this browser. Unless [`SignInError::is_pending`], the caller
    /// should send [`Self::clear_sign_in`].
    pub async fn finish(&self, query: &str, headers: &HeaderMap) -> Result<SignedIn, SignInError> {
        let Parts {
            issuer, sessions, ..
        } = &*self.0;
        self.0
            .sign_ins
            .finish(issuer, sessions, query, headers)
            .await
    }

    /// Returns the `Set-Cookie` header that removes a pending sign-in.
    pub fn clear_sign_in(&self) -> HeaderValue {
        self.0.sign_ins.clear()
    }

    /// Whether a request without a valid session comes from a sign-in whose session other cookies of its name hide. The
    /// caller should not lead to the sign-in again: it would come back the same way, without end.
    pub fn is_hidden(&self, headers: &HeaderMap) -> bool {
        let mut cookies = self.0.sessions.cookie.values(headers);
        cookies.nth(1).is_some() && self.0.sign_ins.has_just_succeeded(headers)
    }

    /// Whether the browser has not shown a page since it signed in. The caller should then send
    /// [`Self::clear_signed_in`] with the first page.
    pub fn has_just_signed_in(&self, headers: &HeaderMap) -> bool {
        self.0.sign_ins.has_just_succeeded(headers)
    }

    /// Returns the `Set-Cookie` header that removes the mark of a sign-in that has just succeeded.
    pub fn clear_signed_in(&self) -> HeaderValue {
        self.0.sign_ins.clear_done()
    }

    /// Returns the `Set-Cookie` headers that remove the cookies of sessions from a request to `path` that has no valid
    /// session. A neighbour on another port may have set some.
    pub fn clear_sessions(&self, headers: &HeaderMap, path: &str) -> Vec<HeaderValue> {
        let cookie = self.0.sessions.cookie;
        if cookie.values(headers).next().is_none() {
            return Vec::new();
        }
        cookie.clear_towards(path)
    }

    /// Ends the session of a request, removes its cookies, and sends the browser to the issuer to sign out there.
    pub async fn sign_out(&self, headers: &HeaderMap) -> SignedOut {
        let Parts {
            issuer, sessions, ..
        } = &*self.0;
        let mut response = self.0.sign_outs.sign_out(issuer, sessions, headers).await;
        response.cookies.push(self.0.sign_ins.clear());
        response.cookies.push(self.0.sign_ins.clear_done());
        response
    }

    /// Ends the sessions that the `logout_token` in a form from the issuer names.
    ///
    /// # Errors
    /// When the body has no valid token of the issuer, or it cannot be checked.
    pub async fn back_channel_logout(&self, body: &[u8]) -> Result<(), LogoutError> {
        let Parts {
            issuer, sessions, ..
        } = &*self.0;
        self.0.sign_outs.back_channel(issuer, sessions, body).await
    }

    /// The signer of the gateway's own tokens.
    pub fn signer(&self) -> &Signer {
        &self.0.signer
    }
}

/// Returns a `Location` header for a parsed address or a normalised path.
fn location(address: &str) -> HeaderValue {
    let mut value = HeaderValue::try_from(address).expect("parsed addresses are visible ASCII");
    value.set_sensitive(true);
    value
}

#[cfg(test)]
mod tests;
