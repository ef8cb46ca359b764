//! Rows of both databases, and how a struct or tuple is read from one.

use sqlx::{
    ColumnIndex, Decode, Postgres, Row as _, Sqlite, Type, postgres::PgRow, sqlite::SqliteRow,
};

use crate::error::StoreError;

/// Columns of one row of a result.
#[derive(Debug)]
pub struct Columns<'r>(pub(super) Source<'r>);

/// The driver that returned a row.
#[derive(Debug)]
pub(super) enum Source<'r> {
    /// SQLite's writer.
    Writer(&'r rusqlite::Row<'r>),
    /// SQLite's readers.
    Reader(&'r SqliteRow),
    Postgres(&'r PgRow),
}

/// A value that every driver can read.
pub trait Column:
    rusqlite::types::FromSql
    + for<'r> Decode<'r, Sqlite>
    + Type<Sqlite>
    + for<'r> Decode<'r, Postgres>
    + Type<Postgres>
{
}

impl<T> Column for T where
    T: rusqlite::types::FromSql
        + for<'r> Decode<'r, Sqlite>
        + Type<Sqlite>
        + for<'r> Decode<'r, Postgres>
        + Type<Postgres>
{
}

impl<'r> From<&'r SqliteRow> for Columns<'r> {
    fn from(row: &'r SqliteRow) -> Self {
        Self(Source::Reader(row))
    }
}

impl<'r> From<&'r PgRow> for Columns<'r> {
    fn from(row: &'r PgRow) -> Self {
        Self(Source::Postgres(row))
    }
}

impl Columns<'_> {
    /// Reads a column by its name.
    ///
    /// # Errors
    /// When there is no such column, or it holds another type.
    pub fn named<T: Column>(&self, name: &'static str) -> Result<T, StoreError> {
        self.get(name)
    }

    /// Reads a column by its position, counted from 0.
    ///
    /// # Errors
    /// As [`Self::named`].
    pub(crate) fn at<T: Column>(&self, position: usize) -> Result<T, StoreError> {
        self.get(position)
    }

    pub(crate) fn count(&self) -> usize {
        match self.0 {
            Source::Writer(row) => row.as_ref().column_count(),
            Source::Reader(row) => row.len(),
            Source::Postgres(row) => row.len(),
        }
    }

    fn get<T, I>(&self, index: I) -> Result<T, StoreError>
    where
        T: Column,
        I: rusqlite::RowIndex + ColumnIndex<SqliteRow> + ColumnIndex<PgRow>,
    {
        Ok(match self.0 {
            Source::Writer(row) => row.get(index)?,
            Source::Reader(row) => row.try_get(index)?,
            Source::Postgres(row) => row.try_get(index)?,
        })
    }
}

/// A row that can be read from both databases. Implemented by [`row!`](crate::row) for structs, and for tuples of up to
/// eight columns.
pub trait Row: Sized + Send + 'static {
    /// Reads the row.
    ///
    /// # Errors
    /// When a column is missing or holds another type.
    fn read(columns: &Columns<'_>) -> Result<Self, StoreError>;
}

/// Defines a struct that is read from a row: each field from the column of its name.
#[macro_export]
macro_rules! row {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($(#[$of_field:meta])* $reach:vis $field:ident: $type:ty),+ $(,)?
    }) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$of_field])* $reach $field: $type),+
        }

        impl $crate::sql::Row for $name {
            fn read(columns: &$crate::sql::Columns<'_>) -> ::std::result::Result<Self, $crate::error::StoreError> {
                ::std::result::Result::Ok(Self {
                    $($field: columns.named(stringify!($field))?),+
                })
            }
        }
    };
}

macro_rules! tuples {
    ($($(($type:ident $index:literal))+;)+) => {
        $(
            impl<$($type: Column + Send + 'static),+> Row for ($($type,)+) {
                fn read(columns: &Columns<'_>) -> Result<Self, StoreError> {
                    Ok(($(columns.at::<$type>($index)?,)+))
                }
            }
        )+
    };
}

tuples! {
    (A 0);
    (A 0) (B 1);
    (A 0) (B 1) (C 2);
    (A 0) (B 1) (C 2) (D 3);
    (A 0) (B 1) (C 2) (D 3) (E 4);
    (A 0) (B 1) (C 2) (D 3) (E 4) (F 5);
    (A 0) (B 1) (C 2) (D 3) (E 4) (F 5) (G 6);
    (A 0) (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7);
}
