//! An OpenID Connect issuer that signs for real, and misbehaves on request.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::{Form, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing,
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use parking_lot::Mutex;
use ring::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use service_kit::source::{Clock as _, FixedClock};
use tokio::net::TcpListener;
use url::{Url, form_urlencoded::Serializer};

pub(super) const CLIENT_ID: &str = "desk";
pub(super) const CLIENT_SECRET: &str = "a secret: 100%";

/// How the issuer behaves.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) algorithm: &'static str,
    /// Members that replace those of the discovery document and of ID tokens. Null removes one.
    pub(super) discovery: Value,
    pub(super) claims: Value,
    pub(super) header: Value,
    /// Signs with a key that is not published.
    pub(super) is_forged: bool,
    pub(super) checks_pkce: bool,
    pub(super) checks_reuse: bool,
    pub(super) discovery_fault: Option<Fault>,
    pub(super) token_fault: Option<Fault>,
    /// Time before a right response to a code exchange.
    pub(super) token_delay: Duration,
    pub(super) keys_fault: Option<Fault>,
}

impl Default for Mode {
    fn default() -> Self {
        Self {
            algorithm: "EdDSA",
            discovery: json!({}),
            claims: json!({}),
            header: json!({}),
            is_forged: false,
            checks_pkce: true,
            checks_reuse: true,
            discovery_fault: None,
            token_fault: None,
            token_delay: Duration::ZERO,
            keys_fault: None,
        }
    }
}

/// A response other than the right one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Status(u16),
    Redirect,
    Long,
    NoJson,
    Hangs,
}

impl Fault {
    async fn respond(self) -> Response {
        match self {
            Self::Status(status) => StatusCode::from_u16(status)
                .expect("a status")
                .into_response(),
            Self::Redirect => axum::response::Redirect::temporary("/elsewhere").into_response(),
            Self::Long => " ".repeat(64 * 1024 + 1).into_response(),
            Self::NoJson => "<html>".into_response(),
            Self::Hangs => std::future::pending().await,
        }
    }
}

/// A person at the issuer.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) subject: &'static str,
    pub(super) groups: &'static [&'static str],
    pub(super) sid: &'static str,
}

pub(super) const ASHA: Person = Person {
    subject: "asha-1",
    groups: &["frontdesk", "lunch club"],
    sid: "sid-of-asha",
};
pub(super) const RAVI: Person = Person {
    subject: "ravi-2",
    groups: &["manager"],
    sid: "sid-of-ravi",
};

#[derive(Debug)]
struct Grant {
    person: Person,
    request: HashMap<String, String>,
    is_used: bool,
}

struct Keys {
    random: SystemRandom,
    ed25519: Ed25519KeyPair,
    p256: EcdsaKeyPair,
}

impl Keys {
    fn new() -> Self {
        let random = SystemRandom::new();
        let curve = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let ed25519 = Ed25519KeyPair::generate_pkcs8(&random).expect("a key");
        let p256 = EcdsaKeyPair::generate_pkcs8(curve, &random).expect("a key");
        Self {
            ed25519: Ed25519KeyPair::from_pkcs8(ed25519.as_ref()).expect("a key"),
            p256: EcdsaKeyPair::from_pkcs8(curve, p256.as_ref(), &random).expect("a key"),
            random,
        }
    }

    fn set(&self) -> Value {
        let point = self.p256.public_key().as_ref();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        json!({ "keys": [
            { "kty": "OKP", "crv": "Ed25519", "kid": "EdDSA", "x": encode(self.ed25519.public_key().as_ref()) },
            { "kty": "EC", "crv": "P-256", "kid": "ES256", "x": encode(&point[1..33]), "y": encode(&point[33..]) },
        ]})
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        if algorithm == "ES256" {
            let signature = self.p256.sign(&self.random, message).expect("a signature");
            signature.as_ref().to_vec()
        } else {
            self.ed25519.sign(message).as_ref().to_vec()
        }
    }
}

struct Inner {
    address: String,
    clock: Arc<FixedClock>,
    keys: Keys,
    mode: Mutex<Mode>,
    grants: Mutex<HashMap<String, Grant>>,
    exchanges: AtomicUsize,
    discoveries: AtomicUsize,
}

/// The issuer, on a port of its own.
#[derive(Clone)]
pub(super) struct TestIssuer(Arc<Inner>);

impl TestIssuer {
    pub(super) async fn start(clock: Arc<FixedClock>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let issuer = Self(Arc::new(Inner {
            address: format!("http://{address}"),
            clock,
            keys: Keys::new(),
            mode: Mutex::default(),
            grants: Mutex::default(),
            exchanges: AtomicUsize::new(0),
            discoveries: AtomicUsize::new(0),
        }));
        let routes = Router::new()
            .route("/.well-known/openid-configuration", routing::get(discovery))
            .route(
                "/elsewhere",
                routing::get(async |State(issuer): State<Self>| issuer.document()),
            )
            .route("/jwks", routing::get(jwks))
            .route("/token", routing::post(token))
            .with_state(issuer.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        issuer
    }

    pub(super) fn address(&self) -> &str {
        &self.0.address
    }

    /// Changes how the issuer behaves from now on.
    pub(super) fn behave(&self, change: impl FnOnce(&mut Mode)) {
        let mut mode = Mode::default();
        change(&mut mode);
        *self.0.mode.lock() = mode;
    }

    fn mode(&self) -> Mode {
        self.0.mode.lock().clone()
    }

    /// Number of code exchanges so far.
    pub(super) fn exchanges(&self) -> usize {
        self.0.exchanges.load(Ordering::SeqCst)
    }

    /// Number of requests for the discovery document so far.
    pub(super) fn discoveries(&self) -> usize {
        self.0.discoveries.load(Ordering::SeqCst)
    }

    /// Signs a person in at the address that the browser was sent to. Returns the query of the callback.
    pub(super) fn authorize(&self, location: &str, person: &Person) -> String {
        let code = self.code(location, person);
        let request = request(location);
        Serializer::new(String::new())
            .append_pair("code", &code)
            .append_pair("state", &request["state"])
            .append_pair("iss", self.address())
            .finish()
    }

    /// Returns the code of a sign-in.
    pub(super) fn code(&self, location: &str, person: &Person) -> String {
        let mut grants = self.0.grants.lock();
        let code = format!("code/{}+", grants.len());
        let grant = Grant {
            person: person.clone(),
            request: request(location),
            is_used: false,
        };
        grants.insert(code.clone(), grant);
        code
    }

    fn document(&self) -> String {
        let address = self.address();
        let mut document = json!({
            "issuer": address,
            "authorization_endpoint": format!("{address}/authorize"),
            "token_endpoint": format!("{address}/token"),
            "jwks_uri": format!("{address}/jwks"),
            "end_session_endpoint": format!("{address}/end"),
        });
        merge(&mut document, &self.mode().discovery);
        document.to_string()
    }

    /// Signs claims.
    pub(super) fn sign(&self, mut header: Value, claims: &Value) -> String {
        let mode = self.mode();
        header["alg"] = json!(mode.algorithm);
        header["kid"] = json!(mode.algorithm);
        merge(&mut header, &mode.header);
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encode(&header), encode(claims));
        let signature = if mode.is_forged {
            Keys::new().sign(mode.algorithm, message.as_bytes())
        } else {
            self.0.keys.sign(mode.algorithm, message.as_bytes())
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// Responds to a code exchange, or refuses it with an error.
    fn exchange(
        &self,
        headers: &HeaderMap,
        form: &HashMap<String, String>,
    ) -> Result<Value, &'static str> {
        let mode = self.mode();
        // As a form encodes it, byte for byte.
        let expected = STANDARD.encode("desk:a+secret%3A+100%25");
        let is_client = match headers.get(header::AUTHORIZATION) {
            Some(value) => value == &format!("Basic {expected}"),
            None => {
                form.get("client_id").is_some_and(|id| id == CLIENT_ID)
                    && form
                        .get("client_secret")
                        .is_some_and(|secret| secret == CLIENT_SECRET)
            }
        };
        if !is_client {
            return Err("invalid_client");
        }
        let mut grants = self.0.grants.lock();
        let grant = form.get("code").and_then(|code| grants.get_mut(code));
        let grant = grant.ok_or("invalid_grant")?;
        let verifier = form.get("code_verifier").ok_or("invalid_request")?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
        let is_same_person = !mode.checks_pkce || challenge == grant.request["code_challenge"];
        let is_first = !mode.checks_reuse || !grant.is_used;
        let is_same_address = form.get("redirect_uri") == grant.request.get("redirect_uri");
        if !is_same_person || !is_first || !is_same_address {
            return Err("invalid_grant");
        }
        grant.is_used = true;
        let access_token = "an access token";
        let now = self.0.clock.now().timestamp();
        let mut claims = json!({
            "iss": self.address(), "aud": CLIENT_ID, "sub": grant.person.subject, "iat": now, "exp": now + 300,
            "nonce": grant.request["nonce"], "name": format!("Name of {}", grant.person.subject),
            "groups": grant.person.groups, "sid": grant.person.sid,
        });
        merge(&mut claims, &mode.claims);
        let id_token = self.sign(json!({ "typ": "JWT" }), &claims);
        Ok(json!({ "access_token": access_token, "token_type": "bearer", "id_token": id_token }))
    }
}

async fn discovery(State(issuer): State<TestIssuer>) -> Response {
    issuer.0.discoveries.fetch_add(1, Ordering::SeqCst);
    match issuer.mode().discovery_fault {
        Some(fault) => fault.respond().await,
        None => issuer.document().into_response(),
    }
}

async fn jwks(State(issuer): State<TestIssuer>) -> Response {
    match issuer.mode().keys_fault {
        Some(fault) => fault.respond().await,
        None => issuer.0.keys.set().to_string().into_response(),
    }
}

async fn token(
    State(issuer): State<TestIssuer>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Response {
    issuer.0.exchanges.fetch_add(1, Ordering::SeqCst);
    let mode = issuer.mode();
    if let Some(fault) = mode.token_fault {
        return fault.respond().await;
    }
    tokio::time::sleep(mode.token_delay).await;
    match issuer.exchange(&headers, &form) {
        Ok(tokens) => tokens.to_string().into_response(),
        Err(error) => {
            let body = json!({ "error": error }).to_string();
            (StatusCode::BAD_REQUEST, body).into_response()
        }
    }
}

/// Returns the parameters of an address that begins a sign-in.
fn request(location: &str) -> HashMap<String, String> {
    let url = Url::parse(location).expect("an address");
    url.query_pairs().into_owned().collect()
}

fn merge(into: &mut Value, members: &Value) {
    let members = members.as_object().expect("an object");
    let into = into.as_object_mut().expect("an object");
    for (name, value) in members {
        if value.is_null() {
            into.remove(name);
        } else {
            into.insert(name.clone(), value.clone());
        }
    }
}
