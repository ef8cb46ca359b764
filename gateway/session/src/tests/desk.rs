//! A staff area with an issuer, and its browsers.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use http::{HeaderMap, HeaderValue, header};
use ring::{rand::SystemRandom, signature::Ed25519KeyPair};
use service_kit::source::{Clock as _, FixedClock};

use super::issuer::{CLIENT_ID, CLIENT_SECRET, Person, TestIssuer};
use crate::{Redirect, Session, SessionConfig, SessionError, SignInError, SignedIn, Staff};

pub(super) const SITE: &str = "https://hospital.example";
const NOW: i64 = 1_795_000_000;

/// A staff area.
pub(super) struct Desk {
    pub(super) folder: tempfile::TempDir,
    pub(super) clock: Arc<FixedClock>,
    pub(super) issuer: TestIssuer,
    pub(super) staff: Staff,
}

impl Desk {
    pub(super) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts a staff area after the issuer was changed.
    pub(super) async fn with(prepare: impl FnOnce(&TestIssuer)) -> Self {
        let now = DateTime::from_timestamp(NOW, 0).expect("a time");
        let clock = Arc::new(FixedClock::new(now));
        let issuer = TestIssuer::start(Arc::clone(&clock)).await;
        prepare(&issuer);
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a file");
        };
        write("secret", &format!("{CLIENT_SECRET}\n"));
        write("keys", &sealing_keys(&[1]));
        write(
            "roles.toml",
            "[roles]\nfrontdesk = [\"appointments:read\", \"appointments:write\"]\nmanager = [\"audit:read\"]\n",
        );
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        fs::write(folder.path().join("token.der"), key.as_ref()).expect("a file");
        let config = config(&folder, &issuer);
        let staff = start(&config, SITE, &clock).expect("a staff area");
        Self {
            folder,
            clock,
            issuer,
            staff,
        }
    }

    pub(super) fn config(&self) -> SessionConfig {
        config(&self.folder, &self.issuer)
    }

    /// Starts another gateway with the same files.
    pub(super) fn restarted(&self) -> Staff {
        start(&self.config(), SITE, &self.clock).expect("a staff area")
    }

    pub(super) fn start_with(
        &self,
        config: &SessionConfig,
        site: &str,
    ) -> Result<Staff, SessionError> {
        start(config, site, &self.clock)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub(super) fn advance(&self, by: TimeDelta) {
        self.clock.set(self.now() + by);
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Begins a sign-in in a browser. Returns the address at the issuer.
    pub(super) async fn begin(&self, browser: &mut Browser) -> String {
        let Redirect { location, cookies } = self.staff.begin(None).await.expect("a redirect");
        browser.receive(&cookies);
        text(&location)
    }

    /// Signs a person in with a browser.
    pub(super) async fn try_sign_in(
        &self,
        browser: &mut Browser,
        person: &Person,
    ) -> Result<SignedIn, SignInError> {
        let location = self.begin(browser).await;
        let query = self.issuer.authorize(&location, person);
        let signed_in = self.staff.finish(&query, &browser.headers()).await?;
        browser.receive(&signed_in.cookies);
        Ok(signed_in)
    }

    /// Signs a person in with a new browser.
    pub(super) async fn sign_in(&self, person: &Person) -> Browser {
        let mut browser = Browser::default();
        let signed_in = self.try_sign_in(&mut browser, person).await;
        signed_in.expect("a sign-in");
        browser
    }

    /// Returns the session of a browser's next request, and gives the browser its renewed cookie.
    pub(super) fn request(&self, browser: &mut Browser) -> Option<Session> {
        let current = self.staff.session(&browser.headers())?;
        browser.receive(current.set_cookie.as_slice());
        Some(current.session)
    }
}

fn config(folder: &tempfile::TempDir, issuer: &TestIssuer) -> SessionConfig {
    let path = |name: &str| Some(folder.path().join(name));
    SessionConfig {
        staff_issuer: Some(issuer.address().to_owned()),
        staff_client_id: Some(CLIENT_ID.to_owned()),
        staff_client_secret_file: path("secret"),
        staff_roles: path("roles.toml"),
        staff_groups_claim: None,
        staff_issuer_scopes: None,
        session_keys_file: path("keys"),
        staff_ended_file: path("ended"),
        token_key_file: path("token.der"),
    }
}

fn start(
    config: &SessionConfig,
    site: &str,
    clock: &Arc<FixedClock>,
) -> Result<Staff, SessionError> {
    let staff = Staff::start(config, site, Arc::clone(clock) as _)?;
    Ok(staff.expect("an issuer is configured"))
}

/// Returns a file of sealing keys.
pub(super) fn sealing_keys(keys: &[u8]) -> String {
    let lines = keys.iter().map(|key| STANDARD.encode([*key; 32]) + "\n");
    lines.collect()
}

pub(super) fn text(value: &HeaderValue) -> String {
    value.to_str().expect("text").to_owned()
}

/// The cookies of a browser.
#[derive(Clone, Default)]
pub(super) struct Browser(BTreeMap<String, String>);

impl Browser {
    pub(super) fn receive(&mut self, set_cookies: &[HeaderValue]) {
        for set_cookie in set_cookies {
            let text = text(set_cookie);
            let (name, value) = text
                .split_once(';')
                .expect("attributes")
                .0
                .split_once('=')
                .expect("a value");
            if text.contains("Max-Age=0") {
                self.0.remove(name);
            } else {
                self.0.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub(super) fn headers(&self) -> HeaderMap {
        let pairs: Vec<_> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        headers(&pairs.join("; "))
    }

    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The cookie of the session.
    pub(super) fn session(&self) -> &str {
        self.cookie("__Host-session").expect("a session")
    }
}

pub(super) fn headers(cookie: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, cookie.parse().expect("a header"));
    headers
}

/// Returns a sign-in's error.
pub(super) fn error(result: Result<SignedIn, SignInError>) -> SignInError {
    result.map(|_| ()).expect_err("the sign-in is refused")
}
