//! Identification of callers: staff by token, visitors by network.

use service_kit::auth::Caller;
use tonic::{Request, Status, metadata::MetadataMap};

use crate::Parts;

/// Metadata key in which the gateway passes the visitor's network.
const NETWORK: &str = "client-network";
const NETWORK_BYTES_MAX: usize = 128;

fn text<'a>(metadata: &'a MetadataMap, name: &str) -> Option<&'a str> {
    metadata
        .get(name)?
        .to_str()
        .ok()
        .filter(|text| !text.is_empty())
}

impl Parts {
    /// Authenticates a staff member whose token has this scope.
    pub(super) fn staff<T>(&self, request: &Request<T>, scope: &str) -> Result<Caller, Status> {
        Ok(self.verifier.check_request(request, scope)?)
    }

    /// Returns a keyed hash of the visitor's network: it can be compared but not traced back. `None` if the gateway
    /// sent none.
    pub(super) fn network<T>(&self, request: &Request<T>) -> Option<[u8; 32]> {
        let network = text(request.metadata(), NETWORK)?;
        (network.len() <= NETWORK_BYTES_MAX)
            .then(|| self.keys.digest("client.network", network.as_bytes()))
    }
}
