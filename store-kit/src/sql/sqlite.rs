//! Statements on the writer's connection to SQLite. They run in the calling thread.

use chrono::{SecondsFormat, SubsecRound as _};
use rusqlite::{
    CachedStatement, Connection, ToSql,
    types::{ToSqlOutput, Value as Owned, ValueRef},
};

use super::{Columns, Row, Source, Value};
use crate::error::StoreError;

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Text(value) => value.as_deref().map(|text| ValueRef::Text(text.as_bytes())),
            Self::Bytes(value) => value.as_deref().map(ValueRef::Blob),
            Self::Integer(value) => value.map(ValueRef::Integer),
            Self::Real(value) => value.map(ValueRef::Real),
            Self::Boolean(value) => value.map(|value| ValueRef::Integer(value.into())),
            Self::Uuid(value) => value.as_ref().map(|id| ValueRef::Blob(id.as_bytes())),
            Self::Time(value) => {
                let text = value.map(|time| {
                    // The readers' driver writes the same form, and texts of one form sort like their times.
                    time.trunc_subsecs(6)
                        .to_rfc3339_opts(SecondsFormat::AutoSi, false)
                });
                return Ok(ToSqlOutput::Owned(text.map_or(Owned::Null, Owned::Text)));
            }
        };
        Ok(ToSqlOutput::Borrowed(value.unwrap_or(ValueRef::Null)))
    }
}

/// Runs a statement to its end; returns the number of rows it wrote.
pub(super) fn execute(
    connection: &Connection,
    text: &str,
    values: &[Value],
) -> Result<u64, StoreError> {
    let mut statement = bound(connection, text, values)?;
    let mut rows = statement.raw_query();
    while rows.next()?.is_some() {}
    Ok(connection.changes())
}

/// Returns the first rows of a query.
pub(super) fn fetch<T: Row>(
    connection: &Connection,
    text: &str,
    values: &[Value],
    rows_max: usize,
) -> Result<Vec<T>, StoreError> {
    let mut statement = bound(connection, text, values)?;
    let mut rows = statement.raw_query();
    let mut read = Vec::new();
    while read.len() < rows_max
        && let Some(row) = rows.next()?
    {
        read.push(T::read(&Columns(Source::Writer(row)))?);
    }
    Ok(read)
}

/// Prepares a statement, from the connection's cache if possible, and binds each placeholder `$n` to the n-th value.
fn bound<'c>(
    connection: &'c Connection,
    text: &str,
    values: &[Value],
) -> Result<CachedStatement<'c>, StoreError> {
    let mut statement = connection.prepare_cached(text)?;
    for index in 1..=statement.parameter_count() {
        // For SQLite, `$2` is a name, and names are numbered in the order of their first use.
        let number: Option<usize> = statement
            .parameter_name(index)
            .and_then(|name| name.strip_prefix('$')?.parse().ok());
        let value = number.and_then(|number| values.get(number.checked_sub(1)?));
        let value = value.ok_or(rusqlite::Error::InvalidParameterCount(index, values.len()))?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(statement)
}
