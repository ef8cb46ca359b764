//! Identity of a caller, checked before its call, and the tokens that upstreams get for it.

use std::{fmt::Debug, sync::Arc};

use axum::http::HeaderValue;
use service_kit::auth::{self, Refusal, Verifier};

/// Caller identified by a token, or the reason for refusing the token.
pub type TokenCheck = Result<auth::Caller, Refusal>;

/// Identity of a caller, checked before its call.
#[derive(Clone, Debug)]
pub enum Identity {
    /// Result of checking its bearer token.
    Token(TokenCheck),
    /// A signed-in member of staff. An `Authorization` header or a resource's secret is preferred to the sign-in.
    Person(Arc<Person>),
}

/// A signed-in member of staff. Services see name and address only where the policy of an RPC allows it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Person {
    /// Claims of tokens.
    pub claims: auth::Caller,
    /// Scopes of the person's roles.
    pub scopes: Vec<String>,
}

impl Person {
    /// Whether one of the person's roles has `scope`.
    pub fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|granted| granted == scope)
    }
}

/// Signs the tokens of this gateway.
pub trait TokenSigner: Debug + Send + Sync {
    /// Returns an `Authorization` header with a new token, valid for at least the deadline of a call. `None` if a
    /// value is not valid in a token.
    fn authorization(&self, caller: &auth::Caller, scopes: &[String]) -> Option<HeaderValue>;
}

/// Verifies the tokens of callers, and signs those of upstreams.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// Verifies the tokens of callers.
    pub verifier: Verifier,
    /// Signs a token for each call. Without it, upstreams get the tokens of callers, and there are no sign-ins.
    pub signer: Option<Arc<dyn TokenSigner>>,
}
