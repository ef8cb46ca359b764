//! Counts bookings by outcome, for `/metrics`.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tonic::Code;

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

/// Counts one booking that was asked for.
pub(crate) fn count_booking(outcome: Outcome) {
    let labels = Labels {
        outcome: outcome.as_str(),
    };
    BOOKINGS.get_or_create(&labels).inc();
}
