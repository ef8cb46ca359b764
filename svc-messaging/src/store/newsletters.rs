//! Newsletter issues and their mails.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::language::Language;
use store_kit::{
    audit,
    creation::{self, Creation, New},
    database::Database,
    error::StoreError,
    keys::Keys,
    requests::RequestKey,
    row,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Position, Store,
    inbox::end_of_times,
    keyed::{SUBSCRIPTIONS, derived},
};
use crate::{
    domain::{
        Personal,
        newsletter::{ISSUE_WITHIN, Issue, Newsletter, Outcomes},
    },
    mail::{self, Address, Cause, NewMail, content::Content},
    newsletter::Links,
};

/// Kind of the request keys of issues.
pub const CREATE_NEWSLETTER: &str = "newsletters.create";
/// Lock of the progress of newsletters.
pub(super) const FAN_OUT: &str = "newsletters.fan_out";
/// Maximum mails created per transaction.
const BATCH: i64 = 50;

/// Selects newsletters with the outcomes of their mails, for as long as those are kept.
macro_rules! select_newsletters {
    ($rest:literal) => {
        concat!(
            "SELECT n.id, n.subject, n.text, n.mails, n.create_time, n.complete_time, n.stop_time, n.unsubscribes, \
             (SELECT count(*) FROM mails WHERE newsletter_id = n.id AND state = 'waiting') AS waiting, \
             (SELECT count(*) FROM mails WHERE newsletter_id = n.id AND state = 'sent') AS sent, \
             (SELECT count(*) FROM mails WHERE newsletter_id = n.id AND state IN ('failed', 'expired')) AS failed, \
             (SELECT count(*) FROM mails WHERE newsletter_id = n.id AND state = 'suppressed') AS withheld \
             FROM newsletters n ",
            $rest
        )
    };
}

const SELECT: &str = select_newsletters!("WHERE n.id = $1");

row! {
    struct NewsletterRow {
        id: Uuid,
        subject: String,
        text: String,
        mails: i64,
        create_time: DateTime<Utc>,
        complete_time: Option<DateTime<Utc>>,
        stop_time: Option<DateTime<Utc>>,
        unsubscribes: i64,
        waiting: i64,
        sent: i64,
        failed: i64,
        withheld: i64,
    }
}

impl From<NewsletterRow> for Newsletter {
    fn from(row: NewsletterRow) -> Self {
        Self {
            id: row.id,
            issue: Issue {
                subject: row.subject,
                text: row.text,
            },
            mails: row.mails,
            create_time: row.create_time,
            complete_time: row.complete_time,
            stop_time: row.stop_time,
            unsubscribes: row.unsubscribes,
            outcomes: Outcomes {
                waiting: row.waiting,
                sent: row.sent,
                failed: row.failed,
                withheld: row.withheld,
            },
        }
    }
}

/// Returns the content of an issue; `None` if the id is unknown or sending was stopped.
///
/// # Errors
/// When the database fails.
pub async fn issue(database: &Database, id: Uuid) -> Result<Option<Issue>, StoreError> {
    const ISSUE: &str = "SELECT subject, text FROM newsletters WHERE id = $1 AND stop_time IS NULL";
    let row: Option<(String, String)> = database
        .fetch_optional("SELECT newsletters", ISSUE, values![id])
        .await?;
    Ok(row.map(|(subject, text)| Issue { subject, text }))
}

pub(super) async fn present(
    transaction: &mut Transaction<'_>,
    id: Uuid,
) -> Result<Option<Newsletter>, StoreError> {
    let row: Option<NewsletterRow> = transaction.fetch_optional(SELECT, values![id]).await?;
    Ok(row.map(Into::into))
}

/// Builds the insert of a newsletter without mails.
pub(super) fn insert(newsletter: &Newsletter) -> Statement {
    const INSERT: &str =
        "INSERT INTO newsletters (id, subject, text, create_time) VALUES ($1, $2, $3, $4)";
    let Newsletter {
        id,
        issue,
        create_time,
        ..
    } = newsletter;
    Statement::new(
        INSERT,
        values![*id, &issue.subject, &issue.text, *create_time],
    )
}

impl Store {
    /// Stores an issue once per request. [`Self::fan_out`] creates its mails.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_newsletter(
        &self,
        request: RequestKey,
        newsletter: Newsletter,
        actor: &str,
    ) -> Result<Creation<Newsletter>, StoreError> {
        let create = Create {
            keys: self.keys.clone(),
            request,
            newsletter,
            actor: actor.to_owned(),
        };
        self.database.write("INSERT newsletters", create).await
    }

    /// Returns an issue for staff. Writes an audit entry.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn newsletter(
        &self,
        id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Newsletter>, StoreError> {
        let row: Option<NewsletterRow> = self
            .database
            .fetch_optional("SELECT newsletters", SELECT, values![id])
            .await?;
        if row.is_some() {
            let entry = audit::Entry {
                actor: actor.to_owned(),
                action: "newsletter.read",
                subject: id.to_string(),
                detail: String::new(),
            };
            self.note(entry, now).await?;
        }
        Ok(row.map(Into::into))
    }

    /// Returns a page of newsletters, newest first, and whether more follow. Writes audit entries.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn newsletters(
        &self,
        after: Option<Position>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Newsletter>, bool), StoreError> {
        const LIST: &str = select_newsletters!(
            "WHERE (n.create_time, n.id) < ($1, $2) ORDER BY n.create_time DESC, n.id DESC LIMIT $3"
        );
        let (time, id) = after.unwrap_or_else(|| (end_of_times(now), Uuid::max()));
        let mut rows: Vec<NewsletterRow> = self
            .database
            .fetch_all("SELECT newsletters", LIST, values![time, id, size + 1])
            .await?;
        let more = rows.len() > size as usize;
        rows.truncate(size as usize);
        let ids = rows.iter().map(|row| row.id).collect();
        self.note_all(actor, "newsletter.list", ids, now).await?;
        Ok((rows.into_iter().map(Into::into).collect(), more))
    }

    /// Creates the next mails of the oldest incomplete issue; returns whether more may follow. Safe to interrupt,
    /// because mails and progress are written in one transaction.
    ///
    /// # Errors
    /// When the database fails, or an address cannot be decrypted.
    pub async fn fan_out(&self, links: &Links, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let fan_out = FanOut {
            keys: self.keys.clone(),
            links: links.clone(),
            now,
        };
        self.database.write("INSERT mails", fan_out).await
    }
}

struct Create {
    keys: Keys,
    request: RequestKey,
    newsletter: Newsletter,
    actor: String,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = Creation<Newsletter>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let newsletter = &self.newsletter;
        let insert = insert(newsletter);
        let new = New {
            request: &self.request,
            id: newsletter.id,
            subject: newsletter.clone(),
            script: [insert].into_iter().collect(),
            now: newsletter.create_time,
        };
        let created = creation::once(
            transaction,
            new,
            SELECT,
            |row: NewsletterRow| Ok(row.into()),
        )
        .await?;
        if matches!(created, Decision::Commit(_)) {
            let entry = audit::Entry {
                actor: self.actor.clone(),
                action: "newsletter.created",
                subject: newsletter.id.to_string(),
                detail: String::new(),
            };
            audit::append(transaction, &self.keys, &entry, newsletter.create_time).await?;
        }
        Ok(created)
    }
}

struct FanOut {
    keys: Keys,
    links: Links,
    now: DateTime<Utc>,
}

row! {
    struct Progress {
        id: Uuid,
        create_time: DateTime<Utc>,
        cursor: Option<Uuid>,
    }
}

row! {
    struct Subscriber {
        id: Uuid,
        key_id: String,
        email: Vec<u8>,
        language: String,
    }
}

#[async_trait]
impl UnitOfWork for FanOut {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        const OLDEST: &str = "\
SELECT id, create_time, cursor FROM newsletters WHERE complete_time IS NULL ORDER BY create_time, id LIMIT 1";
        // Addresses confirmed after an issue was created get the next issue.
        const SUBSCRIBERS: &str = "\
SELECT id, key_id, email, language FROM subscriptions WHERE state = 'confirmed' AND confirm_time <= $1 AND id > $2 ORDER BY id LIMIT $3";
        const ADVANCE: &str = "UPDATE newsletters SET cursor = $2, mails = mails + $3, complete_time = $4 WHERE id = $1";
        // Prevents two processes from reading the same position.
        transaction.lock(FAN_OUT).await?;
        let oldest: Option<Progress> = transaction.fetch_optional(OLDEST, values![]).await?;
        let Some(Progress {
            id,
            create_time,
            cursor,
        }) = oldest
        else {
            return Ok(Decision::Rollback(false));
        };
        let from = cursor.unwrap_or(Uuid::nil());
        let subscribers: Vec<Subscriber> = transaction
            .fetch_all(SUBSCRIBERS, values![create_time, from, BATCH])
            .await?;
        let count = i64::try_from(subscribers.len()).unwrap_or(BATCH);
        let last = subscribers.last().map(|subscriber| subscriber.id);
        let mut script = Script::new();
        for subscriber in subscribers {
            script.append(self.mail(id, subscriber)?);
        }
        let complete_time = (count < BATCH).then_some(self.now);
        let values = values![id, last.or(cursor), count, complete_time];
        script.push(Statement::new(ADVANCE, values));
        transaction.run(script).await?;
        Ok(Decision::Commit(true))
    }
}

impl FanOut {
    fn mail(&self, newsletter: Uuid, subscriber: Subscriber) -> Result<Script, StoreError> {
        let Subscriber {
            id,
            key_id,
            email,
            language,
        } = subscriber;
        let email = SUBSCRIPTIONS.open(&self.keys, &key_id, id, "email", &email)?;
        let name = [newsletter.as_bytes().as_slice(), id.as_bytes()].concat();
        let mail = NewMail {
            id: derived(&self.keys, "mail.newsletter", &name),
            message_id: derived(&self.keys, "outbox.newsletter", &name),
            subject_id: Some(id),
            to: Address {
                name: Personal::kept(String::new()),
                email: Personal::kept(email),
            },
            content: Content::Newsletter {
                newsletter,
                unsubscribe_url: self.links.unsubscribe(id),
            },
            language: Language::of(&language),
            cause: Cause::Own,
            expire_time: self.now + ISSUE_WITHIN,
        };
        mail::insert(&self.keys, &mail, self.now)
    }
}
