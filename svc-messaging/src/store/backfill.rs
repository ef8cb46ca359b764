//! Backfills: seal rows of the first format, which were stored in clear text, and route rows from before the inbox.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use store_kit::{
    error::StoreError,
    keys::Keys,
    migrate::Backfill,
    requests::{self, RequestKey},
    row,
    sql::{Script, Statement, Transaction},
    values,
};
use uuid::Uuid;

use super::{
    keyed::{CREATE, derived},
    rows::{MessageRow, Traces, insert, kind, select_messages},
};
use crate::{
    domain::{Handling, Message, NewMessage, Personal, Status, mailboxes::Mailboxes, reference},
    wire::{canonical, plain_line_breaks},
};

/// Maximum rows per step.
const ROWS_MAX: i64 = 200;

const SELECT: &str = "\
SELECT id, request_id, fingerprint, kind, name, email, phone, subject, message, thread_id, written_at, create_time \
FROM messages_v1 ORDER BY id LIMIT $1";
const DELETE: &str = "DELETE FROM messages_v1 WHERE id = $1";

/// Seals the rows of `messages_v1` and moves them to `messages`. Ids are kept, and a retried request still finds its
/// message.
#[derive(Debug)]
pub(super) struct SealMessages;

#[async_trait]
impl Backfill for SealMessages {
    fn name(&self) -> &'static str {
        "messages-sealed"
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        let rows: Vec<ClearRow> = transaction.fetch_all(SELECT, values![ROWS_MAX]).await?;
        let count = rows.len();
        for row in rows {
            let script = row.moved(keys)?;
            transaction.run(script).await?;
        }
        Ok(count)
    }
}

row! {
    struct ClearRow {
        id: Uuid,
        request_id: String,
        /// SHA-256 of the output of [`crate::wire::canonical`].
        fingerprint: Vec<u8>,
        kind: String,
        name: String,
        email: Option<String>,
        phone: Option<String>,
        subject: String,
        message: String,
        thread_id: Option<String>,
        written_at: Option<DateTime<Utc>>,
        create_time: DateTime<Utc>,
    }
}

impl ClearRow {
    fn moved(self, keys: &Keys) -> Result<Script, StoreError> {
        let stored = <[u8; 32]>::try_from(self.fingerprint).map_err(|_| StoreError::Corrupt {
            column: "messages_v1.fingerprint",
        })?;
        let has_other_line_breaks = plain_line_breaks(&self.message) != self.message;
        let new = NewMessage {
            language: None,
            name: Personal::kept(self.name),
            subject: Personal::kept(self.subject),
            message: Personal::kept(self.message),
            kind: kind(
                &self.kind,
                self.email.map(Personal::kept),
                self.phone.map(Personal::kept),
                self.thread_id,
                self.written_at,
            )?,
        };
        let mailboxes = Mailboxes::embedded();
        let message = Message {
            id: self.id,
            reference: reference(self.id),
            create_time: self.create_time,
            handling: Handling {
                status: Status::New,
                mailbox: mailboxes.route(&new.kind, &new.subject).address.clone(),
                signals: Vec::new(),
                taken_by: None,
                taken_by_name: None,
                version: 1,
                update_time: self.create_time,
                route_time: None,
            },
            new,
        };
        // That build hashed line breaks unchanged. This build normalises them, so the same message now has a different
        // hash.
        let body = if has_other_line_breaks {
            Sha256::digest(canonical(&with_plain_line_breaks(&message.new))).into()
        } else {
            stored
        };
        let request_id = Sha256::digest(self.request_id).into();
        let request = RequestKey::of_digests(keys, CREATE, request_id, body);
        let mut script = Script::new();
        script.push(insert(keys, &message, Traces::default())?);
        script.push(requests::insert(
            &request,
            &self.id.to_string(),
            self.create_time,
        ));
        script.push(Statement::new(DELETE, values![self.id]));
        Ok(script)
    }
}

/// Normalises line breaks as [`service_kit::input::Paragraphs`] does.
fn with_plain_line_breaks(message: &NewMessage) -> NewMessage {
    let text = message.message.as_str();
    NewMessage {
        message: Personal::kept(plain_line_breaks(text)),
        ..message.clone()
    }
}

/// Sets reference and mailbox of rows from before the inbox. No mails are sent, because these messages were already
/// visible in the inbox.
#[derive(Debug)]
pub(super) struct RouteMessages;

#[async_trait]
impl Backfill for RouteMessages {
    fn name(&self) -> &'static str {
        "messages-routed"
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        const UNROUTED: &str =
            select_messages!("WHERE reference IS NULL OR mailbox IS NULL ORDER BY id LIMIT $1");
        const TAKEN: &str = "SELECT count(*) FROM messages WHERE reference = $1 AND id <> $2";
        const UPDATE: &str = "UPDATE messages SET reference = $2, mailbox = $3 WHERE id = $1";
        let rows: Vec<MessageRow> = transaction.fetch_all(UNROUTED, values![ROWS_MAX]).await?;
        let count = rows.len();
        for row in rows {
            let mut message = row.open(keys)?;
            // References can collide by chance.
            let (taken,): (i64,) = transaction
                .fetch_one(TAKEN, values![&message.reference, message.id])
                .await?;
            if taken > 0 {
                let other = derived(keys, "messages.reference", message.id.as_bytes());
                message.reference = reference(other);
            }
            let mailbox = &message.handling.mailbox;
            let values = values![message.id, &message.reference, mailbox];
            transaction.execute(UPDATE, values).await?;
        }
        Ok(count)
    }
}
