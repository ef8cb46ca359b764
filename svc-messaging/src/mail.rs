//! Outgoing mail: what is said to whom is kept in the unit of work that it belongs to and sent afterwards.
//!
//! `store` keeps mails, `letter` says what each of them says, `message` puts that into the format of mails, `dkim` signs it. How it
//! leaves the house is [`crate::delivery`].

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

/// The kind of the messages in the outbox that send a mail; their payload is `{"mailId": "<uuid>"}`.
pub const SEND: &str = "mail.send";

/// The kind of the messages in the outbox that announce a new enquiry to a webhook; their payload is that of [`SEND`].
pub const ANNOUNCE: &str = "webhook.send";

/// A mail to be sent.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// Key of deduplication: the same id again makes no second mail. Part of its Message-ID.
    pub id: Uuid,
    /// Id of the message in the outbox: always the same for the same mail.
    pub message_id: Uuid,
    /// What it is about, such as an appointment: what is kept of it goes with its subject.
    pub subject_id: Option<Uuid>,
    pub to: Address,
    pub content: Content,
    pub cause: Cause,
    /// After this it is of no use and not sent.
    pub expire_time: DateTime<Utc>,
}

/// Who caused a mail; decides how many of them go.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Cause {
    /// This service: what a form sends, an issue of the newsletter.
    #[default]
    Own,
    /// A patient, or a stranger who typed a patient's address.
    Patient {
        /// Keyed hash of the network, 16 hexadecimal digits. Empty: unknown.
        network: String,
        /// The address was proven when the notice was asked for.
        is_proven: bool,
    },
    Staff,
    /// A reminder, or an offer of a waiting list.
    Calendar,
}

impl Cause {
    /// For the database.
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

    /// The cause of what a row has; `None` for a word that is none.
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

/// Where a mail goes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Address {
    /// Empty: none is known.
    pub name: Personal,
    pub email: Personal,
}

impl Address {
    /// Of texts that were checked.
    pub fn new(name: &str, email: &str) -> Self {
        Self {
            name: Personal::kept(name.to_owned()),
            email: Personal::kept(email.to_owned()),
        }
    }
}

/// The rows of a mail: it and its message in the outbox. Harmless when there is a mail of this id. A mail without an address is kept as
/// suppressed.
///
/// # Errors
/// When it cannot be sealed.
pub fn insert(keys: &Keys, mail: &NewMail, now: DateTime<Utc>) -> Result<Script, StoreError> {
    let to = mail.to.email.as_str();
    let mut script = kept(keys, mail, Channel::Email, to, now)?;
    if matches!(mail.content, Content::Enquiry { .. }) {
        // Its id has to be another one, and the same whenever it is asked for.
        let id = derived_id(keys, "mails.webhook", mail.message_id);
        let announcement = outgoing(id, ANNOUNCE, mail.id, now);
        script.push(outbox::insert_once_in(lane::STAFF, &announcement, now)?);
    }
    Ok(script)
}

/// The rows of a text to a phone that says the same as `mail`, under an id of its own.
///
/// # Errors
/// As [`insert`].
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

/// An id that is another one for each purpose and always the same.
fn derived_id(keys: &Keys, purpose: &str, id: Uuid) -> Uuid {
    let digest = keys.digest(purpose, id.as_bytes());
    let bytes = *digest.first_chunk().unwrap_or(&[0; 16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
