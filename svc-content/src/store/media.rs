//! Storage of uploaded pictures. Files are written before their row and deleted after it, so a row always has files.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit::{self, log},
    error::StoreError,
    keys::Keys,
    row,
    sql::{Sql, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Store, WriteOutcome, limit};
use crate::domain::media::{CENTRE, Description};

/// All forms are stored.
pub const READY: &str = "ready";
/// The forms are being made.
pub const PROCESSING: &str = "processing";
/// The forms could not be made.
pub const FAILED: &str = "failed";
/// Actor of entries about pictures that nobody used.
const RETENTION: &str = "media retention";

macro_rules! columns {
    () => {
        "hash, folder, state, bytes, width, height, alt, decorative, focal_x, focal_y, author, created_at AS create_time, \
         updated_at AS update_time, etag, attempts"
    };
}

const FIND: &str = concat!("SELECT ", columns!(), " FROM media WHERE hash = $1");
const FIRST_PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM media ORDER BY created_at DESC, hash DESC LIMIT $1"
);
const NEXT_PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM media WHERE (created_at, hash) < ($2, $3) ORDER BY created_at DESC, hash DESC LIMIT $1"
);
const INSERT: &str = "\
INSERT INTO media (hash, folder, state, bytes, width, height, alt, decorative, focal_x, focal_y, author, created_at, \
                   updated_at, etag, attempts, attempt_at, unused_since)
VALUES ($1, $2, 'processing', $3, $4, $5, '', FALSE, $6, $6, $7, $8, $8, $9, 0, $8, $8)
ON CONFLICT (hash) DO UPDATE
SET folder = excluded.folder, state = 'processing', attempts = 0, attempt_at = excluded.attempt_at, etag = excluded.etag
WHERE media.state = 'failed'";
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
/// The etag does not change: the forms are no part of what staff edit.
const END: &str =
    "UPDATE media SET state = $3 WHERE hash = $1 AND folder = $2 AND state = 'processing'";
const HAS_FOLDER: &str = "SELECT EXISTS (SELECT 1 FROM media WHERE folder = $1)";
const HASHES_AFTER: &str = "SELECT hash FROM media WHERE hash > $1 ORDER BY hash LIMIT $2";
const USED: &str =
    "UPDATE media SET unused_since = NULL WHERE hash = $1 AND unused_since IS NOT NULL";
const UNUSED: &str = "UPDATE media SET unused_since = $2 WHERE hash = $1 AND unused_since IS NULL";
const DELETE_UNUSED: &str =
    "DELETE FROM media WHERE hash = $1 AND unused_since < $2 RETURNING folder";

row! {
    /// A picture.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MediaRow {
        pub hash: String,
        /// Folder of its files.
        pub folder: Uuid,
        pub state: String,
        pub bytes: i64,
        pub width: i64,
        pub height: i64,
        pub alt: String,
        pub decorative: bool,
        pub focal_x: i64,
        pub focal_y: i64,
        pub author: String,
        pub create_time: DateTime<Utc>,
        pub update_time: DateTime<Utc>,
        pub etag: String,
        pub attempts: i64,
    }
}

/// Position in the list; the page starts after this picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaPosition {
    pub create_time: DateTime<Utc>,
    pub hash: String,
}

/// A picture whose first file is stored.
#[derive(Debug, Clone)]
pub struct NewMedia {
    pub hash: String,
    pub folder: Uuid,
    pub bytes: u32,
    pub width: u32,
    pub height: u32,
    pub author: String,
    pub create_time: DateTime<Utc>,
    pub etag: String,
}

/// A new description of a picture.
#[derive(Debug, Clone)]
pub struct MediaChange {
    pub hash: String,
    pub description: Description,
    /// Etag of the version that may be replaced; `None` for any.
    pub precondition: Option<String>,
    pub actor: String,
    pub update_time: DateTime<Utc>,
    pub etag: String,
}

impl Store {
    /// Returns a picture.
    pub async fn media(&self, hash: &str) -> Result<Option<MediaRow>, StoreError> {
        self.database
            .fetch_optional("SELECT media", FIND, values![hash])
            .await
    }

    /// Returns at most `count` pictures, newest first, optionally after a given one.
    pub async fn media_page(
        &self,
        after: Option<&MediaPosition>,
        count: usize,
    ) -> Result<Vec<MediaRow>, StoreError> {
        let count = limit(count);
        let (sql, values) = match after {
            None => (FIRST_PAGE, values![count]),
            Some(after) => (NEXT_PAGE, values![count, after.create_time, &after.hash]),
        };
        self.database.fetch_all("SELECT media", sql, values).await
    }

    /// Records which pictures were shown to whom.
    pub async fn note_media_read(
        &self,
        actor: &str,
        hashes: &[&str],
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let entry = entry(actor, "media.read", hashes.join(","), "");
        log::record_read(&self.database, &self.keys, entry, now).await
    }

    /// Inserts a picture; returns the row, and whether it has the folder of `new`. A failed picture gets the new folder.
    pub async fn insert_media(&self, new: NewMedia) -> Result<(MediaRow, bool), StoreError> {
        let keys = self.keys.clone();
        self.database
            .write("INSERT media", Insert { new, keys })
            .await
    }

    /// Replaces the description of a picture.
    pub async fn update_media(
        &self,
        change: MediaChange,
    ) -> Result<WriteOutcome<MediaRow>, StoreError> {
        let keys = self.keys.clone();
        self.database
            .write("UPDATE media", Update { change, keys })
            .await
    }

    /// Takes a picture whose forms are to be made, and postpones the next attempt to `again`.
    pub async fn take_media(
        &self,
        now: DateTime<Utc>,
        again: DateTime<Utc>,
    ) -> Result<Option<MediaRow>, StoreError> {
        self.database
            .write("UPDATE media", Take { now, again })
            .await
    }

    /// Sets the state of a picture whose forms were made, or could not be.
    pub async fn end_media(
        &self,
        hash: &str,
        folder: Uuid,
        state: &'static str,
    ) -> Result<(), StoreError> {
        let hash = hash.to_owned();
        let end = End {
            hash,
            folder,
            state,
        };
        self.database.write("UPDATE media", end).await
    }

    /// Whether a picture has this folder.
    pub async fn has_media_folder(&self, folder: Uuid) -> Result<bool, StoreError> {
        let (has,): (bool,) = self
            .database
            .fetch_one("SELECT media", HAS_FOLDER, values![folder])
            .await?;
        Ok(has)
    }

    /// Returns at most `count` hashes after `after`, in order.
    pub async fn media_hashes(&self, after: &str, count: usize) -> Result<Vec<String>, StoreError> {
        let values = values![after, limit(count)];
        let hashes: Vec<(String,)> = self
            .database
            .fetch_all("SELECT media", HASHES_AFTER, values)
            .await?;
        Ok(hashes.into_iter().map(|(hash,)| hash).collect())
    }

    /// Notes whether a picture is used. Deletes it if it has been unused since before `before`; returns its folder then.
    pub async fn note_media_use(
        &self,
        hash: String,
        is_used: bool,
        now: DateTime<Utc>,
        before: DateTime<Utc>,
    ) -> Result<Option<Uuid>, StoreError> {
        let note = NoteUse {
            hash,
            is_used,
            now,
            before,
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE media", note).await
    }
}

struct Insert {
    new: NewMedia,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Insert {
    type Outcome = (MediaRow, bool);

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let new = &self.new;
        let values = values![
            &new.hash,
            new.folder,
            new.bytes,
            new.width,
            new.height,
            CENTRE,
            &new.author,
            new.create_time,
            &new.etag
        ];
        transaction.execute(INSERT, values).await?;
        let row: MediaRow = transaction.fetch_one(FIND, values![&new.hash]).await?;
        if row.folder != new.folder {
            return Ok(Decision::Rollback((row, false)));
        }
        let entry = entry(&new.author, "media.uploaded", new.hash.clone(), &new.etag);
        audit::append(transaction, &self.keys, &entry, new.create_time).await?;
        Ok(Decision::Commit((row, true)))
    }
}

struct Update {
    change: MediaChange,
    keys: Keys,
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
        Ok(Decision::Commit(WriteOutcome::Done(row)))
    }
}

struct Take {
    now: DateTime<Utc>,
    again: DateTime<Utc>,
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

struct End {
    hash: String,
    folder: Uuid,
    state: &'static str,
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

struct NoteUse {
    hash: String,
    is_used: bool,
    now: DateTime<Utc>,
    before: DateTime<Utc>,
    keys: Keys,
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

fn entry(actor: &str, action: &'static str, subject: String, detail: &str) -> audit::Entry {
    audit::Entry {
        actor: actor.to_owned(),
        action,
        subject,
        detail: detail.to_owned(),
    }
}
