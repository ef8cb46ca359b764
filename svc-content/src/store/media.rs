//! Storage of uploaded pictures. Files are written before their row and deleted after it, so a row always has files.

macro_rules! columns {
    () => {
        "hash, folder, state, bytes, width, height, alt, decorative, focal_x, focal_y, author, created_at AS create_time, \
         updated_at AS update_time, etag, attempts"
    };
}

mod uses;
mod work;

use chrono::{DateTime, Utc};
use store_kit::{
    audit::{self, log},
    error::StoreError,
    row, values,
};
use uuid::Uuid;

use super::{Store, WriteOutcome, limit};
use crate::domain::media::Description;
use work::{Delete, End, Insert, NoteUse, Renew, Take, Update};

pub use uses::{MediaUses, USES_MAX, Use};

/// All forms are stored.
pub const READY: &str = "ready";
/// The forms are being made.
pub const PROCESSING: &str = "processing";
/// The forms could not be made.
pub const FAILED: &str = "failed";
/// Maximum pictures. Each publication reads what is known of all of them.
pub const PICTURES_MAX: i64 = 10_000;
/// Actor of entries about pictures that nobody used.
const RETENTION: &str = "media retention";

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
const ALL: &str = concat!("SELECT ", columns!(), " FROM media");
const HAS_FOLDER: &str = "SELECT EXISTS (SELECT 1 FROM media WHERE folder = $1)";
const HASHES_AFTER: &str = "SELECT hash FROM media WHERE hash > $1 ORDER BY hash LIMIT $2";

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
    pub description: Description,
    pub author: String,
    pub create_time: DateTime<Utc>,
    pub etag: String,
}

/// Outcome of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaCreation {
    /// The row, and whether it has the folder of the upload.
    Done(Box<MediaRow>, bool),
    /// There are [`PICTURES_MAX`] pictures.
    Full,
}

/// Outcome of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaDeletion {
    /// Holds the folder of the files.
    Done(Uuid),
    Absent,
    EtagMismatch,
    /// Something uses the picture.
    InUse,
}

/// A picture that a member of staff deletes.
#[derive(Debug, Clone)]
pub struct MediaTarget {
    pub hash: String,
    /// Etag of the version that may be deleted; `None` for any.
    pub precondition: Option<String>,
    pub actor: String,
    pub now: DateTime<Utc>,
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

    /// Returns all pictures.
    pub async fn all_media(&self) -> Result<Vec<MediaRow>, StoreError> {
        self.database
            .fetch_all("SELECT media", ALL, values![])
            .await
    }

    /// Inserts a picture. A failed picture gets the new folder and description.
    pub async fn insert_media(&self, new: NewMedia) -> Result<MediaCreation, StoreError> {
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

    /// Deletes a picture that nothing uses.
    pub async fn delete_media(&self, target: MediaTarget) -> Result<MediaDeletion, StoreError> {
        let keys = self.keys.clone();
        self.database
            .write("DELETE media", Delete { target, keys })
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

    /// Postpones the next attempt while the forms of a picture are being made.
    pub async fn renew_media(
        &self,
        row: &MediaRow,
        again: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let renew = Renew {
            hash: row.hash.clone(),
            folder: row.folder,
            again,
        };
        self.database.write("UPDATE media", renew).await
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

fn entry(actor: &str, action: &'static str, subject: String, detail: &str) -> audit::Entry {
    audit::Entry {
        actor: actor.to_owned(),
        action,
        subject,
        detail: detail.to_owned(),
    }
}
