//! Detects networks that book in bursts: a single visitor may be a script that takes other people's seats.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;

use crate::{Parts, metrics::set_bursts};

const INTERVAL: Duration = Duration::from_mins(1);
/// Window in which bookings of one network count as a burst. Mobile networks put many people behind one address.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
const BOOKINGS_MIN: i64 = 10;

/// Updates the metric `booking_bursts` every minute, until dropped.
pub async fn watch_bursts(parts: Arc<Parts>) {
    loop {
        match parts.store.bursts(parts.now() - WINDOW, BOOKINGS_MIN).await {
            Ok(bursts) => set_bursts(bursts.len()),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "booking bursts were not counted"
            ),
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
