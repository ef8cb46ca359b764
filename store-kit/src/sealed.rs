//! Sealed fields: what only the hospital may read is encrypted in its column, each value by itself.
//!
//! A table with sealed columns has a UUID `id` as its key and a column `key_id`, with an index, that names the key of its row: whoever
//! writes one sealed column of a row seals all of them anew. A value is bound to
//! table, column and row, so it cannot be moved to another place. Where staff must find somebody, a column holds a keyed hash
//! ([`Digest`]) beside it.

mod renewal;

use uuid::Uuid;

use crate::keys::{Keys, SealError};

pub use renewal::{Redigest, Rotated, rotate};

/// A table with sealed columns: its declaration is all that sealing, opening and the rotation of keys need.
#[derive(Clone, Copy, Debug)]
pub struct SealedTable {
    /// Its name.
    pub table: &'static str,
    /// The sealed columns. A column may hold NULL.
    pub columns: &'static [&'static str],
    /// The columns beside them by which rows are found.
    pub digests: &'static [Digest],
}

/// A column with the keyed hash of what a sealed column holds. NULL there is NULL here.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    /// The column of the hash: `BLOB`, `bytea`.
    pub column: &'static str,
    /// The sealed column.
    pub of: &'static str,
    /// Hashes with the active index key.
    pub make: fn(&Keys, &str) -> [u8; 32],
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
