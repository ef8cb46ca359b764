//! Token issuer: its public key is in a file, and its signatures come from the library that checks them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair as _},
};
use serde_json::json;
use service_kit::source::{Clock as _, SystemClock};
use tempfile::TempDir;

const ISSUER: &str = "https://issuer.example";
/// Default audience of tokens.
pub(crate) const AUDIENCE: &str = "hospital-api";

pub(crate) struct Issuer {
    folder: TempDir,
    key: Ed25519KeyPair,
}

impl Issuer {
    pub(crate) fn new() -> Self {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let key = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap();
        let x = URL_SAFE_NO_PAD.encode(key.public_key());
        let set = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": x}]});
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("jwks.json"), set.to_string()).unwrap();
        Self { folder, key }
    }

    /// Returns the flags that make a gateway trust this issuer.
    pub(crate) fn flags(&self, audience: &str) -> [String; 3] {
        let path = self.folder.path().join("jwks.json");
        [
            format!("--jwks-file={}", path.display()),
            format!("--jwt-issuer={ISSUER}"),
            format!("--jwt-audience={audience}"),
        ]
    }

    /// Returns an `Authorization` header value that is valid for `seconds` from now.
    pub(crate) fn bearer(&self, scope: &str, audience: &str, seconds: i64) -> String {
        let expires = SystemClock.now().timestamp() + seconds;
        let claims = json!({
            "iss": ISSUER, "aud": audience, "exp": expires, "scope": scope, "sub": "importer", "doctor": "doc-01",
        });
        let header = json!({"alg": "EdDSA", "kid": "one"});
        let message = [header, claims]
            .map(|part| URL_SAFE_NO_PAD.encode(part.to_string()))
            .join(".");
        let signature = URL_SAFE_NO_PAD.encode(self.key.sign(message.as_bytes()));
        format!("Bearer {message}.{signature}")
    }
}
