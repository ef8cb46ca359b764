//! What is looked at each second: times of publication, and posts of programs before post records.

use std::time::Duration;

use chrono::{DateTime, Utc};
use store_kit::error::StoreError;

use super::kind_of;
use crate::{
    error::AnswerError,
    service::Rpcs,
    store::records::{Author, Publication, RecordOutcome, RecordRow, Target},
};

/// Interval at which the times are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Publishes and archives records whose time has come, in an endless loop. Every process does: of several, the etag
/// lets one through.
pub(crate) async fn follow(rpcs: &Rpcs) {
    let mut seen = 0;
    loop {
        tokio::time::sleep(INTERVAL).await;
        let now = rpcs.now();
        if let Err(error) = rpcs.take_posts(&mut seen).await {
            tracing::debug!(
                error = &error as &(dyn std::error::Error + 'static),
                "cannot take in posts"
            );
        }
        match rpcs.store.due_records(now).await {
            Ok(due) => {
                for row in due {
                    if let Err(error) = rpcs.keep_time(&row, now).await {
                        tracing::warn!(
                            error = &error as &(dyn std::error::Error + 'static),
                            record.kind = row.kind,
                            record.id = row.id,
                            "a publication by time failed; it is tried again"
                        );
                    }
                }
            }
            // The loop that follows changes reports an unavailable database.
            Err(error) => tracing::debug!(
                error = &error as &(dyn std::error::Error + 'static),
                "cannot read times of publication"
            ),
        }
    }
}

impl Rpcs {
    /// Takes in posts that programs before post records wrote since the change `seen`.
    pub(crate) async fn take_posts(&self, seen: &mut i64) -> Result<usize, StoreError> {
        let latest = self.store.sequence().await?;
        let mut count = 0;
        if latest != *seen {
            loop {
                let taken = self.store.take_posts(self.now()).await?;
                count += taken;
                if taken == 0 {
                    break;
                }
            }
            *seen = latest;
        }
        Ok(count)
    }

    /// Publishes or archives a record whose time has come. If that would break the content, the record keeps the reason
    /// instead.
    async fn keep_time(&self, row: &RecordRow, now: DateTime<Utc>) -> Result<(), AnswerError> {
        let kind = kind_of(&row.kind)?;
        let target = Target {
            kind,
            id: row.id.clone(),
            etag: row.etag.clone(),
            author: Author::default(),
            now,
            next_etag: self.ids.uuid().to_string(),
        };
        let is_over = row.unpublish_at.is_some_and(|at| at <= now);
        let outcome = if row.publish_at.is_some() && !is_over {
            let publication = Publication {
                version: row.publish_version,
                publish_at: None,
                unpublish_at: row.unpublish_at,
            };
            self.store
                .publish_record(target, publication, self.check_to_publish().await?)
                .await?
        } else {
            let redirect = kind.list.to_owned();
            self.store
                .archive_record(target, redirect, self.check_to_publish().await?)
                .await?
        };
        match outcome {
            RecordOutcome::Broken(problem) => {
                let words = format!("{} {}: {}", problem.name(), problem.field, problem.message);
                self.store.fail_schedule(row, words.trim()).await?;
                tracing::warn!(
                    record.kind = row.kind,
                    record.id = row.id,
                    "a publication by time would break the content"
                );
            }
            RecordOutcome::Done(_) => {
                tracing::info!(
                    record.kind = row.kind,
                    record.id = row.id,
                    "a record's time has come"
                );
            }
            // Another process was faster, or a person.
            RecordOutcome::Absent | RecordOutcome::EtagMismatch | RecordOutcome::NoVersion => {}
        }
        Ok(())
    }
}
