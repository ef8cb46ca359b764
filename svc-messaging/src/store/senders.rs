//! Data subject requests: export and erasure of one person's data.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Script, Statement, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    keyed::{email_digest, phone_digest},
    rows::{MessageRow, select_messages},
    subscriptions::{self, Subscription},
};
use crate::{
    domain::Message,
    mail::{self, Recipient, Sent},
};

/// Maximum messages of one person read at once.
const MESSAGES_MAX: i64 = 1000;
/// Maximum mails of one person in an export.
const MAILS_MAX: usize = 1000;
/// Maximum messages deleted per script.
const CHUNK: usize = 50;

const BY_PERSON: &str = select_messages!(
    "WHERE id IN (SELECT id FROM messages WHERE email_digest = $1 UNION SELECT id FROM messages WHERE phone_digest = $2) \
     ORDER BY create_time DESC, id DESC LIMIT $3"
);

/// A person, identified by e-mail address, phone number or both.
#[derive(Clone, Debug)]
pub struct Whom {
    pub email: Option<String>,
    pub phone: Option<String>,
}

impl Whom {
    fn recipients(&self) -> impl Iterator<Item = Recipient<'_>> {
        let email = self.email.as_deref().map(Recipient::Email);
        let phone = self.phone.as_deref().map(Recipient::Phone);
        email.into_iter().chain(phone)
    }

    fn values(&self, keys: &Keys) -> Vec<Value> {
        let email = self.email.as_deref();
        let phone = self.phone.as_deref();
        values![
            email.map(|email| email_digest(keys, email)),
            phone.map(|phone| phone_digest(keys, phone)),
            MESSAGES_MAX
        ]
    }
}

/// Stored data of a person.
#[derive(Clone, Debug, Default)]
pub struct SenderRecords {
    pub messages: Vec<Message>,
    pub subscription: Option<Subscription>,
    pub mails: Vec<Sent>,
}

/// Numbers of deleted records.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Erased {
    pub messages: u64,
    pub mails: u64,
    pub subscriptions: u64,
}

impl Store {
    /// Returns the stored data of a person, at most 1000 messages and 1000 mails. Writes one audit entry.
    ///
    /// # Errors
    /// When the database fails, or a message cannot be decrypted.
    pub async fn export_sender(
        &self,
        whom: &Whom,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<SenderRecords, StoreError> {
        let rows: Vec<MessageRow> = self
            .database
            .fetch_all("SELECT messages", BY_PERSON, whom.values(&self.keys))
            .await?;
        let messages = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let subscription = match &whom.email {
            Some(email) => self.subscription(email).await?,
            None => None,
        };
        let ids: Vec<Uuid> = messages.iter().map(|message| message.id).collect();
        let mails = self.mails_of(whom, &ids).await?;
        let detail = format!(
            "{} messages, {} mails, {} subscriptions",
            messages.len(),
            mails.len(),
            usize::from(subscription.is_some())
        );
        let entry = audit::Entry {
            actor: actor.to_owned(),
            action: "sender.exported",
            subject: String::new(),
            detail,
        };
        self.note(entry, now).await?;
        Ok(SenderRecords {
            messages,
            subscription,
            mails,
        })
    }

    /// Returns the mails and texts to the requested address and number, and the mails about the messages. Mails to
    /// other addresses given with that number are left out: families share phones, so they may be another person's.
    async fn mails_of(&self, whom: &Whom, messages: &[Uuid]) -> Result<Vec<Sent>, StoreError> {
        let mut mails = mail::sent_about(&self.database, messages).await?;
        for recipient in whom.recipients() {
            mails.extend(mail::sent_to(&self.database, &self.keys, recipient).await?);
        }
        mails.sort_unstable_by_key(|mail| (std::cmp::Reverse(mail.create_time), mail.id));
        mails.dedup_by_key(|mail| mail.id);
        mails.truncate(MAILS_MAX);
        Ok(mails)
    }

    /// Deletes a person's data: messages and mails about them, mails to the address, texts to the number, the
    /// suppression and the subscription.
    ///
    /// # Errors
    /// As for [`Self::export_sender`]. Completed batches stay deleted, and the call may be retried.
    pub async fn erase_sender(
        &self,
        whom: Whom,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Erased, StoreError> {
        let mut erased = Erased::default();
        loop {
            let erase = Erase {
                keys: self.keys.clone(),
                whom: whom.clone(),
                actor: actor.to_owned(),
                now,
            };
            let some = self.database.write("DELETE messages", erase).await?;
            erased.messages += some.messages;
            erased.mails += some.mails;
            erased.subscriptions += some.subscriptions;
            if some.messages < MESSAGES_MAX.unsigned_abs() {
                return Ok(erased);
            }
        }
    }
}

struct Erase {
    keys: Keys,
    whom: Whom,
    actor: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Erase {
    type Outcome = Erased;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Erased>, StoreError> {
        const FORGET: &str = "DELETE FROM messages WHERE id = $1";
        const UNSUBSCRIBE: &str = "DELETE FROM subscriptions WHERE id = $1";
        let rows: Vec<MessageRow> = transaction
            .fetch_all(BY_PERSON, self.whom.values(&self.keys))
            .await?;
        let messages = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let mut erased = Erased {
            messages: messages.len() as u64,
            ..Erased::default()
        };
        for recipient in self.whom.recipients() {
            erased.mails += mail::forget_recipient(transaction, &self.keys, recipient).await?;
        }
        if let Some(email) = &self.whom.email {
            mail::store::suppressions::forget(transaction, &self.keys, email).await?;
        }
        // Mails about the messages: those to the hospital's mailboxes, and acknowledgements.
        let ids: Vec<Uuid> = messages.iter().map(|message| message.id).collect();
        erased.mails += mail::forget_subjects(transaction, &ids).await?;
        if let Some(email) = &self.whom.email {
            let id = subscriptions::id_of(&self.keys, email);
            erased.subscriptions = transaction.execute(UNSUBSCRIBE, values![id]).await?;
        }
        for chunk in messages.chunks(CHUNK) {
            let mut script = Script::new();
            for message in chunk {
                script.push(Statement::new(FORGET, values![message.id]));
                script.extend(outbox::forget(&message.id.to_string()));
            }
            transaction.run(script).await?;
        }
        for message in &messages {
            let entry = audit::Entry {
                actor: self.actor.clone(),
                action: "sender.erased",
                subject: message.id.to_string(),
                detail: String::new(),
            };
            audit::append(transaction, &self.keys, &entry, self.now).await?;
        }
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: "sender.erased",
            subject: String::new(),
            detail: format!(
                "{} messages, {} mails, {} subscriptions",
                erased.messages, erased.mails, erased.subscriptions
            ),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(erased))
    }
}
