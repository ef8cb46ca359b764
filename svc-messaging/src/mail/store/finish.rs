//! Records the result of an attempt, and later bounces.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Channel, End, MailRow, SELECT, suppressions};

/// Result of an attempt. The texts are shown to staff and contain no personal data.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Final, with the receiver's reply where relevant.
    Over(End, String),
    /// Final; the address does not exist and is suppressed from now on.
    NoRecipient(String),
    /// A retry may succeed; holds the error of this attempt.
    Released(String),
}

/// Records the result of an attempt.
#[derive(Debug)]
pub struct Finish {
    pub keys: Keys,
    /// Id of the suppression, if one is created.
    pub suppression: Uuid,
    pub id: Uuid,
    pub ending: Ending,
    pub now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Finish {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const RELEASE: &str = "\
UPDATE mails SET lease_time = NULL, attempts = attempts + 1, last_error = $2 WHERE id = $1 AND end_time IS NULL";
        match &self.ending {
            Ending::Over(how, error) => {
                end(transaction, self.id, *how, error, self.now).await?;
            }
            Ending::NoRecipient(error) => {
                let how = End::Failed("no_recipient");
                end(transaction, self.id, how, error, self.now).await?;
                let row: Option<MailRow> =
                    transaction.fetch_optional(SELECT, values![self.id]).await?;
                if let Some(mail) = row.map(|row| row.open(&self.keys)).transpose()? {
                    let new = suppressions::New {
                        id: self.suppression,
                        email: &mail.recipient,
                        reason: error,
                    };
                    suppressions::add(transaction, &self.keys, &new, self.now).await?;
                }
            }
            Ending::Released(error) => {
                transaction
                    .execute(RELEASE, values![self.id, error])
                    .await?;
            }
        }
        Ok(Decision::Commit(()))
    }
}

pub(super) async fn end(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    end: End,
    error: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    const END: &str = "\
UPDATE mails SET state = $2, reason = $3, end_time = $4, last_error = $5, lease_time = NULL, postponed_until = NULL \
WHERE id = $1 AND end_time IS NULL";
    transaction
        .execute(END, values![id, end.as_str(), end.reason(), now, error])
        .await?;
    Ok(())
}

/// Records a bounce of a mail that a server had accepted. Returns whether the mail is known.
#[derive(Debug)]
pub struct Bounced {
    pub keys: Keys,
    pub suppression: Uuid,
    pub id: Uuid,
    /// Enhanced status code, for example `5.1.1`.
    pub status: String,
    /// The address does not exist and is suppressed from now on.
    pub is_final: bool,
    pub now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Bounced {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        const UPDATE: &str = "\
UPDATE mails SET state = 'failed', reason = 'bounced', last_error = $2 WHERE id = $1 AND state = 'sent'";
        let row: Option<MailRow> = transaction.fetch_optional(SELECT, values![self.id]).await?;
        let Some(mail) = row.map(|row| row.open(&self.keys)).transpose()? else {
            return Ok(Decision::Rollback(false));
        };
        transaction
            .execute(UPDATE, values![self.id, &self.status])
            .await?;
        if self.is_final && mail.channel == Channel::Email {
            let new = suppressions::New {
                id: self.suppression,
                email: &mail.recipient,
                reason: &self.status,
            };
            suppressions::add(transaction, &self.keys, &new, self.now).await?;
        }
        Ok(Decision::Commit(true))
    }
}
