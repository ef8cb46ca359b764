//! Keys of a service's database: the sealing keys, and the index key for keyed hashes.
//!
//! They live in a separate TOML file (`SEAL_KEYS_FILE`), because read access to the database must not expose them.
//!
//! ```toml
//! active = "2026-11"       # id of the key that seals new values
//! index_key = "…"          # 32 random bytes in base64; keys the lookup hashes, request hashes and link secrets
//! previous_index_key = "…" # optional; rows and links made with it are still recognised
//! audit_keys = ["…"]       # optional, at most 8 older index keys; verify old entries of the audit log
//! [keys]
//! "2026-11" = "…"          # 32 random bytes in base64 each; keep older keys until `rotate-keys` has resealed all rows
//! ```

use std::{collections::BTreeMap, fmt, path::Path, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::{
    aead::{self, Aad, LessSafeKey, Nonce, UnboundKey},
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};
use serde::Deserialize;

const KEY_BYTES: usize = 32;
const KEYS_MAX: usize = 32;
const KEY_ID_CHARS_MAX: usize = 32;
const AUDIT_KEYS_MAX: usize = 8;
/// Format version; the first byte of each sealed value, so the format can change later.
const VERSION: u8 = 1;

/// Why the keys cannot be used. Never contains anything from the file.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read.
    #[error("cannot read the key file {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The file's content is invalid.
    #[error("the key file is invalid: {0}")]
    Invalid(String),
}

/// Why a sealed field cannot be opened.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SealError {
    /// The key file lacks the key that the row names.
    #[error("the key {0} is not configured")]
    UnknownKey(String),
    /// The value was changed, or belongs to another row or column.
    #[error("a sealed field cannot be opened")]
    Broken,
    /// The operating system returned no random bytes.
    #[error("the operating system returned no random bytes")]
    Random,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    active: String,
    index_key: String,
    previous_index_key: Option<String>,
    #[serde(default)]
    audit_keys: Vec<String>,
    keys: BTreeMap<String, String>,
}

/// The keys of one service. Cheap to clone; its `Debug` shows key ids only.
#[derive(Clone)]
pub struct Keys {
    inner: Arc<Inner>,
    /// Position in [`Inner::index`] of the hashing key.
    index: usize,
}

struct Inner {
    active: String,
    sealing: BTreeMap<String, LessSafeKey>,
    /// The index key, then the previous one if configured.
    index: Vec<hmac::Key>,
    audit: Vec<hmac::Key>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Keys")
            .field("active", &self.inner.active)
            .field("ids", &self.inner.sealing.keys())
            .finish_non_exhaustive()
    }
}

impl Keys {
    /// Reads a key file.
    ///
    /// # Errors
    /// When the file cannot be read or is invalid: it needs 1 to 32 keys of 32 bytes each, the active one among them.
    pub fn read(path: &Path) -> Result<Self, KeysError> {
        let text = std::fs::read_to_string(path).map_err(|source| KeysError::Read {
            path: path.display().to_string(),
            source,
        })?;
        Self::parse(&text)
    }

    /// Reads the text of a key file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        // The parser's own message repeats a line of the file.
        let file: KeyFile = toml::from_str(text).map_err(|_| {
            KeysError::Invalid("expected `active`, `index_key` and a table `keys`".into())
        })?;
        if file.keys.is_empty() || file.keys.len() > KEYS_MAX {
            return Err(KeysError::Invalid(format!("expected 1 to {KEYS_MAX} keys")));
        }
        let mut sealing = BTreeMap::new();
        for (id, key) in &file.keys {
            if id.is_empty() || id.len() > KEY_ID_CHARS_MAX {
                return Err(KeysError::Invalid(format!(
                    "a key's id has 1 to {KEY_ID_CHARS_MAX} characters"
                )));
            }
            let key = UnboundKey::new(&aead::AES_256_GCM, &decode(id, key)?)
                .map_err(|_| KeysError::Invalid(format!("the key {id} is unusable")))?;
            sealing.insert(id.clone(), LessSafeKey::new(key));
        }
        if !sealing.contains_key(&file.active) {
            return Err(KeysError::Invalid(
                "the active key is not among the keys".into(),
            ));
        }
        if file.audit_keys.len() > AUDIT_KEYS_MAX {
            return Err(KeysError::Invalid(format!(
                "expected at most {AUDIT_KEYS_MAX} audit_keys"
            )));
        }
        let hashing = |name: &str, key: &String| {
            let key = decode(name, key)?;
            Ok::<_, KeysError>(hmac::Key::new(hmac::HMAC_SHA256, &key))
        };
        let mut index = vec![hashing("index_key", &file.index_key)?];
        if let Some(key) = &file.previous_index_key {
            index.push(hashing("previous_index_key", key)?);
        }
        let audit = file.audit_keys.iter();
        let audit = audit.map(|key| hashing("a key of audit_keys", key));
        Ok(Self {
            inner: Arc::new(Inner {
                active: file.active,
                sealing,
                index,
                audit: audit.collect::<Result<_, _>>()?,
            }),
            index: 0,
        })
    }

    /// Returns the same keys with the previous index key in place of the current one, if configured. It finds data
    /// hashed with that key; nothing is written with it.
    pub fn previous(&self) -> Option<Self> {
        let index = self.index + 1;
        (index < self.inner.index.len()).then(|| Self {
            inner: Arc::clone(&self.inner),
            index,
        })
    }

    /// Checks that the key named by a row is configured.
    pub(crate) fn require(&self, id: &str) -> Result<(), SealError> {
        self.key(id).map(|_| ())
    }

    /// Returns the id of the key that currently seals.
    pub fn active(&self) -> &str {
        &self.inner.active
    }

    /// Returns a keyed hash (HMAC-SHA-256) of `value`, which cannot be reversed by guessing without the key. `purpose`
    /// separates hashes of one value for different uses.
    pub fn digest(&self, purpose: &str, value: &[u8]) -> [u8; 32] {
        hash(&self.inner.index[self.index], purpose, value)
    }

    /// Returns whether [`Self::digest`] of `value` is `digest`, in a time that doesn't depend on how much of it is right.
    pub fn is_own_digest(&self, purpose: &str, value: &[u8], digest: &[u8]) -> bool {
        verify(&self.inner.index[self.index], purpose, value, digest)
    }

    /// Returns whether any index key, including older ones, produces `digest`.
    pub(crate) fn is_digest(&self, purpose: &str, value: &[u8], digest: &[u8]) -> bool {
        let mut keys = self.inner.index.iter().chain(&self.inner.audit);
        keys.any(|key| verify(key, purpose, value, digest))
    }

    /// Seals with the active key (AES-256-GCM, random nonce). `context` identifies the value's location; the value
    /// opens only with the same context.
    pub(crate) fn seal(&self, context: &[u8], plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let key = self.key(&self.inner.active)?;
        // Taken directly from the operating system, unlike other randomness, which is passed in: a reused nonce reveals
        // the key.
        let mut nonce = [0; aead::NONCE_LEN];
        SystemRandom::new()
            .fill(&mut nonce)
            .map_err(|_| SealError::Random)?;
        let mut sealed = Vec::with_capacity(1 + aead::NONCE_LEN + plain.len() + aead::MAX_TAG_LEN);
        sealed.push(VERSION);
        sealed.extend_from_slice(&nonce);
        let mut body = plain.to_vec();
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(context),
            &mut body,
        )
        .map_err(|_| SealError::Broken)?;
        sealed.append(&mut body);
        Ok(sealed)
    }

    /// Opens a value that [`Self::seal`] sealed under the key with this id.
    pub(crate) fn open(
        &self,
        key_id: &str,
        context: &[u8],
        sealed: &[u8],
    ) -> Result<Vec<u8>, SealError> {
        let key = self.key(key_id)?;
        let (version, rest) = sealed.split_first().ok_or(SealError::Broken)?;
        if *version != VERSION {
            return Err(SealError::Broken);
        }
        let (nonce, body) = rest
            .split_first_chunk::<{ aead::NONCE_LEN }>()
            .ok_or(SealError::Broken)?;
        let mut body = body.to_vec();
        let plain = key
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(context),
                &mut body,
            )
            .map_err(|_| SealError::Broken)?;
        Ok(plain.to_vec())
    }

    fn key(&self, id: &str) -> Result<&LessSafeKey, SealError> {
        let key = self.inner.sealing.get(id);
        key.ok_or_else(|| SealError::UnknownKey(id.to_owned()))
    }
}

fn hash(key: &hmac::Key, purpose: &str, value: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    digest.copy_from_slice(hmac::sign(key, &message(purpose, value)).as_ref());
    digest
}

fn verify(key: &hmac::Key, purpose: &str, value: &[u8], digest: &[u8]) -> bool {
    hmac::verify(key, &message(purpose, value), digest).is_ok()
}

fn message(purpose: &str, value: &[u8]) -> Vec<u8> {
    [purpose.as_bytes(), &[0], value].concat()
}

fn decode(name: &str, text: &str) -> Result<[u8; KEY_BYTES], KeysError> {
    let invalid = || KeysError::Invalid(format!("{name} is not {KEY_BYTES} bytes in base64"));
    let bytes = STANDARD.decode(text).map_err(|_| invalid())?;
    bytes.try_into().map_err(|_| invalid())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn file(active: &str, ids: &[(&str, u8)]) -> String {
        let key = |byte: u8| STANDARD.encode([byte; KEY_BYTES]);
        let mut text = format!(
            "active = \"{active}\"\nindex_key = \"{}\"\n[keys]\n",
            key(9)
        );
        for (id, byte) in ids {
            writeln!(text, "\"{id}\" = \"{}\"", key(*byte)).unwrap();
        }
        text
    }

    #[test]
    fn a_value_opens_only_in_its_context() {
        let keys = Keys::parse(&file("a", &[("a", 1)])).unwrap();
        let sealed = keys.seal(b"here", b"Asha Rao").unwrap();
        assert!(!sealed.windows(4).any(|part| part == b"Asha"));
        assert_ne!(sealed, keys.seal(b"here", b"Asha Rao").unwrap());
        assert_eq!(keys.open("a", b"here", &sealed).unwrap(), b"Asha Rao");
        assert_eq!(keys.open("a", b"there", &sealed), Err(SealError::Broken));
        assert_eq!(
            keys.open("b", b"here", &sealed),
            Err(SealError::UnknownKey("b".into()))
        );
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(keys.open("a", b"here", &changed), Err(SealError::Broken));
        }
        for short in 0..sealed.len() {
            assert!(keys.open("a", b"here", &sealed[..short]).is_err());
        }
    }

    #[test]
    fn a_replaced_key_still_opens_values() {
        let old = Keys::parse(&file("a", &[("a", 1)])).unwrap();
        let new = Keys::parse(&file("b", &[("a", 1), ("b", 2)])).unwrap();
        let sealed = old.seal(b"x", b"text").unwrap();
        assert_eq!(new.open("a", b"x", &sealed).unwrap(), b"text");
        assert_eq!(old.digest("p", b"v"), new.digest("p", b"v"));
        assert_ne!(old.digest("p", b"v"), old.digest("q", b"v"));
    }

    #[test]
    fn the_previous_index_key_hashes_as_before() {
        let old = Keys::parse(&file("a", &[("a", 1)])).unwrap();
        let key = |byte: u8| STANDARD.encode([byte; KEY_BYTES]);
        let replaced = format!(
            "index_key = \"{}\"\nprevious_index_key = \"{}\"\naudit_keys = [\"{}\"]\n",
            key(8),
            key(9),
            key(7)
        );
        let text = file("a", &[("a", 1)]);
        let (before, after) = text.split_once("index_key").unwrap();
        let (_, after) = after.split_once('\n').unwrap();
        let new = Keys::parse(&format!("{before}{replaced}{after}")).unwrap();
        let previous = new.previous().unwrap();
        assert_ne!(new.digest("p", b"v"), old.digest("p", b"v"));
        assert_eq!(previous.digest("p", b"v"), old.digest("p", b"v"));
        assert!(previous.previous().is_none() && old.previous().is_none());
        assert!(new.is_digest("p", b"v", &old.digest("p", b"v")));
        assert!(!old.is_digest("p", b"v", &new.digest("p", b"v")));
    }

    #[test]
    fn an_invalid_key_file_is_refused_without_quoting_it() {
        let good = file("a", &[("a", 1)]);
        for bad in [
            String::new(),
            file("b", &[("a", 1)]),
            file("a", &[]),
            good.replace("index_key", "other"),
            good.replace("AQEB", "A"),
            good.replace("[keys]", "previous_index_key = \"AQEB\"\n[keys]"),
            good.replace("[keys]", "audit_keys = [\"AQEB\"]\n[keys]"),
        ] {
            let error = Keys::parse(&bad).unwrap_err().to_string();
            assert!(!error.contains("AQEB"), "{error}");
        }
        assert!(!format!("{:?}", Keys::parse(&good).unwrap()).contains("AQEB"));
    }
}
