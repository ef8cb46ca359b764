//! How bookings end, for `/metrics`.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    outcome: &'static str,
}

static BOOKINGS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let bookings = Family::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "bookings",
            "Bookings asked for, by outcome",
            bookings.clone(),
        );
    });
    bookings
});

/// Counts one booking that was asked for. `outcome`: booked, slot_taken, invalid or failed.
pub(crate) fn count_booking(outcome: &'static str) {
    BOOKINGS.get_or_create(&Labels { outcome }).inc();
}
