//! Leases a mail for sending: one attempt at a time, within the sending limits.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    keys::{Keys, SealError},
    outbox,
    sql::{Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Channel, End, Mail, MailRow, SELECT, caps, finish, suppressions};
use crate::mail::SEND;

/// Outcome of [`Take`].
#[derive(Debug)]
pub enum Taken {
    /// Leased: no other attempt sends it until the lease expires.
    Mail(Box<Mail>),
    /// Already sent, deleted or otherwise final.
    Over,
    /// Expired; now marked as such.
    Expired(Option<Box<Mail>>),
    /// The address is suppressed; the mail is now marked as failed.
    Suppressed(Box<Mail>),
    /// Another attempt is in progress.
    Leased,
    /// Over the recipient's sending limits; postponed until this time.
    PutOff(DateTime<Utc>),
    /// Decryption failed.
    Broken(SealError),
    /// A column is corrupt.
    Unreadable(&'static str),
}

/// Leases a mail for sending.
#[derive(Debug)]
pub struct Take {
    pub keys: Keys,
    pub id: Uuid,
    pub now: DateTime<Utc>,
    pub lease: TimeDelta,
}

#[async_trait]
impl UnitOfWork for Take {
    type Outcome = Taken;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Taken>, StoreError> {
        // A dead letter resent by an operator returns to waiting.
        const LEASE: &str = "\
UPDATE mails SET state = 'waiting', reason = '', end_time = NULL, lease_time = $2, postponed_until = NULL WHERE id = $1";
        // Serialises attempts of the same mail, and mails to the same address.
        transaction.lock("mails.take").await?;
        let row: Option<MailRow> = transaction.fetch_optional(SELECT, values![self.id]).await?;
        let Some(row) = row.filter(|row| row.state == "waiting" || row.state == "failed") else {
            return Ok(Decision::Rollback(Taken::Over));
        };
        if row.lease_time.is_some_and(|until| until > self.now) {
            return Ok(Decision::Rollback(Taken::Leased));
        }
        let opened = row.open(&self.keys);
        if row.expire_time <= self.now {
            finish::end(transaction, self.id, End::Expired, "", self.now).await?;
            return Ok(Decision::Commit(Taken::Expired(opened.ok().map(Box::new))));
        }
        let mail = match opened {
            Ok(mail) => mail,
            Err(StoreError::Sealed(error)) => {
                return Ok(Decision::Rollback(Taken::Broken(error)));
            }
            Err(StoreError::Corrupt { column }) => {
                return Ok(Decision::Rollback(Taken::Unreadable(column)));
            }
            Err(error) => return Err(error),
        };
        if self.is_suppressed(transaction, &mail).await? {
            let end = End::Failed("suppressed");
            finish::end(transaction, self.id, end, "", self.now).await?;
            return Ok(Decision::Commit(Taken::Suppressed(Box::new(mail))));
        }
        if let Some(free) = caps::full_until(transaction, &self.keys, &mail, self.now).await? {
            let at = free.min(row.expire_time);
            self.put_off(transaction, at).await?;
            return Ok(Decision::Commit(Taken::PutOff(at)));
        }
        transaction
            .execute(LEASE, values![self.id, self.now + self.lease])
            .await?;
        Ok(Decision::Commit(Taken::Mail(Box::new(mail))))
    }
}

impl Take {
    async fn is_suppressed(
        &self,
        transaction: &mut Transaction<'_>,
        mail: &Mail,
    ) -> Result<bool, StoreError> {
        match mail.channel {
            Channel::Email => {
                suppressions::is_suppressed(transaction, &self.keys, &mail.recipient, self.now)
                    .await
            }
            Channel::Sms => Ok(false),
        }
    }

    async fn put_off(
        &self,
        transaction: &mut Transaction<'_>,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        const NOTE: &str = "UPDATE mails SET postponed_until = $2 WHERE id = $1";
        let statements = [
            Statement::new(NOTE, values![self.id, at]),
            outbox::postpone(SEND, &self.id.to_string(), at),
        ];
        transaction.run(statements.into_iter().collect()).await?;
        Ok(())
    }
}
