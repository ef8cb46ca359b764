//! Drafts of newsletters. Sending turns a draft into the newsletter of the same id.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    creation::{self, Creation, New},
    error::StoreError,
    keys::Keys,
    requests::RequestKey,
    row,
    sql::{Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Position, Store, inbox::end_of_times, newsletters};
use crate::domain::newsletter::{DRAFTS_MAX, Draft, Issue, Newsletter};

/// Kind of the request keys of drafts.
pub const CREATE_DRAFT: &str = "newsletter_drafts.create";

macro_rules! select_drafts {
    ($rest:literal) => {
        concat!(
            "SELECT id, subject, text, version, create_time, update_time FROM newsletter_drafts ",
            $rest
        )
    };
}

const SELECT: &str = select_drafts!("WHERE id = $1");

row! {
    struct DraftRow {
        id: Uuid,
        subject: String,
        text: String,
        version: i64,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
    }
}

impl From<DraftRow> for Draft {
    fn from(row: DraftRow) -> Self {
        Self {
            id: row.id,
            issue: Issue {
                subject: row.subject,
                text: row.text,
            },
            version: row.version,
            create_time: row.create_time,
            update_time: row.update_time,
        }
    }
}

/// Outcome of a change of a draft that the caller read at a version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DraftOutcome<T> {
    Done(T),
    /// The draft has changed since the caller read it.
    Changed,
    /// Never existed, deleted, or sent.
    Unknown,
}

impl Store {
    /// Stores a draft once per request. `None` if there are [`DRAFTS_MAX`] drafts.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_draft(
        &self,
        request: RequestKey,
        draft: Draft,
        actor: &str,
    ) -> Result<Option<Creation<Draft>>, StoreError> {
        let create = Create {
            keys: self.keys.clone(),
            request,
            draft,
            actor: actor.to_owned(),
        };
        self.database
            .write("INSERT newsletter_drafts", create)
            .await
    }

    /// Returns a page of drafts, newest first, and whether more follow. Writes audit entries.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn drafts(
        &self,
        after: Option<Position>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Draft>, bool), StoreError> {
        const LIST: &str = select_drafts!(
            "WHERE (create_time, id) < ($1, $2) ORDER BY create_time DESC, id DESC LIMIT $3"
        );
        let (time, id) = after.unwrap_or_else(|| (end_of_times(now), Uuid::max()));
        let mut rows: Vec<DraftRow> = self
            .database
            .fetch_all(
                "SELECT newsletter_drafts",
                LIST,
                values![time, id, size + 1],
            )
            .await?;
        let more = rows.len() > size as usize;
        rows.truncate(size as usize);
        let ids = rows.iter().map(|row| row.id).collect();
        self.note_all(actor, "draft.list", ids, now).await?;
        Ok((rows.into_iter().map(Into::into).collect(), more))
    }

    /// Returns a draft, and the number of confirmed subscribers. Writes an audit entry.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn draft(
        &self,
        id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<(Draft, i64)>, StoreError> {
        const SUBSCRIBERS: &str = "SELECT count(*) FROM subscriptions WHERE state = 'confirmed'";
        let row: Option<DraftRow> = self
            .database
            .fetch_optional("SELECT newsletter_drafts", SELECT, values![id])
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let (subscribers,): (i64,) = self
            .database
            .fetch_one("SELECT subscriptions", SUBSCRIBERS, values![])
            .await?;
        self.note(entry(actor, "draft.read", id), now).await?;
        Ok(Some((row.into(), subscribers)))
    }

    /// Replaces the content of a draft that the caller read at `version`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_draft(
        &self,
        id: Uuid,
        issue: Issue,
        version: i64,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<DraftOutcome<Draft>, StoreError> {
        let update = Update {
            change: self.change(id, version, actor, now),
            issue,
        };
        self.database
            .write("UPDATE newsletter_drafts", update)
            .await
    }

    /// Deletes a draft that the caller read at `version`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_draft(
        &self,
        id: Uuid,
        version: i64,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<DraftOutcome<()>, StoreError> {
        let delete = Delete(self.change(id, version, actor, now));
        self.database
            .write("DELETE newsletter_drafts", delete)
            .await
    }

    /// Turns a draft that the caller read at `version` into the newsletter of the same id, whose mails
    /// [`Self::fan_out`] creates. Returns the newsletter of an earlier attempt too.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_draft(
        &self,
        id: Uuid,
        version: i64,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<DraftOutcome<Newsletter>, StoreError> {
        let send = Send(self.change(id, version, actor, now));
        self.database.write("INSERT newsletters", send).await
    }

    pub(super) fn change(&self, id: Uuid, version: i64, actor: &str, now: DateTime<Utc>) -> Change {
        Change {
            keys: self.keys.clone(),
            id,
            version,
            actor: actor.to_owned(),
            now,
        }
    }
}

fn entry(actor: &str, action: &'static str, id: Uuid) -> audit::Entry {
    audit::Entry {
        actor: actor.to_owned(),
        action,
        subject: id.to_string(),
        detail: String::new(),
    }
}

struct Create {
    keys: Keys,
    request: RequestKey,
    draft: Draft,
    actor: String,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = Option<Creation<Draft>>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        const COUNT: &str = "SELECT count(*) FROM newsletter_drafts";
        const INSERT: &str = "\
INSERT INTO newsletter_drafts (id, subject, text, version, create_time, update_time) VALUES ($1, $2, $3, $4, $5, $6)";
        let Draft {
            id,
            issue,
            version,
            create_time,
            update_time,
        } = &self.draft;
        let insert = Statement::new(
            INSERT,
            values![
                *id,
                &issue.subject,
                &issue.text,
                *version,
                *create_time,
                *update_time
            ],
        );
        let new = New {
            request: &self.request,
            id: *id,
            subject: self.draft.clone(),
            script: [insert].into_iter().collect(),
            now: *create_time,
        };
        // Serialises the count with the creation of other drafts.
        transaction.lock("newsletter_drafts.create").await?;
        let (drafts,): (i64,) = transaction.fetch_one(COUNT, values![]).await?;
        let created =
            creation::once(transaction, new, SELECT, |row: DraftRow| Ok(row.into())).await?;
        match created {
            Decision::Commit(_) if drafts >= DRAFTS_MAX => Ok(Decision::Rollback(None)),
            Decision::Commit(created) => {
                let entry = entry(&self.actor, "draft.created", *id);
                audit::append(transaction, &self.keys, &entry, *create_time).await?;
                Ok(Decision::Commit(Some(created)))
            }
            Decision::Rollback(found) => Ok(Decision::Rollback(Some(found))),
        }
    }
}

/// A change of a draft that the caller read at a version.
pub(super) struct Change {
    pub(super) keys: Keys,
    pub(super) id: Uuid,
    pub(super) version: i64,
    pub(super) actor: String,
    pub(super) now: DateTime<Utc>,
}

impl Change {
    pub(super) async fn present(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Option<Draft>, StoreError> {
        let row: Option<DraftRow> = transaction.fetch_optional(SELECT, values![self.id]).await?;
        Ok(row.map(Into::into))
    }

    pub(super) async fn note(
        &self,
        transaction: &mut Transaction<'_>,
        action: &'static str,
    ) -> Result<(), StoreError> {
        let entry = entry(&self.actor, action, self.id);
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(())
    }

    /// Deletes the draft and returns it; `None` unless the version is current.
    async fn take(&self, transaction: &mut Transaction<'_>) -> Result<Option<Draft>, StoreError> {
        const DELETE: &str = "\
DELETE FROM newsletter_drafts WHERE id = $1 AND version = $2 RETURNING id, subject, text, version, create_time, update_time";
        let row: Option<DraftRow> = transaction
            .fetch_optional(DELETE, values![self.id, self.version])
            .await?;
        Ok(row.map(Into::into))
    }

    /// Returns why the draft could not be changed.
    async fn refusal<T>(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<DraftOutcome<T>, StoreError> {
        Ok(match self.present(transaction).await? {
            Some(_) => DraftOutcome::Changed,
            None => DraftOutcome::Unknown,
        })
    }
}

struct Update {
    change: Change,
    issue: Issue,
}

#[async_trait]
impl UnitOfWork for Update {
    type Outcome = DraftOutcome<Draft>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        const UPDATE: &str = "\
UPDATE newsletter_drafts SET subject = $3, text = $4, version = version + 1, update_time = $5 WHERE id = $1 AND version = $2 \
RETURNING id, subject, text, version, create_time, update_time";
        let change = &self.change;
        match change.present(transaction).await? {
            None => return Ok(Decision::Rollback(DraftOutcome::Unknown)),
            // A retry after a lost response succeeds.
            Some(draft) if draft.issue == self.issue => {
                return Ok(Decision::Rollback(DraftOutcome::Done(draft)));
            }
            Some(_) => {}
        }
        let values = values![
            change.id,
            change.version,
            &self.issue.subject,
            &self.issue.text,
            change.now
        ];
        let row: Option<DraftRow> = transaction.fetch_optional(UPDATE, values).await?;
        let Some(row) = row else {
            return Ok(Decision::Rollback(change.refusal(transaction).await?));
        };
        change.note(transaction, "draft.updated").await?;
        Ok(Decision::Commit(DraftOutcome::Done(row.into())))
    }
}

struct Delete(Change);

#[async_trait]
impl UnitOfWork for Delete {
    type Outcome = DraftOutcome<()>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let Self(change) = self;
        if change.take(transaction).await?.is_none() {
            return Ok(Decision::Rollback(change.refusal(transaction).await?));
        }
        change.note(transaction, "draft.deleted").await?;
        Ok(Decision::Commit(DraftOutcome::Done(())))
    }
}

struct Send(Change);

#[async_trait]
impl UnitOfWork for Send {
    type Outcome = DraftOutcome<Newsletter>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let Self(change) = self;
        // The lock keeps the draft from being sent twice at once: the second attempt finds the newsletter.
        transaction.lock("newsletter_drafts.send").await?;
        if let Some(sent) = newsletters::present(transaction, change.id).await? {
            return Ok(Decision::Rollback(DraftOutcome::Done(sent)));
        }
        let Some(draft) = change.take(transaction).await? else {
            return Ok(Decision::Rollback(change.refusal(transaction).await?));
        };
        let newsletter = Newsletter::new(draft.id, draft.issue, change.now);
        let script = [newsletters::insert(&newsletter)].into_iter().collect();
        transaction.run(script).await?;
        change.note(transaction, "newsletter.created").await?;
        Ok(Decision::Commit(DraftOutcome::Done(newsletter)))
    }
}
