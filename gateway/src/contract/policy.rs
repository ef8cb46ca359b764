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

/// What a call is counted for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RateClass {
    /// A visitor's call that changes nothing.
    Read,
    /// A visitor's call that changes something.
    Write,
    /// A visitor's call that costs the hospital something, which nobody shall have much of.
    Create,
    /// A call of somebody with a token.
    Staff,
    /// A call that must work whatever the visitor did before.
    Exempt,
}

impl RateClass {
    /// Its name in the description of the API.
    pub fn label(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Staff => "staff",
            Self::Exempt => "exempt",
        }
    }

    /// The class of a visitor's call that creates nothing.
    pub fn by_method(reads: bool) -> Self {
        if reads { Self::Read } else { Self::Write }
    }
}

/// What the contract says of it: `hospital.api.v1.RateClass`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DeclaredRateClass {
    /// Nothing: scope, name and method say it.
    #[default]
    Unspecified,
    /// A visitor's call, by its method a read or a write.
    Visitor,
    /// This class.
    Is(RateClass),
}

/// What the contract says beyond the route.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// How long a response may be served from the cache. Zero: never stored.
    pub cache: Duration,
    /// Longest time for the call, if the contract names one.
    pub deadline: Option<Duration>,
    /// What the call is counted for, if the contract says so.
    pub rate_class: DeclaredRateClass,
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
            rate_class: rate_class(policy),
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

fn rate_class(policy: &DynamicMessage) -> DeclaredRateClass {
    let classes = policy.descriptor().get_field_by_name("rate_class");
    let classes = classes.and_then(|field| field.kind().as_enum().cloned());
    let number = policy.get_field_by_name("rate_class");
    let number = number.and_then(|value| value.as_enum_number());
    let class = classes.zip(number);
    let class = class.and_then(|(classes, number)| classes.get_value(number));
    match class.as_ref().map_or("", |class| class.name()) {
        "RATE_CLASS_VISITOR" => DeclaredRateClass::Visitor,
        "RATE_CLASS_EXEMPT" => DeclaredRateClass::Is(RateClass::Exempt),
        "RATE_CLASS_CREATE" => DeclaredRateClass::Is(RateClass::Create),
        "RATE_CLASS_STAFF" => DeclaredRateClass::Is(RateClass::Staff),
        _ => DeclaredRateClass::Unspecified,
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
