//! Limits that a request counts against: by the class of its call, its network, and its visitor.

use clap::Args;
use gateway_http::request::client_address::ClientNetwork;
use service_kit::clap_values::{count, milliseconds};

use super::log::Quota;

/// Window of calls and documents in seconds (specification).
const WINDOW_S: u32 = 60;
/// Window of creates in seconds. Selling out a day in an hour is as bad as selling it out in a minute.
const CREATES_WINDOW_S: u32 = 600;
/// Maximum bytes of a browser tab's id that are used. The id is a UUID; the rest of a longer value is ignored.
const CLIENT_ID_BYTES_MAX: usize = 128;

/// Rate limits. Every limit is strict: it holds in *any* window, and a refused call is not counted.
///
/// Creates are counted for the network in several sizes, because nothing else about an outsider is certain. Ids of tabs
/// are free, and an IPv6 customer has 256 to 65,536 networks of /64.
///
/// The defaults follow from a hospital's traffic. A booking is about three creates (two holds and the appointment).
/// Mobile carriers put hundreds of phones behind one IPv4 address. With IPv6 they give each phone a separate /64, out
/// of ranges wider than a /48. The busiest hour of one hospital has some hundred bookings. So 40 creates in ten minutes
/// exceed the legitimate load of one carrier's address, and 160 exceed that of a whole range. With IPv6, a /64 is one
/// customer or phone, a /56 one household or office, a /48 one company or a slice of a carrier. An attacker with one
/// address gets 13 bookings in ten minutes, and the gauge of exhausted networks shows this before a day is sold out.
#[derive(Clone, Debug, Args)]
pub struct RateConfig {
    /// Maximum API calls of one visitor in any 60 seconds (1 to 1000000).
    #[arg(long, env = "VISITOR_CALLS_MAX", default_value = "10", value_parser = count)]
    pub visitor_calls_max: usize,
    /// Maximum API calls from one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_CALLS_MAX", default_value = "120", value_parser = count)]
    pub address_calls_max: usize,
    /// Maximum API calls that change something, from one address (IPv6: one /64 network) in any 60 seconds (1 to
    /// 1000000).
    #[arg(long, env = "ADDRESS_WRITES_MAX", default_value = "60", value_parser = count)]
    pub address_writes_max: usize,
    /// Maximum documents and files for one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_DOCUMENTS_MAX", default_value = "600", value_parser = count)]
    pub address_documents_max: usize,
    /// Maximum API calls with valid tokens of one subject, and requests of one signed-in person, in any 60 seconds (1 to
    /// 1000000).
    #[arg(long, env = "STAFF_CALLS_MAX", default_value = "300", value_parser = count)]
    pub staff_calls_max: usize,
    /// Maximum API calls with tokens, and requests of signed-in people, from one address (IPv6: one /64 network) in any 60
    /// seconds (1 to 1000000). Calls with an invalid token count both here and as those of a visitor.
    #[arg(long, env = "STAFF_ADDRESS_CALLS_MAX", default_value = "1200", value_parser = count)]
    pub staff_address_calls_max: usize,
    /// Maximum requests of staff signing in from one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000). A
    /// sign-in makes two: it begins here and comes back from the issuer.
    #[arg(long, env = "SIGN_IN_REQUESTS_MAX", default_value = "240", value_parser = count)]
    pub sign_in_requests_max: usize,
    /// Maximum creates from one IPv4 address in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV4_32_MAX", default_value = "40", value_parser = count)]
    pub creates_ipv4_32_max: usize,
    /// Maximum creates from one IPv4 network of /24 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV4_24_MAX", default_value = "160", value_parser = count)]
    pub creates_ipv4_24_max: usize,
    /// Maximum creates from one IPv6 network of /64 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_64_MAX", default_value = "20", value_parser = count)]
    pub creates_ipv6_64_max: usize,
    /// Maximum creates from one IPv6 network of /56 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_56_MAX", default_value = "40", value_parser = count)]
    pub creates_ipv6_56_max: usize,
    /// Maximum creates from one IPv6 network of /48 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_48_MAX", default_value = "160", value_parser = count)]
    pub creates_ipv6_48_max: usize,
    /// Redis that several gateways share for these limits, for example redis://:password@host:6379/0; rediss:// for
    /// TLS. If not set, or while Redis is unreachable, each gateway counts only its own calls.
    #[arg(long, env = "REDIS_URL", hide_env_values = true, value_parser = super::redis::server)]
    pub redis_url: Option<super::redis::Server>,
    /// Maximum milliseconds that a request waits for Redis before this gateway decides alone (1 to 600000).
    #[arg(long, env = "REDIS_TIMEOUT_MS_MAX", default_value = "25", value_parser = milliseconds)]
    pub redis_timeout_ms_max: u64,
    /// Secret for hashing addresses before they are written to Redis; must be equal in all gateways. Default: the
    /// credentials in REDIS_URL. Without those, anyone who can read Redis can recover addresses by trying all of them.
    #[arg(long, env = "RATE_HASH_SECRET", hide_env_values = true)]
    pub rate_hash_secret: Option<String>,
}

/// Class of a call, which determines its limits.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Class {
    Read,
    Write,
    Create,
    /// A create that a native form makes; the call was counted when the form arrived.
    FormCreate,
    /// A call with a valid token, or any request of a signed-in person.
    Staff,
    /// The beginning or the end of a sign-in.
    SignIn,
    /// Documents, files, and calls that the contract exempts from the other limits.
    Document,
}

impl Class {
    pub(crate) const ALL: [Self; 7] = [
        Self::Read,
        Self::Write,
        Self::Create,
        Self::FormCreate,
        Self::Staff,
        Self::SignIn,
        Self::Document,
    ];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::FormCreate => "form_create",
            Self::Staff => "staff",
            Self::SignIn => "sign_in",
            Self::Document => "document",
        }
    }
}

/// One rate limit. Its number is its position in [`Self::ALL`]. Keys that gateways share contain its label, which must
/// not change.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[repr(u8)]
pub(crate) enum Limit {
    Visitor = 0,
    Network = 1,
    Writes = 2,
    Documents = 3,
    Subject = 4,
    StaffNetwork = 5,
    CreatesIpv4In32 = 6,
    CreatesIpv4In24 = 7,
    CreatesIpv6In64 = 8,
    CreatesIpv6In56 = 9,
    CreatesIpv6In48 = 10,
    SignIns = 11,
}

pub(crate) const LIMITS: usize = 12;

impl Limit {
    pub(crate) const ALL: [Self; LIMITS] = [
        Self::Visitor,
        Self::Network,
        Self::Writes,
        Self::Documents,
        Self::Subject,
        Self::StaffNetwork,
        Self::CreatesIpv4In32,
        Self::CreatesIpv4In24,
        Self::CreatesIpv6In64,
        Self::CreatesIpv6In56,
        Self::CreatesIpv6In48,
        Self::SignIns,
    ];

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Visitor => "visitor",
            Self::Network => "network",
            Self::Writes => "writes",
            Self::Documents => "documents",
            Self::Subject => "staff",
            Self::StaffNetwork => "staff_network",
            Self::CreatesIpv4In32 => "creates_ipv4_32",
            Self::CreatesIpv4In24 => "creates_ipv4_24",
            Self::CreatesIpv6In64 => "creates_ipv6_64",
            Self::CreatesIpv6In56 => "creates_ipv6_56",
            Self::CreatesIpv6In48 => "creates_ipv6_48",
            Self::SignIns => "sign_ins",
        }
    }

    /// Returns the table that holds its keys.
    pub(crate) fn table(self) -> Table {
        match self {
            Self::Visitor => Table::Visitors,
            Self::Network | Self::Writes => Table::Calls,
            Self::Documents => Table::Documents,
            Self::Subject | Self::StaffNetwork | Self::SignIns => Table::Staff,
            Self::CreatesIpv4In32
            | Self::CreatesIpv4In24
            | Self::CreatesIpv6In64
            | Self::CreatesIpv6In56
            | Self::CreatesIpv6In48 => Table::Creates,
        }
    }

    /// Returns the position of the counted network among those of an address, narrowest first.
    fn size(self) -> usize {
        match self {
            Self::CreatesIpv4In24 | Self::CreatesIpv6In56 => 1,
            Self::CreatesIpv6In48 => 2,
            _ => 0,
        }
    }
}

/// Keys that compete for room. A flood of one kind evicts no key of the others: networks and tabs are free to the owner
/// of a /32.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Table {
    Visitors = 0,
    Calls = 1,
    Documents = 2,
    Staff = 3,
    Creates = 4,
}

pub(crate) const TABLES: usize = 5;

impl Table {
    pub(crate) const ALL: [Self; TABLES] = [
        Self::Visitors,
        Self::Calls,
        Self::Documents,
        Self::Staff,
        Self::Creates,
    ];

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Returns the maximum number of remembered keys.
    pub(crate) const fn keys_max(self) -> usize {
        match self {
            Self::Visitors => 49_152,
            Self::Calls | Self::Documents | Self::Creates => 24_576,
            Self::Staff => 8_192,
        }
    }

    /// Whether a caller is refused if there is no room for its key. A create that is not counted costs the hospital a
    /// seat, a read nothing.
    pub(crate) fn fails_closed(self) -> bool {
        self == Self::Creates
    }
}

/// Caller of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller<'a> {
    pub(crate) network: ClientNetwork,
    /// Id that the browser's tab sends. Only the visitor's limit relies on it.
    pub(crate) client_id: &'a [u8],
    /// The subject of a valid token or of a signed-in person.
    pub(crate) subject: &'a [u8],
}

impl Caller<'_> {
    pub(crate) fn of(network: ClientNetwork) -> Self {
        Self {
            network,
            client_id: &[],
            subject: &[],
        }
    }

    /// Returns what identifies a caller for this limit: its network, and further data where there is some.
    pub(crate) fn key(&self, limit: Limit) -> ([u8; 16], &[u8]) {
        let network = self.network.counted().nth(limit.size());
        let network = network.map_or([0; 16], |network| network.octets());
        match limit {
            Limit::Visitor => {
                let length = self.client_id.len().min(CLIENT_ID_BYTES_MAX);
                (network, &self.client_id[..length])
            }
            // From any network.
            Limit::Subject => ([0; 16], self.subject),
            _ => (network, &[]),
        }
    }
}

/// The quota of every limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotas([Quota; LIMITS]);

impl Quotas {
    pub(crate) fn new(config: &RateConfig) -> Self {
        Self(Limit::ALL.map(|limit| {
            let (max, window_s) = match limit {
                Limit::Visitor => (config.visitor_calls_max, WINDOW_S),
                Limit::Network => (config.address_calls_max, WINDOW_S),
                Limit::Writes => (config.address_writes_max, WINDOW_S),
                Limit::Documents => (config.address_documents_max, WINDOW_S),
                Limit::Subject => (config.staff_calls_max, WINDOW_S),
                Limit::StaffNetwork => (config.staff_address_calls_max, WINDOW_S),
                Limit::CreatesIpv4In32 => (config.creates_ipv4_32_max, CREATES_WINDOW_S),
                Limit::CreatesIpv4In24 => (config.creates_ipv4_24_max, CREATES_WINDOW_S),
                Limit::CreatesIpv6In64 => (config.creates_ipv6_64_max, CREATES_WINDOW_S),
                Limit::CreatesIpv6In56 => (config.creates_ipv6_56_max, CREATES_WINDOW_S),
                Limit::CreatesIpv6In48 => (config.creates_ipv6_48_max, CREATES_WINDOW_S),
                Limit::SignIns => (config.sign_in_requests_max, WINDOW_S),
            };
            Quota::new(max, window_s)
        }))
    }

    pub(crate) fn of(&self, limit: Limit) -> Quota {
        self.0[limit.index()]
    }
}

/// Returns the limits that a call of this class from this network counts against. All of them count it, or none.
pub(crate) fn limits(class: Class, network: ClientNetwork) -> &'static [Limit] {
    use Limit::{
        CreatesIpv4In24, CreatesIpv4In32, CreatesIpv6In48, CreatesIpv6In56, CreatesIpv6In64,
        Documents, Network, SignIns, StaffNetwork, Subject, Visitor, Writes,
    };
    match (class, network.is_ipv4()) {
        (Class::Read, _) => &[Visitor, Network],
        (Class::Write, _) => &[Visitor, Network, Writes],
        (Class::Create, true) => &[Visitor, Network, Writes, CreatesIpv4In32, CreatesIpv4In24],
        (Class::Create, false) => &[
            Visitor,
            Network,
            Writes,
            CreatesIpv6In64,
            CreatesIpv6In56,
            CreatesIpv6In48,
        ],
        (Class::FormCreate, true) => &[CreatesIpv4In32, CreatesIpv4In24],
        (Class::FormCreate, false) => &[CreatesIpv6In64, CreatesIpv6In56, CreatesIpv6In48],
        (Class::Staff, _) => &[Subject, StaffNetwork],
        (Class::SignIn, _) => &[SignIns],
        (Class::Document, _) => &[Documents],
    }
}
