//! Rewriting of sealed rows: under the active key, with the digests of this build and of the active index key.

use std::fmt::Write as _;

use async_trait::async_trait;
use uuid::Uuid;

use super::SealedTable;
use crate::{
    database::Database,
    error::StoreError,
    keys::{Keys, SealError},
    migrate::Backfill,
    sql::{Columns, Row, Transaction, Value},
    url::DatabaseKind,
    values,
    work::{Decision, UnitOfWork},
};

/// Maximum rows read per transaction.
const ROWS_MAX: i64 = 200;
/// Maximum number of broken rows that a rotation lists per table.
const BROKEN_NAMED_MAX: usize = 100;

/// Result of rotating a table.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Rotated {
    /// Rows rewritten. 0: only the table's broken rows still need older keys.
    pub rows: u64,
    /// Rows that cannot be opened. They stay unchanged, and the keys they name must be kept.
    pub broken: u64,
    /// Ids of the first 100 broken rows.
    pub broken_ids: Vec<Uuid>,
}

/// Seals every row of a table with the active key and its digests with the active index key, 200 rows per transaction.
/// Safe to interrupt and rerun: current rows are only read. A row that cannot be opened is counted and left.
///
/// # Errors
/// When the database fails, or a row names a key that is not configured.
pub async fn rotate(
    database: &Database,
    keys: &Keys,
    table: SealedTable,
) -> Result<Rotated, StoreError> {
    let mut rotated = Rotated::default();
    let mut after = Uuid::nil();
    loop {
        let step = Rotation {
            keys: keys.clone(),
            table,
            after,
        };
        let page = database.write("UPDATE sealed", step).await?;
        rotated.rows += page.rows;
        rotated.broken += page.broken.len() as u64;
        let unnamed = BROKEN_NAMED_MAX - rotated.broken_ids.len();
        rotated
            .broken_ids
            .extend(page.broken.into_iter().take(unnamed));
        match page.last {
            Some(last) => after = last,
            None => return Ok(rotated),
        }
    }
}

struct Rotation {
    keys: Keys,
    table: SealedTable,
    after: Uuid,
}

#[async_trait]
impl UnitOfWork for Rotation {
    type Outcome = Page;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Page>, StoreError> {
        let Self { keys, table, after } = self;
        let page = renew(transaction, keys, table, *after, Reseal::WithActiveKey).await?;
        Ok(if page.rows == 0 {
            Decision::Rollback(page)
        } else {
            Decision::Commit(page)
        })
    }
}

/// Backfill that recomputes a table's digests, for a build that changes the hashed form, such as phone numbers with a
/// country code. It resumes after the last committed row.
#[derive(Debug)]
pub struct Redigest {
    /// Name, which must never change.
    pub name: &'static str,
    /// The table.
    pub table: SealedTable,
}

#[async_trait]
impl Backfill for Redigest {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        const SELECT: &str = "SELECT last_id FROM backfill_progress WHERE name = $1";
        const NOTE: &str = "\
INSERT INTO backfill_progress (name, last_id) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id";
        const FORGET: &str = "DELETE FROM backfill_progress WHERE name = $1";
        let noted: Option<(Uuid,)> = transaction
            .fetch_optional(SELECT, values![self.name])
            .await?;
        let after = noted.map_or(Uuid::nil(), |(last,)| last);
        let page = renew(transaction, keys, &self.table, after, Reseal::No).await?;
        for id in &page.broken {
            let table = self.table.table;
            tracing::warn!(table, %id, "a row cannot be opened; its digests stay unchanged");
        }
        match page.last {
            Some(last) => transaction.execute(NOTE, values![self.name, last]).await?,
            None => transaction.execute(FORGET, values![self.name]).await?,
        };
        Ok(page.read)
    }
}

/// Whether rows sealed with older keys are resealed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Reseal {
    WithActiveKey,
    No,
}

/// Result for a batch of rows.
#[derive(Debug, Default)]
struct Page {
    read: usize,
    /// Rows rewritten.
    rows: u64,
    broken: Vec<Uuid>,
    /// Last id read; `None` when no rows remain.
    last: Option<Uuid>,
}

/// Brings a batch of rows after `after` up to date.
async fn renew(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    table: &SealedTable,
    after: Uuid,
    reseal: Reseal,
) -> Result<Page, StoreError> {
    // Locked: otherwise a process with an older key could write between this read and the update, and its change would
    // be lost.
    let lock = match transaction.kind() {
        DatabaseKind::Sqlite => "",
        DatabaseKind::Postgres => " FOR UPDATE",
    };
    let select = format!(
        "SELECT id, key_id, {} FROM {} WHERE id > $1 AND key_id IS NOT NULL ORDER BY id LIMIT $2{lock}",
        columns(table).collect::<Vec<_>>().join(", "),
        table.table
    );
    let rows: Vec<SealedRow> = transaction
        .fetch_text(select, values![after, ROWS_MAX])
        .await?;
    let update = update(table);
    let mut page = Page {
        read: rows.len(),
        last: rows.last().map(|row| row.id),
        ..Page::default()
    };
    for row in rows {
        match row.renewed(keys, table, reseal) {
            Ok(None) => {}
            Ok(Some(values)) => {
                transaction.execute_text(update.clone(), values).await?;
                page.rows += 1;
            }
            Err(SealError::Broken) => page.broken.push(row.id),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(page)
}

/// Returns the sealed columns, then the digest columns.
fn columns(table: &SealedTable) -> impl Iterator<Item = &'static str> {
    let digests = table.digests.iter().map(|digest| digest.column);
    table.columns.iter().copied().chain(digests)
}

fn update(table: &SealedTable) -> String {
    let mut text = format!("UPDATE {} SET key_id = $3", table.table);
    for (number, column) in columns(table).enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, ", {column} = ${}", number + 4);
    }
    text.push_str(" WHERE id = $1 AND key_id = $2");
    text
}

/// Row of any sealed table: id, key id, sealed columns, then digests in their order.
#[derive(Debug)]
struct SealedRow {
    id: Uuid,
    key_id: String,
    values: Vec<Option<Vec<u8>>>,
}

impl Row for SealedRow {
    fn read(columns: &Columns<'_>) -> Result<Self, StoreError> {
        let values = (2..columns.count())
            .map(|column| columns.at(column))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            id: columns.at(0)?,
            key_id: columns.at(1)?,
            values,
        })
    }
}

impl SealedRow {
    /// Returns the values of [`update`], or `None` when the row is up to date.
    fn renewed(
        &self,
        keys: &Keys,
        table: &SealedTable,
        reseal: Reseal,
    ) -> Result<Option<Vec<Value>>, SealError> {
        let (sealed, digests) = self.values.split_at(table.columns.len());
        let plain = table
            .columns
            .iter()
            .zip(sealed)
            .map(|(column, sealed)| {
                let open = |sealed| table.open(keys, &self.key_id, self.id, column, sealed);
                sealed.as_deref().map(open).transpose()
            })
            .collect::<Result<Vec<_>, _>>()?;
        let renewed_digests: Vec<Option<Vec<u8>>> = table
            .digests
            .iter()
            .map(|digest| {
                let of = table.columns.iter().position(|name| *name == digest.of);
                let plain = of.and_then(|of| plain[of].as_deref())?;
                Some((digest.make)(keys, plain).to_vec())
            })
            .collect();
        let is_resealed = reseal == Reseal::WithActiveKey && self.key_id != keys.active();
        if !is_resealed && renewed_digests == digests {
            return Ok(None);
        }
        let key_id = if is_resealed {
            keys.active()
        } else {
            &self.key_id
        };
        let mut values = values![self.id, self.key_id.as_str(), key_id];
        for ((column, present), plain) in table.columns.iter().zip(sealed).zip(&plain) {
            values.push(Value::from(match plain {
                Some(plain) if is_resealed => Some(table.seal(keys, self.id, column, plain)?),
                _ => present.clone(),
            }));
        }
        values.extend(renewed_digests.into_iter().map(Value::from));
        Ok(Some(values))
    }
}
