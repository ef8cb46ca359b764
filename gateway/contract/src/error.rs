//! Reasons why the contracts cannot be served.

use super::template::TemplateError;

/// Reasons why the contracts cannot be served over HTTP.
#[derive(Debug, thiserror::Error)]
pub enum ContractError {
    /// A path template is malformed.
    #[error("{rpc}: path `{path}`: {error}")]
    Template {
        /// The RPC.
        rpc: String,
        /// The path as written.
        path: String,
        /// The parse error.
        error: TemplateError,
    },
    /// A field named in an annotation is missing from the message or cannot be used in this place.
    #[error("{rpc}: `{field}` cannot be used here")]
    Field {
        /// The RPC.
        rpc: String,
        /// The field as written.
        field: String,
    },
    /// A header of this name cannot carry a secret, or the RPC has no scope that the secret could satisfy.
    #[error("{rpc}: `{header}` cannot carry a secret")]
    SecretHeader {
        /// The RPC.
        rpc: String,
        /// The header as written.
        header: String,
    },
    /// A streaming RPC has a `google.api.http` option; streams have no REST form here.
    #[error("{0}: a streaming RPC cannot have a google.api.http option")]
    Streaming(String),
    /// The option names none of the supported HTTP methods.
    #[error("{0}: the google.api.http option has an unsupported method")]
    Method(String),
    /// Two RPCs have the same method and path.
    #[error("{0} and {1} have the same method and path")]
    Conflict(String, String),
}
