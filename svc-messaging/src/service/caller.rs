//! Who calls: staff by token, a visitor from a network.

use service_kit::auth::Caller;
use tonic::{Request, Status, metadata::MetadataMap};

use crate::Parts;

/// Where the gateway says from which network a visitor calls.
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
    /// Staff with a token of that scope.
    pub(super) fn staff<T>(&self, request: &Request<T>, scope: &str) -> Result<Caller, Status> {
        Ok(self.verifier.check_request(request, scope)?)
    }

    /// Keyed hash of the network that a visitor calls from: enough to recognise, not to find. `None`: nobody said it.
    pub(super) fn network<T>(&self, request: &Request<T>) -> Option<[u8; 32]> {
        let network = text(request.metadata(), NETWORK)?;
        (network.len() <= NETWORK_BYTES_MAX)
            .then(|| self.keys.digest("client.network", network.as_bytes()))
    }
}
