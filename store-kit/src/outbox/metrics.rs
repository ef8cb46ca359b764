//! Metrics of the outbox.

use std::sync::{LazyLock, atomic::AtomicU64};

use chrono::{DateTime, Utc};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

use super::{DEFAULT_LANE, depth};
use crate::{database::Database, error::StoreError};

/// Outcomes of deliveries, as metric labels.
pub(super) const DELIVERED: &str = "delivered";
pub(super) const RETRIED: &str = "retried";
pub(super) const DEAD: &str = "dead";

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct OfLane {
    lane: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    lane: &'static str,
    outcome: &'static str,
}

/// Returns a lane's label value. An empty label would count as absent.
fn shown(lane: &'static str) -> &'static str {
    if lane == DEFAULT_LANE {
        "default"
    } else {
        lane
    }
}

struct Metrics {
    deliveries: Family<Labels, Counter>,
    waiting: Family<OfLane, Gauge<u64, AtomicU64>>,
    due: Family<OfLane, Gauge<u64, AtomicU64>>,
    dead: Gauge<u64, AtomicU64>,
    oldest_age_seconds: Family<OfLane, Gauge<f64, AtomicU64>>,
}

static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    let metrics = Metrics {
        deliveries: Family::default(),
        waiting: Family::default(),
        due: Family::default(),
        dead: Gauge::default(),
        oldest_age_seconds: Family::default(),
    };
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "outbox_deliveries",
            "Delivery attempts, by lane and outcome",
            metrics.deliveries.clone(),
        );
        registry.register(
            "outbox_waiting",
            "Undelivered messages, including future reminders, by lane; 10000 means that many or more",
            metrics.waiting.clone(),
        );
        registry.register(
            "outbox_due",
            "Undelivered messages that are due, by lane; 10000 means that many or more",
            metrics.due.clone(),
        );
        registry.register(
            "outbox_dead",
            "Dead messages; 10000 means that many or more",
            metrics.dead.clone(),
        );
        registry.register(
            "outbox_oldest_age_seconds",
            "Age of the oldest due message, by lane",
            metrics.oldest_age_seconds.clone(),
        );
    });
    metrics
});

/// Counts a delivery attempt.
pub(super) fn count(lane: &'static str, outcome: &'static str) {
    let lane = shown(lane);
    let labels = Labels { lane, outcome };
    METRICS.deliveries.get_or_create(&labels).inc();
}

/// Creates a lane's series before its first delivery: a rate cannot see a counter that starts at 1.
pub(super) fn prepare(lane: &'static str) {
    for outcome in [DELIVERED, RETRIED, DEAD] {
        let labels = Labels {
            lane: shown(lane),
            outcome,
        };
        drop(METRICS.deliveries.get_or_create(&labels));
    }
}

/// Updates the gauges of a lane.
#[expect(
    clippy::cast_precision_loss,
    reason = "an age in milliseconds needs far fewer than 52 bits"
)]
pub(super) async fn note_depth(
    database: &Database,
    lane: &'static str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let depth = depth(database, lane, now).await?;
    let labels = OfLane { lane: shown(lane) };
    METRICS.waiting.get_or_create(&labels).set(depth.waiting);
    METRICS.due.get_or_create(&labels).set(depth.due);
    METRICS.dead.set(depth.dead);
    let age = depth
        .oldest_due
        .map_or(0, |oldest| (now - oldest).num_milliseconds());
    METRICS
        .oldest_age_seconds
        .get_or_create(&labels)
        .set(age as f64 / 1000.0);
    Ok(())
}
