//! Rows of messages.

use chrono::{DateTime, Utc};
use service_kit::language::Language;
use store_kit::{
    error::StoreError,
    keys::Keys,
    row,
    sql::{Statement, Value},
    values,
};
use uuid::Uuid;

use super::keyed::{MESSAGES, email_digest, phone_digest};
use crate::domain::{
    Handling, Kind, Message, NewMessage, Personal, Status, mailboxes::Mailboxes, reference,
};

const INSERT: &str = "\
INSERT INTO messages (id, kind, status, key_id, name, email, phone, subject, message, email_digest, phone_digest, thread_id, \
write_time, create_time, reference, mailbox, signals, taken_by, version, update_time, route_time, network_digest, text_digest, people, \
language) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)";

/// Selects the columns of a [`MessageRow`].
macro_rules! select_messages {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, status, key_id, name, email, phone, subject, message, thread_id, write_time, create_time, reference, \
             mailbox, signals, taken_by, version, update_time, route_time, people, taken_by_name, language FROM messages ",
            $rest
        )
    };
}
pub(super) use select_messages;

pub(super) const BY_ID: &str = select_messages!("WHERE id = $1");
pub(super) const BY_REFERENCE: &str = select_messages!("WHERE reference = $1");

/// Keyed hashes stored with a message to recognise similar ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traces {
    pub(super) network: Option<[u8; 32]>,
    pub(super) text: Option<[u8; 32]>,
}

/// Builds the insert of a message.
pub(super) fn insert(
    keys: &Keys,
    message: &Message,
    traces: Traces,
) -> Result<Statement, StoreError> {
    let (new, handling) = (&message.new, &message.handling);
    let seal = |column, text: &str| MESSAGES.seal(keys, message.id, column, text);
    let (email, phone) = (new.email(), new.phone());
    Ok(Statement::new(
        INSERT,
        values![
            message.id,
            stored_kind(&new.kind),
            handling.status.as_str(),
            keys.active(),
            seal("name", new.name.as_str())?,
            email.map(|email| seal("email", email)).transpose()?,
            phone.map(|phone| seal("phone", phone)).transpose()?,
            seal("subject", new.subject.as_str())?,
            seal("message", new.message.as_str())?,
            email.map(|email| email_digest(keys, email)),
            phone.map(|phone| phone_digest(keys, phone)),
            new.registration()
                .map_or(new.thread_id(), |(event_id, _)| Some(event_id)),
            new.write_time(),
            message.create_time,
            &message.reference,
            &handling.mailbox,
            handling.signals.join(","),
            handling.taken_by.as_deref(),
            handling.version,
            handling.update_time,
            handling.route_time,
            traces.network,
            traces.text,
            new.registration().map(|(_, people)| people),
            Language::code_or_en(new.language),
        ],
    ))
}

/// Builds the update after a status change. It matches no row if `version` is outdated.
pub(super) fn update(id: Uuid, version: i64, handling: &Handling) -> (&'static str, Vec<Value>) {
    const UPDATE: &str = "\
UPDATE messages SET status = $3, taken_by = $4, version = $5, update_time = $6, route_time = $7, taken_by_name = $8 WHERE id = $1 AND version = $2";
    (
        UPDATE,
        values![
            id,
            version,
            handling.status.as_str(),
            handling.taken_by.as_deref(),
            handling.version,
            handling.update_time,
            handling.route_time,
            handling.taken_by_name.as_deref(),
        ],
    )
}

row! {
    pub(super) struct MessageRow {
        pub(super) id: Uuid,
        kind: String,
        status: String,
        key_id: String,
        name: Vec<u8>,
        email: Option<Vec<u8>>,
        phone: Option<Vec<u8>>,
        subject: Vec<u8>,
        message: Vec<u8>,
        thread_id: Option<String>,
        write_time: Option<DateTime<Utc>>,
        create_time: DateTime<Utc>,
        reference: Option<String>,
        mailbox: Option<String>,
        signals: String,
        taken_by: Option<String>,
        version: i64,
        update_time: Option<DateTime<Utc>>,
        route_time: Option<DateTime<Utc>>,
        people: Option<i32>,
        taken_by_name: Option<String>,
        language: String,
    }
}

impl MessageRow {
    pub(super) fn open(self, keys: &Keys) -> Result<Message, StoreError> {
        let open = |column, sealed: &[u8]| {
            MESSAGES
                .open(keys, &self.key_id, self.id, column, sealed)
                .map(Personal::kept)
        };
        let open_some =
            |column, sealed: Option<&[u8]>| sealed.map(|sealed| open(column, sealed)).transpose();
        let email = open_some("email", self.email.as_deref())?;
        let phone = open_some("phone", self.phone.as_deref())?;
        let new = NewMessage {
            language: Language::of(&self.language),
            name: open("name", &self.name)?,
            subject: open("subject", &self.subject)?,
            message: open("message", &self.message)?,
            kind: match (self.people, phone, self.thread_id) {
                (Some(people), Some(phone), Some(event_id)) => Kind::Registration {
                    email,
                    phone,
                    event_id,
                    people,
                },
                (None, phone, thread_id) => {
                    kind(&self.kind, email, phone, thread_id, self.write_time)?
                }
                (Some(_), ..) => {
                    return Err(StoreError::Corrupt {
                        column: "messages.people",
                    });
                }
            },
        };
        let words = self.signals.split(',').filter(|word| !word.is_empty());
        let handling = Handling {
            status: Status::from_word(&self.status).ok_or(StoreError::Corrupt {
                column: "messages.status",
            })?,
            // The previous build does not set these columns and may still be writing.
            mailbox: self.mailbox.unwrap_or_else(|| {
                let mailboxes = Mailboxes::embedded();
                mailboxes.route(&new.kind, &new.subject).address.clone()
            }),
            signals: words.map(str::to_owned).collect(),
            taken_by: self.taken_by,
            taken_by_name: self.taken_by_name,
            version: self.version,
            update_time: self.update_time.unwrap_or(self.create_time),
            route_time: self.route_time,
        };
        Ok(Message {
            id: self.id,
            reference: self.reference.unwrap_or_else(|| reference(self.id)),
            create_time: self.create_time,
            handling,
            new,
        })
    }
}

/// Returns the value of the column `kind`. The build before registrations reads them as comments.
fn stored_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Registration { .. } => "comment",
        Kind::Enquiry { .. } | Kind::Comment { .. } => kind.as_str(),
    }
}

/// Builds the kind of an enquiry or a comment from the columns of a row.
pub(super) fn kind(
    word: &str,
    email: Option<Personal>,
    phone: Option<Personal>,
    thread_id: Option<String>,
    write_time: Option<DateTime<Utc>>,
) -> Result<Kind, StoreError> {
    match (word, email, phone, thread_id) {
        ("enquiry", Some(email), Some(phone), None) => Ok(Kind::Enquiry { email, phone }),
        ("comment", email, phone, Some(thread_id)) => Ok(Kind::Comment {
            email,
            phone,
            thread_id,
            write_time,
        }),
        _ => Err(StoreError::Corrupt {
            column: "messages.kind",
        }),
    }
}
