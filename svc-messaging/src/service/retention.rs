//! The daily removal of what is kept beyond its time.

use std::{sync::Arc, time::Duration};

use crate::{Parts, domain::retention::Retention};

const RETAIN_EVERY: Duration = Duration::from_hours(24);
const RETRY_AFTER: Duration = Duration::from_mins(10);

/// Removes what is kept beyond its time, at start and every day, for ever.
pub async fn keep_retention(parts: Arc<Parts>, retention: Retention) {
    loop {
        let pause = match parts.store.retain(&retention, parts.now()).await {
            Ok(over) => {
                if !over.is_nothing() {
                    tracing::info!(
                        messages = over.messages,
                        networks = over.networks,
                        subscriptions = over.subscriptions,
                        mails = over.mails,
                        audit_entries = over.audit_entries,
                        "what was kept beyond its time was removed"
                    );
                }
                RETAIN_EVERY
            }
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "what is kept beyond its time could not be removed; it is tried again"
                );
                RETRY_AFTER
            }
        };
        tokio::time::sleep(pause).await;
    }
}
