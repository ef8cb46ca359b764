//! Sealed fields: what only the hospital may read is encrypted in its column, each value by itself.
//!
//! A table with sealed columns has a UUID `id` as its key and a column `key_id`, with an index, that names the key of its row: whoever
//! writes one sealed column of a row seals all of them anew. A value is bound to
//! table, column and row, so it cannot be moved to another place. Where staff must find somebody, a column holds a keyed hash
//! ([`crate::keys::Keys::digest`]) beside it.

use std::fmt::Write as _;

use sqlx::{ColumnIndex, Decode, FromRow, Type};
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    keys::{Keys, SealError},
    sql::{Transaction, Value},
    url::DatabaseKind,
    values,
    work::{Decision, UnitOfWork},
};

/// Rows that one step of a rotation seals anew.
const ROTATION_ROWS_MAX: i64 = 200;

/// A table with sealed columns: its declaration is all that sealing, opening and the rotation of keys need.
#[derive(Clone, Copy, Debug)]
pub struct SealedTable {
    /// Its name.
    pub table: &'static str,
    /// The sealed columns. A column may hold NULL.
    pub columns: &'static [&'static str],
}

impl SealedTable {
    /// Seals a value for a column of the row.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn seal(
        &self,
        keys: &Keys,
        id: Uuid,
        column: &'static str,
        plain: &str,
    ) -> Result<Vec<u8>, SealError> {
        keys.seal(&self.context(column, id), plain.as_bytes())
    }

    /// Opens a value of a column of the row.
    ///
    /// # Errors
    /// When the key is not configured, or the value was changed or moved.
    pub fn open(
        &self,
        keys: &Keys,
        key_id: &str,
        id: Uuid,
        column: &'static str,
        sealed: &[u8],
    ) -> Result<String, SealError> {
        let plain = keys.open(key_id, &self.context(column, id), sealed)?;
        String::from_utf8(plain).map_err(|_| SealError::Broken)
    }

    /// The smallest id of a key that is larger than `$1`: all ids of a table in as many steps as there are, instead of reading it.
    pub(crate) fn next_key(&self) -> String {
        format!("SELECT min(key_id) FROM {} WHERE key_id > $1", self.table)
    }

    fn context(&self, column: &str, id: Uuid) -> Vec<u8> {
        debug_assert!(self.columns.contains(&column), "{column} is declared");
        let mut context = Vec::with_capacity(self.table.len() + column.len() + 18);
        context.extend_from_slice(self.table.as_bytes());
        context.push(0);
        context.extend_from_slice(column.as_bytes());
        context.push(0);
        context.extend_from_slice(id.as_bytes());
        context
    }
}

/// A row of any sealed table: its key, the key's id, then the sealed columns in their order.
#[derive(Debug)]
struct SealedRow {
    id: Uuid,
    key_id: String,
    values: Vec<Option<Vec<u8>>>,
}

impl<'r, R: sqlx::Row> FromRow<'r, R> for SealedRow
where
    usize: ColumnIndex<R>,
    Uuid: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Option<Vec<u8>>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
        let values = (2..row.len())
            .map(|column| row.try_get(column))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            id: row.try_get(0)?,
            key_id: row.try_get(1)?,
            values,
        })
    }
}

/// Seals everything of a table anew with the active key, in steps of 200 rows each in a transaction of its own; gives how many rows
/// there were. It may be stopped at any time and run again. The old key may go from the key file once it gave 0.
///
/// # Errors
/// When the database fails, or a row names a key that is not configured.
pub async fn rotate(
    database: &Database,
    keys: &Keys,
    table: SealedTable,
) -> Result<u64, StoreError> {
    let mut rows = 0;
    loop {
        let step = Rotation {
            keys: keys.clone(),
            table,
        };
        let done = database.write("UPDATE sealed", step).await?;
        if done == 0 {
            return Ok(rows);
        }
        rows += done;
    }
}

struct Rotation {
    keys: Keys,
    table: SealedTable,
}

#[async_trait::async_trait]
impl UnitOfWork for Rotation {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        let columns = self.table.columns.join(", ");
        // A process that still seals with the old key must not write between this read and the update: its words would be lost.
        let lock = match transaction.kind() {
            DatabaseKind::Sqlite => "",
            DatabaseKind::Postgres => " FOR UPDATE",
        };
        let select = format!(
            // Not `<>`: only these two can use the index.
            "SELECT id, key_id, {columns} FROM {} WHERE key_id < $1 OR key_id > $1 LIMIT $2{lock}",
            self.table.table
        );
        let rows: Vec<SealedRow> = transaction
            .fetch_text(select, values![self.keys.active(), ROTATION_ROWS_MAX])
            .await?;
        let count = rows.len() as u64;
        let update = self.update();
        for row in rows {
            let mut values = values![row.id, row.key_id.as_str(), self.keys.active()];
            for (column, sealed) in self.table.columns.iter().zip(row.values) {
                let anew = sealed
                    .map(|sealed| {
                        let table = &self.table;
                        let plain = table.open(&self.keys, &row.key_id, row.id, column, &sealed)?;
                        table.seal(&self.keys, row.id, column, &plain)
                    })
                    .transpose()?;
                values.push(Value::from(anew));
            }
            transaction.execute_text(update.clone(), values).await?;
        }
        Ok(Decision::Commit(count))
    }
}

impl Rotation {
    fn update(&self) -> String {
        let mut text = format!("UPDATE {} SET key_id = $3", self.table.table);
        for (number, column) in self.table.columns.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = write!(text, ", {column} = ${}", number + 4);
        }
        // Somebody may have sealed it anew since it was read.
        text.push_str(" WHERE id = $1 AND key_id = $2");
        text
    }
}
