//! The gateway's own tokens, for the API.

use std::sync::Arc;

use axum::http::HeaderValue;
use gateway_api::TokenSigner;
use gateway_session::Signer;
use service_kit::auth::Caller;

/// Signs with the key of TOKEN_KEY_FILE.
#[derive(Debug)]
pub(crate) struct OwnTokens(Signer);

impl OwnTokens {
    pub(crate) fn shared(signer: Signer) -> Arc<dyn TokenSigner> {
        Arc::new(Self(signer))
    }
}

impl TokenSigner for OwnTokens {
    fn authorization(&self, caller: &Caller, scopes: &[String]) -> Option<HeaderValue> {
        let token = self.0.token(caller, scopes).ok()?;
        let mut value = HeaderValue::try_from(format!("Bearer {token}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}
