//! Sealed fields: values that only the hospital may read are encrypted in their columns, each value separately.
//!
//! A table with sealed columns has a UUID primary key `id`. An indexed column `key_id` names the key of each row, so
//! writing one sealed column means resealing all of that row. A value is bound to table, column and row and cannot be
//! moved elsewhere. Where staff must find a person, a keyed hash ([`Digest`]) is stored beside the sealed column.

mod renewal;

use uuid::Uuid;

use crate::keys::{Keys, SealError};

pub use renewal::{Redigest, Rotated, rotate};

/// Declaration of a table with sealed columns: all that sealing, opening and key rotation need.
#[derive(Clone, Copy, Debug)]
pub struct SealedTable {
    /// Table name.
    pub table: &'static str,
    /// The sealed columns. A column may hold NULL.
    pub columns: &'static [&'static str],
    /// Hash columns by which rows are found.
    pub digests: &'static [Digest],
}

/// A column with the keyed hash of a sealed column's value. NULL for NULL.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    /// Name of the hash column: `BLOB`, `bytea`.
    pub column: &'static str,
    /// Name of the sealed column.
    pub of: &'static str,
    /// Hash function, keyed with the active index key.
    pub make: fn(&Keys, &str) -> [u8; 32],
}

impl SealedTable {
    /// Seals a value for a column of the row.
    ///
    /// # Errors
    /// When the operating system returns no random bytes.
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

    /// Returns the query for the smallest key id greater than `$1`. It lists a table's key ids without scanning the
    /// table.
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
