//! Statements, their values, and the connection that runs them: one text for both databases wherever they agree.
//!
//! Placeholders are `$1`, `$2`, … on both. A value is bound as the database's own type. A UUID is a `BLOB` in SQLite
//! and a `uuid` in PostgreSQL; a time is RFC 3339 text in UTC and a `timestamptz`. Numbers are 64 bits wide: columns
//! that are read back are `INTEGER` and `bigint`.

mod row;
mod script;
mod sqlite;

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::{error::StoreError, url::DatabaseKind};

use row::Source;
pub use row::{Column, Columns, Row};
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

/// Reads all rows of a result.
pub(crate) fn all<T: Row, R>(rows: &[R]) -> Result<Vec<T>, StoreError>
where
    for<'r> Columns<'r>: From<&'r R>,
{
    rows.iter().map(|row| T::read(&row.into())).collect()
}

/// Reads the first row of a result, if any.
pub(crate) fn first<'r, T: Row, R>(row: Option<&'r R>) -> Result<Option<T>, StoreError>
where
    Columns<'r>: From<&'r R>,
{
    row.map(|row| T::read(&row.into())).transpose()
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
    Sqlite(&'c mut rusqlite::Connection),
    Postgres(PostgresTransaction<'c>),
}

/// A transaction of PostgreSQL, begun by its first statement: locks are then taken in the same round trip.
#[derive(Debug)]
pub(crate) struct PostgresTransaction<'c> {
    connection: &'c mut PgConnection,
    is_begun: bool,
}

/// Units of work take a lock, then read what its last holder committed. A stricter default of the server or role would
/// let them read a snapshot from before the wait.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

impl PostgresTransaction<'_> {
    async fn begun(&mut self) -> Result<&mut PgConnection, StoreError> {
        if !self.is_begun {
            self.begin(BEGIN.into()).await?;
        }
        Ok(&mut *self.connection)
    }

    async fn begin(&mut self, text: String) -> Result<(), StoreError> {
        self.is_begun = true;
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}

impl<'c> Transaction<'c> {
    /// Starts a transaction of PostgreSQL. Dropping it without [`Self::end`] leaves it open.
    pub(crate) fn postgres(connection: &'c mut PgConnection) -> Self {
        Self(Connection::Postgres(PostgresTransaction {
            connection,
            is_begun: false,
        }))
    }

    /// Ends a transaction of PostgreSQL with `COMMIT` or `ROLLBACK`. SQLite's writer ends its own.
    pub(crate) async fn end(self, how: &'static str) -> Result<(), StoreError> {
        if let Connection::Postgres(transaction) = self.0
            && transaction.is_begun
        {
            sqlx::raw_sql(how).execute(transaction.connection).await?;
        }
        Ok(())
    }

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

    /// Takes several locks in one round trip, which also begins the transaction if no statement ran before. The order is
    /// always the same, so that transactions that take the same locks do not deadlock. A shared lock has many holders,
    /// but none beside an exclusive one. At most 16.
    pub async fn lock_all(&mut self, locks: &[Lock<'_>]) -> Result<(), StoreError> {
        let Connection::Postgres(transaction) = &mut self.0 else {
            return Ok(());
        };
        let mut keys: Vec<(i64, &'static str)> = locks.iter().map(|lock| lock.key()).collect();
        keys.sort_unstable();
        // An exclusive lock subsumes a shared one of the same name.
        keys.dedup_by_key(|(key, _)| *key);
        let calls: Vec<String> = keys
            .into_iter()
            .map(|(key, function)| format!("{function}({key})"))
            .collect();
        // A select list's functions are called from left to right.
        let lock = format!("SELECT {}", calls.join(", "));
        if transaction.is_begun {
            sqlx::raw_sql(AssertSqlSafe(lock))
                .execute(&mut *transaction.connection)
                .await?;
            return Ok(());
        }
        transaction.begin(format!("{BEGIN}; {lock}")).await
    }

    /// Runs a statement; returns the number of rows it wrote.
    pub async fn execute(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        let text = sql.into().on(self.kind());
        match &mut self.0 {
            Connection::Sqlite(connection) => sqlite::execute(connection, text, &values),
            Connection::Postgres(transaction) => {
                let query = bind!(sqlx::query(text), values);
                Ok(query
                    .execute(transaction.begun().await?)
                    .await?
                    .rows_affected())
            }
        }
    }

    /// Runs all statements of a script, on PostgreSQL in one round trip.
    pub async fn run(&mut self, script: Script) -> Result<(), StoreError> {
        match &mut self.0 {
            Connection::Sqlite(connection) => {
                for (text, values) in script.each(DatabaseKind::Sqlite) {
                    sqlite::execute(connection, text, &values)?;
                }
            }
            Connection::Postgres(_) if script.is_empty() => {}
            Connection::Postgres(transaction) => {
                let (text, values) = script.join();
                let query = bind!(sqlx::query(AssertSqlSafe(text)), values);
                query.execute(transaction.begun().await?).await?;
            }
        }
        Ok(())
    }

    /// Returns all rows of a query. The query must limit their number.
    pub async fn fetch_all<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let text = sql.into().on(self.kind());
        match &mut self.0 {
            Connection::Sqlite(connection) => sqlite::fetch(connection, text, &values, usize::MAX),
            Connection::Postgres(transaction) => {
                let query = bind!(sqlx::query(text), values);
                all(&query.fetch_all(transaction.begun().await?).await?)
            }
        }
    }

    /// Returns the first row of a query, if any.
    pub async fn fetch_optional<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Option<T>, StoreError> {
        let text = sql.into().on(self.kind());
        match &mut self.0 {
            Connection::Sqlite(connection) => {
                Ok(sqlite::fetch(connection, text, &values, 1)?.pop())
            }
            Connection::Postgres(transaction) => {
                let query = bind!(sqlx::query(text), values);
                first(
                    query
                        .fetch_optional(transaction.begun().await?)
                        .await?
                        .as_ref(),
                )
            }
        }
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
        match &mut self.0 {
            Connection::Sqlite(connection) => {
                sqlite::execute(connection, &sql, &values)?;
            }
            Connection::Postgres(transaction) => {
                let query = bind!(sqlx::query(AssertSqlSafe(sql)), values);
                query.execute(transaction.begun().await?).await?;
            }
        }
        Ok(())
    }

    pub(crate) async fn fetch_text<T: Row>(
        &mut self,
        sql: String,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        match &mut self.0 {
            Connection::Sqlite(connection) => sqlite::fetch(connection, &sql, &values, usize::MAX),
            Connection::Postgres(transaction) => {
                let query = bind!(sqlx::query(AssertSqlSafe(sql)), values);
                all(&query.fetch_all(transaction.begun().await?).await?)
            }
        }
    }
}
