//! Daily deletion of expired data.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::LISTS;
use crate::{
    Parts, delivery::maildir::Maildir, domain::retention::Retention, mail::store::RETENTION_DAYS,
};

/// Deletes expired rows and expired mails in local folders, at start and then daily, in an endless loop.
pub async fn keep_retention(parts: Arc<Parts>, retention: Retention, folders: Vec<Maildir>) {
    let remove = || async {
        let over = parts.store.retain(&retention, parts.now()).await?;
        let mut removed = over.removed();
        if !removed.is_empty() {
            parts.seen.publish(LISTS.iter().copied());
        }
        let files = purge(&folders, parts.now().into());
        if files > 0 {
            removed.push(format!("mails in folders: {files} removed"));
        }
        Ok(removed)
    };
    store_kit::retention::daily(remove).await;
}

/// Deletes mails in local folders after the retention period of sent mails. Returns their number.
pub fn purge(folders: &[Maildir], now: SystemTime) -> u64 {
    let days = RETENTION_DAYS.unsigned_abs();
    let before = now
        .checked_sub(Duration::from_hours(24 * days))
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let mut files = 0;
    for folder in folders {
        match folder.purge(before) {
            Ok(removed) => files += removed,
            Err(error) => tracing::warn!(%error, "cannot delete expired mails from a folder"),
        }
    }
    files
}
