//! Stores messages. What a visitor wrote is sealed. All SQL of the service is here.

mod backfill;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::input::{email_to_look_up, phone_to_look_up};
use sqlx::migrate::Migrator;
use store_kit::{
    creation::{self, Creation, New},
    database::Database,
    error::StoreError,
    keys::Keys,
    migrate::Schema,
    requests::{self, Found, RequestKey},
    sealed::SealedTable,
    sql::{Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use crate::{
    domain::{Kind, Message, NewMessage, Personal, Status},
    mail,
};

/// The kind of the request keys of creates. Never changes: it is part of what is hashed.
pub const CREATE: &str = "messages.create";

/// Purposes of the keyed hashes that find a person's messages. They never change either.
const EMAIL_DIGEST: &str = "messages.email";
const PHONE_DIGEST: &str = "messages.phone";

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// What this build expects of its database.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[&backfill::SealMessages],
    sealed: &[MESSAGES, mail::store::MAILS],
};

const MESSAGES: SealedTable = SealedTable {
    table: "messages",
    columns: &["name", "email", "phone", "subject", "message"],
};

const INSERT: &str = "\
INSERT INTO messages (id, kind, status, key_id, name, email, phone, subject, message, email_digest, phone_digest, thread_id, \
write_time, create_time) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
const SELECT: &str = "\
SELECT id, kind, status, key_id, name, email, phone, subject, message, thread_id, write_time, create_time \
FROM messages WHERE id = $1";

/// Messages on a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    keys: Keys,
}

impl Store {
    /// On a database of [`SCHEMA`], sealed with `keys`.
    pub fn new(database: Database, keys: Keys) -> Self {
        Self { database, keys }
    }

    /// Keeps a message once per request, however often and however concurrently it is called. A repetition gives the message as it
    /// is kept.
    ///
    /// # Errors
    /// When the database fails, or the message that the request made does not open with these keys.
    pub async fn create(
        &self,
        request: RequestKey,
        message: Message,
    ) -> Result<Creation<Message>, StoreError> {
        let create = Create {
            keys: self.keys.clone(),
            request,
            message,
        };
        self.database.write("INSERT messages", create).await
    }

    /// Idempotent replay: the message that an earlier request created, if it still exists.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub async fn recall(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        let id = requests::subject_id(&subject)?;
        let row: Option<MessageRow> = self
            .database
            .fetch_optional("SELECT messages", SELECT, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }
}

/// A message, for the mail that forwards it; `None` once it was erased.
///
/// # Errors
/// When the database fails or the message does not open.
pub async fn message(
    database: &Database,
    keys: &Keys,
    id: Uuid,
) -> Result<Option<Message>, StoreError> {
    let row: Option<MessageRow> = database
        .fetch_optional("SELECT messages", SELECT, values![id])
        .await?;
    row.map(|row| row.open(keys)).transpose()
}

struct Create {
    keys: Keys,
    request: RequestKey,
    message: Message,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = Creation<Message>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let message = &self.message;
        let new = New {
            request: &self.request,
            id: message.id,
            subject: message.clone(),
            script: [insert(&self.keys, message)?].into_iter().collect(),
            now: message.create_time,
        };
        creation::once(transaction, new, SELECT, |row: MessageRow| {
            row.open(&self.keys)
        })
        .await
    }
}

/// The row of a message.
fn insert(keys: &Keys, message: &Message) -> Result<Statement, StoreError> {
    let new = &message.new;
    let seal = |column, text: &str| MESSAGES.seal(keys, message.id, column, text);
    let email = new.email();
    let phone = new.phone();
    let email_digest =
        email.map(|email| keys.digest(EMAIL_DIGEST, email_to_look_up(email).as_bytes()));
    let phone_digest =
        phone.map(|phone| keys.digest(PHONE_DIGEST, phone_to_look_up(phone).as_bytes()));
    Ok(Statement::new(
        INSERT,
        values![
            message.id,
            new.kind.as_str(),
            message.status.as_str(),
            keys.active(),
            seal("name", new.name.as_str())?,
            email.map(|email| seal("email", email)).transpose()?,
            phone.map(|phone| seal("phone", phone)).transpose()?,
            seal("subject", new.subject.as_str())?,
            seal("message", new.message.as_str())?,
            email_digest,
            phone_digest,
            new.thread_id(),
            new.write_time(),
            message.create_time,
        ],
    ))
}

#[derive(sqlx::FromRow)]
struct MessageRow {
    id: Uuid,
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
}

impl MessageRow {
    fn open(self, keys: &Keys) -> Result<Message, StoreError> {
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
            name: open("name", &self.name)?,
            subject: open("subject", &self.subject)?,
            message: open("message", &self.message)?,
            kind: kind(&self.kind, email, phone, self.thread_id, self.write_time)?,
        };
        Ok(Message {
            id: self.id,
            create_time: self.create_time,
            status: Status::from_word(&self.status).ok_or(StoreError::Corrupt {
                column: "messages.status",
            })?,
            new,
        })
    }
}

/// The kind that the columns of a row spell.
fn kind(
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
