//! Outgoing mail: what is said to whom is kept in the unit of work that it belongs to and sent afterwards.
//!
//! `store` keeps mails, `letter` says what each of them says, `message` puts that into the format of mails, `dkim` signs it. How it
//! leaves the house is [`crate::delivery`].

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

pub use store::{Sent, forget_recipient, forget_subjects, sent_to};

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
    /// After this it is of no use and not sent.
    pub expire_time: DateTime<Utc>,
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
