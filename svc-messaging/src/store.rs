//! Storage of messages and subscriptions. Visitors' input is sealed. All SQL on both is here.

mod backfill;
mod cancelled;
mod deliveries;
mod drafts;
mod events;
mod inbox;
mod keyed;
mod newsletters;
mod quarantine;
mod receive;
mod registrations;
mod retention;
mod route;
mod rows;
mod senders;
mod stopped;
pub(crate) mod subscriptions;
mod tests_of_drafts;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sqlx::migrate::Migrator;
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    migrate::Schema,
    requests::{self, Found, RequestKey},
    sealed::Redigest,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use crate::{
    domain::{Message, mailboxes::Mailboxes},
    mail,
};
use keyed::{MESSAGES, SUBSCRIPTIONS};
use rows::MessageRow;

pub use deliveries::Position;
pub use drafts::{CREATE_DRAFT, DraftOutcome};
pub use inbox::{Deleted, ListFilter, StatusOutcome};
pub use keyed::CREATE;
pub use newsletters::{CREATE_NEWSLETTER, issue};
pub use receive::{Incoming, Received};
pub use registrations::{Registration, WithTaken};
pub use senders::{Erased, SenderRecords, Whom};
pub use stopped::Stopped;
pub use subscriptions::{Subscribed, Subscription, is_confirmed};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Schema that this build expects.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[
        &backfill::SealMessages,
        &backfill::RouteMessages,
        &Redigest {
            name: "messages-phone-e164",
            table: MESSAGES,
        },
        &Redigest {
            name: "mails-phone-e164",
            table: mail::store::MAILS,
        },
    ],
    sealed: &[
        MESSAGES,
        SUBSCRIPTIONS,
        mail::store::MAILS,
        mail::store::suppressions::SUPPRESSIONS,
    ],
};

/// Store of messages and subscriptions. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    keys: Keys,
    mailboxes: Arc<Mailboxes>,
}

impl Store {
    /// Creates a store on a database with [`SCHEMA`], sealed with `keys`.
    pub fn new(database: Database, keys: Keys, mailboxes: Arc<Mailboxes>) -> Self {
        Self {
            database,
            keys,
            mailboxes,
        }
    }

    /// Returns the message that an identical earlier request created, if it still exists.
    ///
    /// # Errors
    /// When the database fails, or the message cannot be decrypted with these keys.
    pub async fn recall(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        message(&self.database, &self.keys, requests::subject_id(&subject)?).await
    }

    /// Writes an audit entry for a read.
    async fn note(&self, entry: audit::Entry, now: DateTime<Utc>) -> Result<(), StoreError> {
        let note = Note {
            entry,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT audit_entries", note).await
    }
}

/// Returns a stored message; `None` if it was deleted.
///
/// # Errors
/// When the database fails, or the message cannot be decrypted with these keys.
pub async fn message(
    database: &Database,
    keys: &Keys,
    id: Uuid,
) -> Result<Option<Message>, StoreError> {
    let row: Option<MessageRow> = database
        .fetch_optional("SELECT messages", rows::BY_ID, values![id])
        .await?;
    row.map(|row| row.open(keys)).transpose()
}

struct Note {
    entry: audit::Entry,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Note {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        audit::append(transaction, &self.keys, &self.entry, self.now).await?;
        Ok(Decision::Commit(()))
    }
}
