//! Which limits a request is counted for: by the class of its call, its network, and its visitor.

use clap::Args;
use service_kit::clap_values::{count, milliseconds};

use super::log::Quota;
use crate::request::client_address::ClientNetwork;

/// Seconds of the window of calls and documents (specification).
const WINDOW_S: u32 = 60;
/// Seconds of the window of creates: a day that is sold out in an hour is as bad as one that is sold out in a minute.
const CREATES_WINDOW_S: u32 = 600;
/// A browser tab's id is a UUID; longer values are not read at any length.
const CLIENT_ID_BYTES_MAX: usize = 128;

/// How often one may call. Every limit is strict: at most so many in *any* window, and a refused call is not counted.
///
/// Creates are counted for the network in several sizes, because nothing else of a stranger is certain: tabs' ids are free, and an
/// IPv6 customer has 256 to 65,536 networks of /64. The defaults follow from what a hospital sees. A booking is about three creates (two
/// holds and the appointment). Mobile carriers put hundreds of phones behind one IPv4 address and give each phone a /64 of its own out of
/// ranges wider than a /48; the busiest hour of one hospital has some hundred bookings, so 40 creates in ten minutes are
/// more than one carrier's address honestly brings, and 160 are more than a whole range does. With IPv6, a /64 is one customer or phone, a
/// /56 one household or office, a /48 one company or a slice of a carrier. An attacker with one address gets 13 bookings in ten minutes, and
/// the gauge of exhausted networks says so before a day is sold out.
#[derive(Clone, Debug, Args)]
pub struct RateConfig {
    /// API calls that one visitor may make in any 60 seconds (1 to 1000000).
    #[arg(long, env = "VISITOR_CALLS_MAX", default_value = "10", value_parser = count)]
    pub visitor_calls_max: usize,
    /// API calls from one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_CALLS_MAX", default_value = "120", value_parser = count)]
    pub address_calls_max: usize,
    /// API calls from one address (IPv6: one /64 network) that change something, in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_WRITES_MAX", default_value = "60", value_parser = count)]
    pub address_writes_max: usize,
    /// Documents and files for one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_DOCUMENTS_MAX", default_value = "600", value_parser = count)]
    pub address_documents_max: usize,
    /// API calls with valid tokens of one subject in any 60 seconds (1 to 1000000).
    #[arg(long, env = "STAFF_CALLS_MAX", default_value = "300", value_parser = count)]
    pub staff_calls_max: usize,
    /// API calls with valid tokens from one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "STAFF_ADDRESS_CALLS_MAX", default_value = "1200", value_parser = count)]
    pub staff_address_calls_max: usize,
    /// Creates from one IPv4 address in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV4_32_MAX", default_value = "40", value_parser = count)]
    pub creates_ipv4_32_max: usize,
    /// Creates from one IPv4 network of /24 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV4_24_MAX", default_value = "160", value_parser = count)]
    pub creates_ipv4_24_max: usize,
    /// Creates from one IPv6 network of /64 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_64_MAX", default_value = "20", value_parser = count)]
    pub creates_ipv6_64_max: usize,
    /// Creates from one IPv6 network of /56 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_56_MAX", default_value = "40", value_parser = count)]
    pub creates_ipv6_56_max: usize,
    /// Creates from one IPv6 network of /48 in any 10 minutes (1 to 1000000).
    #[arg(long, env = "CREATES_IPV6_48_MAX", default_value = "160", value_parser = count)]
    pub creates_ipv6_48_max: usize,
    /// Redis that several gateways share for these limits, for example redis://:password@host:6379/0; rediss:// with TLS. Not set:
    /// each gateway counts for itself. Not reachable: likewise, until it is.
    #[arg(long, env = "REDIS_URL", hide_env_values = true, value_parser = super::redis::server)]
    pub redis_url: Option<super::redis::Server>,
    /// Milliseconds that a request waits for Redis at most, before this gateway decides alone (1 to 600000).
    #[arg(long, env = "REDIS_TIMEOUT_MS_MAX", default_value = "25", value_parser = milliseconds)]
    pub redis_timeout_ms_max: u64,
    /// Secret by which addresses are hashed before they are written to Redis, equal in all gateways. Not set: what REDIS_URL says
    /// before the @; without that, whoever reads Redis can find out addresses by trying all of them.
    #[arg(long, env = "RATE_HASH_SECRET", hide_env_values = true)]
    pub rate_hash_secret: Option<String>,
}

/// What a call costs, and so which limits it is counted for.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Class {
    Read,
    Write,
    Create,
    /// A create that a native form means: its call was counted when the form came.
    FormCreate,
    Staff,
    /// Documents, files, and calls that the contract exempts from the others.
    Document,
}

impl Class {
    pub(crate) const ALL: [Self; 6] = [
        Self::Read,
        Self::Write,
        Self::Create,
        Self::FormCreate,
        Self::Staff,
        Self::Document,
    ];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::FormCreate => "form_create",
            Self::Staff => "staff",
            Self::Document => "document",
        }
    }
}

/// One thing that is limited. The number is part of keys that gateways share: it stays.
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
}

pub(crate) const LIMITS: usize = 11;

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
        }
    }

    /// Position of the network that is counted among those of an address, narrowest first.
    fn size(self) -> usize {
        match self {
            Self::CreatesIpv4In24 | Self::CreatesIpv6In56 => 1,
            Self::CreatesIpv6In48 => 2,
            _ => 0,
        }
    }
}

/// Who calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller<'a> {
    pub(crate) network: ClientNetwork,
    /// What the browser's tab calls itself; nothing relies on it but the limit of the visitor.
    pub(crate) client_id: &'a [u8],
    /// The subject of a valid token.
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

    /// What tells callers of this limit apart: the network, and what is known beside it.
    pub(crate) fn key(&self, limit: Limit) -> ([u8; 16], &[u8]) {
        let network = self.network.counted().nth(limit.size());
        let network = network.map_or([0; 16], |network| network.octets());
        match limit {
            Limit::Visitor => {
                let length = self.client_id.len().min(CLIENT_ID_BYTES_MAX);
                (network, &self.client_id[..length])
            }
            // Wherever it calls from.
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
            };
            Quota::new(max, window_s)
        }))
    }

    pub(crate) fn of(&self, limit: Limit) -> Quota {
        self.0[limit.index()]
    }
}

/// The limits that a call of this class from this network is counted for; all of them or none.
pub(crate) fn limits(class: Class, network: ClientNetwork) -> &'static [Limit] {
    use Limit::{
        CreatesIpv4In24, CreatesIpv4In32, CreatesIpv6In48, CreatesIpv6In56, CreatesIpv6In64,
        Documents, Network, StaffNetwork, Subject, Visitor, Writes,
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
        (Class::Document, _) => &[Documents],
    }
}
