//! Publication by time.

use std::time::Duration;

use chrono::{DateTime, Utc};

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
    loop {
        tokio::time::sleep(INTERVAL).await;
        let now = rpcs.now();
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
                .publish_record(target, publication, self.check().await?)
                .await?
        } else {
            let redirect = kind.list.to_owned();
            self.store
                .archive_record(target, redirect, self.check().await?)
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
