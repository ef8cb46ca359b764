//! Mails that did not reach their recipient, for staff: waiting, postponed, failed or expired.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    outbox, row,
    sql::{Script, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{MAILS, MailRow, SELECT};
use crate::{
    domain::Personal,
    mail::{SEND, lane, outgoing},
};

/// State of a mail that was not delivered.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DeliveryState {
    Waiting,
    /// Held back by the recipient's sending limits.
    Postponed,
    /// The recipient refused it or does not exist, or the mail bounced.
    Failed,
    /// Expired before it could be sent.
    Expired,
}

impl DeliveryState {
    const ALL: [Self; 4] = [Self::Waiting, Self::Postponed, Self::Failed, Self::Expired];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Postponed => "postponed",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// Parses a state name; `None` if it is unknown.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// A mail or text message that was not sent, or that bounced.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Delivery {
    pub id: Uuid,
    /// See [`crate::mail::content::Content::kind`].
    pub kind: String,
    /// email or sms.
    pub channel: String,
    pub state: DeliveryState,
    /// Reason of the failure, for example `no_recipient`.
    pub reason: String,
    /// Empty if unknown or not decryptable.
    pub name: Personal,
    /// E-mail address or phone number. Empty if not decryptable.
    pub recipient: Personal,
    /// Entity that the mail is about, such as an appointment.
    pub subject_id: Option<Uuid>,
    pub create_time: DateTime<Utc>,
    pub expire_time: DateTime<Utc>,
    pub postponed_until: Option<DateTime<Utc>>,
    /// Number of failed attempts.
    pub attempts: i64,
    /// Last error, without personal data.
    pub last_error: String,
}

/// Filter and cursor of a listing.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryFilter {
    /// `None` for every state.
    pub state: Option<DeliveryState>,
    /// Last row of the previous page.
    pub after: (DateTime<Utc>, Uuid),
    pub rows_max: u32,
}

row! {
    struct Row {
        id: Uuid,
        kind: String,
        channel: String,
        state: String,
        reason: String,
        key_id: String,
        name: Vec<u8>,
        recipient: Option<Vec<u8>>,
        subject_id: Option<Uuid>,
        create_time: DateTime<Utc>,
        expire_time: DateTime<Utc>,
        postponed_until: Option<DateTime<Utc>>,
        attempts: i64,
        last_error: String,
    }
}

impl Row {
    /// Decrypts the row. If that fails, the row is listed without its recipient, so that staff still see it.
    fn shown(self, keys: &Keys) -> Delivery {
        let open = |column, sealed: &[u8]| {
            let opened = MAILS.open(keys, &self.key_id, self.id, column, sealed);
            Personal::kept(opened.unwrap_or_default())
        };
        let state = match self.state.as_str() {
            "failed" => DeliveryState::Failed,
            "expired" => DeliveryState::Expired,
            _ if self.postponed_until.is_some() => DeliveryState::Postponed,
            _ => DeliveryState::Waiting,
        };
        Delivery {
            name: open("name", &self.name),
            recipient: open("recipient", self.recipient.as_deref().unwrap_or_default()),
            id: self.id,
            kind: self.kind,
            channel: self.channel,
            state,
            reason: self.reason,
            subject_id: self.subject_id,
            create_time: self.create_time,
            expire_time: self.expire_time,
            postponed_until: self.postponed_until,
            attempts: self.attempts,
            last_error: self.last_error,
        }
    }
}

/// Selects deliveries. `$1` and `$2`: cursor, `$3`: row limit. The states are those of the index `mails_unsent`.
/// Waiting newsletter issues are left out: there is one per subscriber, and `GetNewsletter` reports their progress.
macro_rules! select_deliveries {
    ($which:literal) => {
        concat!(
            "SELECT id, kind, channel, state, reason, key_id, name, recipient, subject_id, create_time, expire_time, postponed_until, \
             attempts, last_error FROM mails WHERE state IN ('waiting', 'failed', 'expired') \
             AND (state <> 'waiting' OR kind <> 'newsletter.issue') AND (create_time, id) < ($1, $2) ",
            $which,
            " ORDER BY create_time DESC, id DESC LIMIT $3"
        )
    };
}

/// Returns a page of deliveries, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    database: &Database,
    keys: &Keys,
    filter: &DeliveryFilter,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = match filter.state {
        None => select_deliveries!(""),
        Some(DeliveryState::Waiting) => {
            select_deliveries!("AND state = 'waiting' AND postponed_until IS NULL")
        }
        Some(DeliveryState::Postponed) => {
            select_deliveries!("AND state = 'waiting' AND postponed_until IS NOT NULL")
        }
        Some(DeliveryState::Failed) => select_deliveries!("AND state = 'failed'"),
        Some(DeliveryState::Expired) => select_deliveries!("AND state = 'expired'"),
    };
    let values = values![filter.after.0, filter.after.1, filter.rows_max];
    let rows: Vec<Row> = database.fetch_all("SELECT mails", sql, values).await?;
    Ok(rows.into_iter().map(|row| row.shown(keys)).collect())
}

/// Counts the postponed notices to patients and the other postponed mails. The third value is the creation time of the
/// oldest such notice.
///
/// # Errors
/// When the database fails.
pub async fn postponed(
    database: &Database,
) -> Result<(u64, u64, Option<DateTime<Utc>>), StoreError> {
    const COUNT: &str = "\
SELECT COALESCE(sum(CASE WHEN cause = 'patient' THEN 1 ELSE 0 END), 0), count(*), \
min(CASE WHEN cause = 'patient' THEN create_time END) \
FROM mails WHERE postponed_until IS NOT NULL AND end_time IS NULL";
    let (notices, all, oldest): (i64, i64, Option<DateTime<Utc>>) =
        database.fetch_one("SELECT mails", COUNT, values![]).await?;
    let count = |rows: i64| u64::try_from(rows).unwrap_or_default();
    Ok((count(notices), count(all - notices), oldest))
}

/// Reason why a delivery was not resent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NotResent {
    /// No delivery has this id, or it was sent.
    Unknown,
    /// The mail has expired.
    Expired,
}

/// Retries a mail immediately and exempts it from every limit, because staff requested it. Writes an audit entry.
#[derive(Debug)]
pub struct Resend {
    pub keys: Keys,
    pub id: Uuid,
    /// Id of the new outbox message.
    pub message_id: Uuid,
    pub actor: String,
    pub now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Resend {
    type Outcome = Result<Delivery, NotResent>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        const AGAIN: &str = "\
UPDATE mails SET state = 'waiting', reason = '', end_time = NULL, postponed_until = NULL, cause = 'staff' WHERE id = $1";
        const SHOWN: &str = "\
SELECT id, kind, channel, state, reason, key_id, name, recipient, subject_id, create_time, expire_time, postponed_until, \
attempts, last_error FROM mails WHERE id = $1";
        transaction.lock("mails.take").await?;
        let row: Option<MailRow> = transaction.fetch_optional(SELECT, values![self.id]).await?;
        let Some(row) = row.filter(|row| row.recipient.is_some() && row.state != "sent") else {
            return Ok(Decision::Rollback(Err(NotResent::Unknown)));
        };
        if row.expire_time <= self.now {
            return Ok(Decision::Rollback(Err(NotResent::Expired)));
        }
        let mail = row.open(&self.keys)?;
        transaction.execute(AGAIN, values![self.id]).await?;
        let mut script = Script::new();
        script.extend(outbox::forget(&self.id.to_string()));
        let lane = lane::of(&mail.content, mail.channel);
        let message = outgoing(self.message_id, SEND, self.id, self.now);
        script.push(outbox::insert_once_in(lane, &message, self.now)?);
        transaction.run(script).await?;
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: "delivery.resent",
            subject: self.id.to_string(),
            detail: String::new(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        let shown: Row = transaction.fetch_one(SHOWN, values![self.id]).await?;
        Ok(Decision::Commit(Ok(shown.shown(&self.keys))))
    }
}
