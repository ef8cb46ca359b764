//! The public keys of a JSON Web Key Set, and the file they may come from.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode, decode_header,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use parking_lot::RwLock;
use serde::de::DeserializeOwned;

/// Maximum size of a key set, in bytes.
pub(super) const SET_BYTES_MAX: usize = 64 * 1024;
/// Accepted types of access tokens.
pub(super) const ACCESS_TOKEN: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];
/// Maximum number of keys in a set. An issuer has two or three, and a token without `kid` is tried with each.
const KEYS_MAX: usize = 16;

/// Why a key set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The key set cannot be read.
    #[error("cannot read the key set {origin}")]
    Unreadable {
        /// The file or address.
        origin: String,
        /// Cause.
        source: io::Error,
    },
    /// The content is not a JSON Web Key Set.
    #[error("{origin} is not a JSON Web Key Set")]
    Malformed {
        /// The file or address.
        origin: String,
        /// Cause.
        source: serde_json::Error,
    },
    /// The set has no usable key, or too many.
    #[error("{origin} has {found} usable keys, 1 to {KEYS_MAX} are needed")]
    Count {
        /// The file or address.
        origin: String,
        /// Keys of an allowed kind.
        found: usize,
    },
    /// Keys are configured without an issuer or audience.
    #[error("keys are configured, so {setting} is required")]
    Unnamed {
        /// The environment variable.
        setting: &'static str,
    },
    /// Keys must not come from this address.
    #[error("{origin} may not provide keys: use https, or http on this machine")]
    Insecure {
        /// The address.
        origin: String,
    },
}

/// Required issuer and audience of a token.
#[derive(Clone, Debug, Default)]
pub(super) struct Party {
    pub(super) issuer: String,
    pub(super) audience: String,
}

/// The usable keys of a set.
#[derive(Debug)]
pub(super) struct Keys(Vec<Key>);

#[derive(Debug)]
struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    public: DecodingKey,
}

impl Keys {
    /// Parses a key set; `origin` is named in errors.
    pub(super) fn parse(origin: &str, text: &[u8]) -> Result<Self, KeysError> {
        let set: JwkSet = serde_json::from_slice(text).map_err(|source| KeysError::Malformed {
            origin: origin.to_owned(),
            source,
        })?;
        let keys: Vec<_> = set.keys.iter().filter_map(usable).collect();
        if keys.is_empty() || keys.len() > KEYS_MAX {
            return Err(KeysError::Count {
                origin: origin.to_owned(),
                found: keys.len(),
            });
        }
        Ok(Self(keys))
    }

    /// Returns whether the set has the key that the token names; true for a token that names none.
    pub(super) fn has_key_of(&self, token: &str) -> bool {
        decode_header(token).map_or(true, |header| {
            header.kid.is_none() || self.0.iter().any(|key| key.id == header.kid)
        })
    }

    /// Returns the claims if a matching key signed the token, and its `party` and type match. A token without a type is
    /// accepted. Times are not checked.
    pub(super) fn verify<C: DeserializeOwned>(
        &self,
        token: &str,
        party: &Party,
        types: &[&str],
    ) -> Option<C> {
        let header = decode_header(token).ok()?;
        // A critical extension that is not understood (RFC 7515, 4.1.11).
        if header.crit.is_some() {
            return None;
        }
        // Another type means another kind of token, such as an invitation or a logout.
        let is_allowed = |kind: &String| types.iter().any(|known| kind.eq_ignore_ascii_case(known));
        if !header.typ.as_ref().is_none_or(is_allowed) {
            return None;
        }
        let fits = |key: &&Key| {
            key.algorithm == header.alg && (header.kid.is_none() || header.kid == key.id)
        };
        self.0
            .iter()
            .filter(fits)
            .find_map(|key| decode(token, &key.public, &validation(key.algorithm, party)).ok())
            .map(|token| token.claims)
    }
}

/// Leaves the time claims to the verifier, which uses its own clock.
fn validation(algorithm: Algorithm, party: &Party) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.set_issuer(&[&party.issuer]);
    validation.set_audience(&[&party.audience]);
    validation.set_required_spec_claims(&["iss", "aud", "exp"]);
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation
}

/// Returns the key, unless its kind is not allowed or it is not for signatures.
fn usable(jwk: &Jwk) -> Option<Key> {
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        _ => return None,
    };
    let is_for_signatures = matches!(
        jwk.common.public_key_use,
        None | Some(PublicKeyUse::Signature)
    );
    let is_for_algorithm = jwk.common.key_algorithm.is_none_or(|own| own == named);
    if !is_for_signatures || !is_for_algorithm {
        return None;
    }
    Some(Key {
        id: jwk.common.key_id.clone(),
        algorithm,
        public: DecodingKey::from_jwk(jwk).ok()?,
    })
}

/// A key set that is reloaded when its file changes.
#[derive(Debug)]
pub(super) struct KeyFile {
    path: PathBuf,
    loaded: RwLock<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    keys: Arc<Keys>,
    version: Version,
}

/// Metadata that identifies a version of the file.
type Version = Option<(SystemTime, u64)>;

impl KeyFile {
    pub(super) fn open(path: impl AsRef<Path>) -> Result<Self, KeysError> {
        let path = path.as_ref().to_owned();
        let version = version(&path);
        let keys = Arc::new(read(&path)?);
        Ok(Self {
            path,
            loaded: RwLock::new(Loaded { keys, version }),
        })
    }

    /// Returns the keys of the file's current version. An unusable version is logged once and leaves the earlier keys
    /// valid.
    ///
    /// Stats the file on every call: a few microseconds, for rare calls.
    pub(super) fn keys(&self) -> Arc<Keys> {
        let version = version(&self.path);
        {
            let loaded = self.loaded.read();
            if loaded.version == version {
                return Arc::clone(&loaded.keys);
            }
        }
        let mut loaded = self.loaded.write();
        match read(&self.path) {
            Ok(keys) => {
                loaded.keys = Arc::new(keys);
                tracing::info!(path = %self.path.display(), "key set reloaded");
            }
            Err(error) => {
                tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "the key set could not be reloaded; keeping the previous one"
                );
            }
        }
        loaded.version = version;
        Arc::clone(&loaded.keys)
    }
}

fn version(path: &Path) -> Version {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn read(path: &Path) -> Result<Keys, KeysError> {
    let origin = path.display().to_string();
    let unreadable = |source| KeysError::Unreadable {
        origin: origin.clone(),
        source,
    };
    let length = fs::metadata(path).map_err(unreadable)?.len();
    if usize::try_from(length).is_ok_and(|length| length <= SET_BYTES_MAX) {
        Keys::parse(&origin, &fs::read(path).map_err(unreadable)?)
    } else {
        let problem = format!("has more than {SET_BYTES_MAX} bytes");
        Err(unreadable(io::Error::other(problem)))
    }
}
