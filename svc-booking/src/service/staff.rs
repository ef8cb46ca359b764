//! Who of the staff makes a call.

use service_kit::auth::{Caller, Refusal, Verifier};
use tonic::{Status, metadata::MetadataMap};

/// Scopes of staff tokens.
pub(crate) const APPOINTMENTS_READ: &str = "appointments:read";
pub(crate) const APPOINTMENTS_WRITE: &str = "appointments:write";

/// The caller, if the token has the scope; before anything else is said about the call.
///
/// # Errors
/// UNAUTHENTICATED, PERMISSION_DENIED, or UNAVAILABLE while no key has been fetched.
pub(crate) fn authorize(
    verifier: &Verifier,
    metadata: &MetadataMap,
    scope: &str,
) -> Result<Caller, Status> {
    let authorization = match metadata.get("authorization").map(|value| value.to_str()) {
        None => None,
        Some(Ok(text)) => Some(text),
        Some(Err(_)) => return Err(Refusal::Unauthenticated.into()),
    };
    Ok(verifier.check(authorization, scope)?)
}
