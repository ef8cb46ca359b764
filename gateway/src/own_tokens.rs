//! The gateway's own tokens, for the API.

use std::sync::Arc;

use axum::http::HeaderValue;
use gateway_api::TokenSigner;
use gateway_session::Signer;

/// Signs with the key of TOKEN_KEY_FILE.
#[derive(Debug)]
pub(crate) struct OwnTokens(Signer);

impl OwnTokens {
    pub(crate) fn shared(signer: Signer) -> Arc<dyn TokenSigner> {
        Arc::new(Self(signer))
    }
}

impl TokenSigner for OwnTokens {
    fn authorization(
        &self,
        subject: &str,
        scopes: &[String],
        doctor: Option<&str>,
    ) -> Option<HeaderValue> {
        let token = self.0.token(subject, scopes, doctor).ok()?;
        let mut value = HeaderValue::try_from(format!("Bearer {token}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}
