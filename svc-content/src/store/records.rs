//! Records that staff change: rows, reads and the calls of the units of work.

mod files;
pub(super) mod posts;
pub(super) mod publish;
mod rows;
mod schedule;
mod translations;
mod work;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use store_kit::{error::StoreError, requests::RequestKey, row, values};

use super::{Store, limit};
use crate::records::{Body, Kind, Live, Problem};
use files::TakeFiles;
use publish::{Archive, Publish, Revert};
use work::{Create, Edit, NotePreview, Save};

pub(in crate::store) use work::INSERT_CHANGE;

pub use files::FilesOutcome;
pub use posts::DraftPost;
pub use publish::Publication;
pub use rows::{PublicationRow, RecordRow, VersionRow};
pub use schedule::Times;
pub use translations::{
    Translation, TranslationChange, TranslationOutcome, TranslationRow, Translations,
};

/// Kind of the request keys of creates.
pub const CREATE_RECORD: &str = "records.create";
/// Maximum records of all kinds but posts.
pub const RECORDS_MAX: i64 = 10_000;

/// Checks the live records as a whole. It takes up to a second, so it runs on a blocking thread.
pub type Check = Arc<dyn Fn(&[Live]) -> Result<(), Problem> + Send + Sync>;

macro_rules! select_records {
    ($rest:literal) => {
        concat!(
            "SELECT kind, id, position, state, version, live_version, title, path, publish_version, publish_at, \
             unpublish_at, schedule_problem, redirect, author_name, updated_at, editor, editor_name, edited_until, \
             etag FROM records ",
            $rest
        )
    };
}

const BY_ID: &str = select_records!("WHERE kind = $1 AND id = $2 AND lang = 'en'");
const LIST: &str = select_records!(
    "WHERE kind = $1 AND ($2 = '' OR state = $2) AND lower(title) LIKE $3 ESCAPE '~' AND lang = 'en' \
     AND (position > $4 OR position = $4 AND id > $5) ORDER BY position, id LIMIT $6"
);
const DUE: &str = select_records!(
    "WHERE publish_at <= $1 OR unpublish_at <= $1 ORDER BY coalesce(publish_at, unpublish_at), kind, id LIMIT 100"
);
const LIVE: &str = "\
SELECT records.kind, records.id, record_versions.body FROM records \
JOIN record_versions ON record_versions.kind = records.kind AND record_versions.id = records.id \
  AND record_versions.lang = records.lang AND record_versions.version = records.live_version \
WHERE records.state = 'live' AND records.lang = 'en' AND records.kind <> 'post' \
ORDER BY records.kind, records.position, records.id";
const BODY: &str = "\
SELECT body FROM record_versions WHERE kind = $1 AND id = $2 AND lang = 'en' AND version = $3";
const VERSIONS: &str = "\
SELECT version, body, author_name, created_at FROM record_versions \
WHERE kind = $1 AND id = $2 AND lang = 'en' AND version < $3 ORDER BY version DESC LIMIT $4";
const PUBLICATIONS: &str = "\
SELECT seq, kind, id, lang, title, path, version_before, version_after, author_name, created_at FROM record_publications \
WHERE seq < $1 AND created_at >= $2 ORDER BY seq DESC LIMIT $3";
/// The pages that archived records and former addresses lead to.
const MOVED: &str = "\
SELECT record_paths.path AS path, records.kind AS kind, records.id AS id, records.state AS state, \
  records.path AS current, records.redirect AS redirect \
FROM record_paths JOIN records ON records.kind = record_paths.kind AND records.id = record_paths.id \
  AND records.lang = 'en' AND records.kind <> 'post'";

row! {
    struct LiveRow {
        kind: String,
        id: String,
        body: String,
    }
}

row! {
    struct MovedRow {
        path: String,
        kind: String,
        id: String,
        state: String,
        current: String,
        redirect: String,
    }
}

/// Who changes a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// Subject of the token; empty for the content files and for times of publication.
    pub subject: String,
    pub name: String,
}

/// A program without a name.
impl From<&str> for Author {
    fn from(subject: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            name: subject.to_owned(),
        }
    }
}

/// A record that the caller read.
#[derive(Debug, Clone)]
pub struct Target {
    pub kind: &'static Kind,
    pub id: String,
    /// Version that the caller read.
    pub etag: String,
    pub author: Author,
    pub now: DateTime<Utc>,
    /// Etag of the record after the change.
    pub next_etag: String,
}

/// Outcome of a change of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordOutcome {
    Done(Box<RecordRow>),
    Absent,
    /// The record has changed since the caller read it.
    EtagMismatch,
    /// There is no such version.
    NoVersion,
    /// The content would be broken.
    Broken(Problem),
}

/// Outcome of a create.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordCreation {
    Created(Box<RecordRow>),
    Repeated(Box<RecordRow>),
    RequestIdReused,
    /// A record of the kind has the id.
    Exists,
    /// There are [`RECORDS_MAX`] records.
    Full,
}

/// A new record.
#[derive(Debug, Clone)]
pub struct NewRecord {
    pub kind: &'static Kind,
    pub id: String,
    pub body: Body,
    pub author: Author,
    pub now: DateTime<Utc>,
    pub etag: String,
}

/// Filter of a list of records, and the position after which the page starts.
#[derive(Debug, Clone)]
pub struct RecordFilter {
    pub kind: &'static Kind,
    /// Empty: any.
    pub state: String,
    /// Part of the title, in lower case; empty: any.
    pub text: String,
    pub after: Option<(i64, String)>,
}

impl Store {
    /// Seeds an empty database with the records of the files. With `again`, also adds those that are new in the files, and
    /// replaces those that nobody changed since they came from files.
    pub async fn take_files(
        &self,
        records: Vec<Live>,
        again: bool,
        check: Check,
        (now, etag): (DateTime<Utc>, String),
    ) -> Result<FilesOutcome, StoreError> {
        let work = TakeFiles {
            records,
            again,
            check,
            now,
            etag,
        };
        self.database().write("INSERT records", work).await
    }

    /// Returns the live records without posts, each kind in the order of the site. Records of kinds that this build does not know are
    /// left out.
    pub async fn live_records(&self) -> Result<Vec<Live>, StoreError> {
        let rows: Vec<LiveRow> = self
            .database()
            .fetch_all("SELECT records", LIVE, values![])
            .await?;
        rows.into_iter().filter_map(live).collect()
    }

    /// Returns where former pages lead to. Pages are found by the id of their record too.
    pub async fn moved_pages(&self) -> Result<Vec<(String, String)>, StoreError> {
        let rows: Vec<MovedRow> = self
            .database()
            .fetch_all("SELECT record_paths", MOVED, values![])
            .await?;
        let mut pages = Vec::with_capacity(rows.len());
        for row in rows {
            let is_live = row.state == "live" && !row.current.is_empty();
            let by_id = Kind::of(&row.kind).map(|kind| kind.path_by_id(&row.id));
            let to = if is_live { row.current } else { row.redirect };
            if let Some(by_id) = by_id.filter(|path| !is_live && *path != row.path) {
                pages.push((by_id, to.clone()));
            }
            if !is_live || to != row.path {
                pages.push((row.path, to));
            }
        }
        Ok(pages)
    }

    pub async fn record_row(&self, kind: &Kind, id: &str) -> Result<Option<RecordRow>, StoreError> {
        self.database()
            .fetch_optional("SELECT records", BY_ID, values![kind.name, id])
            .await
    }

    /// Returns at most `count` records in the order of the site.
    pub async fn record_rows(
        &self,
        filter: &RecordFilter,
        count: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        let escaped = filter
            .text
            .replace('~', "~~")
            .replace('%', "~%")
            .replace('_', "~_");
        let (position, id) = filter.after.clone().unwrap_or((i64::MIN, String::new()));
        let values = values![
            filter.kind.name,
            &filter.state,
            format!("%{escaped}%"),
            position,
            id,
            limit(count)
        ];
        self.database()
            .fetch_all("SELECT records", LIST, values)
            .await
    }

    /// Returns a version's body as JSON.
    pub async fn record_body(
        &self,
        kind: &Kind,
        id: &str,
        version: i64,
    ) -> Result<Option<Body>, StoreError> {
        let found: Option<(String,)> = self
            .database()
            .fetch_optional(
                "SELECT record_versions",
                BODY,
                values![kind.name, id, version],
            )
            .await?;
        found.map(|(body,)| parse_body(&body)).transpose()
    }

    /// Returns at most `count` versions before `before`, newest first.
    pub async fn record_versions(
        &self,
        kind: &Kind,
        id: &str,
        before: i64,
        count: usize,
    ) -> Result<Vec<VersionRow>, StoreError> {
        let values = values![kind.name, id, before, limit(count)];
        self.database()
            .fetch_all("SELECT record_versions", VERSIONS, values)
            .await
    }

    /// Returns at most `count` publications before the one with this number, newest first.
    pub async fn publications(
        &self,
        before: i64,
        since: DateTime<Utc>,
        count: usize,
    ) -> Result<Vec<PublicationRow>, StoreError> {
        let values = values![before, since, limit(count)];
        self.database()
            .fetch_all("SELECT record_publications", PUBLICATIONS, values)
            .await
    }

    /// Returns the records whose time to be published or archived has come.
    pub async fn due_records(&self, now: DateTime<Utc>) -> Result<Vec<RecordRow>, StoreError> {
        self.database()
            .fetch_all("SELECT records", DUE, values![now])
            .await
    }

    /// Creates a draft, once per request.
    pub async fn create_record(
        &self,
        new: NewRecord,
        request: RequestKey,
    ) -> Result<RecordCreation, StoreError> {
        let keys = self.keys.clone();
        let work = Create { new, request, keys };
        self.database().write("INSERT records", work).await
    }

    /// Stores a version as a draft.
    pub async fn save_record(
        &self,
        target: Target,
        body: Body,
    ) -> Result<RecordOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Save { target, body, keys };
        self.database().write("UPDATE records", work).await
    }

    /// Publishes a version, now or by time.
    pub async fn publish_record(
        &self,
        target: Target,
        publication: Publication,
        check: Check,
    ) -> Result<RecordOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Publish {
            target,
            publication,
            check,
            keys,
        };
        self.database().write("UPDATE records", work).await
    }

    /// Takes a record off the site.
    pub async fn archive_record(
        &self,
        target: Target,
        redirect: String,
        check: Check,
    ) -> Result<RecordOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Archive {
            target,
            redirect,
            check,
            keys,
        };
        self.database().write("UPDATE records", work).await
    }

    /// Stores an earlier version again, and publishes it if `check` is given.
    pub async fn revert_record(
        &self,
        target: Target,
        version: i64,
        check: Option<Check>,
    ) -> Result<RecordOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Revert {
            target,
            version,
            check,
            keys,
        };
        self.database().write("UPDATE records", work).await
    }

    /// Notes in the audit log who made a link to a version.
    pub async fn note_preview(
        &self,
        (kind, id, version): (&'static Kind, String, i64),
        author: Author,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let keys = self.keys.clone();
        let work = NotePreview {
            kind,
            id,
            version,
            author,
            now,
            keys,
        };
        self.database().write("INSERT audit_entries", work).await
    }

    /// Takes a record for editing; returns the name of another one who edits it.
    pub async fn edit_record(
        &self,
        kind: &'static Kind,
        id: String,
        author: Author,
        now: DateTime<Utc>,
    ) -> Result<Option<String>, StoreError> {
        let work = Edit {
            kind,
            id,
            author,
            now,
        };
        self.database().write("UPDATE records", work).await
    }
}

fn live(row: LiveRow) -> Option<Result<Live, StoreError>> {
    let kind = Kind::of(&row.kind)?;
    let live = |body| Live {
        kind,
        id: row.id,
        body,
    };
    Some(parse_body(&row.body).map(live))
}

fn parse_body(text: &str) -> Result<Body, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt {
        column: "record_versions.body",
    })
}
