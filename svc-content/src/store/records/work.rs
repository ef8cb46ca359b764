//! Units of work on records that visitors don't see.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::{Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{
    Author, BODY, BY_ID, NewRecord, RECORDS_MAX, RecordCreation, RecordOutcome, RecordRow, Target,
    parse_body, posts,
};
use crate::records::{Body, Kind};

/// How long a record stays taken for editing.
const EDITING: TimeDelta = TimeDelta::minutes(2);

const INSERT: &str = "\
INSERT INTO records (kind, id, position, state, version, live_version, title, path, author, author_name, updated_at, etag) \
VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11)";
const INSERT_VERSION: &str = "\
INSERT INTO record_versions (kind, id, version, body, author, author_name, created_at) \
VALUES ($1, $2, $3, $4, $5, $6, $7)";
const SAVE: &str = "\
UPDATE records SET version = $3, title = $4, author = $5, author_name = $6, updated_at = $7, etag = $8 \
WHERE kind = $1 AND id = $2 AND lang = 'en'";
const EDIT: &str = "\
UPDATE records SET editor = $3, editor_name = $4, edited_until = $5 WHERE kind = $1 AND id = $2 AND lang = 'en'";
pub(in crate::store) const INSERT_CHANGE: &str = "\
INSERT INTO blog_changes (seq, blog_id, slug_before, slug_after, record) VALUES ($1, '', '', '', $2)";
/// Locks out other writers without a change. SQLite has one writer at a time.
pub(super) const LOCK: Sql = Sql::differing(
    "SELECT value FROM blog_sequence",
    "SELECT value FROM blog_sequence FOR UPDATE",
);
/// Posts are as many as the API has stored.
const COUNT: &str = "SELECT count(*) FROM records WHERE kind <> 'post'";
const FIRST_AND_LAST: &str = "\
SELECT coalesce(min(position), 0), coalesce(max(position), 0) FROM records WHERE kind = $1";

pub(in crate::store) struct Create {
    pub(super) new: NewRecord,
    pub(super) request: RequestKey,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = RecordCreation;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordCreation>, StoreError> {
        let NewRecord {
            kind,
            id,
            body,
            author,
            now,
            etag,
        } = &self.new;
        match requests::find(transaction, &self.request, *now).await? {
            Found::New => {}
            Found::Reused => return Ok(Decision::Rollback(RecordCreation::RequestIdReused)),
            Found::Repeated { subject } => {
                let (_, id) = subject.split_once('/').unwrap_or_default();
                let row = by_id(transaction, kind.name, id).await?;
                let row = row.ok_or(StoreError::Corrupt {
                    column: "request_keys.subject",
                })?;
                return Ok(Decision::Rollback(RecordCreation::Repeated(Box::new(row))));
            }
        }
        if by_id(transaction, kind.name, id).await?.is_some() {
            return Ok(Decision::Rollback(RecordCreation::Exists));
        }
        let position = if kind.is_post() {
            posts::position_at(*now)
        } else {
            let (count,): (i64,) = transaction.fetch_one(COUNT, values![]).await?;
            if count >= RECORDS_MAX {
                return Ok(Decision::Rollback(RecordCreation::Full));
            }
            next_position(transaction, kind).await?
        };
        let mut script = Script::new();
        script.push(insert(
            kind, id, position, "draft", body, author, *now, etag,
        ));
        script.push(version(kind.name, id, 1, body, author, *now));
        script.push(requests::insert(&self.request, &name(kind, id), *now));
        transaction.run(script).await?;
        let entry = entry(author, "record.created", kind, id, "1");
        audit::append(transaction, &self.keys, &entry, *now).await?;
        let row = written(transaction, kind, id).await?;
        Ok(Decision::Commit(RecordCreation::Created(Box::new(row))))
    }
}

async fn next_position(transaction: &mut Transaction<'_>, kind: &Kind) -> Result<i64, StoreError> {
    let (first, last): (i64, i64) = transaction
        .fetch_one(FIRST_AND_LAST, values![kind.name])
        .await?;
    Ok(if kind.newest_first {
        first - 1
    } else {
        last + 1
    })
}

pub(in crate::store) struct Save {
    pub(super) target: Target,
    pub(super) body: Body,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Save {
    type Outcome = RecordOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordOutcome>, StoreError> {
        let row = match current(transaction, &self.target).await? {
            Ok(row) => row,
            Err(outcome) => return Ok(Decision::Rollback(outcome)),
        };
        let latest = body_of(transaction, &row, row.version).await?;
        if latest.as_ref() == Some(&self.body) {
            return Ok(Decision::Rollback(RecordOutcome::Done(Box::new(row))));
        }
        save(transaction, &self.target, &row, &self.body, &self.keys).await?;
        done(transaction, &self.target).await
    }
}

pub(in crate::store) struct Edit {
    pub(super) kind: &'static Kind,
    pub(super) id: String,
    pub(super) author: Author,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Edit {
    type Outcome = Option<String>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Option<String>>, StoreError> {
        let Some(row) = by_id(transaction, self.kind.name, &self.id).await? else {
            return Ok(Decision::Rollback(None));
        };
        let is_taken = row.edited_until.is_some_and(|until| until > self.now);
        if is_taken && row.editor != self.author.subject {
            return Ok(Decision::Rollback(Some(row.editor_name)));
        }
        let Author { subject, name } = &self.author;
        let until = self.now + EDITING;
        let values = values![self.kind.name, &self.id, subject, name, until];
        transaction.execute(EDIT, values).await?;
        Ok(Decision::Commit(None))
    }
}

/// Notes in the audit log who made a link to a draft.
pub(in crate::store) struct NotePreview {
    pub(super) kind: &'static Kind,
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) author: Author,
    pub(super) now: DateTime<Utc>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for NotePreview {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let version = self.version.to_string();
        let entry = entry(
            &self.author,
            "record.previewed",
            self.kind,
            &self.id,
            &version,
        );
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(()))
    }
}

/// Stores a version after the latest one.
pub(super) async fn save(
    transaction: &mut Transaction<'_>,
    target: &Target,
    row: &RecordRow,
    body: &Body,
    keys: &Keys,
) -> Result<(), StoreError> {
    let Target {
        kind,
        id,
        author,
        now,
        ..
    } = target;
    let mut script = Script::new();
    let next = push_version(&mut script, target, row, body);
    transaction.run(script).await?;
    let entry = entry(author, "record.saved", kind, id, &next.to_string());
    audit::append(transaction, keys, &entry, *now).await
}

/// Stores a version after the latest one. Returns its number.
pub(super) fn push_version(
    script: &mut Script,
    target: &Target,
    row: &RecordRow,
    body: &Body,
) -> i64 {
    let Target {
        kind,
        id,
        author,
        now,
        next_etag,
        ..
    } = target;
    let next = row.version + 1;
    let title = kind.title_of(body);
    let values = values![
        kind.name,
        id,
        next,
        title,
        &author.subject,
        &author.name,
        *now,
        next_etag
    ];
    script.push(Statement::new(SAVE, values));
    script.push(version(kind.name, id, next, body, author, *now));
    next
}

/// Locks out other writers until the commit. Returns the record if it is as the caller read it.
pub(super) async fn current(
    transaction: &mut Transaction<'_>,
    target: &Target,
) -> Result<Result<RecordRow, RecordOutcome>, StoreError> {
    let _: (i64,) = transaction.fetch_one(LOCK, values![]).await?;
    if target.kind.is_post() {
        posts::adopt(transaction, &target.id, target.now).await?;
    }
    let row = by_id(transaction, target.kind.name, &target.id).await?;
    Ok(match row {
        None => Err(RecordOutcome::Absent),
        Some(row) if row.etag != target.etag => Err(RecordOutcome::EtagMismatch),
        Some(row) => Ok(row),
    })
}

pub(super) async fn done(
    transaction: &mut Transaction<'_>,
    target: &Target,
) -> Result<Decision<RecordOutcome>, StoreError> {
    let row = written(transaction, target.kind, &target.id).await?;
    Ok(Decision::Commit(RecordOutcome::Done(Box::new(row))))
}

pub(super) async fn by_id(
    transaction: &mut Transaction<'_>,
    kind: &str,
    id: &str,
) -> Result<Option<RecordRow>, StoreError> {
    transaction.fetch_optional(BY_ID, values![kind, id]).await
}

pub(super) async fn written(
    transaction: &mut Transaction<'_>,
    kind: &Kind,
    id: &str,
) -> Result<RecordRow, StoreError> {
    transaction.fetch_one(BY_ID, values![kind.name, id]).await
}

pub(super) async fn body_of(
    transaction: &mut Transaction<'_>,
    row: &RecordRow,
    version: i64,
) -> Result<Option<Body>, StoreError> {
    let values = values![&row.kind, &row.id, version];
    let found: Option<(String,)> = transaction.fetch_optional(BODY, values).await?;
    found.map(|(body,)| parse_body(&body)).transpose()
}

#[expect(clippy::too_many_arguments, reason = "the columns of a row")]
pub(super) fn insert(
    kind: &Kind,
    id: &str,
    position: i64,
    state: &str,
    body: &Body,
    author: &Author,
    now: DateTime<Utc>,
    etag: &str,
) -> Statement {
    let is_live = state == "live";
    let path = if is_live {
        kind.path_of(body)
    } else {
        String::new()
    };
    let values = values![
        kind.name,
        id,
        position,
        state,
        i64::from(is_live),
        kind.title_of(body),
        path,
        &author.subject,
        &author.name,
        now,
        etag
    ];
    Statement::new(INSERT, values)
}

pub(super) fn version(
    kind: &str,
    id: &str,
    version: i64,
    body: &Body,
    author: &Author,
    now: DateTime<Utc>,
) -> Statement {
    let body = serde_json::Value::Object(body.clone()).to_string();
    let values = values![kind, id, version, body, &author.subject, &author.name, now];
    Statement::new(INSERT_VERSION, values)
}

pub(super) fn name(kind: &Kind, id: &str) -> String {
    format!("{}/{id}", kind.name)
}

pub(super) fn entry(
    author: &Author,
    action: &'static str,
    kind: &Kind,
    id: &str,
    detail: &str,
) -> audit::Entry {
    let actor = if author.subject.is_empty() {
        "schedule"
    } else {
        &author.subject
    };
    audit::Entry {
        actor: actor.to_owned(),
        action,
        subject: name(kind, id),
        detail: detail.to_owned(),
    }
}
