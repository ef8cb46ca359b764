//! The gateway's own tokens: it signs one for each call to a service, so services verify one issuer, and the audit log
//! names a person.

use std::{collections::HashMap, fmt, fmt::Write as _, path::Path, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use ring::{
    digest::{SHA256, digest},
    signature::{Ed25519KeyPair, KeyPair as _},
};
use serde::Serialize;
use service_kit::{auth::Caller, source::Clock};
use tokio_rustls::rustls::pki_types::{PrivatePkcs8KeyDer, pem::PemObject as _};

use super::{
    error::SessionError,
    reloaded::Reloaded,
    secrets::{NoRandomness, random_text},
};

/// Issuer and audience of the tokens.
const ISSUER: &str = "gateway";
const AUDIENCE: &str = "hospital-services";
/// Lifetime of a token.
const LIFETIME: TimeDelta = TimeDelta::seconds(60);
/// Time for which a token is used again.
const REUSE_MAX: TimeDelta = TimeDelta::seconds(30);
/// Maximum number of tokens that are kept to be used again.
const TOKENS_MAX: usize = 1024;
/// Maximum number of keys in a file.
const KEYS_MAX: usize = 4;
/// Random bytes of a token's id.
const ID_BYTES: usize = 16;
/// First byte of a DER file.
const DER_SEQUENCE: u8 = 0x30;

/// Signs the gateway's own tokens. Cheap to clone.
#[derive(Clone)]
pub struct Signer(Arc<Inner>);

struct Inner {
    keys: Reloaded<SigningKeys>,
    tokens: Mutex<HashMap<Grant, Minted>>,
    clock: Arc<dyn Clock>,
}

/// What a token grants to whom.
#[derive(Eq, Hash, PartialEq)]
struct Grant {
    subject: String,
    scope: String,
    doctor: Option<String>,
    name: Option<String>,
    email: Option<String>,
}

struct Minted {
    token: Arc<str>,
    at: DateTime<Utc>,
}

/// Claims of a token (RFC 9068). `doctor` is our own.
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a str,
    scope: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doctor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    iat: i64,
    exp: i64,
    jti: &'a str,
}

impl Signer {
    pub(crate) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, SessionError> {
        Ok(Self(Arc::new(Inner {
            keys: Reloaded::open("TOKEN_KEY_FILE", path, SigningKeys::parse)?,
            tokens: Mutex::new(HashMap::new()),
            clock,
        })))
    }

    /// Returns a token for a call on behalf of a person or program: `typ` `at+jwt`, `alg` `EdDSA`, `iss` `gateway`,
    /// `aud` `hospital-services`. It is valid for at least 30 and at most 60 seconds. The same grant gets the
    /// same token for up to 30 seconds. It has the claims of `caller` that are known.
    ///
    /// # Errors
    /// When the operating system returns no random bytes.
    pub fn token<S: AsRef<str>>(
        &self,
        caller: &Caller,
        scopes: &[S],
    ) -> Result<Arc<str>, NoRandomness> {
        let now = self.0.clock.now();
        let mut scope = String::new();
        for name in scopes {
            let space = if scope.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            _ = write!(scope, "{space}{}", name.as_ref());
        }
        let grant = Grant {
            subject: caller.subject.clone(),
            scope,
            doctor: caller.doctor.clone(),
            name: caller.name.clone(),
            email: caller.email.clone(),
        };
        let is_fresh = |minted: &Minted| {
            let age = now - minted.at;
            age >= TimeDelta::zero() && age < REUSE_MAX
        };
        let mut tokens = self.0.tokens.lock();
        if let Some(minted) = tokens.get(&grant).filter(|minted| is_fresh(minted)) {
            return Ok(Arc::clone(&minted.token));
        }
        let token = self.0.keys.current().sign(&grant, now)?;
        if tokens.len() >= TOKENS_MAX {
            tokens.retain(|_, minted| is_fresh(minted));
        }
        if tokens.len() >= TOKENS_MAX {
            // More people at work than places: signing again costs some 20 microseconds.
            tokens.clear();
        }
        let minted = Minted {
            token: Arc::clone(&token),
            at: now,
        };
        tokens.insert(grant, minted);
        Ok(token)
    }

    /// Returns the JSON Web Key Set with the public keys of the file, for the services' verifiers.
    pub fn jwks(&self) -> String {
        self.0.keys.current().public_set()
    }
}

/// Hides keys and tokens.
impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Signer")
            .field("keys", &self.0.keys)
            .finish_non_exhaustive()
    }
}

/// The keys of a file. The first signs.
struct SigningKeys(Vec<SigningKey>);

struct SigningKey {
    pair: Ed25519KeyPair,
    /// Thumbprint (RFC 7638).
    id: String,
    /// Public key in base64url.
    x: String,
}

impl SigningKey {
    /// Reads a PKCS#8 key. OpenSSL writes it without the public key, which is computed then.
    fn parse(pkcs8: &[u8]) -> Result<Self, String> {
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8)
            .map_err(|_| "has a key that is not Ed25519 in PKCS#8".to_owned())?;
        let x = URL_SAFE_NO_PAD.encode(pair.public_key());
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        let id = URL_SAFE_NO_PAD.encode(digest(&SHA256, members.as_bytes()));
        Ok(Self { pair, id, x })
    }
}

impl SigningKeys {
    fn parse(file: &[u8]) -> Result<Self, String> {
        let keys = if file.first() == Some(&DER_SEQUENCE) {
            vec![SigningKey::parse(file)?]
        } else {
            let sections: Result<Vec<_>, _> = PrivatePkcs8KeyDer::pem_slice_iter(file).collect();
            let sections = sections.map_err(|_| "is neither PEM nor DER".to_owned())?;
            let found = sections.len();
            if found == 0 || found > KEYS_MAX {
                return Err(format!(
                    "has {found} sections PRIVATE KEY, 1 to {KEYS_MAX} are needed"
                ));
            }
            let keys = sections
                .iter()
                .map(|section| SigningKey::parse(section.secret_pkcs8_der()));
            keys.collect::<Result<_, _>>()?
        };
        Ok(Self(keys))
    }

    fn sign(&self, grant: &Grant, now: DateTime<Utc>) -> Result<Arc<str>, NoRandomness> {
        let key = &self.0[0];
        let id = random_text::<ID_BYTES>()?;
        let issued = now.timestamp();
        let claims = Claims {
            iss: ISSUER,
            aud: AUDIENCE,
            sub: &grant.subject,
            scope: &grant.scope,
            doctor: grant.doctor.as_deref(),
            name: grant.name.as_deref(),
            email: grant.email.as_deref(),
            iat: issued,
            exp: issued + LIFETIME.num_seconds(),
            jti: &id,
        };
        let header = format!(r#"{{"alg":"EdDSA","typ":"at+jwt","kid":"{}"}}"#, key.id);
        let claims = serde_json::to_vec(&claims).expect("texts and numbers are valid JSON");
        let mut token = URL_SAFE_NO_PAD.encode(header);
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(claims, &mut token);
        let signature = key.pair.sign(token.as_bytes());
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut token);
        Ok(token.into())
    }

    fn public_set(&self) -> String {
        let keys = self.0.iter().map(|key| {
            format!(
                r#"{{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"{}","x":"{}"}}"#,
                key.id, key.x
            )
        });
        let keys: Vec<_> = keys.collect();
        format!(r#"{{"keys":[{}]}}"#, keys.join(","))
    }
}

#[cfg(test)]
mod tests;
