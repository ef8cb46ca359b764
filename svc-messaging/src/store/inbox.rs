//! Staff access to messages: listing, reading and changing the status.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store, cancelled,
    events::{self, Place},
    keyed::{email_digest, phone_digest},
    route,
    rows::{self, MessageRow, select_messages},
};
use crate::{
    domain::{
        Message, Name, Status,
        inbox::{Actor, NotSet},
        mailboxes::Mailboxes,
    },
    mail,
};

/// Filter and cursor of a listing.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    /// `None` for all except spam and quarantined.
    pub status: Option<Status>,
    /// Empty for both kinds.
    pub kind: String,
    /// Empty for all mailboxes.
    pub mailbox: String,
    /// Complete e-mail address and phone number; a message matches if either does.
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Subject of the person who has taken the messages. Empty for all.
    pub taken_by: String,
    /// Last message of the previous page.
    pub after: Option<(DateTime<Utc>, Uuid)>,
    pub size: u32,
}

/// Outcome of a status change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StatusOutcome {
    /// The message has the status, set now or earlier.
    Set(Box<Message>),
    Refused(NotSet),
    Unknown,
}

fn entry(actor: &str, action: &'static str, subject: String, detail: String) -> audit::Entry {
    audit::Entry {
        actor: actor.to_owned(),
        action,
        subject,
        detail,
    }
}

fn by_name(name: &Name) -> (&'static str, Vec<store_kit::sql::Value>) {
    match name {
        Name::Id(id) => (rows::BY_ID, values![*id]),
        Name::Reference(reference) => (rows::BY_REFERENCE, values![reference]),
    }
}

/// Builds the query of a page, newest first, with one row more than the page's size.
fn listing(
    keys: &Keys,
    filter: &ListFilter,
    now: DateTime<Utc>,
) -> (&'static str, Vec<store_kit::sql::Value>) {
    macro_rules! select_page {
        ($condition:literal) => {
            concat!(
                select_messages!(
                    "WHERE (create_time, id) < ($1, $2) AND ($3 = '' OR CASE WHEN people IS NULL THEN kind ELSE 'registration' END = $3) AND ($4 = '' OR mailbox = $4) AND ($6 = '' OR taken_by = $6) AND "
                ),
                $condition,
                " ORDER BY create_time DESC, id DESC LIMIT $5"
            )
        };
    }
    const OPEN: &str = select_page!("status IN ('new', 'taken', 'done')");
    const BY_STATUS: &str = select_page!("status = $7");
    const BY_PERSON: &str = select_page!(
        "(status = $7 OR ($7 = '' AND status IN ('new', 'taken', 'done'))) \
         AND id IN (SELECT id FROM messages WHERE email_digest = $8 UNION SELECT id FROM messages WHERE phone_digest = $9)"
    );
    let (time, id) = filter
        .after
        .unwrap_or_else(|| (end_of_times(now), Uuid::max()));
    let mut values = values![
        time,
        id,
        &filter.kind,
        &filter.mailbox,
        filter.size + 1,
        &filter.taken_by
    ];
    let status = filter.status.map(Status::as_str);
    let (email, phone) = (filter.email.as_deref(), filter.phone.as_deref());
    let sql = match (email.or(phone), status) {
        (Some(_), _) => {
            values.extend(values![
                status.unwrap_or_default(),
                email.map(|email| email_digest(keys, email)),
                phone.map(|phone| phone_digest(keys, phone))
            ]);
            BY_PERSON
        }
        (None, Some(status)) => {
            values.extend(values![status]);
            BY_STATUS
        }
        (None, None) => OPEN,
    };
    (sql, values)
}

impl Store {
    /// Returns a page of messages, newest first, and whether more follow. Writes an audit entry.
    ///
    /// # Errors
    /// When the database fails, or a message cannot be decrypted.
    pub async fn list(
        &self,
        filter: &ListFilter,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Message>, bool), StoreError> {
        let (sql, values) = listing(&self.keys, filter, now);
        let rows: Vec<MessageRow> = self
            .database
            .fetch_all("SELECT messages", sql, values)
            .await?;
        let mut page = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let size = filter.size as usize;
        let more = page.len() > size;
        page.truncate(size);
        let detail = format!("{} messages", page.len());
        self.note(entry(actor, "message.list", String::new(), detail), now)
            .await?;
        Ok((page, more))
    }

    /// Returns one message for staff. Writes an audit entry.
    ///
    /// # Errors
    /// As for [`Self::list`].
    pub async fn read(
        &self,
        name: &Name,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, StoreError> {
        let (sql, values) = by_name(name);
        let row: Option<MessageRow> = self
            .database
            .fetch_optional("SELECT messages", sql, values)
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let message = row.open(&self.keys)?;
        let subject = message.id.to_string();
        self.note(entry(actor, "message.read", subject, String::new()), now)
            .await?;
        Ok(Some(message))
    }

    /// Sets the status of a message that the caller read at `version`. A message that becomes new for the first time is
    /// forwarded to its mailbox and acknowledged.
    ///
    /// # Errors
    /// As for [`Self::list`].
    pub async fn set_status(
        &self,
        name: Name,
        status: Status,
        version: i64,
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<StatusOutcome, StoreError> {
        let set = SetStatus {
            keys: self.keys.clone(),
            mailboxes: Arc::clone(&self.mailboxes),
            name,
            status,
            version,
            actor,
            now,
        };
        self.database.write("UPDATE messages", set).await
    }

    /// Deletes a message that the caller read at `version`, and the mails about it. `reason` is a word without personal
    /// data.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_message(
        &self,
        name: Name,
        version: i64,
        reason: &'static str,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Deleted, StoreError> {
        let delete = Delete {
            keys: self.keys.clone(),
            name,
            version,
            reason,
            actor: actor.to_owned(),
            now,
        };
        self.database.write("DELETE messages", delete).await
    }
}

/// Outcome of a deletion.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Deleted {
    Done,
    /// The message has changed since the caller read it.
    Changed,
    Unknown,
}

struct Delete {
    keys: Keys,
    name: Name,
    version: i64,
    reason: &'static str,
    actor: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Delete {
    type Outcome = Deleted;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Deleted>, StoreError> {
        const DELETE: &str = "DELETE FROM messages WHERE id = $1 AND version = $2";
        let (sql, values) = by_name(&self.name);
        let row: Option<MessageRow> = transaction.fetch_optional(sql, values).await?;
        let Some(MessageRow { id, .. }) = row else {
            return Ok(Decision::Rollback(Deleted::Unknown));
        };
        let rows = transaction
            .execute(DELETE, values![id, self.version])
            .await?;
        if rows == 0 {
            return Ok(Decision::Rollback(Deleted::Changed));
        }
        mail::forget_subjects(transaction, &[id]).await?;
        let script = outbox::forget(&id.to_string()).into_iter().collect();
        transaction.run(script).await?;
        let detail = self.reason.to_owned();
        let entry = entry(&self.actor, "message.deleted", id.to_string(), detail);
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(Deleted::Done))
    }
}

struct SetStatus {
    keys: Keys,
    mailboxes: Arc<Mailboxes>,
    name: Name,
    status: Status,
    version: i64,
    actor: Actor,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for SetStatus {
    type Outcome = StatusOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<StatusOutcome>, StoreError> {
        let (sql, values) = by_name(&self.name);
        let row: Option<MessageRow> = transaction.fetch_optional(sql, values).await?;
        let Some(row) = row else {
            return Ok(Decision::Rollback(StatusOutcome::Unknown));
        };
        let mut message = row.open(&self.keys)?;
        let before = message.handling.clone();
        let handling = match before.set(self.status, self.version, &self.actor, self.now) {
            Err(refused) => return Ok(Decision::Rollback(StatusOutcome::Refused(refused))),
            Ok(handling) => handling,
        };
        if let Some(handling) = handling {
            let is_routed = before.route_time.is_none() && handling.route_time.is_some();
            let is_released = matches!(before.status, Status::Spam | Status::Quarantined)
                && self.status == Status::New;
            let place = if is_released {
                events::release(transaction, &message, self.now).await?
            } else {
                Place::Uncounted
            };
            if let Place::Refused(_) = place {
                return Ok(Decision::Rollback(StatusOutcome::Refused(NotSet::NoPlace)));
            }
            let (sql, values) = rows::update(message.id, before.version, &handling);
            if transaction.execute(sql, values).await? == 0 {
                return Ok(Decision::Rollback(StatusOutcome::Refused(NotSet::Changed)));
            }
            message.handling = handling;
            if is_routed {
                let registered = match place {
                    Place::Taken(_, registered) => Some(registered),
                    Place::Uncounted | Place::Refused(_) => None,
                };
                let is_counted = registered.is_some();
                let mut mails =
                    route::mails(&self.keys, &self.mailboxes, &message, is_counted, self.now)?;
                if let Some(registered) = registered {
                    let (id, now) = (message.id, self.now);
                    mails.append(cancelled::confirmation(&self.keys, &registered, id, now)?);
                }
                transaction.run(mails).await?;
            }
        }
        let detail = format!("{} to {}", before.status.as_str(), self.status.as_str());
        let entry = entry(
            &self.actor.subject,
            "message.status",
            message.id.to_string(),
            detail,
        );
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(StatusOutcome::Set(Box::new(message))))
    }
}

pub(super) fn end_of_times(now: DateTime<Utc>) -> DateTime<Utc> {
    let day = NaiveDate::from_ymd_opt(9999, 1, 1).and_then(|day| day.and_hms_opt(0, 0, 0));
    day.map_or(now, |moment| moment.and_utc())
}
