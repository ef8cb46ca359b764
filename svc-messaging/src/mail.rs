//! Outgoing mail. A mail is stored in the unit of work that causes it, and sent afterwards.
//!
//! `store` persists mails, `letter` writes their text, `message` encodes the MIME message and `dkim` signs it.
//! Transport is in [`crate::delivery`].

pub mod bounce;
pub mod content;
pub mod dkim;
pub mod lane;
pub mod letter;
pub mod message;
pub mod store;

use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    outbox::{self, NewMessage},
    sql::Script,
};
use uuid::Uuid;

use crate::domain::Personal;
use content::Content;
use store::Channel;

pub use store::{Recipient, Sent, forget_recipient, forget_subjects, sent_about, sent_to};

/// Kind of the outbox messages that send a mail. Their payload is `{"mailId": "<uuid>"}`.
pub const SEND: &str = "mail.send";

/// Kind of the outbox messages that announce a new enquiry to the webhook. Their payload is that of [`SEND`].
pub const ANNOUNCE: &str = "webhook.send";

/// A mail to store and send.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// Deduplication key: a second insert with the same id has no effect. Part of the Message-ID.
    pub id: Uuid,
    /// Id of the outbox message; deterministic for each mail.
    pub message_id: Uuid,
    /// Entity that the mail is about, such as an appointment. Stored content is deleted together with that entity.
    pub subject_id: Option<Uuid>,
    pub to: Address,
    pub content: Content,
    pub cause: Cause,
    /// The mail is not sent after this time.
    pub expire_time: DateTime<Utc>,
}

/// Cause of a mail; determines which sending limits apply.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Cause {
    /// This service: a form submission or a newsletter issue.
    #[default]
    Own,
    /// A patient, or a stranger who entered a patient's address.
    Patient {
        /// Keyed hash of the network, 16 hexadecimal digits. Empty if unknown.
        network: String,
        /// Whether the address was already verified when the notice was requested.
        is_proven: bool,
    },
    Staff,
    /// A reminder or a waitlist offer.
    Calendar,
}

impl Cause {
    /// Returns the cause's name in the database.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Patient { .. } => "patient",
            Self::Staff => "staff",
            Self::Calendar => "calendar",
        }
    }

    fn network(&self) -> &str {
        match self {
            Self::Patient { network, .. } => network,
            _ => "",
        }
    }

    fn is_proven(&self) -> bool {
        matches!(
            self,
            Self::Patient {
                is_proven: true,
                ..
            }
        )
    }

    /// Parses the columns of a row; `None` if the word is unknown.
    fn from_words(word: &str, network: &str, is_proven: bool) -> Option<Self> {
        Some(match word {
            "" => Self::Own,
            "patient" => Self::Patient {
                network: network.to_owned(),
                is_proven,
            },
            "staff" => Self::Staff,
            "calendar" => Self::Calendar,
            _ => return None,
        })
    }
}

/// Recipient of a mail.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Address {
    /// Empty if unknown.
    pub name: Personal,
    pub email: Personal,
}

impl Address {
    /// Creates an address from validated texts.
    pub fn new(name: &str, email: &str) -> Self {
        Self {
            name: Personal::kept(name.to_owned()),
            email: Personal::kept(email.to_owned()),
        }
    }
}

/// Builds the rows of a mail and its outbox message. Has no effect if a mail with this id exists. A mail without an
/// address is stored as suppressed.
///
/// # Errors
/// When the content cannot be sealed.
pub fn insert(keys: &Keys, mail: &NewMail, now: DateTime<Utc>) -> Result<Script, StoreError> {
    let to = mail.to.email.as_str();
    let mut script = kept(keys, mail, Channel::Email, to, now)?;
    if matches!(mail.content, Content::Enquiry { .. }) {
        // Must differ from the mail's outbox id, and be deterministic.
        let id = derived_id(keys, "mails.webhook", mail.message_id);
        let announcement = outgoing(id, ANNOUNCE, mail.id, now);
        script.push(outbox::insert_once_in(lane::STAFF, &announcement, now)?);
    }
    Ok(script)
}

/// Builds the rows of a text message with the same content as `mail`, under a derived id.
///
/// # Errors
/// As for [`insert`].
pub fn insert_text(
    keys: &Keys,
    mail: &NewMail,
    phone: &str,
    now: DateTime<Utc>,
) -> Result<Script, StoreError> {
    let text = NewMail {
        id: derived_id(keys, "mails.sms", mail.id),
        message_id: derived_id(keys, "mails.sms", mail.message_id),
        ..mail.clone()
    };
    kept(keys, &text, Channel::Sms, phone, now)
}

fn kept(
    keys: &Keys,
    mail: &NewMail,
    channel: Channel,
    to: &str,
    now: DateTime<Utc>,
) -> Result<Script, StoreError> {
    let mut script = Script::new();
    script.push(store::insert(keys, mail, channel, to, now)?);
    if !to.is_empty() {
        let lane = lane::of(&mail.content, channel);
        let message = outgoing(mail.message_id, SEND, mail.id, now);
        script.push(outbox::insert_once_in(lane, &message, now)?);
    }
    Ok(script)
}

fn outgoing(id: Uuid, kind: &'static str, mail: Uuid, now: DateTime<Utc>) -> NewMessage {
    NewMessage {
        id,
        kind,
        subject: mail.to_string(),
        payload: format!(r#"{{"mailId":"{mail}"}}"#),
        not_before: now,
    }
}

/// Derives a deterministic id that is unique per purpose.
fn derived_id(keys: &Keys, purpose: &str, id: Uuid) -> Uuid {
    let digest = keys.digest(purpose, id.as_bytes());
    let bytes = *digest.first_chunk().unwrap_or(&[0; 16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
