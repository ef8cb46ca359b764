//! Gauges of postponed mails and quarantined messages, and the daily quarantine digest.

use std::{
    sync::{Arc, LazyLock, atomic::AtomicU64},
    time::Duration,
};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, Utc};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, gauge::Gauge},
};
use store_kit::error::StoreError;

use crate::{Parts, domain::mailboxes::Mailbox};

/// Update interval of the gauges.
const INTERVAL: Duration = Duration::from_secs(15);
/// Window in which the daily digest is created, in hospital time. A process started after it creates none that day.
const DIGEST_FROM: NaiveTime = NaiveTime::from_hms_opt(8, 0, 0).expect("a time");
const DIGEST_UNTIL: NaiveTime = NaiveTime::from_hms_opt(9, 0, 0).expect("a time");
const INDIA: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).expect("an offset");

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    cause: &'static str,
}

struct Metrics {
    postponed: Family<Labels, Gauge<u64, AtomicU64>>,
    postponed_oldest: Gauge<f64, AtomicU64>,
    quarantined: Gauge<u64, AtomicU64>,
    quarantine_oldest: Gauge<f64, AtomicU64>,
}

static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    let metrics = Metrics {
        postponed: Family::default(),
        postponed_oldest: Gauge::default(),
        quarantined: Gauge::default(),
        quarantine_oldest: Gauge::default(),
    };
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "mails_postponed",
            "Mails postponed by the limit per recipient, by cause (patient, form)",
            metrics.postponed.clone(),
        );
        registry.register(
            "mails_postponed_oldest_age_seconds",
            "Age of the oldest postponed notice",
            metrics.postponed_oldest.clone(),
        );
        registry.register(
            "quarantine_waiting",
            "Messages in quarantine not yet reviewed by staff",
            metrics.quarantined.clone(),
        );
        registry.register(
            "quarantine_oldest_age_seconds",
            "Age of the oldest message in quarantine",
            metrics.quarantine_oldest.clone(),
        );
    });
    metrics
});

/// Updates the gauges and creates the daily digest, in an endless loop.
pub async fn watch(parts: Arc<Parts>, digest_to: Mailbox) {
    LazyLock::force(&METRICS);
    let mut digested = None;
    loop {
        if let Err(error) = round(&parts, &digest_to, &mut digested).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "cannot count postponed mails and the quarantine"
            );
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

async fn round(
    parts: &Parts,
    digest_to: &Mailbox,
    digested: &mut Option<NaiveDate>,
) -> Result<(), StoreError> {
    let now = parts.now();
    let postponed = parts.store.postponed().await?;
    for (cause, mails) in [("patient", postponed.notices), ("form", postponed.others)] {
        let gauge = METRICS.postponed.get_or_create(&Labels { cause });
        gauge.set(mails);
    }
    METRICS.postponed_oldest.set(age(postponed.oldest, now));
    let quarantine = parts.store.quarantine().await?;
    METRICS.quarantined.set(quarantine.waiting);
    METRICS.quarantine_oldest.set(age(quarantine.since, now));
    let local = now.with_timezone(&INDIA);
    let day = local.date_naive();
    let is_time = (DIGEST_FROM..DIGEST_UNTIL).contains(&local.time());
    if is_time && *digested != Some(day) {
        parts.store.digest(day, digest_to, now).await?;
        *digested = Some(day);
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an age in milliseconds needs far fewer than 52 bits"
)]
fn age(since: Option<DateTime<Utc>>, now: DateTime<Utc>) -> f64 {
    since.map_or(0.0, |since| {
        (now - since).num_milliseconds() as f64 / 1000.0
    })
}
