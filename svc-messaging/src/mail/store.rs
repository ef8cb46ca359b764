//! Keeps mails until they are sent, and some time after. All SQL of mails is here.

mod kept;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::input::{email_to_look_up, phone_to_look_up};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::{Keys, SealError},
    outbox,
    sealed::{Digest, SealedTable},
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{NewMail, SEND, content::Content};

pub use kept::{RETENTION_DAYS, Sent, forget_recipient, forget_subjects, over, retain, sent_to};

/// Mails to one address that are read to see whether there are too many; more than any [`Cap`].
const RECENT_MAX: i64 = 200;

/// Where sealed fields are.
pub const MAILS: SealedTable = SealedTable {
    table: "mails",
    columns: &["name", "recipient", "content"],
    digests: &[Digest {
        column: "recipient_digest",
        of: "recipient",
        make: |keys, recipient| Channel::of(recipient).digest(keys, recipient),
    }],
};

const INSERT: &str = "\
INSERT INTO mails (id, kind, channel, state, reason, key_id, name, recipient, content, recipient_digest, subject_id, create_time, \
expire_time, end_time) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING";
const SELECT: &str = "\
SELECT id, channel, state, key_id, name, recipient, content, create_time, expire_time, lease_time FROM mails WHERE id = $1";

/// How a mail goes out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Channel {
    Email,
    /// A text to a phone.
    Sms,
}

impl Channel {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Email, Self::Sms]
            .into_iter()
            .find(|channel| channel.as_str() == word)
    }

    /// By which a recipient is reached: no phone number has an `@`.
    fn of(recipient: &str) -> Self {
        if recipient.contains('@') {
            Self::Email
        } else {
            Self::Sms
        }
    }

    /// What its recipients are counted and found by.
    fn digest(self, keys: &Keys, recipient: &str) -> [u8; 32] {
        match self {
            Self::Email => keys.digest("mails.recipient", email_to_look_up(recipient).as_bytes()),
            Self::Sms => keys.digest("mails.phone", phone_to_look_up(recipient).as_bytes()),
        }
    }
}

/// What became of a mail.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    Sent,
    /// Not sent, because nobody would want it; says why.
    Suppressed(&'static str),
    /// Its time was over.
    Expired,
    /// It never will be taken; says why.
    Failed(&'static str),
}

impl End {
    /// For the database and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Suppressed(_) => "suppressed",
            Self::Expired => "expired",
            Self::Failed(_) => "failed",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Sent | Self::Expired => "",
            Self::Suppressed(reason) | Self::Failed(reason) => reason,
        }
    }
}

/// Most mails of a kind that one address gets, the tries under way included. No form can be used to flood somebody.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Cap {
    pub per_hour: usize,
    pub per_day: usize,
}

impl Cap {
    /// What anybody can cause by typing somebody's address: 1 an hour and 3 a day of each kind. What the hospital has to say: 20 a day
    /// together. What goes to a mailbox of the hospital, or to those who confirmed that they want it, has none.
    pub fn of(content: &Content) -> Option<Self> {
        match content {
            Content::Acknowledgement { .. } | Content::Confirmation { .. } => Some(Self {
                per_hour: 1,
                per_day: 3,
            }),
            Content::Appointment(_)
            | Content::Waitlist(_)
            | Content::Consultation(_)
            | Content::Code(_) => Some(Self {
                per_hour: 20,
                per_day: 20,
            }),
            Content::Enquiry { .. } | Content::Newsletter { .. } => None,
        }
    }

    /// When one more may go; `None` for now. `earlier` are the times of earlier ones, the newest first.
    pub fn free_at(self, earlier: &[DateTime<Utc>], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let over = |count: usize, window: TimeDelta| {
            let time = *earlier.get(count - 1)? + window;
            (time > now).then_some(time)
        };
        over(self.per_hour, TimeDelta::hours(1)).max(over(self.per_day, TimeDelta::days(1)))
    }
}

/// A mail as it is sent.
#[derive(Clone, Debug)]
pub struct Mail {
    pub id: Uuid,
    pub channel: Channel,
    /// Empty: none is known.
    pub name: String,
    /// E-mail address or phone number.
    pub recipient: String,
    pub content: Content,
    pub create_time: DateTime<Utc>,
}

/// The row of a mail.
pub(super) fn insert(
    keys: &Keys,
    mail: &NewMail,
    channel: Channel,
    to: &str,
    now: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let content = serde_json::to_string(&mail.content).map_err(|_| StoreError::Corrupt {
        column: "mails.content",
    })?;
    let seal = |column, text: &str| MAILS.seal(keys, mail.id, column, text);
    let known = (!to.is_empty()).then_some(to);
    let (state, reason, end_time) = match known {
        Some(_) => ("waiting", "", None),
        None => ("suppressed", "no_address", Some(now)),
    };
    Ok(Statement::new(
        INSERT,
        values![
            mail.id,
            mail.content.kind(),
            channel.as_str(),
            state,
            reason,
            keys.active(),
            seal("name", mail.to.name.as_str())?,
            known.map(|to| seal("recipient", to)).transpose()?,
            seal("content", &content)?,
            known.map(|to| channel.digest(keys, to)).map(Vec::from),
            mail.subject_id,
            now,
            mail.expire_time,
            end_time,
        ],
    ))
}

#[derive(sqlx::FromRow)]
struct MailRow {
    id: Uuid,
    channel: String,
    state: String,
    key_id: String,
    name: Vec<u8>,
    recipient: Option<Vec<u8>>,
    content: Vec<u8>,
    create_time: DateTime<Utc>,
    expire_time: DateTime<Utc>,
    lease_time: Option<DateTime<Utc>>,
}

impl MailRow {
    fn open(&self, keys: &Keys) -> Result<Mail, StoreError> {
        let open = |column, sealed: &[u8]| MAILS.open(keys, &self.key_id, self.id, column, sealed);
        let recipient = self.recipient.as_deref().ok_or(StoreError::Corrupt {
            column: "mails.recipient",
        })?;
        let content = open("content", &self.content)?;
        Ok(Mail {
            id: self.id,
            channel: Channel::from_word(&self.channel).ok_or(StoreError::Corrupt {
                column: "mails.channel",
            })?,
            name: open("name", &self.name)?,
            recipient: open("recipient", recipient)?,
            // The parser's own message repeats what it read.
            content: serde_json::from_str(&content).map_err(|_| StoreError::Corrupt {
                column: "mails.content",
            })?,
            create_time: self.create_time,
        })
    }
}

/// What there is to do with a mail.
#[derive(Debug)]
pub enum Taken {
    /// To be sent; nobody else sends it until the lease is over.
    Mail(Box<Mail>),
    /// It was sent, forgotten, or its end was known before.
    Over,
    /// Its time is over, which is kept now.
    Expired(Option<Box<Mail>>),
    /// Another try is under way.
    Leased,
    /// There were too many to this address: it is tried again at that time.
    PutOff(DateTime<Utc>),
    /// It cannot be opened.
    Broken(SealError),
    /// It cannot be read.
    Unreadable(&'static str),
}

/// Takes a mail to send it.
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
        // A dead letter that an operator sends again waits again.
        const LEASE: &str = "\
UPDATE mails SET state = 'waiting', reason = '', end_time = NULL, lease_time = $2 WHERE id = $1";
        // Two tries of one mail, or two mails to one address, see each other.
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
            end(transaction, self.id, End::Expired, self.now).await?;
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
        if let Some(free) = self.full_until(transaction, &mail).await? {
            let at = free.min(row.expire_time);
            let mut script = Script::new();
            script.push(outbox::postpone(SEND, &self.id.to_string(), at));
            transaction.run(script).await?;
            return Ok(Decision::Commit(Taken::PutOff(at)));
        }
        transaction
            .execute(LEASE, values![self.id, self.now + self.lease])
            .await?;
        Ok(Decision::Commit(Taken::Mail(Box::new(mail))))
    }
}

impl Take {
    /// When another mail like this one may go to its address, if not now.
    async fn full_until(
        &self,
        transaction: &mut Transaction<'_>,
        mail: &Mail,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        const RECENT: &str = "\
SELECT kind, COALESCE(end_time, $3) AS time FROM mails WHERE recipient_digest = $1 AND id <> $5 \
AND ((state = 'sent' AND end_time > $2) OR (state = 'waiting' AND lease_time > $3)) \
ORDER BY 2 DESC LIMIT $4";
        let Some(cap) = Cap::of(&mail.content) else {
            return Ok(None);
        };
        let digest = mail.channel.digest(&self.keys, &mail.recipient);
        let day_ago = self.now - TimeDelta::days(1);
        let recent: Vec<(String, DateTime<Utc>)> = transaction
            .fetch_all(
                RECENT,
                values![digest, day_ago, self.now, RECENT_MAX, mail.id],
            )
            .await?;
        let group = group(mail.content.kind());
        let times: Vec<DateTime<Utc>> = recent
            .into_iter()
            .filter(|(kind, _)| self::group(kind) == group)
            .map(|(_, time)| time)
            .collect();
        Ok(cap.free_at(&times, self.now))
    }
}

/// Kinds that are counted together: what the hospital has to say to a patient is one.
fn group(kind: &str) -> &str {
    let is_notice = ["appointment.", "waitlist.", "consultation."]
        .iter()
        .any(|start| kind.starts_with(start));
    if is_notice { "notice" } else { kind }
}

/// How a try ended.
#[derive(Clone, Copy, Debug)]
pub enum Ending {
    /// It is over.
    Over(End),
    /// Another try may do.
    Released,
}

/// Keeps how a try ended.
#[derive(Debug)]
pub struct Finish {
    pub id: Uuid,
    pub ending: Ending,
    pub now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Finish {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const RELEASE: &str =
            "UPDATE mails SET lease_time = NULL WHERE id = $1 AND end_time IS NULL";
        match self.ending {
            Ending::Over(how) => end(transaction, self.id, how, self.now).await?,
            Ending::Released => {
                transaction.execute(RELEASE, values![self.id]).await?;
            }
        }
        Ok(Decision::Commit(()))
    }
}

async fn end(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    end: End,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    const END: &str = "\
UPDATE mails SET state = $2, reason = $3, end_time = $4, lease_time = NULL WHERE id = $1 AND end_time IS NULL";
    transaction
        .execute(END, values![id, end.as_str(), end.reason(), now])
        .await?;
    Ok(())
}

/// What a mail says, for the webhook; `None` once it is forgotten.
///
/// # Errors
/// When the database fails or the mail does not open.
pub async fn content(
    database: &Database,
    keys: &Keys,
    id: Uuid,
) -> Result<Option<Content>, StoreError> {
    let row: Option<MailRow> = database
        .fetch_optional("SELECT mails", SELECT, values![id])
        .await?;
    row.map(|row| row.open(keys).map(|mail| mail.content))
        .transpose()
}
