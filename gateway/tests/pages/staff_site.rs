//! A gateway with a staff area, and people who sign in to it.

use std::{
    fs,
    ops::{Deref, DerefMut},
};

use axum::http::{Method, StatusCode};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ring::{rand::SystemRandom, signature::Ed25519KeyPair};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    site::{Reply, Site, remotes},
    staff_issuer::{CLIENT, StaffIssuer},
};

/// Origin of the site, as its browsers report it.
pub(crate) const ORIGIN: &str = "http://127.0.0.1:8080";
pub(crate) const FROM_HERE: (&str, &str) = ("origin", ORIGIN);
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const ROLES: &str = r#"
[roles]
frontdesk = ["entries:read", "entries:write"]
reader = ["entries:read"]
[doctors]
"nandini.iyengar" = "doc-06"
"#;

/// A site whose team `rota` has pages of staff.
pub(crate) struct StaffSite {
    site: Site,
    issuer: StaffIssuer,
    _files: TempDir,
}

impl Deref for StaffSite {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

/// Returns a copy of the fixtures whose pointers name the team of staff pages.
pub(crate) fn remotes_with_staff() -> TempDir {
    let folder = remotes();
    let teams =
        ["clinic", "ward", "rota"].map(|team| (team.to_owned(), json!({"stable": "1.0.0"})));
    let pointers = json!({
        "contract": 2,
        "shell": {"stable": "2.0.0"},
        "teams": teams.into_iter().collect::<serde_json::Map<_, _>>(),
    });
    fs::write(folder.path().join("remotes.json"), pointers.to_string()).expect("writable");
    folder
}

impl DerefMut for StaffSite {
    fn deref_mut(&mut self) -> &mut Site {
        &mut self.site
    }
}

impl StaffSite {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts with further command-line flags.
    pub(crate) async fn start_with(more: &[&str]) -> Self {
        Self::start_in(remotes_with_staff(), more).await
    }

    /// Starts with the page modules of `folder`.
    pub(crate) async fn start_in(folder: TempDir, more: &[&str]) -> Self {
        let issuer = StaffIssuer::start().await;
        let address = issuer.address();
        Self::begin_in(folder, issuer, &address, more).await
    }

    /// Starts with an issuer at an address that refuses connections.
    pub(crate) async fn start_without_issuer() -> Self {
        let issuer = StaffIssuer::start().await;
        Self::begin_in(remotes_with_staff(), issuer, "http://127.0.0.1:9", &[]).await
    }

    async fn begin_in(
        folder: TempDir,
        issuer: StaffIssuer,
        issuer_address: &str,
        more: &[&str],
    ) -> Self {
        let files = tempfile::tempdir().expect("a temporary folder");
        let token_key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let written = |name: &str, bytes: &[u8]| {
            let path = files.path().join(name);
            fs::write(&path, bytes).expect("writable");
            path.display().to_string()
        };
        let flags = [
            format!("--site-origin={ORIGIN}"),
            format!("--staff-issuer={issuer_address}"),
            format!("--staff-client-id={CLIENT}"),
            format!(
                "--staff-client-secret-file={}",
                written("secret", b"secret")
            ),
            format!("--staff-roles={}", written("roles.toml", ROLES.as_bytes())),
            format!(
                "--session-keys-file={}",
                written("session.keys", STANDARD.encode([7; 32]).as_bytes())
            ),
            format!(
                "--token-key-file={}",
                written("token.der", token_key.as_ref())
            ),
        ];
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let flags = [&flags, more].concat();
        Self {
            site: Site::start_in(folder, &flags).await,
            issuer,
            _files: files,
        }
    }

    /// Begins a sign-in that returns to a percent-encoded path. Returns the cookie, and the query of the callback that completes it.
    pub(crate) async fn begin(&self, return_to: &str) -> (String, String) {
        let reply = self
            .get(&format!("/staff/sign-in?return={return_to}"))
            .await;
        assert_eq!(reply.status, StatusCode::SEE_OTHER, "{}", reply.text());
        let location = reply.header("location");
        assert!(location.starts_with(&self.issuer.address()), "{location}");
        let of = |name: &str| {
            let (_, query) = location.split_once('?').expect("a query");
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(known, _)| *known == name)
                .expect("a parameter")
                .1
        };
        let query = format!("code={}&state={}", of("nonce"), of("state"));
        (cookie(&reply, "sign-in"), query)
    }

    /// The issuer at which people sign in.
    pub(crate) fn issuer(&self) -> &StaffIssuer {
        &self.issuer
    }

    /// Signs a person in with these groups. Returns the value of the `Cookie` header.
    pub(crate) async fn sign_in(&self, name: &str, groups: &[&str]) -> String {
        let subject = name.to_ascii_lowercase().replace(' ', ".");
        self.issuer
            .expect(json!({"sub": subject, "name": name, "groups": groups}));
        let (pending, query) = self.begin("/staff").await;
        let callback = format!("/staff/callback?{query}");
        let reply = self.get_with(&callback, &[("cookie", &pending)]).await;
        assert_eq!(reply.status, StatusCode::SEE_OTHER, "{}", reply.text());
        assert_eq!(reply.header("location"), "/staff");
        cookie(&reply, "session")
    }

    /// Reads a path as the person of a cookie.
    pub(crate) async fn get_as(&self, cookie: &str, path: &str) -> Reply {
        self.get_with(path, &[("cookie", cookie)]).await
    }

    /// Sends a form from this site as the person of a cookie.
    pub(crate) async fn post_as(&self, cookie: &str, path: &str, form: &str) -> Reply {
        let headers = [FORM, FROM_HERE, ("cookie", cookie)];
        self.send(Method::POST, path, &headers, form).await
    }
}

/// Returns a cookie that a response sets, as a browser sends it back.
pub(crate) fn cookie(reply: &Reply, name: &str) -> String {
    let set = reply.headers.get_all("set-cookie").iter();
    let mut set = set.map(|value| value.to_str().expect("ASCII"));
    let start = format!("{name}=");
    let found = set.find(|text| text.starts_with(&start));
    let found = found.unwrap_or_else(|| panic!("{name}: {:?}", reply.headers));
    found.split(';').next().expect("a pair").to_owned()
}

/// Returns the JSON that a page shows.
pub(crate) fn shown(reply: &Reply) -> Value {
    let (_, rest) = reply
        .text()
        .split_once("<output>")
        .expect("an output element");
    let (json, _) = rest.split_once("</output>").expect("its end");
    let json = json
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    serde_json::from_str(&json).expect("JSON")
}

/// Returns the claims of the token in an `Authorization` header.
pub(crate) fn claims(authorization: &Value) -> Value {
    let token = authorization.as_str().expect("a text");
    let token = token.strip_prefix("Bearer ").expect("a bearer token");
    let claims = token.split('.').nth(1).expect("claims");
    let claims = URL_SAFE_NO_PAD.decode(claims).expect("base64");
    serde_json::from_slice(&claims).expect("JSON")
}

/// Whether a response of the staff area is stored and found nowhere.
pub(crate) fn is_private(reply: &Reply) -> bool {
    reply.header("cache-control") == "no-store"
        && reply.header("x-robots-tag") == "noindex"
        && ["etag", "last-modified", "server-timing"]
            .iter()
            .all(|name| !reply.headers.contains_key(*name))
}
