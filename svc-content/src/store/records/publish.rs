//! Units of work that change what visitors read. Each locks out other writers, checks the content as it will be, and
//! increments the sequence, which other processes follow.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use tokio::runtime::Handle;

use super::{
    Check, LIVE, LiveRow, RecordOutcome, RecordRow, Target, live, posts,
    work::{INSERT_CHANGE, body_of, current, done, entry, name, save, written},
};
use crate::{
    blocking::off_the_runtime,
    domain::blog::Draft,
    records::{Body, Kind, Live, Problem},
    store::{
        statements,
        work::{self, next_sequence},
    },
};

pub(super) const SCHEDULE: &str = "\
UPDATE records SET publish_version = $3, publish_at = $4, unpublish_at = $5, schedule_problem = '', etag = $6 \
WHERE kind = $1 AND id = $2 AND lang = 'en'";
const GO_LIVE: &str = "\
UPDATE records SET state = 'live', live_version = $3, path = $4, publish_version = 0, publish_at = NULL, \
  unpublish_at = $5, schedule_problem = '', redirect = '', etag = $6 \
WHERE kind = $1 AND id = $2 AND lang = 'en'";
const ARCHIVE: &str = "\
UPDATE records SET state = 'archived', live_version = 0, publish_version = 0, publish_at = NULL, \
  unpublish_at = NULL, schedule_problem = '', redirect = $3, etag = $4 \
WHERE kind = $1 AND id = $2 AND lang = 'en'";
const ADD_PUBLICATION: &str = "\
INSERT INTO record_publications (seq, kind, id, title, path, version_before, version_after, author, author_name, created_at) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const REMEMBER_PATH: &str = "\
INSERT INTO record_paths (path, kind, id) VALUES ($1, $2, $3) \
ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, id = excluded.id";
const FORGET_PATH: &str = "DELETE FROM record_paths WHERE path = $1";

/// What is published, and when.
#[derive(Debug, Clone, Default)]
pub struct Publication {
    /// 0: the latest version.
    pub version: i64,
    /// Not given: now.
    pub publish_at: Option<DateTime<Utc>>,
    pub unpublish_at: Option<DateTime<Utc>>,
}

pub(in crate::store) struct Publish {
    pub(super) target: Target,
    pub(super) publication: Publication,
    pub(super) check: Check,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Publish {
    type Outcome = RecordOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordOutcome>, StoreError> {
        let Publication {
            version,
            publish_at,
            unpublish_at,
        } = self.publication;
        let row = match current(transaction, &self.target).await? {
            Ok(row) => row,
            Err(outcome) => return Ok(Decision::Rollback(outcome)),
        };
        let version = if version == 0 { row.version } else { version };
        let Some(body) = body_of(transaction, &row, version).await? else {
            return Ok(Decision::Rollback(RecordOutcome::NoVersion));
        };
        let target = &self.target;
        let at = publish_at.unwrap_or(target.now);
        let post = match check(transaction, target, Some(&body), &self.check, at).await? {
            Ok(post) => post,
            Err(broken) => return Ok(Decision::Rollback(broken)),
        };
        if let Some(at) = publish_at {
            let (kind, etag) = (target.kind.name, &target.next_etag);
            let values = values![kind, &target.id, version, at, unpublish_at, etag];
            transaction.execute(SCHEDULE, values).await?;
            let detail = format!("version {version} at {}", at.to_rfc3339());
            let entry = entry(
                &target.author,
                "record.scheduled",
                target.kind,
                &target.id,
                &detail,
            );
            audit::append(transaction, &self.keys, &entry, target.now).await?;
        } else {
            let live = GoLive {
                version,
                body: &body,
                post: post.as_deref(),
                unpublish_at,
            };
            live.run(transaction, target, &row, &self.keys).await?;
        }
        done(transaction, target).await
    }
}

pub(in crate::store) struct Archive {
    pub(super) target: Target,
    pub(super) redirect: String,
    pub(super) check: Check,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Archive {
    type Outcome = RecordOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordOutcome>, StoreError> {
        let target = &self.target;
        let row = match current(transaction, target).await? {
            Ok(row) => row,
            Err(outcome) => return Ok(Decision::Rollback(outcome)),
        };
        if let Err(broken) = check(transaction, target, None, &self.check, target.now).await? {
            return Ok(Decision::Rollback(broken));
        }
        let mut script = Script::new();
        push_archive(&mut script, target, &row, &self.redirect);
        if row.live_version > 0 {
            let seq = next_sequence(transaction).await?;
            let body = body_of(transaction, &row, row.live_version).await?;
            let others = body.map_or_else(Vec::new, |body| target.kind.other_paths_of(&body));
            for path in &others {
                let values = values![path, &row.kind, &row.id];
                script.push(Statement::new(REMEMBER_PATH, values));
            }
            script.push(publication(target, &row, seq, (0, &row.title, &row.path)));
            script.append(if target.kind.is_post() {
                work::note(&posts::remove(transaction, &target.id, seq).await?)
            } else {
                note(target, seq)
            });
        }
        transaction.run(script).await?;
        let entry = entry(
            &target.author,
            "record.archived",
            target.kind,
            &target.id,
            &self.redirect,
        );
        audit::append(transaction, &self.keys, &entry, target.now).await?;
        done(transaction, target).await
    }
}

pub(in crate::store) struct Revert {
    pub(super) target: Target,
    pub(super) version: i64,
    pub(super) check: Option<Check>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Revert {
    type Outcome = RecordOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordOutcome>, StoreError> {
        let target = &self.target;
        let mut row = match current(transaction, target).await? {
            Ok(row) => row,
            Err(outcome) => return Ok(Decision::Rollback(outcome)),
        };
        let Some(body) = body_of(transaction, &row, self.version).await? else {
            return Ok(Decision::Rollback(RecordOutcome::NoVersion));
        };
        if body_of(transaction, &row, row.version).await?.as_ref() != Some(&body) {
            save(transaction, target, &row, &body, &self.keys).await?;
            row = written(transaction, target.kind, &target.id).await?;
        }
        if let Some(own) = &self.check {
            let post = match check(transaction, target, Some(&body), own, target.now).await? {
                Ok(post) => post,
                Err(broken) => return Ok(Decision::Rollback(broken)),
            };
            let live = GoLive {
                version: row.version,
                body: &body,
                post: post.as_deref(),
                unpublish_at: None,
            };
            live.run(transaction, target, &row, &self.keys).await?;
        }
        done(transaction, target).await
    }
}

/// Publishes a version.
struct GoLive<'a> {
    version: i64,
    body: &'a Body,
    /// The body of a post, validated.
    post: Option<&'a Draft>,
    unpublish_at: Option<DateTime<Utc>>,
}

impl GoLive<'_> {
    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
        target: &Target,
        row: &RecordRow,
        keys: &Keys,
    ) -> Result<(), StoreError> {
        let Target { kind, id, .. } = target;
        let seq = next_sequence(transaction).await?;
        let (path, change) = if let Some(post) = self.post {
            let (path, change) = posts::put(transaction, target, post, seq).await?;
            (path, work::note(&change))
        } else {
            (kind.path_of(self.body), note(target, seq))
        };
        let mut script = Script::new();
        let live = LiveVersion {
            version: self.version,
            path: &path,
            unpublish_at: self.unpublish_at,
        };
        push_live(&mut script, target, row, &live);
        if row.live_version > 0 {
            let before = body_of(transaction, row, row.live_version).await?;
            let others = before.map_or_else(Vec::new, |before| kind.other_paths_of(&before));
            for former in others.iter().filter(|former| **former != path) {
                let values = values![former, kind.name, id];
                script.push(Statement::new(REMEMBER_PATH, values));
            }
        }
        for own in &kind.other_paths_of(self.body) {
            script.push(Statement::new(FORGET_PATH, values![own]));
        }
        let title = kind.title_of(self.body);
        script.push(publication(target, row, seq, (self.version, &title, &path)));
        script.append(change);
        transaction.run(script).await?;
        let detail = format!("version {} after {}", self.version, row.live_version);
        let entry = entry(&target.author, "record.published", kind, id, &detail);
        audit::append(transaction, keys, &entry, target.now).await
    }
}

/// A version that becomes the live one.
pub(super) struct LiveVersion<'a> {
    pub(super) version: i64,
    pub(super) path: &'a str,
    pub(super) unpublish_at: Option<DateTime<Utc>>,
}

pub(super) fn push_live(
    script: &mut Script,
    target: &Target,
    row: &RecordRow,
    live: &LiveVersion<'_>,
) {
    let Target {
        kind,
        id,
        next_etag,
        ..
    } = target;
    let &LiveVersion {
        version,
        path,
        unpublish_at,
    } = live;
    let values = values![kind.name, id, version, path, unpublish_at, next_etag];
    script.push(Statement::new(GO_LIVE, values));
    if !row.path.is_empty() && row.path != path && row.live_version > 0 {
        script.push(Statement::new(
            REMEMBER_PATH,
            values![&row.path, kind.name, id],
        ));
    }
    script.push(Statement::new(FORGET_PATH, values![path]));
}

pub(super) fn push_archive(script: &mut Script, target: &Target, row: &RecordRow, redirect: &str) {
    let (kind, id) = (target.kind.name, &target.id);
    let values = values![kind, id, redirect, &target.next_etag];
    script.push(Statement::new(ARCHIVE, values));
    if row.live_version > 0 && !row.path.is_empty() {
        let values = values![&row.path, kind, id];
        script.push(Statement::new(REMEMBER_PATH, values));
    }
}

/// Returns the entry of the list of changes. `after` is the version that visitors read after it (0: none), with its
/// title and page.
pub(in crate::store) fn publication(
    target: &Target,
    row: &RecordRow,
    seq: i64,
    after: (i64, &str, &str),
) -> Statement {
    let Target {
        kind,
        id,
        author,
        now,
        ..
    } = target;
    let (version, title, path) = after;
    let values = values![
        seq,
        kind.name,
        id,
        title,
        path,
        row.live_version,
        version,
        &author.subject,
        &author.name,
        *now
    ];
    Statement::new(ADD_PUBLICATION, values)
}

/// Appends a change of a record to the log that other processes follow, and prunes the log.
pub(super) fn note(target: &Target, seq: i64) -> Script {
    let mut script = Script::new();
    let name = name(target.kind, &target.id);
    script.push(Statement::new(INSERT_CHANGE, values![seq, name]));
    let oldest = values![seq - statements::CHANGES_KEPT];
    script.push(Statement::new(statements::FORGET_CHANGES, oldest));
    script
}

/// Checks the content with `body` as the target's live version from `at`, or without the target. Returns the body of a
/// post, validated: it is checked alone.
async fn check(
    transaction: &mut Transaction<'_>,
    target: &Target,
    body: Option<&Body>,
    check: &Check,
    at: DateTime<Utc>,
) -> Result<Result<Option<Box<Draft>>, RecordOutcome>, StoreError> {
    if target.kind.is_post() {
        let Some(body) = body else {
            return Ok(Ok(None));
        };
        if let Some(problem) = posts::taken(transaction, &target.id).await? {
            return Ok(Err(RecordOutcome::Broken(problem)));
        }
        let own = Live {
            kind: target.kind,
            id: target.id.clone(),
            body: body.clone(),
        };
        if let Err(problem) = checked(vec![own], check).await {
            return Ok(Err(RecordOutcome::Broken(problem)));
        }
        let post = posts::parsed(&target.id, body, at).await;
        return Ok(post
            .map(|post| Some(Box::new(post)))
            .map_err(RecordOutcome::Broken));
    }
    let mut live = live_records(transaction).await?;
    place(&mut live, target.kind, &target.id, body);
    Ok(checked(live, check)
        .await
        .map(|()| None)
        .map_err(RecordOutcome::Broken))
}

pub(super) async fn live_records(
    transaction: &mut Transaction<'_>,
) -> Result<Vec<Live>, StoreError> {
    let rows: Vec<LiveRow> = transaction.fetch_all(LIVE, values![]).await?;
    rows.into_iter().filter_map(live).collect()
}

/// Replaces or adds a record, or removes it without a body.
pub(super) fn place(live: &mut Vec<Live>, kind: &'static Kind, id: &str, body: Option<&Body>) {
    let own = |record: &Live| record.kind == kind && record.id == id;
    match (live.iter().position(own), body) {
        (Some(at), Some(body)) => body.clone_into(&mut live[at].body),
        (Some(at), None) => drop(live.remove(at)),
        (None, Some(body)) => {
            let (id, body) = (id.to_owned(), body.clone());
            let at = if kind.newest_first { 0 } else { live.len() };
            live.insert(at, Live { kind, id, body });
        }
        (None, None) => {}
    }
}

pub(super) async fn checked(live: Vec<Live>, check: &Check) -> Result<(), Problem> {
    // The writer of SQLite is a thread of its own.
    if Handle::try_current().is_err() {
        return check(&live);
    }
    let check = check.clone();
    off_the_runtime(move || check(&live)).await
}
