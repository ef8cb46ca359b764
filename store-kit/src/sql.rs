//! Statements, their values, and the connection that runs them: one text for both databases wherever they agree.
//!
//! Placeholders are `$1`, `$2`, … on both. A value is bound as the database's own type: a UUID is a `BLOB` in SQLite and a
//! `uuid` in PostgreSQL, a time is RFC 3339 in UTC and a `timestamptz`. Numbers are 64 bits wide: columns that are read back are
//! `INTEGER` and `bigint`.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use sqlx::{
    AssertSqlSafe, FromRow, PgConnection, SqliteConnection,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
    sqlite::{SqliteArguments, SqliteRow},
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{error::StoreError, url::DatabaseKind};

macro_rules! bind {
    ($query:expr, $values:expr) => {
        $values.into_iter().fold($query, |query, value| match value {
            Value::Text(value) => query.bind(value),
            Value::Bytes(value) => query.bind(value),
            Value::Integer(value) => query.bind(value),
            Value::Real(value) => query.bind(value),
            Value::Boolean(value) => query.bind(value),
            Value::Uuid(value) => query.bind(value),
            Value::Time(value) => query.bind(value),
        })
    };
}

/// A text of SQL: one for both databases, or one for each where they differ.
#[derive(Clone, Copy, Debug)]
pub struct Sql {
    sqlite: &'static str,
    postgres: &'static str,
}

impl Sql {
    /// Texts that differ.
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

/// A value that is bound to a placeholder. Nulls keep their type: PostgreSQL asks for it.
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
    /// `TEXT` (RFC 3339 in UTC, sorts like the time), `timestamptz`. Microseconds are what both keep.
    Time(Option<DateTime<Utc>>),
}

macro_rules! values {
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

values! {
    Text: String, &str => str::to_owned, &String => String::clone;
    Bytes: Vec<u8>, &[u8] => <[u8]>::to_vec, [u8; 32] => Vec::from;
    Integer: i64, i32 => i64::from, u32 => i64::from;
    Real: f64;
    Boolean: bool;
    Uuid: Uuid;
    Time: DateTime<Utc>;
}

/// The values of a statement, in the order of their placeholders.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        ::std::vec![$($crate::sql::Value::from($value)),*]
    };
}

/// A row that can be read from both databases; what `#[derive(sqlx::FromRow)]` gives.
pub trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

impl<T> Row for T where
    T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

/// One statement with its values.
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) sql: Sql,
    pub(crate) values: Vec<Value>,
}

impl Statement {
    /// A statement of a [`Script`].
    pub fn new(sql: impl Into<Sql>, values: Vec<Value>) -> Self {
        Self {
            sql: sql.into(),
            values,
        }
    }
}

/// Statements that write and are sent in one journey: what a change consists of.
///
/// On PostgreSQL they are the parts of one `WITH`: none sees what another one writes, and no row may be written twice. Each is an
/// `INSERT`, `UPDATE` or `DELETE` without a semicolon.
#[derive(Clone, Debug, Default)]
pub struct Script(Vec<Statement>);

impl Script {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a statement at the end.
    pub fn push(&mut self, statement: Statement) {
        self.0.push(statement);
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One text with placeholders counted through, and all values.
    fn join(self, kind: DatabaseKind) -> (String, Vec<Value>) {
        let mut text = String::with_capacity(self.0.len() * 240);
        let mut values = Vec::new();
        for (number, statement) in self.0.into_iter().enumerate() {
            let (before, after) = match kind {
                DatabaseKind::Sqlite => ("", ";\n"),
                DatabaseKind::Postgres if number == 0 => ("WITH ", ")\n"),
                DatabaseKind::Postgres => (", ", ")\n"),
            };
            text.push_str(before);
            if kind == DatabaseKind::Postgres {
                // Writing to a String cannot fail.
                let _ = write!(text, "part_{number} AS (");
            }
            renumber(statement.sql.on(kind), values.len(), &mut text);
            text.push_str(after);
            values.extend(statement.values);
        }
        if kind == DatabaseKind::Postgres {
            text.push_str("SELECT 1");
        }
        (text, values)
    }
}

impl FromIterator<Statement> for Script {
    fn from_iter<I: IntoIterator<Item = Statement>>(statements: I) -> Self {
        Self(statements.into_iter().collect())
    }
}

impl Extend<Statement> for Script {
    fn extend<I: IntoIterator<Item = Statement>>(&mut self, statements: I) {
        self.0.extend(statements);
    }
}

/// Appends `sql` with `$n` as `$(n + by)`. Texts of SQL hold no other dollar sign.
fn renumber(sql: &str, by: usize, text: &mut String) {
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        let number: usize = number.parse().unwrap_or_default();
        let _ = write!(text, "${}{rest}", number + by);
    }
}

/// The connection within a transaction. What it runs is kept or undone together.
#[derive(Debug)]
pub struct Transaction<'c>(pub(crate) Connection<'c>);

#[derive(Debug)]
pub(crate) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Transaction<'_> {
    /// Which database it is.
    pub fn kind(&self) -> DatabaseKind {
        match self.0 {
            Connection::Sqlite(_) => DatabaseKind::Sqlite,
            Connection::Postgres(_) => DatabaseKind::Postgres,
        }
    }

    /// Waits until nobody else holds a lock of this name, and holds it until the end of the transaction. What is read afterwards
    /// stays true. SQLite has one writer: there it does nothing.
    pub async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        if let Connection::Postgres(connection) = &mut self.0 {
            let digest = Sha256::digest(name);
            let key = i64::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 8]));
            postgres("SELECT pg_advisory_xact_lock($1)", values![key])
                .execute(&mut **connection)
                .await?;
        }
        Ok(())
    }

    /// Runs a statement; gives how many rows it wrote.
    pub async fn execute(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        let sql = sql.into();
        Ok(match &mut self.0 {
            Connection::Sqlite(connection) => sqlite(sql.sqlite, values)
                .execute(&mut **connection)
                .await?
                .rows_affected(),
            Connection::Postgres(connection) => postgres(sql.postgres, values)
                .execute(&mut **connection)
                .await?
                .rows_affected(),
        })
    }

    /// Runs all statements of a script in one journey.
    pub async fn run(&mut self, script: Script) -> Result<(), StoreError> {
        if script.is_empty() {
            return Ok(());
        }
        let (text, values) = script.join(self.kind());
        self.execute_text(text, values).await
    }

    /// The rows of a query. The query bounds how many they are.
    pub async fn fetch_all<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let sql = sql.into();
        Ok(match &mut self.0 {
            Connection::Sqlite(connection) => {
                sqlite_as(sql.sqlite, values)
                    .fetch_all(&mut **connection)
                    .await?
            }
            Connection::Postgres(connection) => {
                postgres_as(sql.postgres, values)
                    .fetch_all(&mut **connection)
                    .await?
            }
        })
    }

    /// The first row of a query, if there is one.
    pub async fn fetch_optional<T: Row>(
        &mut self,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Option<T>, StoreError> {
        let sql = sql.into();
        Ok(match &mut self.0 {
            Connection::Sqlite(connection) => {
                sqlite_as(sql.sqlite, values)
                    .fetch_optional(&mut **connection)
                    .await?
            }
            Connection::Postgres(connection) => {
                postgres_as(sql.postgres, values)
                    .fetch_optional(&mut **connection)
                    .await?
            }
        })
    }

    /// The only row of a query that always has one.
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

/// Texts that are put together from declarations of the program, never from what somebody typed.
impl Transaction<'_> {
    pub(crate) async fn execute_text(
        &mut self,
        sql: String,
        values: Vec<Value>,
    ) -> Result<(), StoreError> {
        let text = AssertSqlSafe(sql);
        match &mut self.0 {
            Connection::Sqlite(connection) => {
                bind_sqlite(sqlx::query(text), values)
                    .execute(&mut **connection)
                    .await?;
            }
            Connection::Postgres(connection) => {
                bind_postgres(sqlx::query(text), values)
                    .execute(&mut **connection)
                    .await?;
            }
        }
        Ok(())
    }

    pub(crate) async fn fetch_text<T: Row>(
        &mut self,
        sql: String,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let text = AssertSqlSafe(sql);
        Ok(match &mut self.0 {
            Connection::Sqlite(connection) => {
                bind!(sqlx::query_as(text), values)
                    .fetch_all(&mut **connection)
                    .await?
            }
            Connection::Postgres(connection) => {
                bind!(sqlx::query_as(text), values)
                    .fetch_all(&mut **connection)
                    .await?
            }
        })
    }
}

pub(crate) type SqliteQuery = Query<'static, sqlx::Sqlite, SqliteArguments>;
pub(crate) type PostgresQuery = Query<'static, sqlx::Postgres, PgArguments>;

pub(crate) fn sqlite(sql: &'static str, values: Vec<Value>) -> SqliteQuery {
    bind_sqlite(sqlx::query(sql), values)
}

pub(crate) fn postgres(sql: &'static str, values: Vec<Value>) -> PostgresQuery {
    bind_postgres(sqlx::query(sql), values)
}

fn bind_sqlite(query: SqliteQuery, values: Vec<Value>) -> SqliteQuery {
    bind!(query, values)
}

fn bind_postgres(query: PostgresQuery, values: Vec<Value>) -> PostgresQuery {
    bind!(query, values)
}

pub(crate) fn sqlite_as<T: Row>(
    sql: &'static str,
    values: Vec<Value>,
) -> QueryAs<'static, sqlx::Sqlite, T, SqliteArguments> {
    bind!(sqlx::query_as(sql), values)
}

pub(crate) fn postgres_as<T: Row>(
    sql: &'static str,
    values: Vec<Value>,
) -> QueryAs<'static, sqlx::Postgres, T, PgArguments> {
    bind!(sqlx::query_as(sql), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script() -> Script {
        [
            Statement::new("INSERT INTO a VALUES ($1, $2)", values![1_i64, "x"]),
            Statement::new("DELETE FROM b WHERE id = $1", values![2_i64]),
        ]
        .into_iter()
        .collect()
    }

    #[test]
    fn a_script_counts_its_placeholders_through() {
        let (text, values) = script().join(DatabaseKind::Sqlite);
        assert_eq!(
            text,
            "INSERT INTO a VALUES ($1, $2);\nDELETE FROM b WHERE id = $3;\n"
        );
        assert_eq!(values, values![1_i64, "x", 2_i64]);
        let (text, _) = script().join(DatabaseKind::Postgres);
        assert_eq!(
            text,
            "WITH part_0 AS (INSERT INTO a VALUES ($1, $2))\n, part_1 AS (DELETE FROM b WHERE id = $3)\nSELECT 1"
        );
    }

    #[test]
    fn placeholders_of_two_digits_are_counted_too() {
        let mut text = String::new();
        renumber("$9, $10 + $1", 5, &mut text);
        assert_eq!(text, "$14, $15 + $6");
    }
}
