//! Statements, their values, and the connection that runs them: one text for both databases wherever they agree.
//!
//! Placeholders are `$1`, `$2`, … on both. A value is bound as the database's own type. A UUID is a `BLOB` in SQLite
//! and a `uuid` in PostgreSQL; a time is RFC 3339 text in UTC and a `timestamptz`. Numbers are 64 bits wide: columns
//! that are read back are `INTEGER` and `bigint`.

mod script;

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::{
    AssertSqlSafe, FromRow, PgConnection, SqliteConnection, postgres::PgRow, sqlite::SqliteRow,
};
use uuid::Uuid;

use crate::{error::StoreError, url::DatabaseKind};

pub use script::{Script, Statement};

/// Binds values to a query of either database.
macro_rules! bind {
    ($query:expr, $values:expr) => {{
        use $crate::sql::Value;
        $values
            .into_iter()
            .fold($query, |query, value| match value {
                Value::Text(value) => query.bind(value),
                Value::Bytes(value) => query.bind(value),
                Value::Integer(value) => query.bind(value),
                Value::Real(value) => query.bind(value),
                Value::Boolean(value) => query.bind(value),
                Value::Uuid(value) => query.bind(value),
                // SQLite would keep nanoseconds.
                Value::Time(value) => {
                    query.bind(value.map(|time| chrono::SubsecRound::trunc_subsecs(time, 6)))
                }
            })
    }};
}
pub(crate) use bind;

/// Runs a query of a transaction on either database.
macro_rules! on_either {
    ($transaction:ident, |$connection:ident| $run:expr) => {
        match &mut $transaction.0 {
            Connection::Sqlite($connection) => {
                let $connection = &mut **$connection;
                $run
            }
            Connection::Postgres($connection) => {
                let $connection = &mut **$connection;
                $run
            }
        }
    };
}

/// SQL text: one for both databases, or one for each where they differ.
#[derive(Clone, Copy, Debug)]
pub struct Sql {
    sqlite: &'static str,
    postgres: &'static str,
}

impl Sql {
    /// Creates a statement with a different text for each database.
    pub const fn differing(sqlite: &'static str, postgres: &'static str) -> Self {
        Self { sqlite, postgres }
    }

    pub(crate) fn on(self, kind: DatabaseKind) -> &'static str {
        match kind {
            DatabaseKind::Sqlite => self.sqlite,
            DatabaseKind::Postgres => self.postgres,
        }
    }
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self::differing(text, text)
    }
}

/// Value bound to a placeholder. Nulls keep their type, because PostgreSQL requires one.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `TEXT`, `text`.
    Text(Option<String>),
    /// `BLOB`, `bytea`.
    Bytes(Option<Vec<u8>>),
    /// `INTEGER`, `bigint`.
    Integer(Option<i64>),
    /// `REAL`, `double precision`.
    Real(Option<f64>),
    /// `INTEGER`, `boolean`.
    Boolean(Option<bool>),
    /// `BLOB`, `uuid`.
    Uuid(Option<Uuid>),
    /// `TEXT` (RFC 3339 in UTC, sorts chronologically), `timestamptz`. Truncated to microseconds, which both can store.
    Time(Option<DateTime<Utc>>),
}

/// Implements the conversions into [`Value`].
macro_rules! convert {
    ($($variant:ident: $type:ty $(, $more:ty => $convert:expr)*;)+) => {
        $(
            impl From<$type> for Value {
                fn from(value: $type) -> Self {
                    Self::$variant(Some(value))
                }
            }
            impl From<Option<$type>> for Value {
                fn from(value: Option<$type>) -> Self {
                    Self::$variant(value)
                }
            }
            $(
                impl From<$more> for Value {
                    fn from(value: $more) -> Self {
                        Self::$variant(Some($convert(value)))
                    }
                }
                impl From<Option<$more>> for Value {
                    fn from(value: Option<$more>) -> Self {
                        Self::$variant(value.map($convert))
                    }
                }
            )*
        )+
    };
}

convert! {
    Text: String, &str => str::to_owned, &String => String::clone;
    Bytes: Vec<u8>, &[u8] => <[u8]>::to_vec, [u8; 32] => Vec::from;
    Integer: i64, i32 => i64::from, u32 => i64::from;
    Real: f64;
    Boolean: bool;
    Uuid: Uuid;
    Time: DateTime<Utc>;
}

/// Lists the values of a statement in the order of their placeholders.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        ::std::vec![$($crate::sql::Value::from($value)),*]
    };
}

/// A row that can be read from both databases; implemented by `#[derive(sqlx::FromRow)]`.
pub trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

impl<T> Row for T where
    T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

/// A named lock of a transaction.
#[derive(Clone, Copy, Debug)]
pub enum Lock<'a> {
    /// Excludes every other holder.
    Exclusive(&'a str),
    /// Held together with any number of shared locks.
    Shared(&'a str),
}

impl Lock<'_> {
    /// Returns PostgreSQL's number for the lock and the function that takes it. The function names sort the exclusive
    /// lock first.
    fn key(self) -> (i64, &'static str) {
        let (name, function) = match self {
            Self::Exclusive(name) => (name, "pg_advisory_xact_lock"),
            Self::Shared(name) => (name, "pg_advisory_xact_lock_shared"),
        };
        let digest = Sha256::digest(name);
        (
            i64::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 8])),
            function,
        )
    }
}

/// Connection within a transaction. Its statements commit or roll back together.
#[derive(Debug)]
pub struct Transaction<'c>(pub(crate) Connection<'c>);

#[derive(Debug)]
pub(crate) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Transaction<'_> {
    /// Returns which database this is.
    pub fn kind(&self) -> DatabaseKind {
        match self.0 {
            Connection::Sqlite(_) => DatabaseKind::Sqlite,
            Connection::Postgres(_) => DatabaseKind::Postgres,
        }
    }

    /// Takes an exclusive lock of this name and holds it until the end of the transaction. Data read afterwards stays
    /// valid. Does nothing on SQLite, which has one writer.
    pub async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        self.lock_all(&[Lock::Exclusive(name)]).await
    }

    /// Takes several locks in one round trip, always in the same order, so that transactions that take the same locks
    /// do not deadlock. A shared lock has many holders, but none beside an exclusive one. At most 16.
    pub async fn lock_all(&mut self, locks: &[Lock<'_>]) -> Result<(), StoreError> {
        let Connection::Postgres(connection) = &mut self.0 else {
            return Ok(());
        };
        let mut keys: Vec<(i64, &'static str)> = locks.iter().map(|lock| lock.key()).collect();
        keys.sort_unstable();
        // An exclusive lock subsumes a shared one of the same name.
        keys.dedup_by_key(|(key, _)| *key);
        let calls: Vec<String> = keys
            .iter()
            .enumerate()
            .map(|(number, (_, function))| format!("{function}(${})", number + 1))
            .collect();
        let values = keys.into_iter().map(|(key, _)| Value::from(key));
        // A select list's functions are called from left to right.
        let text = AssertSqlSafe(format!("SELECT {}", calls.join(", ")));
        bind!(sqlx::query(text), values)
            .execute(&mut **connection)
            .await?;
        Ok(())
    }

    /// Runs a statement; returns the number of rows it wrote.
    pub async fn execute(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        let text = sql.into().on(self.kind());
        Ok(on_either!(self, |connection| {
            let done = bind!(sqlx::query(text), values).execute(connection).await?;
            done.rows_affected()
        }))
    }

    /// Runs all statements of a script in one round trip.
    pub async fn run(&mut self, script: Script) -> Result<(), StoreError> {
        if script.is_empty() {
            return Ok(());
        }
        let (text, values) = script.join(self.kind());
        self.execute_text(text, values).await
    }

    /// Returns all rows of a query. The query must limit their number.
    pub async fn fetch_all<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let text = sql.into().on(self.kind());
        Ok(on_either!(self, |connection| {
            let query = bind!(sqlx::query_as(text), values);
            query.fetch_all(connection).await?
        }))
    }

    /// Returns the first row of a query, if any.
    pub async fn fetch_optional<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Option<T>, StoreError> {
        let text = sql.into().on(self.kind());
        Ok(on_either!(self, |connection| {
            let query = bind!(sqlx::query_as(text), values);
            query.fetch_optional(connection).await?
        }))
    }

    /// Returns the only row of a query that always has one.
    pub async fn fetch_one<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<T, StoreError> {
        self.fetch_optional(sql, values)
            .await?
            .ok_or_else(|| sqlx::Error::RowNotFound.into())
    }
}

/// SQL text composed from the program's own declarations, never from user input.
impl Transaction<'_> {
    pub(crate) async fn execute_text(
        &mut self,
        sql: String,
        values: Vec<Value>,
    ) -> Result<(), StoreError> {
        let text = AssertSqlSafe(sql);
        on_either!(self, |connection| {
            bind!(sqlx::query(text), values).execute(connection).await?;
        });
        Ok(())
    }

    pub(crate) async fn fetch_text<T: Row>(
        &mut self,
        sql: String,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let text = AssertSqlSafe(sql);
        Ok(on_either!(self, |connection| {
            let query = bind!(sqlx::query_as(text), values);
            query.fetch_all(connection).await?
        }))
    }
}
