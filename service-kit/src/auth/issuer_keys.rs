//! Tokens of an OpenID Connect issuer: ID tokens and logout tokens.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{
    Refusal,
    fetched::{FetchIntervals, FetchedKeys, TIME_MAX},
    keys::{KeysError, Party},
    ring_provider,
};

/// Maximum length of a token that is parsed, in bytes. An ID token may list some hundred groups.
const TOKEN_BYTES_MAX: usize = 32 * 1024;

/// The keys of an issuer, fetched from its `jwks_uri`. They are refreshed every five minutes until the last clone is
/// dropped. Cheap to clone.
#[derive(Clone, Debug)]
pub struct IssuerKeys {
    fetched: Arc<FetchedKeys>,
}

impl IssuerKeys {
    /// Starts fetching the keys. Needs a Tokio runtime.
    ///
    /// # Errors
    /// When the address is neither https nor http on this machine, or the machine's certificate authorities cannot be
    /// loaded.
    pub fn start(jwks_uri: &str) -> Result<Self, KeysError> {
        Self::with_intervals(jwks_uri, FetchIntervals::default())
    }

    fn with_intervals(jwks_uri: &str, intervals: FetchIntervals) -> Result<Self, KeysError> {
        ring_provider::install();
        let fetched = Arc::new(FetchedKeys::start(jwks_uri, intervals)?);
        Ok(Self { fetched })
    }

    /// Returns the claims of a token that the issuer signed for `audience`. The header's `typ` must be one of `types`
    /// or absent. Times are not checked.
    ///
    /// Waits at most five seconds for a fetch if no keys were fetched yet or the token names an unknown key. The caller
    /// must bound how many calls wait.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] without keys, [`Refusal::Unauthenticated`] for any other token.
    pub async fn verify<C: DeserializeOwned>(
        &self,
        token: &str,
        issuer: &str,
        audience: &str,
        types: &[&str],
    ) -> Result<C, Refusal> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(Refusal::Unauthenticated);
        }
        let has_key = |keys: Arc<super::Keys>| keys.has_key_of(token);
        if !self.fetched.keys().is_some_and(has_key) {
            self.fetched.refetch(TIME_MAX).await;
        }
        let keys = self.fetched.keys().ok_or(Refusal::Unavailable)?;
        let party = Party {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
        };
        keys.verify(token, &party, types)
            .ok_or(Refusal::Unauthenticated)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use arc_swap::ArcSwap;
    use axum::{Router, routing};
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use ring::{
        rand::SystemRandom,
        signature::{Ed25519KeyPair, KeyPair as _},
    };
    use serde_json::{Value, json};
    use tokio::net::TcpListener;

    use super::*;

    const ISSUER: &str = "https://issuer.example";
    const CLIENT: &str = "desk";
    /// Only refetches for unknown keys take place within a test.
    const INTERVALS: FetchIntervals = FetchIntervals {
        refresh: Duration::from_mins(5),
        retry_min: Duration::from_millis(20),
        retry_max: Duration::from_millis(20),
        expiry: Duration::from_mins(5),
        refetch_min: Duration::from_millis(20),
    };

    fn key() -> Ed25519KeyPair {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key")
    }

    fn set(id: &str, key: &Ed25519KeyPair) -> String {
        let x = URL_SAFE_NO_PAD.encode(key.public_key());
        json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": id, "x": x }] }).to_string()
    }

    fn token(key: &Ed25519KeyPair, header: &Value, audience: &str) -> String {
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let claims = json!({ "iss": ISSUER, "aud": audience, "exp": 1, "nonce": "n" });
        let message = format!("{}.{}", encode(header), encode(&claims));
        let signature = URL_SAFE_NO_PAD.encode(key.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    /// Serves `text` as the key set; fails while it is empty. Returns its address and the number of requests.
    async fn serve(text: Arc<ArcSwap<String>>) -> (String, Arc<AtomicUsize>) {
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        let answer = async move || {
            counter.fetch_add(1, Ordering::SeqCst);
            let text = text.load().to_string();
            (!text.is_empty())
                .then_some(text)
                .ok_or(http::StatusCode::SERVICE_UNAVAILABLE)
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/jwks", listener.local_addr().expect("an address"));
        let routes = Router::new().route("/jwks", routing::get(answer));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (address, requests)
    }

    async fn verify(keys: &IssuerKeys, token: &str) -> Result<String, Refusal> {
        let claims: Result<Value, _> = keys.verify(token, ISSUER, CLIENT, &["JWT"]).await;
        claims.map(|claims| claims["nonce"].to_string())
    }

    #[tokio::test]
    async fn waits_for_the_first_fetch_and_refetches_for_an_unknown_key() {
        let text = Arc::new(ArcSwap::default());
        let (address, requests) = serve(Arc::clone(&text)).await;
        let keys = IssuerKeys::with_intervals(&address, INTERVALS).expect("keys");
        let (old, new) = (key(), key());
        let old_token = token(&old, &json!({ "alg": "EdDSA", "kid": "one" }), CLIENT);
        let new_token = token(&new, &json!({ "alg": "EdDSA", "kid": "two" }), CLIENT);
        assert_eq!(verify(&keys, &old_token).await, Err(Refusal::Unavailable));

        text.store(Arc::new(set("one", &old)));
        for _ in 0..500 {
            if verify(&keys, &old_token).await.is_ok() {
                break;
            }
        }
        assert_eq!(verify(&keys, &old_token).await.as_deref(), Ok("\"n\""));

        text.store(Arc::new(set("two", &new)));
        assert_eq!(verify(&keys, &new_token).await.as_deref(), Ok("\"n\""));
        let before = requests.load(Ordering::SeqCst);
        let forged = token(&old, &json!({ "alg": "EdDSA", "kid": "two" }), CLIENT);
        for _ in 0..20 {
            let refused = verify(&keys, &forged).await;
            assert_eq!(refused, Err(Refusal::Unauthenticated));
        }
        let after = requests.load(Ordering::SeqCst);
        assert_eq!(before, after, "a forged signature triggers no fetch");
    }

    #[tokio::test]
    async fn refuses_other_types_and_audiences() {
        let key = key();
        let (address, _) = serve(Arc::new(ArcSwap::from_pointee(set("one", &key)))).await;
        let keys = IssuerKeys::with_intervals(&address, INTERVALS).expect("keys");
        for (header, audience, is_accepted) in [
            (json!({ "alg": "EdDSA" }), CLIENT, true),
            (json!({ "alg": "EdDSA", "typ": "jwt" }), CLIENT, true),
            (json!({ "alg": "EdDSA", "typ": "at+jwt" }), CLIENT, false),
            (
                json!({ "alg": "EdDSA", "typ": "logout+jwt" }),
                CLIENT,
                false,
            ),
            (json!({ "alg": "EdDSA" }), "another", false),
        ] {
            let verified = verify(&keys, &token(&key, &header, audience)).await;
            assert_eq!(verified.is_ok(), is_accepted, "{header} {audience}");
        }
        let long = "a".repeat(TOKEN_BYTES_MAX + 1);
        assert_eq!(verify(&keys, &long).await, Err(Refusal::Unauthenticated));
    }
}
