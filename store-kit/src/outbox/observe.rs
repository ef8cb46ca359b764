//! Task that updates the metrics of the outbox and deletes expired rows.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::Clock;
use tokio::sync::watch;

use super::{
    metrics::{note_depth, prepare},
    purge,
    worker::pause,
};
use crate::{database::Database, error::StoreError, requests};

/// How often the metrics are updated.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(15);
/// How often expired rows are deleted.
const PURGE_INTERVAL: TimeDelta = TimeDelta::minutes(10);

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
            if purged.is_none_or(|at: DateTime<Utc>| now - at >= PURGE_INTERVAL) {
                purge(&database, now).await?;
                requests::purge(&database, now).await?;
                purged = Some(now);
            }
            Ok::<(), StoreError>(())
        };
        if let Err(error) = observed.await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "outbox metrics or expired rows were not updated"
            );
        }
        if !pause(OBSERVE_INTERVAL, &mut stopping).await {
            return;
        }
    }
}
