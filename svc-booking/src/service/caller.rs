//! Who calls: staff by token, a person by secret, and from where.

use service_kit::auth::Caller;
use service_kit::reference::Name;
use store_kit::keys::Keys;
use tonic::{Code, Request, Status, metadata::MetadataMap};
use uuid::Uuid;

use crate::{
    Parts,
    store::{Access, By},
};

pub(super) const APPOINTMENT_SECRET: &str = "x-appointment-secret";
pub(super) const WAITLIST_SECRET: &str = "x-waitlist-secret";
const SECRET_BYTES_MAX: usize = 128;
/// Where the gateway says who calls.
const NETWORK: &str = "client-network";
const CLIENT_ID: &str = "client-id";
const CLIENT_BYTES_MAX: usize = 128;

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

    /// Whoever shows a secret, or staff with a token of that scope. A token goes before a secret.
    pub(super) fn access<T>(
        &self,
        request: &Request<T>,
        scope: &str,
        secret_header: &str,
    ) -> Result<Access, Status> {
        let metadata = request.metadata();
        let shown = text(metadata, secret_header).filter(|text| text.len() <= SECRET_BYTES_MAX);
        match shown {
            Some(secret) if !metadata.contains_key("authorization") => {
                Ok(Access::Secret(secret.to_owned()))
            }
            _ => {
                let caller = self.staff(request, scope)?;
                Ok(Access::Staff(caller.subject))
            }
        }
    }

    /// As [`Self::access`], with the network that a patient calls from.
    pub(super) fn by<T>(
        &self,
        request: &Request<T>,
        scope: &str,
        secret_header: &str,
    ) -> Result<By, Status> {
        let access = self.access(request, scope, secret_header)?;
        let network = match access {
            Access::Secret(_) => Client::of(request, &self.keys).network,
            Access::Staff(_) => None,
        };
        Ok(By { access, network })
    }
}

/// Where a visitor calls from, as keyed hashes: enough to recognise, not to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// `None`: nobody said it.
    pub(super) network: Option<[u8; 32]>,
    /// A browser's tab, as far as it says so.
    pub(super) visitor: Option<[u8; 32]>,
}

impl Client {
    pub(super) fn of<T>(request: &Request<T>, keys: &Keys) -> Self {
        let metadata = request.metadata();
        let bounded = |name| text(metadata, name).filter(|text| text.len() <= CLIENT_BYTES_MAX);
        let network = bounded(NETWORK);
        let id = bounded(CLIENT_ID);
        let visitor = format!("{} {}", network.unwrap_or_default(), id.unwrap_or_default());
        Self {
            network: network.map(|network| keys.digest("client.network", network.as_bytes())),
            visitor: id.map(|_| keys.digest("client.visitor", visitor.as_bytes())),
        }
    }

    /// The visitor, or somebody whom nobody else is.
    pub(super) fn visitor_or(&self, id: Uuid, keys: &Keys) -> [u8; 32] {
        self.visitor
            .unwrap_or_else(|| keys.digest("client.visitor", id.as_bytes()))
    }
}

/// The name in a path. What cannot be one is as unknown as any other.
pub(super) fn name(text: &str) -> Result<Name, Status> {
    Name::parse(text).ok_or_else(unknown)
}

/// There is no such thing, or the secret is another's.
pub(super) fn unknown() -> Status {
    service_kit::status::with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is nothing under this reference and link.",
    )
}
