//! How the gateway shall stand to its peers.

use crate::{
    case::Case,
    measurement::Row,
    peer::{ENVOY, NGINX_HEADERS},
};

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// Processor time per request.
    Cpu,
    /// The slowest of a hundred.
    P99,
}

impl Number {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::P99 => "p99",
        }
    }

    pub(crate) fn of(self, row: &Row) -> Option<f64> {
        match self {
            Self::Cpu => row.cpu_us,
            Self::P99 => Some(row.p99_ms),
        }
    }
}

/// A ratio to a peer in the same round.
#[derive(Debug)]
pub(crate) struct Aim {
    pub(crate) case: Case,
    pub(crate) number: Number,
    pub(crate) beside: &'static str,
    pub(crate) at_most: f64,
}

const fn aim(case: Case, number: Number, beside: &'static str, at_most: f64) -> Aim {
    Aim {
        case,
        number,
        beside,
        at_most,
    }
}

pub(crate) const AIMS: [Aim; 10] = [
    aim(Case::CachedJson, Number::Cpu, NGINX_HEADERS, 1.15),
    aim(Case::CachedPage, Number::Cpu, NGINX_HEADERS, 1.15),
    aim(Case::Small, Number::Cpu, ENVOY, 0.55),
    aim(Case::Availability, Number::Cpu, ENVOY, 0.30),
    aim(Case::AvailabilityGzip, Number::Cpu, ENVOY, 0.30),
    aim(Case::Create, Number::Cpu, ENVOY, 0.40),
    aim(Case::Small, Number::P99, ENVOY, 1.0),
    aim(Case::Availability, Number::P99, ENVOY, 1.0),
    aim(Case::AvailabilityGzip, Number::P99, ENVOY, 1.0),
    aim(Case::Create, Number::P99, ENVOY, 1.0),
];
