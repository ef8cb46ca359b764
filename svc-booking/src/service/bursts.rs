//! Watches for networks that book in bursts: one visitor may be a script, and the seats it takes are somebody's.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;

use crate::{Parts, metrics::set_bursts};

const INTERVAL: Duration = Duration::from_mins(1);
/// Bookings of one network within this time make a burst. Mobile networks share addresses among many.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
const BOOKINGS_MIN: i64 = 10;

/// Keeps the metric `booking_bursts` true, until it is dropped.
pub async fn watch_bursts(parts: Arc<Parts>) {
    loop {
        match parts.store.bursts(parts.now() - WINDOW, BOOKINGS_MIN).await {
            Ok(bursts) => set_bursts(bursts.len()),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "bursts of bookings could not be looked for"
            ),
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
