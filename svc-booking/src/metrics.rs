//! Counts bookings by outcome, for `/metrics`.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tonic::Code;

use crate::domain::hold::HoldLimit;

/// How a booking that was asked for ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Booked,
    /// An idempotent replay: no new booking.
    Repeated,
    SlotTaken,
    Invalid,
    /// By a bound: too many of one person or network.
    Refused,
    Failed,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::Booked,
        Self::Repeated,
        Self::SlotTaken,
        Self::Invalid,
        Self::Refused,
        Self::Failed,
    ];

    /// How one ended that was refused.
    pub(crate) fn of(code: Code) -> Self {
        match code {
            Code::AlreadyExists => Self::SlotTaken,
            Code::InvalidArgument => Self::Invalid,
            Code::FailedPrecondition | Code::ResourceExhausted => Self::Refused,
            _ => Self::Failed,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Repeated => "repeated",
            Self::SlotTaken => "slot_taken",
            Self::Invalid => "invalid",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusedHold {
    limit: &'static str,
}

impl RefusedHold {
    fn of(limit: HoldLimit) -> Self {
        Self {
            limit: limit.as_str(),
        }
    }
}

/// How a code that was entered ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CodeTry {
    Opened,
    Wrong,
    /// So many were wrong that it was not looked at.
    Refused,
}

impl CodeTry {
    fn as_str(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Wrong => "wrong",
            Self::Refused => "refused",
        }
    }
}

/// Counters that are there before the first booking: a rate cannot see one that begins with 1.
fn of_outcomes() -> Family<Labels, Counter> {
    let counters = Family::<Labels, Counter>::default();
    for outcome in Outcome::ALL.map(Outcome::as_str) {
        drop(counters.get_or_create(&Labels { outcome }));
    }
    counters
}

/// Makes all metrics, before anything is counted.
pub(crate) fn register() {
    LazyLock::force(&BOOKINGS);
    LazyLock::force(&HOLDS);
    LazyLock::force(&REFUSED_HOLDS);
    LazyLock::force(&CODES);
    LazyLock::force(&BURSTS);
}

static BOOKINGS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let bookings = of_outcomes();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "bookings",
            "Bookings asked for, by outcome",
            bookings.clone(),
        );
    });
    bookings
});

static HOLDS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let holds = of_outcomes();
    service_kit::metrics::with_registry(|registry| {
        registry.register("holds", "Holds asked for, by outcome", holds.clone());
    });
    holds
});

static REFUSED_HOLDS: LazyLock<Family<RefusedHold, Counter>> = LazyLock::new(|| {
    let refused = Family::<RefusedHold, Counter>::default();
    for limit in [HoldLimit::Network, HoldLimit::Day, HoldLimit::Rest] {
        drop(refused.get_or_create(&RefusedHold::of(limit)));
    }
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "holds_refused",
            "Holds refused because their network has reached a limit, by limit",
            refused.clone(),
        );
    });
    refused
});

static CODES: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let codes = Family::<Labels, Counter>::default();
    for outcome in [CodeTry::Opened, CodeTry::Wrong, CodeTry::Refused] {
        drop(codes.get_or_create(&Labels {
            outcome: outcome.as_str(),
        }));
    }
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "access_codes",
            "Codes of mails that were entered to open an appointment, by outcome",
            codes.clone(),
        );
    });
    codes
});

static BURSTS: LazyLock<Gauge> = LazyLock::new(|| {
    let bursts = Gauge::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "booking_bursts",
            "Networks from which at least ten bookings came in the last ten minutes",
            bursts.clone(),
        );
    });
    bursts
});

/// Says how many networks book in bursts now.
pub(crate) fn set_bursts(networks: usize) {
    BURSTS.set(i64::try_from(networks).unwrap_or(i64::MAX));
}

/// Counts one hold that was asked for.
pub(crate) fn count_hold(outcome: Outcome) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    HOLDS.get_or_create(&labels).inc();
}

/// Counts one hold that was refused because its network has reached a limit.
pub(crate) fn count_refused_hold(limit: HoldLimit) {
    REFUSED_HOLDS.get_or_create(&RefusedHold::of(limit)).inc();
}

/// Counts one code that was entered.
pub(crate) fn count_code(outcome: CodeTry) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    CODES.get_or_create(&labels).inc();
}

/// Counts one booking that was asked for.
pub(crate) fn count_booking(outcome: Outcome) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    BOOKINGS.get_or_create(&labels).inc();
}
