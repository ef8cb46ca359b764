//! Units of work on blog posts. A unit that changes a post first increments the sequence, which locks out other
//! writers. Data that it reads afterwards cannot change before it commits.

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    row,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{
    records::{
        Author,
        posts::{self, Followed},
        publish::publication,
    },
    rows::{self, BlogRow, Change},
    statements::{self, CHANGES_KEPT},
};
use crate::{
    domain::blog::{NewBlog, Replacement},
    html,
};

/// Kind of the request keys of creates, by which retries are recognised.
pub const CREATE: &str = "blogs.create";

row! {
    /// A loaded version of the content.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Revision {
        /// Hash of the content files.
        pub revision: String,
        pub load_time: DateTime<Utc>,
    }
}

impl Revision {
    /// Creates a revision. The time is truncated to microseconds, the precision of both databases.
    pub fn new(revision: impl Into<String>, now: DateTime<Utc>) -> Self {
        Self {
            revision: revision.into(),
            load_time: now.trunc_subsecs(6),
        }
    }
}

/// Outcome of a create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// Created now.
    Created(Box<BlogRow>),
    /// An idempotent replay: the current state of the post created by an earlier call with the same request id and
    /// body.
    Repeated(Box<BlogRow>),
    /// Like [`Self::Repeated`], but the post was deleted since.
    RepeatedDeleted,
    /// The request id belongs to a create with another body.
    RequestIdReused,
}

/// Outcome of an update (`T` is the row) or of a delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome<T> {
    Done(T),
    Absent,
    /// The precondition names another version.
    EtagMismatch,
}

pub(super) struct Record {
    pub(super) revision: Revision,
}

#[async_trait]
impl UnitOfWork for Record {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let Revision {
            revision,
            load_time,
        } = &self.revision;
        let values = values![revision, *load_time];
        transaction
            .execute(statements::RECORD_REVISION, values)
            .await?;
        Ok(Decision::Commit(()))
    }
}

pub(super) struct Seed {
    pub(super) seeds: Vec<NewBlog>,
}

#[async_trait]
impl UnitOfWork for Seed {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        let begun: Option<(i64,)> = transaction
            .fetch_optional(statements::BEGIN_SEEDING, values![])
            .await?;
        let Some((seq,)) = begun else {
            return Ok(Decision::Rollback(false));
        };
        let (is_empty,): (bool,) = transaction
            .fetch_one(statements::IS_EMPTY, values![])
            .await?;
        if is_empty {
            for new in &self.seeds {
                let values = rows::insert_values(new)?;
                transaction.execute(statements::INSERT, values).await?;
            }
        }
        let everything = Change {
            seq,
            blog_id: String::new(),
            slug_before: String::new(),
            slug_after: String::new(),
        };
        transaction.run(note(&everything)).await?;
        Ok(Decision::Commit(is_empty))
    }
}

pub(super) struct Create {
    pub(super) new: NewBlog,
    pub(super) request: RequestKey,
    pub(super) author: Author,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = CreateOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<CreateOutcome>, StoreError> {
        let new = &self.new;
        let now = new.create_time;
        let seq = next_sequence(transaction).await?;
        match requests::find(transaction, &self.request, now).await? {
            Found::New => {}
            Found::Reused => return Ok(Decision::Rollback(CreateOutcome::RequestIdReused)),
            Found::Repeated { subject } => {
                let row = by_id(transaction, &subject).await?;
                let repeated = row.map_or(CreateOutcome::RepeatedDeleted, |row| {
                    CreateOutcome::Repeated(Box::new(row))
                });
                return Ok(Decision::Rollback(repeated));
            }
        }
        let values = rows::insert_values(new)?;
        transaction.execute(statements::INSERT, values).await?;
        let row = written(transaction, &new.id).await?;
        let change = Change {
            seq,
            blog_id: new.id.clone(),
            slug_before: String::new(),
            slug_after: row.slug_key.clone(),
        };
        let followed = posts::follow(transaction, &row, &self.author, (now, now)).await?;
        let mut script = note(&change);
        script.push(published(&followed, seq));
        script.push(requests::insert(&self.request, &new.id, now));
        transaction.run(script).await?;
        let entry = entry(&self.author, "blog.created", &new.id, &row.etag);
        audit::append(transaction, &self.keys, &entry, now).await?;
        Ok(Decision::Commit(CreateOutcome::Created(Box::new(row))))
    }
}

pub(super) struct Update {
    pub(super) replacement: Replacement,
    pub(super) author: Author,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Update {
    type Outcome = WriteOutcome<Box<BlogRow>>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let replacement = &self.replacement;
        let now = replacement.update_time;
        let seq = next_sequence(transaction).await?;
        posts::adopt(transaction, &replacement.id, now).await?;
        let Some(slug_before) = slug_of(transaction, &replacement.id).await? else {
            return Ok(Decision::Rollback(WriteOutcome::Absent));
        };
        let values = rows::update_values(replacement)?;
        if transaction.execute(statements::UPDATE, values).await? == 0 {
            return Ok(Decision::Rollback(WriteOutcome::EtagMismatch));
        }
        let row = written(transaction, &replacement.id).await?;
        let change = Change {
            seq,
            blog_id: row.id.clone(),
            slug_before,
            slug_after: row.slug_key.clone(),
        };
        let followed = posts::follow(transaction, &row, &self.author, (now, now)).await?;
        let mut script = note(&change);
        script.push(published(&followed, seq));
        transaction.run(script).await?;
        let entry = entry(&self.author, "blog.updated", &row.id, &row.etag);
        audit::append(transaction, &self.keys, &entry, now).await?;
        Ok(Decision::Commit(WriteOutcome::Done(Box::new(row))))
    }
}

pub(super) struct Delete {
    pub(super) id: String,
    pub(super) precondition: Option<String>,
    pub(super) author: Author,
    pub(super) now: DateTime<Utc>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Delete {
    type Outcome = WriteOutcome<()>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let seq = next_sequence(transaction).await?;
        posts::adopt(transaction, &self.id, self.now).await?;
        let Some(slug_before) = slug_of(transaction, &self.id).await? else {
            return Ok(Decision::Rollback(WriteOutcome::Absent));
        };
        let precondition = self.precondition.as_deref().unwrap_or_default();
        let values = values![&self.id, precondition];
        if transaction.execute(statements::DELETE, values).await? == 0 {
            return Ok(Decision::Rollback(WriteOutcome::EtagMismatch));
        }
        let change = Change {
            seq,
            blog_id: self.id.clone(),
            slug_before,
            slug_after: String::new(),
        };
        let mut script = note(&change);
        let times = (self.now, seq);
        if let Some(followed) =
            posts::follow_deletion(transaction, &self.id, &self.author, times).await?
        {
            script.push(published(&followed, seq));
        }
        transaction.run(script).await?;
        let entry = entry(&self.author, "blog.deleted", &self.id, precondition);
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(WriteOutcome::Done(())))
    }
}

pub(super) struct KeepHtml {
    pub(super) id: String,
    pub(super) etag: String,
    pub(super) html: String,
}

#[async_trait]
impl UnitOfWork for KeepHtml {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let html_of = html::made_of(&self.etag);
        let values = values![&self.id, &self.etag, &self.html, html_of];
        transaction.execute(statements::KEEP_HTML, values).await?;
        Ok(Decision::Commit(()))
    }
}

/// Builds an audit entry. `detail` is the etag of the written version or, for a delete, the etag of the precondition.
fn entry(author: &Author, action: &'static str, id: &str, etag: &str) -> audit::Entry {
    audit::Entry {
        actor: author.subject.clone(),
        action,
        subject: id.to_owned(),
        detail: etag.to_owned(),
    }
}

/// Returns the entry of the list of changes.
fn published(followed: &Followed, seq: i64) -> Statement {
    let after = (
        followed.version,
        followed.title.as_str(),
        followed.path.as_str(),
    );
    publication(&followed.target, &followed.before, seq, after)
}

async fn by_id(transaction: &mut Transaction<'_>, id: &str) -> Result<Option<BlogRow>, StoreError> {
    transaction
        .fetch_optional(statements::BY_ID, values![id])
        .await
}

/// Returns the post after the write.
async fn written(transaction: &mut Transaction<'_>, id: &str) -> Result<BlogRow, StoreError> {
    transaction.fetch_one(statements::BY_ID, values![id]).await
}

async fn slug_of(
    transaction: &mut Transaction<'_>,
    id: &str,
) -> Result<Option<String>, StoreError> {
    let slug: Option<(String,)> = transaction
        .fetch_optional(statements::SLUG_OF, values![id])
        .await?;
    Ok(slug.map(|(slug,)| slug))
}

pub(super) async fn next_sequence(transaction: &mut Transaction<'_>) -> Result<i64, StoreError> {
    let next: (i64,) = transaction
        .fetch_one(statements::NEXT_SEQUENCE, values![])
        .await?;
    Ok(next.0)
}

/// Appends a change to the log that other processes follow, and prunes the log.
pub(super) fn note(change: &Change) -> Script {
    let values = values![
        change.seq,
        &change.blog_id,
        &change.slug_before,
        &change.slug_after
    ];
    let mut script = Script::new();
    script.push(Statement::new(statements::INSERT_CHANGE, values));
    let oldest = values![change.seq - CHANGES_KEPT];
    script.push(Statement::new(statements::FORGET_CHANGES, oldest));
    script
}
