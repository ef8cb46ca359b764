//! Metrics of the outbox, and removal of expired rows.

use std::{
    sync::{Arc, LazyLock, atomic::AtomicU64},
    time::Duration,
};

use chrono::{DateTime, Utc};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use service_kit::source::Clock;
use tokio::sync::watch;

use super::{
    DEFAULT_LANE, depth, purge,
    worker::{delta, pause},
};
use crate::{database::Database, error::StoreError, requests};

/// How often the metrics are updated.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(15);
/// How often expired rows are deleted.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);

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
            "Deliveries tried, by lane and outcome",
            metrics.deliveries.clone(),
        );
        registry.register(
            "outbox_waiting",
            "Messages that are not delivered yet, reminders of the future included, by lane; 10000 stands for that many and more",
            metrics.waiting.clone(),
        );
        registry.register(
            "outbox_due",
            "Messages that are not delivered yet and whose time has come, by lane; 10000 stands for that many and more",
            metrics.due.clone(),
        );
        registry.register(
            "outbox_dead",
            "Messages that were given up; 10000 stands for that many and more",
            metrics.dead.clone(),
        );
        registry.register(
            "outbox_oldest_age_seconds",
            "How long the oldest message that is due has waited, by lane",
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
fn prepare(lane: &'static str) {
    for outcome in [DELIVERED, RETRIED, DEAD] {
        let labels = Labels {
            lane: shown(lane),
            outcome,
        };
        drop(METRICS.deliveries.get_or_create(&labels));
    }
}

/// Updates the metrics of these lanes and deletes expired rows of the outbox and of the requests, until `stopping` is
/// true. Every service runs it, with or without workers.
pub async fn observe(
    database: Database,
    lanes: Vec<&'static str>,
    clock: Arc<dyn Clock>,
    mut stopping: watch::Receiver<bool>,
) {
    for lane in &lanes {
        prepare(lane);
    }
    let mut purged = None;
    while !*stopping.borrow() {
        let now = clock.now();
        let observed = async {
            for lane in &lanes {
                note_depth(&database, lane, now).await?;
            }
            if purged.is_none_or(|at: DateTime<Utc>| now - at >= delta(PURGE_INTERVAL)) {
                purge(&database, now).await?;
                requests::purge(&database, now).await?;
                purged = Some(now);
            }
            Ok::<(), StoreError>(())
        };
        if let Err(error) = observed.await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the outbox cannot be observed"
            );
        }
        if !pause(OBSERVE_INTERVAL, &mut stopping).await {
            return;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an age in milliseconds needs far fewer than 52 bits"
)]
async fn note_depth(
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
