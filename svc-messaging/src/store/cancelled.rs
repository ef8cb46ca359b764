//! Mails about registrations: the confirmation, and the notice that an event is cancelled.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    events::Registered,
    keyed::derived,
    rows::{self, MessageRow},
};
use crate::{
    domain::Personal,
    mail::{
        self, Address, Cause, NewMail,
        content::{Content, Registration},
    },
    newsletter::registration_token,
};

/// Expiry of the confirmation; a later one would confuse.
const CONFIRM_WITHIN: TimeDelta = TimeDelta::days(3);
/// Maximum people notified per transaction.
const BATCH: i64 = 50;

/// Builds the confirmation of a place. `cause` is the message that led to it, so each message has one.
pub(super) fn confirmation(
    keys: &Keys,
    registered: &Registered,
    cause: Uuid,
    now: DateTime<Utc>,
) -> Result<Script, StoreError> {
    let Some(email) = &registered.email else {
        return Ok(Script::new());
    };
    let mail = NewMail {
        id: derived(keys, "mail.registration.confirmed", cause.as_bytes()),
        message_id: derived(keys, "outbox.registration.confirmed", cause.as_bytes()),
        subject_id: Some(registered.id),
        to: unnamed(email),
        content: Content::Registered(content(keys, registered)),
        language: registered.language,
        cause: Cause::Own,
        expire_time: (now + CONFIRM_WITHIN).min(registered.event.ends_at),
    };
    mail::insert(keys, &mail, now)
}

/// Returns an address without the name entered: a stranger can have a mail sent to any address.
fn unnamed(email: &str) -> Address {
    Address {
        name: Personal::kept(String::new()),
        email: Personal::kept(email.to_owned()),
    }
}

fn content(keys: &Keys, registered: &Registered) -> Registration {
    let event = &registered.event;
    Registration {
        event_id: event.id.clone(),
        title: event.title.clone(),
        location: event.location.clone(),
        starts_at: event.starts_at,
        people: registered.people,
        reference: registered.reference.clone(),
        cancelled: event.cancelled.clone(),
        token: registration_token(keys, registered.id),
    }
}

impl Store {
    /// Mails everyone who is registered for a cancelled event, once each and in batches. Safe to interrupt: the next
    /// run continues. Returns the number of people.
    ///
    /// # Errors
    /// When the database fails, or a message cannot be decrypted.
    pub async fn notify_cancelled(&self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut notified = 0;
        loop {
            let notify = Notify {
                keys: self.keys.clone(),
                now,
            };
            let some = self.database.write("INSERT mails", notify).await?;
            notified += some;
            if some < BATCH.unsigned_abs() {
                return Ok(notified);
            }
        }
    }
}

struct Notify {
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Notify {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const WAITING: &str = "\
SELECT r.id, r.people, r.event_id FROM event_registrations r JOIN events e ON e.id = r.event_id \
JOIN messages m ON m.id = r.id WHERE e.cancelled <> '' AND e.ends_at > $1 AND r.notice = '' \
AND m.status NOT IN ('spam', 'quarantined') ORDER BY r.id LIMIT $2";
        const NOTED: &str = "UPDATE event_registrations SET notice = $2 WHERE id = $1";
        let waiting: Vec<(Uuid, i32, String)> = transaction
            .fetch_all(WAITING, values![self.now, BATCH])
            .await?;
        for (id, people, event_id) in &waiting {
            let row: MessageRow = transaction.fetch_one(rows::BY_ID, values![*id]).await?;
            let message = row.open(&self.keys)?;
            let Some(event) = super::events::by_id(transaction, event_id).await? else {
                continue;
            };
            let mut script = Script::new();
            let notice = if let Some(email) = message.new.email() {
                let registered = super::events::registered(&message, event, *people);
                let ends_at = registered.event.ends_at;
                let mail = NewMail {
                    id: derived(&self.keys, "mail.event.cancelled", id.as_bytes()),
                    message_id: derived(&self.keys, "outbox.event.cancelled", id.as_bytes()),
                    subject_id: Some(*id),
                    to: unnamed(email),
                    content: Content::EventCancelled(content(&self.keys, &registered)),
                    language: registered.language,
                    cause: Cause::Staff,
                    expire_time: ends_at,
                };
                script.append(mail::insert(&self.keys, &mail, self.now)?);
                "mailed"
            } else {
                "no_address"
            };
            script.push(Statement::new(NOTED, values![*id, notice]));
            transaction.run(script).await?;
        }
        Ok(Decision::Commit(waiting.len() as u64))
    }
}
