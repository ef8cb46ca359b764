//! Tokens of services that may send notices, in addition to mutual TLS. Without a token, any client that reaches the
//! port could write to patients in the hospital's name.

use std::{fmt, path::Path};

use sha2::{Digest as _, Sha256};
use tonic::{Request, Status};

/// Minimum length of a token, in characters.
const TOKEN_CHARS_MIN: usize = 32;
const TOKENS_MAX: usize = 8;

/// Hashes of accepted tokens; more than one during rotation.
#[derive(Clone, Default)]
pub(crate) struct Tokens(Vec<[u8; 32]>);

impl fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tokens({})", self.0.len())
    }
}

impl Tokens {
    /// Reads the tokens from a file, one per line.
    ///
    /// # Errors
    /// A message for an operator, without any token.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read NOTICE_TOKEN_FILE {shown}: {error}"))?;
        let tokens: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let is_fit = |token: &&str| {
            token.len() >= TOKEN_CHARS_MIN && token.bytes().all(|byte| byte.is_ascii_graphic())
        };
        if tokens.is_empty() || tokens.len() > TOKENS_MAX || !tokens.iter().all(is_fit) {
            return Err(format!(
                "NOTICE_TOKEN_FILE {shown} must hold 1 to {TOKENS_MAX} tokens of at least {TOKEN_CHARS_MIN} visible ASCII characters, one \
                 a line"
            ));
        }
        let hashed = tokens.iter().map(|token| Sha256::digest(token).into());
        Ok(Self(hashed.collect()))
    }

    /// Checks that the caller has an accepted token. If none is configured, which only development allows, every caller
    /// is accepted.
    pub(super) fn check<T>(&self, request: &Request<T>) -> Result<(), Status> {
        if self.0.is_empty() {
            return Ok(());
        }
        let header = request.metadata().get("authorization");
        let shown = header
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        // Compares hashes, so that timing reveals nothing about a token.
        let is_known = shown.is_some_and(|token| {
            let shown: [u8; 32] = Sha256::digest(token.trim()).into();
            self.0.contains(&shown)
        });
        if is_known {
            Ok(())
        } else {
            Err(Status::unauthenticated(
                "Send the token of NOTICE_TOKEN_FILE.",
            ))
        }
    }
}
