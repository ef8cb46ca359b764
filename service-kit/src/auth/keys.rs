//! The public keys of a JSON Web Key Set, and the file that they come from.

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

/// Largest key file, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;
/// Most keys of a set: an issuer has two or three, and a token without `kid` is tried with each.
const KEYS_MAX: usize = 16;

/// Why a key set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read.
    #[error("cannot read the key set {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no JSON Web Key Set.
    #[error("{} is not a JSON Web Key Set", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The set has no key that may be used, or too many.
    #[error("{} has {found} usable keys, 1 to {KEYS_MAX} are needed", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Keys of an allowed kind.
        found: usize,
    },
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
    fn parse(path: &Path, text: &[u8]) -> Result<Self, KeysError> {
        let set: JwkSet = serde_json::from_slice(text).map_err(|source| KeysError::Malformed {
            path: path.to_owned(),
            source,
        })?;
        let keys: Vec<_> = set.keys.iter().filter_map(usable).collect();
        if keys.is_empty() || keys.len() > KEYS_MAX {
            return Err(KeysError::Count {
                path: path.to_owned(),
                found: keys.len(),
            });
        }
        Ok(Self(keys))
    }

    /// The claims, if a key that fits has signed the token and it is for `audience`. Times are not looked at.
    pub(super) fn verify<C: DeserializeOwned>(&self, token: &str, audience: &str) -> Option<C> {
        let header = decode_header(token).ok()?;
        // An extension that must be understood and is not (RFC 7515, 4.1.11).
        if header.crit.is_some() {
            return None;
        }
        let fits = |key: &&Key| {
            key.algorithm == header.alg && (header.kid.is_none() || header.kid == key.id)
        };
        self.0
            .iter()
            .filter(fits)
            .find_map(|key| decode(token, &key.public, &validation(key.algorithm, audience)).ok())
            .map(|token| token.claims)
    }
}

/// The times are checked by the verifier, on its own clock.
fn validation(algorithm: Algorithm, audience: &str) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.set_audience(&[audience]);
    validation.set_required_spec_claims(&["aud", "exp"]);
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation
}

/// The key, unless it is of another kind than those allowed, or not for signatures.
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

/// A key set that follows its file.
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

/// What changes when somebody writes a file.
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

    /// The keys as the file has them now. A file that has become unusable leaves the earlier keys in force, and says so in
    /// the log once for each change of it.
    ///
    /// Asks the file system each time: some microseconds, for calls that are rare.
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
                tracing::info!(path = %self.path.display(), "the key set was read again");
            }
            Err(error) => {
                tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "the earlier key set stays in force"
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
    let unreadable = |source| KeysError::Unreadable {
        path: path.to_owned(),
        source,
    };
    if fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX {
        let problem = format!("has more than {FILE_BYTES_MAX} bytes");
        return Err(unreadable(io::Error::other(problem)));
    }
    Keys::parse(path, &fs::read(path).map_err(unreadable)?)
}
