//! Identifies the caller: staff by token, a person by secret, and the network of the call.

use service_kit::{auth::Caller, language::Language, reference::Name};
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
/// Headers in which the gateway identifies the client.
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
    /// Authenticates staff with a token of a scope.
    pub(super) fn staff<T>(&self, request: &Request<T>, scope: &str) -> Result<Caller, Status> {
        Ok(self.verifier.check_request(request, scope)?)
    }

    /// Authenticates a caller by secret, or staff by a token of a scope. A token takes precedence over a secret.
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

    /// Like [`Self::access`], with the patient's network and language.
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
        let language = Language::of_metadata(request.metadata());
        Ok(By {
            access,
            network,
            language,
        })
    }
}

/// The visitor's network and browser as keyed hashes: enough to recognise a visitor, not to identify one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// `None` if the gateway sent no network.
    pub(super) network: Option<[u8; 32]>,
    /// Hash of the browser tab's id and network; `None` if the browser sent no id.
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

    /// Returns the visitor's hash, or a unique one derived from `id`.
    pub(super) fn visitor_or(&self, id: Uuid, keys: &Keys) -> [u8; 32] {
        self.visitor
            .unwrap_or_else(|| keys.digest("client.visitor", id.as_bytes()))
    }
}

/// Parses the name in a path. An invalid name is reported like an unknown one.
pub(super) fn name(text: &str) -> Result<Name, Status> {
    Name::parse(text).ok_or_else(unknown)
}

impl Parts {
    /// Parses the name of an appointment. A reference without its first letters gets those of new references.
    pub(super) fn appointment_name(&self, text: &str) -> Result<Name, Status> {
        let prefix = &self.site.reference_prefix;
        Ok(match name(text)? {
            Name::Reference(rest) if rest.len() == 9 && rest.find('-') == Some(4) => {
                Name::Reference(format!("{prefix}-{rest}"))
            }
            whole => whole,
        })
    }
}

/// Returns the error for an unknown name or for a wrong secret.
pub(super) fn unknown() -> Status {
    service_kit::status::with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "We couldn't find anything with this reference and link.",
    )
}
