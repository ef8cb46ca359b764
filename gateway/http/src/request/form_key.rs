//! The secret that all gateways of a site share. It keys the hashes of what people send, by which a repeated sending is
//! recognised.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use ring::hmac;
use service_kit::source::{Ids as _, RandomIds};

const FILE_BYTES_MIN: usize = 32;
const FILE_BYTES_MAX: usize = 4_096;

/// Reason why the key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FormKeyError {
    /// `FORM_KEY_FILE` cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is too short or too long for a key.
    #[error("{} has {found} bytes; expected {FILE_BYTES_MIN} to {FILE_BYTES_MAX}", path.display())]
    Length {
        /// Path of the file.
        path: PathBuf,
        /// Its length in bytes.
        found: usize,
    },
}

/// Reads the key from `file`; without a file, generates one for this process.
///
/// # Errors
/// If the file cannot be read, or is too short or too long for a key.
pub fn read(file: Option<&Path>) -> Result<hmac::Key, FormKeyError> {
    let Some(path) = file else {
        tracing::warn!(
            "FORM_KEY_FILE is not set: forms and creates without an Idempotency-Key are recognised by this process only. \
             Several gateways need the same key, or what is sent twice may count twice"
        );
        let random = [RandomIds.uuid(), RandomIds.uuid(), RandomIds.uuid()];
        let random = random.map(uuid::Uuid::into_bytes).concat();
        return Ok(hmac::Key::new(hmac::HMAC_SHA256, &random));
    };
    let path = path.to_owned();
    let secret = match fs::read(&path) {
        Ok(secret) => secret,
        Err(source) => return Err(FormKeyError::Read { path, source }),
    };
    let found = secret.len();
    if !(FILE_BYTES_MIN..=FILE_BYTES_MAX).contains(&found) {
        return Err(FormKeyError::Length { path, found });
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_key_file_and_refuses_a_short_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        assert!(matches!(read(Some(&path)), Err(FormKeyError::Read { .. })));
        fs::write(&path, [7; 31]).unwrap();
        let error = read(Some(&path)).unwrap_err().to_string();
        assert!(error.contains("has 31 bytes"), "{error}");
        fs::write(&path, [7; 32]).unwrap();
        let signed = |file| hmac::sign(&read(file).unwrap(), b"form").as_ref().to_vec();
        assert_eq!(
            signed(Some(&path)),
            signed(Some(&path)),
            "two gateways with one file"
        );
        assert_ne!(signed(None), signed(None), "two processes without");
    }
}
