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
mod new;
pub mod store;

use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    outbox::{self, NewMessage},
    sql::Script,
};
use uuid::Uuid;

use content::Content;
use store::Channel;

pub use new::{Address, Cause, NewMail};
pub use store::{Recipient, Sent, forget_recipient, forget_subjects, sent_about, sent_to};

/// Kind of the outbox messages that send a mail. Their payload is `{"mailId": "<uuid>"}`.
pub const SEND: &str = "mail.send";

/// Kind of the outbox messages that announce a new enquiry to the webhook. Their payload is that of [`SEND`].
pub const ANNOUNCE: &str = "webhook.send";

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
