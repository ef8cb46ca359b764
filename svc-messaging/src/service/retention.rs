//! The daily removal of what is kept beyond its time.

use std::sync::Arc;

use crate::{Parts, domain::retention::Retention};

/// Removes what is kept beyond its time, at start and every day, for ever.
pub async fn keep_retention(parts: Arc<Parts>, retention: Retention) {
    let remove = || async {
        let over = parts.store.retain(&retention, parts.now()).await?;
        Ok(over.removed())
    };
    store_kit::retention::daily(remove).await;
}
