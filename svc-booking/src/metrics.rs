//! Prometheus metrics of bookings, holds, codes, bursts and day lists.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tonic::Code;

use crate::domain::hold::HoldLimit;

/// Outcome of a requested booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Booked,
    /// An idempotent replay: no new booking.
    Repeated,
    SlotTaken,
    Invalid,
    /// A limit was reached: too many appointments of one person or network.
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

    /// Maps the status code of a refused request to an outcome.
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

/// Outcome of an entered code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CodeTry {
    Opened,
    Wrong,
    /// Not checked, because too many wrong codes were entered before.
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

/// Creates every counter at 0 before the first booking: a rate misses the increase of a counter that first appears as
/// 1.
fn of_outcomes() -> Family<Labels, Counter> {
    let counters = Family::<Labels, Counter>::default();
    for outcome in Outcome::ALL.map(Outcome::as_str) {
        drop(counters.get_or_create(&Labels { outcome }));
    }
    counters
}

/// Registers all metrics at startup.
pub(crate) fn register() {
    LazyLock::force(&BOOKINGS);
    LazyLock::force(&HOLDS);
    LazyLock::force(&REFUSED_HOLDS);
    LazyLock::force(&CODES);
    LazyLock::force(&BURSTS);
    LazyLock::force(&DAY_LISTS);
}

static BOOKINGS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let bookings = of_outcomes();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "bookings",
            "Requested bookings, by outcome",
            bookings.clone(),
        );
    });
    bookings
});

static HOLDS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let holds = of_outcomes();
    service_kit::metrics::with_registry(|registry| {
        registry.register("holds", "Requested holds, by outcome", holds.clone());
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
            "Holds refused because of a limit per network, by limit",
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
            "Entered access codes, by outcome",
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
            "Networks with at least ten bookings in the last ten minutes",
            bursts.clone(),
        );
    });
    bursts
});

/// Outcome of a check of the day lists.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum DayListOutcome {
    Written,
    Failed,
}

impl DayListOutcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Failed => "failed",
        }
    }
}

static DAY_LISTS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let lists = Family::<Labels, Counter>::default();
    for outcome in [DayListOutcome::Written, DayListOutcome::Failed] {
        drop(lists.get_or_create(&Labels {
            outcome: outcome.as_str(),
        }));
    }
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "day_lists",
            "Written day lists, and checks that left one wrong, by outcome",
            lists.clone(),
        );
    });
    lists
});

/// Counts written day lists, or a failed check.
pub(crate) fn count_day_list(outcome: DayListOutcome, number: u32) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    DAY_LISTS.get_or_create(&labels).inc_by(number.into());
}

/// Sets the number of networks that currently book in bursts.
pub(crate) fn set_bursts(networks: usize) {
    BURSTS.set(i64::try_from(networks).unwrap_or(i64::MAX));
}

/// Counts one requested hold.
pub(crate) fn count_hold(outcome: Outcome) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    HOLDS.get_or_create(&labels).inc();
}

/// Counts one hold refused because its network has reached a limit.
pub(crate) fn count_refused_hold(limit: HoldLimit) {
    REFUSED_HOLDS.get_or_create(&RefusedHold::of(limit)).inc();
}

/// Counts one entered code.
pub(crate) fn count_code(outcome: CodeTry) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    CODES.get_or_create(&labels).inc();
}

/// Counts one requested booking.
pub(crate) fn count_booking(outcome: Outcome) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    BOOKINGS.get_or_create(&labels).inc();
}
