//! Storage of mails before and after sending. All SQL on mails is here.

mod caps;
mod deliveries;
mod finish;
mod kept;
pub mod suppressions;
mod take;

use chrono::{DateTime, Utc};
use service_kit::{
    input::{email_to_look_up, phone_to_look_up},
    language::Language,
};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    row,
    sealed::{Digest, SealedTable},
    sql::Statement,
    values,
};
use uuid::Uuid;

use super::{
    content::Content,
    new::{Cause, NewMail},
};

pub use caps::Cap;
pub use deliveries::{Delivery, DeliveryFilter, DeliveryState, NotResent, Resend, list, postponed};
pub use finish::{Bounced, Ending, Finish};
pub use kept::{
    RETENTION_DAYS, Recipient, Sent, forget_recipient, forget_subjects, over, retain, sent_about,
    sent_to,
};
pub use take::{Take, Taken};

/// Sealed columns and digests of the `mails` table.
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
expire_time, end_time, cause, network, proven, newsletter_id, language) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) ON CONFLICT (id) DO NOTHING";
const SELECT: &str = "\
SELECT id, channel, state, key_id, name, recipient, content, subject_id, create_time, expire_time, lease_time, cause, network, proven, \
language FROM mails WHERE id = $1";

/// Channel through which a mail is sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Channel {
    Email,
    /// Text message to a phone.
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

    /// Returns the channel of a recipient. Phone numbers never contain `@`.
    fn of(recipient: &str) -> Self {
        if recipient.contains('@') {
            Self::Email
        } else {
            Self::Sms
        }
    }

    /// Returns the digest by which a recipient's mails are counted and looked up.
    fn digest(self, keys: &Keys, recipient: &str) -> [u8; 32] {
        match self {
            Self::Email => keys.digest("mails.recipient", email_to_look_up(recipient).as_bytes()),
            Self::Sms => keys.digest("mails.phone", phone_to_look_up(recipient).as_bytes()),
        }
    }
}

/// Final state of a mail.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    Sent,
    /// Not sent because it is no longer wanted, with the reason.
    Suppressed(&'static str),
    /// Not sent before its expiry.
    Expired,
    /// Permanently refused, with the reason.
    Failed(&'static str),
}

impl End {
    /// Returns the state's name in the database and in metrics.
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

/// A decrypted mail, ready to be sent.
#[derive(Clone, Debug)]
pub struct Mail {
    pub id: Uuid,
    pub channel: Channel,
    /// Empty if unknown.
    pub name: String,
    /// E-mail address or phone number.
    pub recipient: String,
    pub content: Content,
    /// `None` is English.
    pub language: Option<Language>,
    /// Entity that the mail is about, such as an appointment.
    pub subject_id: Option<Uuid>,
    pub cause: Cause,
    pub create_time: DateTime<Utc>,
}

/// Builds the insert of a mail.
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
            mail.cause.as_str(),
            mail.cause.network(),
            i64::from(mail.cause.is_proven()),
            mail.content.newsletter(),
            Language::code_or_en(mail.language),
        ],
    ))
}

row! {
    struct MailRow {
        id: Uuid,
        channel: String,
        state: String,
        key_id: String,
        name: Vec<u8>,
        recipient: Option<Vec<u8>>,
        content: Vec<u8>,
        subject_id: Option<Uuid>,
        create_time: DateTime<Utc>,
        expire_time: DateTime<Utc>,
        lease_time: Option<DateTime<Utc>>,
        cause: String,
        network: String,
        proven: i64,
        language: String,
    }
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
            // The parser's message is dropped because it quotes its input.
            content: serde_json::from_str(&content).map_err(|_| StoreError::Corrupt {
                column: "mails.content",
            })?,
            language: Language::of(&self.language),
            subject_id: self.subject_id,
            cause: Cause::from_words(&self.cause, &self.network, self.proven != 0).ok_or(
                StoreError::Corrupt {
                    column: "mails.cause",
                },
            )?,
            create_time: self.create_time,
        })
    }
}

/// Returns the content of a mail, for the webhook; `None` if the mail was deleted.
///
/// # Errors
/// When the database fails or the mail cannot be decrypted.
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
