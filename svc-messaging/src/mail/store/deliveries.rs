//! What did not reach its recipient, for staff: waiting, put off, failed, expired.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    outbox,
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

/// Where a mail stands that was not sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DeliveryState {
    Waiting,
    /// Too many went to its recipient.
    Postponed,
    /// Its recipient refused it or does not exist, or it came back.
    Failed,
    /// Its time was over before it could be sent.
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

    /// The state of a word; `None` for a word that is none.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// A mail or a text that was not sent, or came back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Delivery {
    pub id: Uuid,
    /// See [`crate::mail::content::Content::kind`].
    pub kind: String,
    /// email or sms.
    pub channel: String,
    pub state: DeliveryState,
    /// Why it failed, for example `no_recipient`.
    pub reason: String,
    /// Empty: none is known, or it cannot be opened.
    pub name: Personal,
    /// E-mail address or phone number. Empty: it cannot be opened.
    pub recipient: Personal,
    /// What it is about, such as an appointment.
    pub subject_id: Option<Uuid>,
    pub create_time: DateTime<Utc>,
    pub expire_time: DateTime<Utc>,
    pub postponed_until: Option<DateTime<Utc>>,
    /// Tries that a server did not take.
    pub attempts: i64,
    /// What the last one was answered, without personal data.
    pub last_error: String,
}

/// Which deliveries are listed.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryFilter {
    /// `None`: every state.
    pub state: Option<DeliveryState>,
    /// The last one of the page before.
    pub after: (DateTime<Utc>, Uuid),
    pub rows_max: u32,
}

#[derive(sqlx::FromRow)]
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

impl Row {
    /// One that does not open is shown without its recipient: staff must see that it is there.
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

/// `$1` and `$2`: after which one; the last: how many. The states are those of the index `mails_unsent`. An issue of the newsletter that
/// waits for its turn is left out: there are as many as subscribers, and `GetNewsletter` says how far it is.
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

/// A page of deliveries, the newest first.
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

/// How many notices to patients are put off, and how many other mails; since when the oldest of the notices was asked for.
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

/// Why a delivery is not tried again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NotResent {
    /// There is none of this id, or it was sent.
    Unknown,
    /// Its time is over.
    Expired,
}

/// Tries a mail again now, outside of every cap: staff want it. Leaves an entry in the audit log.
#[derive(Debug)]
pub struct Resend {
    pub keys: Keys,
    pub id: Uuid,
    /// Id of the new message in the outbox.
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
