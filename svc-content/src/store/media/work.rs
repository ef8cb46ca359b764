//! Units of work on pictures.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    sql::{Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    FIND, MediaChange, MediaCreation, MediaDeletion, MediaRow, MediaTarget, NewMedia, PICTURES_MAX,
    RETENTION, entry, uses::is_used,
};
use crate::store::{WriteOutcome, records::INSERT_CHANGE, statements, work::next_sequence};

const INSERT: &str = "\
INSERT INTO media (hash, folder, state, bytes, width, height, alt, decorative, focal_x, focal_y, author, created_at, \
                   updated_at, etag, attempts, attempt_at, unused_since)
VALUES ($1, $2, 'processing', $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, 0, $11, $11)
ON CONFLICT (hash) DO UPDATE
SET folder = excluded.folder, state = 'processing', alt = excluded.alt, decorative = excluded.decorative,
    focal_x = excluded.focal_x, focal_y = excluded.focal_y, attempts = 0, attempt_at = excluded.attempt_at,
    etag = excluded.etag
WHERE media.state = 'failed'";
const COUNT: &str = "SELECT count(*) FROM media WHERE hash <> $1";
/// `$2` as `$7` of [`UPDATE`].
const DELETE: &str =
    "DELETE FROM media WHERE hash = $1 AND ($2 = '' OR etag = $2) RETURNING folder";
/// `$7` is the etag of the version that may be replaced; empty for any.
const UPDATE: &str = "\
UPDATE media SET alt = $2, decorative = $3, focal_x = $4, focal_y = $5, updated_at = $6, etag = $8
WHERE hash = $1 AND ($7 = '' OR etag = $7)";
/// Two processes may take one picture after a lease has ended: both write the same files.
const TAKE: Sql = Sql::differing(
    concat!(
        "UPDATE media SET attempts = attempts + 1, attempt_at = $2 WHERE hash = \
         (SELECT hash FROM media WHERE state = 'processing' AND attempt_at <= $1 ORDER BY attempt_at LIMIT 1) RETURNING ",
        columns!()
    ),
    concat!(
        "UPDATE media SET attempts = attempts + 1, attempt_at = $2 WHERE hash = \
         (SELECT hash FROM media WHERE state = 'processing' AND attempt_at <= $1 ORDER BY attempt_at LIMIT 1 \
          FOR UPDATE SKIP LOCKED) RETURNING ",
        columns!()
    ),
);
const RENEW: &str =
    "UPDATE media SET attempt_at = $3 WHERE hash = $1 AND folder = $2 AND state = 'processing'";
/// The etag does not change: the forms are no part of what staff edit.
const END: &str =
    "UPDATE media SET state = $3 WHERE hash = $1 AND folder = $2 AND state = 'processing'";
const USED: &str =
    "UPDATE media SET unused_since = NULL WHERE hash = $1 AND unused_since IS NOT NULL";
const UNUSED: &str = "UPDATE media SET unused_since = $2 WHERE hash = $1 AND unused_since IS NULL";
const DELETE_UNUSED: &str =
    "DELETE FROM media WHERE hash = $1 AND unused_since < $2 RETURNING folder";

pub(in crate::store) struct Insert {
    pub(super) new: NewMedia,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Insert {
    type Outcome = MediaCreation;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let new = &self.new;
        let (count,): (i64,) = transaction.fetch_one(COUNT, values![&new.hash]).await?;
        if count >= PICTURES_MAX {
            return Ok(Decision::Rollback(MediaCreation::Full));
        }
        let description = &new.description;
        let values = values![
            &new.hash,
            new.folder,
            new.bytes,
            new.width,
            new.height,
            &description.alt,
            description.decorative,
            description.focal_x,
            description.focal_y,
            &new.author,
            new.create_time,
            &new.etag
        ];
        transaction.execute(INSERT, values).await?;
        let row: MediaRow = transaction.fetch_one(FIND, values![&new.hash]).await?;
        if row.folder != new.folder {
            return Ok(Decision::Rollback(MediaCreation::Done(
                Box::new(row),
                false,
            )));
        }
        let entry = entry(&new.author, "media.uploaded", new.hash.clone(), &new.etag);
        audit::append(transaction, &self.keys, &entry, new.create_time).await?;
        Ok(Decision::Commit(MediaCreation::Done(Box::new(row), true)))
    }
}

pub(in crate::store) struct Update {
    pub(super) change: MediaChange,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Update {
    type Outcome = WriteOutcome<MediaRow>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let change = &self.change;
        let description = &change.description;
        let values = values![
            &change.hash,
            &description.alt,
            description.decorative,
            description.focal_x,
            description.focal_y,
            change.update_time,
            change.precondition.as_deref().unwrap_or_default(),
            &change.etag
        ];
        let count = transaction.execute(UPDATE, values).await?;
        let row: Option<MediaRow> = transaction
            .fetch_optional(FIND, values![&change.hash])
            .await?;
        let Some(row) = row else {
            return Ok(Decision::Rollback(WriteOutcome::Absent));
        };
        if count == 0 {
            return Ok(Decision::Rollback(WriteOutcome::EtagMismatch));
        }
        let entry = entry(
            &change.actor,
            "media.updated",
            change.hash.clone(),
            &change.etag,
        );
        audit::append(transaction, &self.keys, &entry, change.update_time).await?;
        // Visitors read the description with what shows the picture.
        let seq = next_sequence(transaction).await?;
        let mut script = Script::new();
        let name = format!("media/{}", change.hash);
        script.push(Statement::new(INSERT_CHANGE, values![seq, name]));
        let oldest = values![seq - statements::CHANGES_KEPT];
        script.push(Statement::new(statements::FORGET_CHANGES, oldest));
        transaction.run(script).await?;
        Ok(Decision::Commit(WriteOutcome::Done(row)))
    }
}

pub(in crate::store) struct Take {
    pub(super) now: DateTime<Utc>,
    pub(super) again: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Take {
    type Outcome = Option<MediaRow>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let values = values![self.now, self.again];
        let taken = transaction.fetch_optional(TAKE, values).await?;
        Ok(Decision::Commit(taken))
    }
}

pub(in crate::store) struct Renew {
    pub(super) hash: String,
    pub(super) folder: Uuid,
    pub(super) again: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Renew {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let values = values![&self.hash, self.folder, self.again];
        transaction.execute(RENEW, values).await?;
        Ok(Decision::Commit(()))
    }
}

pub(in crate::store) struct End {
    pub(super) hash: String,
    pub(super) folder: Uuid,
    pub(super) state: &'static str,
}

#[async_trait]
impl UnitOfWork for End {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let values = values![&self.hash, self.folder, self.state];
        transaction.execute(END, values).await?;
        Ok(Decision::Commit(()))
    }
}

pub(in crate::store) struct NoteUse {
    pub(super) hash: String,
    pub(super) is_used: bool,
    pub(super) now: DateTime<Utc>,
    pub(super) before: DateTime<Utc>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for NoteUse {
    type Outcome = Option<Uuid>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        if self.is_used {
            transaction.execute(USED, values![&self.hash]).await?;
            return Ok(Decision::Commit(None));
        }
        let values = values![&self.hash, self.now];
        transaction.execute(UNUSED, values).await?;
        // It may have been used since the content was read.
        if is_used(transaction, &self.hash).await? {
            return Ok(Decision::Commit(None));
        }
        let values = values![&self.hash, self.before];
        let deleted: Option<(Uuid,)> = transaction.fetch_optional(DELETE_UNUSED, values).await?;
        let Some((folder,)) = deleted else {
            return Ok(Decision::Commit(None));
        };
        let entry = entry(RETENTION, "media.deleted", self.hash.clone(), "");
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(Some(folder)))
    }
}

pub(in crate::store) struct Delete {
    pub(super) target: MediaTarget,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Delete {
    type Outcome = MediaDeletion;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<MediaDeletion>, StoreError> {
        let target = &self.target;
        let row: Option<MediaRow> = transaction
            .fetch_optional(FIND, values![&target.hash])
            .await?;
        if row.is_none() {
            return Ok(Decision::Rollback(MediaDeletion::Absent));
        }
        if is_used(transaction, &target.hash).await? {
            return Ok(Decision::Rollback(MediaDeletion::InUse));
        }
        let etag = target.precondition.as_deref().unwrap_or_default();
        let deleted: Option<(Uuid,)> = transaction
            .fetch_optional(DELETE, values![&target.hash, etag])
            .await?;
        let Some((folder,)) = deleted else {
            return Ok(Decision::Rollback(MediaDeletion::EtagMismatch));
        };
        let entry = entry(&target.actor, "media.deleted", target.hash.clone(), "");
        audit::append(transaction, &self.keys, &entry, target.now).await?;
        Ok(Decision::Commit(MediaDeletion::Done(folder)))
    }
}
