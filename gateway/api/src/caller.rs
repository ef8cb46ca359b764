//! The caller of an operation, as its upstream sees it: credentials and, where the contract requires it, the client.

use axum::http::{HeaderValue, header::AUTHORIZATION};
use gateway_contract::Policy;
use gateway_http::{problem::Problem, request::client_address::ClientNetwork};
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue, MetadataMap};

use super::{
    Call, Tokens,
    authorize::{self, Credentials},
};

/// Header with the id of a browser's tab.
const CLIENT_ID_HEADER: &str = "x-client-id";
/// Maximum length of a client id in bytes that is passed on; a longer one is omitted.
const CLIENT_ID_BYTES_MAX: usize = 128;
/// Metadata of calls whose policy has `client`. Never taken from a caller's header of that name.
const CLIENT_NETWORK: &str = "client-network";
const CLIENT_ID: &str = "client-id";

/// The caller of an operation.
#[derive(Debug)]
pub(crate) struct Caller<'a> {
    credentials: Credentials<'a>,
    network: Option<String>,
    client_id: Option<&'a HeaderValue>,
}

impl<'a> Caller<'a> {
    /// Collects what `policy` discloses of the caller to the upstream. The caller must have the required credentials.
    ///
    /// # Errors
    /// Those of [`authorize::check`].
    pub(crate) fn identify(
        tokens: &Tokens,
        policy: &'a Policy,
        call: &'a Call<'_>,
    ) -> Result<Self, Problem> {
        let headers = call.headers;
        let credentials = authorize::check(tokens, headers, policy, call.identity.as_ref())?;
        let network = call
            .network
            .filter(|_| policy.client)
            .map(ClientNetwork::cidr);
        let client_id = headers.get(CLIENT_ID_HEADER).filter(|id| {
            policy.client
                && (1..=CLIENT_ID_BYTES_MAX).contains(&id.len())
                && id
                    .as_bytes()
                    .iter()
                    .all(|byte| (b' '..=b'~').contains(byte))
        });
        Ok(Self {
            credentials,
            network,
            client_id,
        })
    }

    /// Returns the subject of its token, or the secret of a resource; empty for a visitor.
    pub(crate) fn credential(&self) -> &[u8] {
        match &self.credentials {
            Credentials::None => &[],
            Credentials::Token { subject, .. } => subject.as_bytes(),
            Credentials::Secret(_, value) => value.as_bytes(),
        }
    }

    /// Writes the caller into the metadata of a request, marked as sensitive, so that it is neither stored nor shown on
    /// the way.
    pub(crate) fn write(&self, metadata: &mut MetadataMap) {
        let mut write = |name: AsciiMetadataKey, value: &[u8]| {
            // Each value came as a header or was made here, so it is a valid metadata value too.
            if let Ok(mut value) = AsciiMetadataValue::try_from(value) {
                value.set_sensitive(true);
                metadata.insert(name, value);
            }
        };
        let fixed = AsciiMetadataKey::from_static;
        match &self.credentials {
            Credentials::None => {}
            Credentials::Token { value, .. } => {
                write(fixed(AUTHORIZATION.as_str()), value.as_bytes());
            }
            Credentials::Secret(name, value) => write((*name).clone(), value.as_bytes()),
        }
        if let Some(network) = &self.network {
            write(fixed(CLIENT_NETWORK), network.as_bytes());
        }
        if let Some(id) = self.client_id {
            write(fixed(CLIENT_ID), id.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_a_secret_from_debug_output_and_compression() {
        let name = AsciiMetadataKey::from_static("x-volume-secret");
        let (secret, id) = (
            HeaderValue::from_static("abc"),
            HeaderValue::from_static("tab"),
        );
        let caller = Caller {
            credentials: Credentials::Secret(&name, &secret),
            network: Some("192.0.2.0/24".to_owned()),
            client_id: Some(&id),
        };
        let mut metadata = MetadataMap::new();
        caller.write(&mut metadata);
        for (name, value) in [
            ("x-volume-secret", "abc"),
            ("client-network", "192.0.2.0/24"),
            ("client-id", "tab"),
        ] {
            let written = metadata.get(name).unwrap();
            assert_eq!(written, value);
            assert!(written.is_sensitive(), "{name}");
        }
    }
}
