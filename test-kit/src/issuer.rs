//! Token issuer for tests.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair as _},
};
use service_kit::source::{Clock as _, SystemClock};
use tempfile::TempDir;
use tonic::Request;

/// Issuer and audience of the tokens.
const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "hospital-api";

/// Signs bearer tokens; its key set is a file for `--jwks-file`.
#[derive(Debug)]
pub struct Issuer {
    key: Ed25519KeyPair,
    folder: TempDir,
}

impl Issuer {
    /// Creates an issuer with a new key.
    #[expect(
        clippy::new_without_default,
        reason = "each has another key: nothing about it is a default"
    )]
    pub fn new() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let key = Ed25519KeyPair::from_pkcs8(key.as_ref()).expect("a key");
        let folder = tempfile::tempdir().expect("a folder");
        let public = URL_SAFE_NO_PAD.encode(key.public_key());
        let set =
            format!(r#"{{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"t","x":"{public}"}}]}}"#);
        let issuer = Self { key, folder };
        std::fs::write(issuer.key_set(), set).expect("a file");
        issuer
    }

    /// Returns the path of the file with the public key.
    pub fn key_set(&self) -> PathBuf {
        self.folder.path().join("jwks.json")
    }

    /// Returns the command-line flags that make a program trust this issuer.
    pub fn flags(&self) -> [String; 6] {
        let path = self.key_set().display().to_string();
        [
            "--jwks-file",
            &path,
            "--jwt-issuer",
            ISSUER,
            "--jwt-audience",
            AUDIENCE,
        ]
        .map(str::to_owned)
    }

    /// Returns the configuration that makes a program trust this issuer.
    pub fn config(&self) -> service_kit::auth::AuthConfig {
        service_kit::auth::AuthConfig {
            jwks_file: Some(self.key_set()),
            jwt_issuer: Some(ISSUER.to_owned()),
            jwt_audience: Some(AUDIENCE.to_owned()),
            ..service_kit::auth::AuthConfig::default()
        }
    }

    /// Returns an `Authorization` header value, valid from now for `seconds`. The subject is `editor@sampige`.
    pub fn authorization(&self, scope: &str, seconds: i64) -> String {
        self.authorization_of("editor@sampige", scope, seconds)
    }

    /// As [`Self::authorization`], for another subject.
    pub fn authorization_of(&self, subject: &str, scope: &str, seconds: i64) -> String {
        self.authorization_with(subject, scope, seconds, "")
    }

    /// As [`Self::authorization_of`], with further claims: JSON members, each with a leading comma.
    pub fn authorization_with(
        &self,
        subject: &str,
        scope: &str,
        seconds: i64,
        claims: &str,
    ) -> String {
        let expiry = SystemClock.now().timestamp() + seconds;
        let claims = format!(
            r#"{{"sub":"{subject}","iss":"{ISSUER}","aud":"{AUDIENCE}","exp":{expiry},"scope":"{scope}"{claims}}}"#
        );
        self.signed(&claims)
    }

    /// Builds a request with a token of this scope.
    pub fn request<T>(&self, scope: &str, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let authorization = self.authorization(scope, 60).parse().expect("a header");
        request
            .metadata_mut()
            .insert("authorization", authorization);
        request
    }

    /// Returns an `Authorization` header value with arbitrary claims, as JSON.
    pub fn signed(&self, claims: &str) -> String {
        let header = r#"{"alg":"EdDSA","typ":"JWT","kid":"t"}"#;
        let message = format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(header),
            URL_SAFE_NO_PAD.encode(claims)
        );
        let signature = URL_SAFE_NO_PAD.encode(self.key.sign(message.as_bytes()));
        format!("Bearer {message}.{signature}")
    }
}
