//! Sealing of cookies.
//!
//! A sealed value is `<key id>.<nonce, ciphertext and tag in base64url>`, by AES-256-GCM with a random nonce. Each
//! purpose has a key of its own, derived by HKDF-SHA-256. With random nonces, one key may seal 2^32 values (NIST SP
//! 800-38D, 8.3). Any visitor can begin a sign-in, and this must not use up the limit of the sessions' key.

use std::fmt;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Salt},
};

use super::secrets::{Mark, NoRandomness, random};

/// Maximum number of keys in a file.
const KEYS_MAX: usize = 8;
/// Length of a key, in bytes.
const KEY_BYTES: usize = 32;
/// Length of a key's id, in characters of base64url: 48 bits of a hash.
const ID_CHARS: usize = 8;
/// Separates these keys from other uses of the same secret.
const SALT: &[u8] = b"hospital gateway cookies 1";

/// What a value is sealed for. A value opens for the same purpose only.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Session,
    SignIn,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::SignIn => "sign-in",
        }
    }
}

/// Why a value cannot be sealed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SealError {
    /// No nonce.
    #[error(transparent)]
    Random(#[from] NoRandomness),
    /// The sealed value does not fit a cookie.
    #[error("the value does not fit a cookie")]
    TooLong,
}

/// The keys of a file, newest first.
pub(crate) struct SealingKeys(Vec<SealingKey>);

struct SealingKey {
    id: String,
    session: LessSafeKey,
    sign_in: LessSafeKey,
}

impl SealingKey {
    fn new(secret: &[u8; KEY_BYTES]) -> Self {
        let extracted = Salt::new(HKDF_SHA256, SALT).extract(secret);
        let derive = |purpose: Purpose| {
            let info = [purpose.name().as_bytes()];
            let derived = extracted.expand(&info, &AES_256_GCM);
            LessSafeKey::new(UnboundKey::from(
                derived.expect("32 bytes are within the limit of HKDF"),
            ))
        };
        let mut id = Mark::of("cookie key", secret).to_text();
        id.truncate(ID_CHARS);
        Self {
            id,
            session: derive(Purpose::Session),
            sign_in: derive(Purpose::SignIn),
        }
    }

    fn of(&self, purpose: Purpose) -> &LessSafeKey {
        match purpose {
            Purpose::Session => &self.session,
            Purpose::SignIn => &self.sign_in,
        }
    }
}

impl SealingKeys {
    /// Parses a key file: a key per line; empty lines and lines with `#` are skipped.
    pub(crate) fn parse(file: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(file).map_err(|_| "is not text".to_owned())?;
        let mut keys: Vec<SealingKey> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let number = index + 1;
            let secret = STANDARD.decode(line).ok();
            let secret = secret.and_then(|bytes| <[u8; KEY_BYTES]>::try_from(bytes).ok());
            let secret = secret
                .ok_or_else(|| format!("line {number} is not {KEY_BYTES} bytes in base64"))?;
            let key = SealingKey::new(&secret);
            if keys.iter().any(|other| other.id == key.id) {
                return Err(format!("line {number} repeats a key"));
            }
            keys.push(key);
        }
        if keys.is_empty() || keys.len() > KEYS_MAX {
            let found = keys.len();
            return Err(format!("has {found} keys, 1 to {KEYS_MAX} are needed"));
        }
        Ok(Self(keys))
    }

    /// Seals a value with the first key. It opens only for the same purpose and `context`. The result has at most
    /// `bytes_max` bytes.
    pub(crate) fn seal(
        &self,
        purpose: Purpose,
        context: &str,
        plain: &[u8],
        bytes_max: usize,
    ) -> Result<String, SealError> {
        let key = &self.0[0];
        let nonce = random::<NONCE_LEN>()?;
        let mut sealed = plain.to_vec();
        key.of(purpose)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(associated(purpose, context)),
                &mut sealed,
            )
            .map_err(|_| SealError::TooLong)?;
        let body = URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat());
        let text = format!("{}.{body}", key.id);
        if text.len() > bytes_max {
            return Err(SealError::TooLong);
        }
        Ok(text)
    }

    /// Opens a value that [`Self::seal`] sealed with any of the keys.
    pub(crate) fn open(&self, purpose: Purpose, context: &str, sealed: &str) -> Option<Vec<u8>> {
        let (id, body) = sealed.split_once('.')?;
        let key = self.0.iter().find(|key| key.id == id)?;
        let body = URL_SAFE_NO_PAD.decode(body).ok()?;
        let (nonce, body) = body.split_first_chunk::<NONCE_LEN>()?;
        let mut body = body.to_vec();
        let plain = key.of(purpose).open_in_place(
            Nonce::assume_unique_for_key(*nonce),
            Aad::from(associated(purpose, context)),
            &mut body,
        );
        plain.ok().map(|plain| plain.to_vec())
    }
}

fn associated(purpose: Purpose, context: &str) -> Vec<u8> {
    [purpose.name().as_bytes(), &[0], context.as_bytes()].concat()
}

impl fmt::Debug for SealingKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.0.iter().map(|key| &key.id);
        formatter.debug_list().entries(ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: &str = "https://hospital.example";

    fn file(keys: &[u8]) -> String {
        let lines = keys
            .iter()
            .map(|key| STANDARD.encode([*key; KEY_BYTES]) + "\n");
        lines.collect()
    }

    fn keys(keys: &[u8]) -> SealingKeys {
        SealingKeys::parse(file(keys).as_bytes()).expect("keys")
    }

    fn sealed(by: &SealingKeys) -> String {
        let sealed = by.seal(Purpose::Session, SITE, b"plain", 4096);
        sealed.expect("a sealed value")
    }

    #[test]
    fn a_value_opens_for_its_purpose_and_site_only() {
        let keys = keys(&[1]);
        let value = sealed(&keys);
        assert_ne!(value, sealed(&keys), "the nonce is random");
        let open = |purpose, site| keys.open(purpose, site, &value);
        assert_eq!(open(Purpose::Session, SITE).as_deref(), Some(&b"plain"[..]));
        assert_eq!(open(Purpose::SignIn, SITE), None);
        assert_eq!(open(Purpose::Session, "https://other.example"), None);
    }

    #[test]
    fn a_changed_value_does_not_open() {
        let keys = keys(&[1]);
        let value = sealed(&keys);
        for place in 0..value.len() {
            let mut changed = value.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert_eq!(keys.open(Purpose::Session, SITE, &changed), None, "{place}");
            let short = &value[..place];
            assert_eq!(keys.open(Purpose::Session, SITE, short), None, "{place}");
        }
    }

    #[test]
    fn every_key_opens_and_the_first_seals() {
        let (old, both, new) = (keys(&[1]), keys(&[2, 1]), keys(&[2]));
        let open =
            |keys: &SealingKeys, value: &str| keys.open(Purpose::Session, SITE, value).is_some();
        assert!(open(&both, &sealed(&old)) && open(&new, &sealed(&both)));
        assert!(!open(&old, &sealed(&both)) && !open(&new, &sealed(&old)));
    }

    #[test]
    fn a_value_must_fit_a_cookie() {
        let sealed =
            |length: usize| keys(&[1]).seal(Purpose::Session, SITE, &vec![0; length], 4082);
        assert!(sealed(3026).is_ok());
        assert_eq!(sealed(3027), Err(SealError::TooLong));
    }

    #[test]
    fn an_unusable_file_is_refused_without_quoting_it() {
        let commented = format!("# newest first\n\n{}", file(&[1, 2]));
        let parsed = SealingKeys::parse(commented.as_bytes()).expect("keys");
        assert_eq!(parsed.0.len(), 2);
        assert!(!format!("{parsed:?}").contains("AQEB"));
        for (text, problem) in [
            (String::new(), "has 0 keys, 1 to 8 are needed"),
            (file(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), "has 9 keys, 1 to 8"),
            (file(&[1, 1]), "line 2 repeats a key"),
            (file(&[1]) + "AQEB\n", "line 2 is not 32 bytes in base64"),
            (file(&[1]).replace('=', "!"), "line 1 is not 32 bytes"),
        ] {
            let error = SealingKeys::parse(text.as_bytes()).expect_err("refused");
            assert!(error.starts_with(problem), "{error}");
        }
        assert!(SealingKeys::parse(b"\xff").is_err());
    }
}
