//! A message on its way: to its mailbox, and an acknowledgement to whoever wrote it.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{error::StoreError, keys::Keys, sql::Script};

use super::derived;
use crate::{
    domain::{Kind, Message, Personal, mailboxes::Mailboxes},
    mail::{self, Address, NewMail, content::Content},
};

/// A mailbox that is away this long has another cause than a fault of the network; the message stays in the inbox.
const FORWARD_WITHIN: TimeDelta = TimeDelta::days(30);
/// An acknowledgement that comes later confuses.
const ACKNOWLEDGE_WITHIN: TimeDelta = TimeDelta::days(3);

/// The mails of a message. Their ids are derived from it, so that each is made once.
pub(super) fn mails(
    keys: &Keys,
    mailboxes: &Mailboxes,
    message: &Message,
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
        expire_time: now + FORWARD_WITHIN,
    };
    let mut script = mail::insert(keys, &forwarded, now)?;
    if let Kind::Enquiry { email, .. } = &message.new.kind {
        let acknowledged = NewMail {
            id: derived(keys, "mail.message.acknowledged", message.id.as_bytes()),
            message_id: derived(keys, "outbox.message.acknowledged", message.id.as_bytes()),
            subject_id: Some(message.id),
            to: Address {
                // Not the name that was typed: a stranger can have this mail sent to any address.
                name: Personal::kept(String::new()),
                email: email.clone(),
            },
            content: Content::acknowledgement(&message.reference),
            expire_time: now + ACKNOWLEDGE_WITHIN,
        };
        script.append(mail::insert(keys, &acknowledged, now)?);
    }
    Ok(script)
}
