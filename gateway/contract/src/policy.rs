//! Policy declared in the contract in addition to the route: the option `hospital.api.v1.policy`.

use std::time::Duration;

use prost_reflect::{DynamicMessage, ReflectMessage};
use tonic::metadata::AsciiMetadataKey;

use super::error::ContractError;

/// Maximum deadline in milliseconds; a longer one in the contract is reduced to this.
const DEADLINE_MS_MAX: u32 = 8000;
/// Headers by which the gateway describes a call and its client.
const HEADERS_RESERVED: [&str; 3] = ["x-real-ip", "x-client-id", "x-requested-with"];
const HEADERS_RESERVED_PREFIX: &str = "x-forwarded-";

/// Rate limit class of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RateClass {
    /// A visitor's read.
    Read,
    /// A visitor's write.
    Write,
    /// A visitor's call that costs the hospital something, so each visitor gets only a few.
    Create,
    /// A call authenticated by a token.
    Staff,
    /// A call that must work regardless of the visitor's earlier calls. It is limited like a document.
    Exempt,
}

impl RateClass {
    /// Returns the name used in the API description.
    pub fn label(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Staff => "staff",
            Self::Exempt => "exempt",
        }
    }

    /// Returns the class of a visitor's call that creates nothing.
    pub fn by_method(reads: bool) -> Self {
        if reads { Self::Read } else { Self::Write }
    }
}

/// Rate limit class declared in the contract: `hospital.api.v1.RateClass`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DeclaredRateClass {
    /// Not declared: derived from scope, name and method.
    #[default]
    Unspecified,
    /// A visitor's call, classified as read or write by its method.
    Visitor,
    /// The declared class.
    Is(RateClass),
}

/// Policy declared in the contract in addition to the route.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent options of the contract"
)]
pub struct Policy {
    /// Time for which a response may be served from the cache. Zero means never stored.
    pub cache: Duration,
    /// Deadline of the call, if the contract declares one.
    pub deadline: Option<Duration>,
    /// Rate limit class declared in the contract.
    pub rate_class: DeclaredRateClass,
    /// OAuth scope required of the client. Empty means public.
    pub scope: String,
    /// Name of the header, and of the metadata key, with a secret that can replace a token. The upstream checks the
    /// secret.
    pub secret_header: Option<AsciiMetadataKey>,
    /// Whether the upstream receives the client's network and client id.
    pub client: bool,
    /// Whether a create RPC may report that it created nothing.
    pub may_create_nothing: bool,
    /// Field of the path that names the upstream. Empty: the upstream of the RPC's package.
    pub upstream_field: String,
    /// Whether the upstream's token has the name of a signed-in person.
    pub caller_name: bool,
    /// Whether the upstream's token has the e-mail address of a signed-in person.
    pub caller_email: bool,
    /// Maximum bytes of a body that is sent verbatim, if the contract declares a limit of its own.
    pub body_bytes_max: Option<usize>,
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
            upstream_field: text(policy, "upstream_field"),
            caller_name: flag("caller_name"),
            caller_email: flag("caller_email"),
            body_bytes_max: usize::try_from(number("body_bytes_max"))
                .ok()
                .filter(|bytes| *bytes > 0),
        })
    }

    /// Returns whether responses depend on the client. Such responses must not be cached for other clients.
    pub(super) fn is_personal(&self) -> bool {
        !self.scope.is_empty() || self.client
    }
}

fn rate_class(policy: &DynamicMessage) -> DeclaredRateClass {
    let class = || {
        let field = policy.descriptor().get_field_by_name("rate_class")?;
        let number = policy.get_field_by_name("rate_class")?.as_enum_number()?;
        field.kind().as_enum()?.get_value(number)
    };
    match class().as_ref().map_or("", |class| class.name()) {
        "RATE_CLASS_VISITOR" => DeclaredRateClass::Visitor,
        "RATE_CLASS_EXEMPT" => DeclaredRateClass::Is(RateClass::Exempt),
        "RATE_CLASS_CREATE" => DeclaredRateClass::Is(RateClass::Create),
        "RATE_CLASS_STAFF" => DeclaredRateClass::Is(RateClass::Staff),
        _ => DeclaredRateClass::Unspecified,
    }
}

/// Validates the name of the secret's header. A scope is required, because a secret replaces a token and a public call
/// needs none.
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

/// Returns whether only the gateway and the proxies in front of it may set this header (lower case).
pub fn is_reserved(header: &str) -> bool {
    HEADERS_RESERVED.contains(&header) || header.starts_with(HEADERS_RESERVED_PREFIX)
}

pub(super) fn text(message: &DynamicMessage, field: &str) -> String {
    message
        .get_field_by_name(field)
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_needs_its_own_header_and_a_resource() {
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
