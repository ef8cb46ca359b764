//! DKIM signing, which lets receivers verify that a mail comes from the hospital (RFC 6376; Ed25519: RFC 8463).
//!
//! Implemented with `ring`, which the program links anyway. `lettre` signs with the `rsa` crate, whose private-key
//! operations leak timing information (RUSTSEC-2023-0071).

use std::{fmt, os::unix::fs::PermissionsExt as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use ring::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
};
use sha2::{Digest as _, Sha256};
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, pem::PemObject as _};

/// Headers to sign if present. RFC 8058 requires the two `list-unsubscribe` headers.
const SIGNED: [&str; 12] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "reply-to",
    "mime-version",
    "content-type",
    "auto-submitted",
    "list-id",
    "list-unsubscribe",
    "list-unsubscribe-post",
];
/// Oversigned headers. Each is listed one more time than it occurs, so adding another header invalidates the signature.
const NEVER_ADDED: [&str; 5] = ["from", "to", "subject", "date", "reply-to"];
/// Maximum characters per line of the folded base64 signature.
const FOLD_CHARS: usize = 70;
/// Maximum length of a selector or domain, in characters (RFC 1035).
const DOMAIN_CHARS_MAX: usize = 253;

/// Reason why mails cannot be signed. Contains no key material.
#[derive(Debug, thiserror::Error)]
pub enum DkimError {
    #[error("cannot read the DKIM key {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error("the DKIM key {path} is not a PEM private key of RSA (2048 bits or more) or Ed25519")]
    Key { path: String },
    #[error(
        "DKIM_KEY_FILE {path} is not an RSA key, the only kind that large receivers verify; use DKIM_ED25519_KEY_FILE for an Ed25519 key"
    )]
    NotRsa { path: String },
    #[error("DKIM_ED25519_KEY_FILE {path} is not an Ed25519 key")]
    NotEd25519 { path: String },
    #[error("the DKIM selector or domain is not a DNS name")]
    Name,
    #[error("the mail has no blank line after its headers")]
    NoBody,
    #[error("the mail cannot be signed")]
    Sign,
}

enum Key {
    Rsa(Box<RsaKeyPair>),
    Ed25519(Ed25519KeyPair),
}

/// Signer for one domain.
pub struct Signer {
    key: Key,
    selector: String,
    domain: String,
}

impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Signer({}._domainkey.{})",
            self.selector, self.domain
        )
    }
}

impl Signer {
    /// Reads a private key in PEM (PKCS#8, or PKCS#1 for RSA). Warns if the file is accessible to other users. Group
    /// access is accepted, because secrets mounted by an orchestrator belong to the process's group.
    ///
    /// # Errors
    /// When it cannot be read or used.
    pub fn read(path: &Path, selector: &str, domain: &str) -> Result<Self, DkimError> {
        let shown = || path.display().to_string();
        let read = |source| DkimError::Read {
            path: shown(),
            source,
        };
        let pem = std::fs::read(path).map_err(read)?;
        let mode = std::fs::metadata(path).map_err(read)?.permissions().mode();
        if mode & 0o007 != 0 {
            tracing::warn!(
                path = shown(),
                "every user of this machine can read the DKIM key"
            );
        }
        Self::parse(&pem, selector, domain)?.ok_or_else(|| DkimError::Key { path: shown() })
    }

    fn parse(pem: &[u8], selector: &str, domain: &str) -> Result<Option<Self>, DkimError> {
        if !is_name(selector) || !is_name(domain) {
            return Err(DkimError::Name);
        }
        let key = PrivateKeyDer::from_pem_slice(pem)
            .ok()
            .and_then(|der| match der {
                PrivateKeyDer::Pkcs1(der) => {
                    let key = RsaKeyPair::from_der(der.secret_pkcs1_der()).ok()?;
                    Some(Key::Rsa(Box::new(key)))
                }
                PrivateKeyDer::Pkcs8(der) => {
                    let der = der.secret_pkcs8_der();
                    let rsa = RsaKeyPair::from_pkcs8(der).map(|key| Key::Rsa(Box::new(key)));
                    rsa.or_else(|_| {
                        // OpenSSL writes PKCS#8 version 1, which has no public key.
                        Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).map(Key::Ed25519)
                    })
                    .ok()
                }
                _ => None,
            });
        Ok(key.map(|key| Self {
            key,
            selector: selector.to_owned(),
            domain: domain.to_owned(),
        }))
    }

    /// Returns whether this is an RSA key. Few receivers support Ed25519.
    pub fn is_rsa(&self) -> bool {
        matches!(self.key, Key::Rsa(_))
    }

    /// Returns the DKIM-Signature header, to be prepended to the mail.
    ///
    /// # Errors
    /// When `mail` has no header section or is not UTF-8 there, or when signing fails.
    pub fn sign(&self, mail: &[u8], time: DateTime<Utc>) -> Result<Vec<u8>, DkimError> {
        let end = mail
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .ok_or(DkimError::NoBody)?;
        let head = std::str::from_utf8(&mail[..end + 2]).map_err(|_| DkimError::NoBody)?;
        let (names, mut signed) = signed_headers(&headers(head));
        let algorithm = match self.key {
            Key::Rsa(_) => "rsa",
            Key::Ed25519(_) => "ed25519",
        };
        let body_hash = STANDARD.encode(Sha256::digest(relaxed_body(&mail[end + 4..])));
        let header = format!(
            "v=1; a={algorithm}-sha256; c=relaxed/relaxed; d={};\r\n\ts={}; t={};\r\n\th={};\r\n\tbh={body_hash};\r\n\tb=",
            self.domain,
            self.selector,
            time.timestamp(),
            names.join(":\r\n\t "),
        );
        signed.push_str("dkim-signature:");
        signed.push_str(&relaxed(&header));
        let signature = self.signature(signed.as_bytes())?;
        let lines: Vec<&[u8]> = signature.as_bytes().chunks(FOLD_CHARS).collect();
        let folded = lines.join(b"\r\n\t ".as_slice());
        Ok([b"DKIM-Signature: ", header.as_bytes(), &folded, b"\r\n"].concat())
    }

    fn signature(&self, text: &[u8]) -> Result<String, DkimError> {
        Ok(STANDARD.encode(match &self.key {
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(
                    &RSA_PKCS1_SHA256,
                    &SystemRandom::new(),
                    text,
                    &mut signature,
                )
                .map_err(|_| DkimError::Sign)?;
                signature
            }
            // RFC 8463, 3: the hash is what gets signed.
            Key::Ed25519(key) => key.sign(&Sha256::digest(text)).as_ref().to_vec(),
        }))
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= DOMAIN_CHARS_MAX
        && text.split('.').all(|label| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        })
}

/// Returns the names of the `h=` tag, and the canonical form of the headers to sign.
fn signed_headers(headers: &[(String, String)]) -> (Vec<&'static str>, String) {
    let mut names = Vec::new();
    let mut signed = String::new();
    for name in SIGNED {
        // Repeated headers are signed from the last one upwards.
        for (_, value) in headers.iter().rev().filter(|(known, _)| known == name) {
            names.push(name);
            signed.extend([name, ":", value, "\r\n"]);
        }
        if NEVER_ADDED.contains(&name) {
            names.push(name);
        }
    }
    (names, signed)
}

/// Parses headers into lower-case names and [`relaxed`] values.
fn headers(head: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in head.split("\r\n").filter(|line| !line.is_empty()) {
        if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), headers.last_mut()) {
            value.push_str(line);
        } else {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            headers.push((name.trim_end().to_ascii_lowercase(), value.to_owned()));
        }
    }
    for (_, value) in &mut headers {
        *value = relaxed(value);
    }
    headers
}

/// Canonicalises a header value (RFC 6376, 3.4.2): unfolded, white space collapsed to one space and trimmed.
fn relaxed(value: &str) -> String {
    value
        .split([' ', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Canonicalises a body with the relaxed algorithm (RFC 6376, 3.4.4).
fn relaxed_body(body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(body.len() + 2);
    // Empty lines are held back, because trailing ones are dropped.
    let mut empty = 0;
    for line in body.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
        let mut relaxed = Vec::with_capacity(line.len());
        let mut after_blank = false;
        for &byte in line {
            if is_blank(byte) {
                after_blank = true;
                continue;
            }
            if std::mem::take(&mut after_blank) {
                relaxed.push(b' ');
            }
            relaxed.push(byte);
        }
        if relaxed.is_empty() {
            empty += 1;
            continue;
        }
        for _ in 0..std::mem::take(&mut empty) {
            whole.extend_from_slice(b"\r\n");
        }
        whole.extend_from_slice(&relaxed);
        whole.extend_from_slice(b"\r\n");
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms_match_the_rfc() {
        // RFC 6376, 3.4.5.
        let found = headers("A: X\r\nB : Y\t\r\n\tZ  \r\n");
        assert_eq!(
            found,
            [("a".into(), "X".into()), ("b".into(), "Y Z".into())]
        );
        assert_eq!(relaxed_body(b" C \r\nD \t E\r\n\r\n\r\n"), b" C\r\nD E\r\n");
        assert_eq!(relaxed_body(b"a\r\n\r\nb"), b"a\r\n\r\nb\r\n");
        assert_eq!(relaxed_body(b"\r\n\r\n"), b"");
    }

    #[test]
    fn refuses_invalid_keys_and_names() {
        assert!(matches!(Signer::parse(b"x", "s", "d.example"), Ok(None)));
        for (selector, domain) in [("", "d"), ("s; x", "d"), ("s", "d..e"), ("s", "d\r\nX: y")] {
            assert!(matches!(
                Signer::parse(b"x", selector, domain),
                Err(DkimError::Name)
            ));
        }
    }
}
