//! A small OpenID Connect issuer. Its authorization codes are the nonces of their sign-ins.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{Form, Json, Router, extract::State, routing};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use parking_lot::Mutex;
use ring::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use service_kit::source::{Clock as _, SystemClock};
use tokio::net::TcpListener;

pub(crate) const CLIENT: &str = "desk";

#[derive(Clone)]
pub(crate) struct StaffIssuer {
    address: SocketAddr,
    key: Arc<Ed25519KeyPair>,
    /// Claims of the person who signs in next.
    person: Arc<Mutex<Value>>,
    /// Whether a code exchange gets no response.
    is_silent: Arc<AtomicBool>,
}

impl StaffIssuer {
    pub(crate) async fn start() -> Self {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let issuer = Self {
            address: listener.local_addr().expect("bound"),
            key: Arc::new(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key")),
            person: Arc::default(),
            is_silent: Arc::default(),
        };
        let routes = Router::new()
            .route("/.well-known/openid-configuration", routing::get(discovery))
            .route("/jwks", routing::get(jwks))
            .route("/token", routing::post(token))
            .with_state(issuer.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        issuer
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the claims of the next sign-in.
    pub(crate) fn expect(&self, claims: Value) {
        *self.person.lock() = claims;
    }

    /// Leaves all further code exchanges without a response.
    pub(crate) fn fall_silent(&self) {
        self.is_silent.store(true, Ordering::SeqCst);
    }
}

async fn discovery(State(issuer): State<StaffIssuer>) -> Json<Value> {
    let at = issuer.address();
    Json(json!({
        "issuer": at,
        "authorization_endpoint": format!("{at}/authorize"),
        "token_endpoint": format!("{at}/token"),
        "jwks_uri": format!("{at}/jwks"),
        "end_session_endpoint": format!("{at}/end"),
    }))
}

async fn jwks(State(issuer): State<StaffIssuer>) -> Json<Value> {
    let x = URL_SAFE_NO_PAD.encode(issuer.key.public_key());
    Json(json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": x}]}))
}

async fn token(
    State(issuer): State<StaffIssuer>,
    Form(form): Form<HashMap<String, String>>,
) -> Json<Value> {
    if issuer.is_silent.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    let now = SystemClock.now().timestamp();
    let mut claims = issuer.person.lock().clone();
    claims["iss"] = issuer.address().into();
    claims["aud"] = CLIENT.into();
    claims["iat"] = now.into();
    claims["exp"] = (now + 300).into();
    claims["nonce"] = form["code"].clone().into();
    let header = json!({"alg": "EdDSA", "kid": "one"});
    let message = [header, claims]
        .map(|part| URL_SAFE_NO_PAD.encode(part.to_string()))
        .join(".");
    let signature = URL_SAFE_NO_PAD.encode(issuer.key.sign(message.as_bytes()));
    let id_token = format!("{message}.{signature}");
    Json(json!({"id_token": id_token, "access_token": "unused", "token_type": "Bearer"}))
}
