//! What the contract says of an RPC beyond its route: the option `hospital.api.v1.policy`.

use std::time::Duration;

use prost_reflect::{DynamicMessage, ReflectMessage};
use tonic::metadata::AsciiMetadataKey;

use super::{ContractError, text};

/// Longest deadline that a contract can ask for.
const DEADLINE_MS_MAX: u32 = 8000;
/// What the gateway itself says about a call and about who makes it.
const HEADERS_RESERVED: [&str; 3] = ["x-real-ip", "x-client-id", "x-requested-with"];
const HEADERS_RESERVED_PREFIX: &str = "x-forwarded-";

/// What the contract says beyond the route.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// How long a response may be served from the cache. Zero: never stored.
    pub cache: Duration,
    /// Longest time for the call, if the contract names one.
    pub deadline: Option<Duration>,
    /// Whether the call is not counted against the visitor's rate.
    pub rate_exempt: bool,
    /// OAuth scope that a caller needs. Empty: public.
    pub scope: String,
    /// Header, and metadata of the same name, by whose secret a caller without a token is let through to the upstream, which
    /// checks it.
    pub secret_header: Option<AsciiMetadataKey>,
    /// Whether the upstream learns the caller's network and client id.
    pub client: bool,
    /// Whether an RPC that creates may say that it created nothing.
    pub may_create_nothing: bool,
}

impl Policy {
    pub(super) fn read(policy: &DynamicMessage, rpc: &str) -> Result<Self, ContractError> {
        let number = |name| {
            policy
                .get_field_by_name(name)
                .and_then(|value| value.as_u32())
                .unwrap_or(0)
        };
        let deadline_ms = number("deadline_ms").min(DEADLINE_MS_MAX);
        let rate_class = policy
            .get_field_by_name("rate_class")
            .and_then(|value| value.as_enum_number());
        let exempt = policy
            .descriptor()
            .get_field_by_name("rate_class")
            .and_then(|field| field.kind().as_enum().cloned())
            .and_then(|classes| classes.get_value_by_name("RATE_CLASS_EXEMPT"))
            .map(|value| value.number());
        let scope = text(policy, "scope");
        let flag = |name| {
            policy
                .get_field_by_name(name)
                .and_then(|value| value.as_bool())
                .unwrap_or_default()
        };
        Ok(Self {
            cache: Duration::from_secs(number("cache_seconds").into()),
            deadline: (deadline_ms > 0).then(|| Duration::from_millis(deadline_ms.into())),
            rate_exempt: exempt.is_some() && rate_class == exempt,
            secret_header: secret_header(&text(policy, "secret_header"), &scope, rpc)?,
            scope,
            client: flag("client"),
            may_create_nothing: flag("may_create_nothing"),
        })
    }

    /// Whether answers depend on who asks, so that one caller's must not be kept for others.
    pub(super) fn is_personal(&self) -> bool {
        !self.scope.is_empty() || self.client
    }
}

/// A secret stands in for a token: without a scope there would be nothing that it opens.
fn secret_header(
    name: &str,
    scope: &str,
    rpc: &str,
) -> Result<Option<AsciiMetadataKey>, ContractError> {
    if name.is_empty() {
        return Ok(None);
    }
    let is_plain = name.starts_with("x-") && name == name.to_ascii_lowercase();
    let key = AsciiMetadataKey::from_bytes(name.as_bytes()).ok();
    key.filter(|_| is_plain && !is_reserved(name) && !scope.is_empty())
        .map(Some)
        .ok_or_else(|| ContractError::SecretHeader {
            rpc: rpc.to_owned(),
            header: name.to_owned(),
        })
}

/// Whether only the gateway and the proxies before it may set this header (lower case).
pub(crate) fn is_reserved(header: &str) -> bool {
    HEADERS_RESERVED.contains(&header) || header.starts_with(HEADERS_RESERVED_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_a_header_of_its_own_and_something_to_open() {
        let key = |name, scope| secret_header(name, scope, "x.v1.Service.Read");
        assert!(key("", "").unwrap().is_none());
        let read = key("x-volume-secret", "volumes.read").unwrap();
        assert_eq!(read.unwrap().as_str(), "x-volume-secret");
        for name in [
            "authorization",
            "cookie",
            "X-Volume-Secret",
            "x-volume-secret-bin",
            "x-client-id",
            "x-forwarded-for",
            "x volume",
        ] {
            assert!(key(name, "volumes.read").is_err(), "{name}");
        }
        assert!(key("x-volume-secret", "").is_err());
    }
}
