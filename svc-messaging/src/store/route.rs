//! Routing: forwards a message to its mailbox and acknowledges it to the sender.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{error::StoreError, keys::Keys, sql::Script};

use super::keyed::derived;
use crate::{
    domain::{Kind, Message, Personal, mailboxes::Mailboxes},
    mail::{self, Address, Cause, NewMail, content::Content},
};

/// Expiry of the forwarded mail. A longer outage of a mailbox is no network fault, and the message stays in the inbox.
const FORWARD_WITHIN: TimeDelta = TimeDelta::days(30);
/// Expiry of the acknowledgement; a later one would confuse.
const ACKNOWLEDGE_WITHIN: TimeDelta = TimeDelta::days(3);

/// Builds the mails of a message. Their ids are derived from the message, so each is created only once. A counted
/// registration gets a confirmation of its own instead of the acknowledgement.
pub(super) fn mails(
    keys: &Keys,
    mailboxes: &Mailboxes,
    message: &Message,
    is_counted: bool,
    now: DateTime<Utc>,
) -> Result<Script, StoreError> {
    let mailbox = &message.handling.mailbox;
    let forwarded = NewMail {
        id: derived(keys, "mail.message.forwarded", message.id.as_bytes()),
        message_id: derived(keys, "outbox.message.forwarded", message.id.as_bytes()),
        subject_id: Some(message.id),
        to: Address {
            name: Personal::kept(mailboxes.name_of(mailbox).to_owned()),
            email: Personal::kept(mailbox.clone()),
        },
        content: Content::Enquiry {
            message: message.id,
        },
        language: None,
        cause: Cause::Own,
        expire_time: now + FORWARD_WITHIN,
    };
    let mut script = mail::insert(keys, &forwarded, now)?;
    let writer = match &message.new.kind {
        Kind::Enquiry { email, .. } => Some(email),
        Kind::Registration { email, .. } => email.as_ref(),
        Kind::Comment { .. } => None,
    };
    if let Some(email) = writer.filter(|_| !is_counted) {
        let acknowledged = NewMail {
            id: derived(keys, "mail.message.acknowledged", message.id.as_bytes()),
            message_id: derived(keys, "outbox.message.acknowledged", message.id.as_bytes()),
            subject_id: Some(message.id),
            to: Address {
                // Not the name entered: a stranger can have this mail sent to any address.
                name: Personal::kept(String::new()),
                email: email.clone(),
            },
            content: Content::acknowledgement(&message.reference),
            language: message.new.language,
            cause: Cause::Own,
            expire_time: now + ACKNOWLEDGE_WITHIN,
        };
        script.append(mail::insert(keys, &acknowledged, now)?);
    }
    Ok(script)
}
