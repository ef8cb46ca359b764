//! Append-only log of accesses and changes. Keyed hashes chain its entries. With access to the database alone, entries
//! cannot be changed, inserted or removed without [`verify`] detecting it.
//!
//! Truncation at the end is detected by comparing the head that `verify` prints with an earlier one recorded elsewhere.

pub mod log;
mod verification;

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    keys::Keys,
    row,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

pub use verification::{Part, Progress, Verdict, verify, verify_part};

/// Maximum length of an actor or detail, in bytes.
pub const FIELD_BYTES_MAX: usize = 512;
/// Maximum length of a subject, in bytes: the ids of [`PAGE_IDS_MAX`] rows.
pub const SUBJECT_BYTES_MAX: usize = 8 * 1024;
/// Maximum number of ids in one entry of [`Entry::of_page`].
pub const PAGE_IDS_MAX: usize = 200;
/// Action of the entry that records the last pruned entry.
const PRUNED: &str = "audit.pruned";
/// Purpose of the keyed hashes. Never changes.
const HASH: &str = "audit";
/// Entries read per query.
const PAGE: i64 = 1000;

/// A recorded action. Contains no personal data of patients, only ids.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    /// Subject of a staff token, or the name of a job.
    pub actor: String,
    /// For example `appointment.read`.
    pub action: &'static str,
    /// Ids of the affected rows, separated by commas.
    pub subject: String,
    /// Further details worth keeping; may be empty.
    pub detail: String,
}

impl Entry {
    fn check(&self) -> Result<(), StoreError> {
        for (what, field, bytes_max) in [
            ("the actor of an audit entry", &self.actor, FIELD_BYTES_MAX),
            (
                "the subject of an audit entry",
                &self.subject,
                SUBJECT_BYTES_MAX,
            ),
            (
                "the detail of an audit entry",
                &self.detail,
                FIELD_BYTES_MAX,
            ),
        ] {
            if field.len() > bytes_max {
                return Err(StoreError::TooLarge {
                    what,
                    bytes: field.len(),
                    bytes_max,
                });
            }
        }
        Ok(())
    }

    /// Builds the entries for a list that was shown: each row is named, 200 rows per entry. An empty list gets an entry
    /// too.
    pub fn of_page(actor: &str, action: &'static str, detail: &str, ids: &[Uuid]) -> Vec<Self> {
        let entry = |ids: &[Uuid]| {
            let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
            Self {
                actor: actor.to_owned(),
                action,
                subject: ids.join(","),
                detail: detail.to_owned(),
            }
        };
        if ids.is_empty() {
            return vec![entry(ids)];
        }
        ids.chunks(PAGE_IDS_MAX).map(entry).collect()
    }
}

row! {
    struct EntryRow {
        seq: i64,
        create_time: DateTime<Utc>,
        actor: String,
        action: String,
        subject: String,
        detail: String,
        hash: Vec<u8>,
    }
}

const NEXT: &str = "UPDATE audit_head SET seq = seq + $1 RETURNING seq, hash";
const INSERT: &str = "\
INSERT INTO audit_entries (seq, create_time, actor, action, subject, detail, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const SET_HEAD: &str = "UPDATE audit_head SET hash = $1";
/// Appends an entry in the unit of work that it records: see [`append_all`].
///
/// # Errors
/// As [`append_all`].
pub async fn append(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    entry: &Entry,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    append_all(transaction, keys, std::slice::from_ref(entry), now).await
}

/// Appends entries in the unit of work that they record, at most 1,000 at once. Concurrent appends wait for each other
/// until commit, so append last. A read-only unit of work must commit too: a rollback discards its entries.
///
/// # Errors
/// When the database fails or a field is longer than its limit.
pub async fn append_all(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    entries: &[Entry],
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Ok(count @ 1..) = i64::try_from(entries.len()) else {
        return Ok(());
    };
    for entry in entries {
        entry.check()?;
    }
    let (last, mut hash): (i64, Vec<u8>) = transaction.fetch_one(NEXT, values![count]).await?;
    let mut script = Script::new();
    for (seq, entry) in (last - count + 1..).zip(entries) {
        let row = EntryRow {
            seq,
            create_time: now,
            actor: entry.actor.clone(),
            action: entry.action.to_owned(),
            subject: entry.subject.clone(),
            detail: entry.detail.clone(),
            hash: Vec::new(),
        };
        hash = keys.digest(HASH, &row.content(&hash)).to_vec();
        script.push(Statement::new(
            INSERT,
            values![
                row.seq,
                row.create_time,
                row.actor,
                row.action,
                row.subject,
                row.detail,
                hash.clone()
            ],
        ));
    }
    script.push(Statement::new(SET_HEAD, values![hash]));
    transaction.run(script).await
}

impl EntryRow {
    /// Returns the digest input: the entry and the previous hash. Length prefixes keep adjacent fields apart.
    fn content(&self, previous: &[u8]) -> [u8; 32] {
        let mut content = Sha256::new();
        content.update(self.seq.to_be_bytes());
        content.update(self.create_time.timestamp_micros().to_be_bytes());
        for field in [&self.actor, &self.action, &self.subject, &self.detail] {
            content.update((field.len() as u64).to_be_bytes());
            content.update(field);
        }
        content.update(previous);
        content.finalize().into()
    }
}

/// Formats an entry as `NUMBER:HASH`.
fn name(seq: i64, hash: &[u8]) -> String {
    let mut name = format!("{seq}:");
    for byte in hash {
        // Writing to a String cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Deletes entries older than `time`, 1,000 per transaction, and returns their number. The chain continues from the
/// last deleted entry, which a new entry by `actor` records.
///
/// # Errors
/// When the database fails.
pub async fn prune(
    database: &Database,
    keys: &Keys,
    actor: &str,
    time: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<u64, StoreError> {
    let mut rows = 0;
    loop {
        let prune = Prune {
            keys: keys.clone(),
            actor: actor.to_owned(),
            time: time.min(now),
            now,
        };
        let removed = database.write("DELETE audit_entries", prune).await?;
        rows += removed;
        if removed == 0 {
            return Ok(rows);
        }
    }
}

struct Prune {
    keys: Keys,
    actor: String,
    time: DateTime<Utc>,
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl UnitOfWork for Prune {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        // Locks the head row, which every append updates.
        const BEGIN: &str = "UPDATE audit_head SET seq = seq";
        const LAST: &str = "\
SELECT seq, hash FROM (SELECT seq, hash, create_time FROM audit_entries ORDER BY seq LIMIT $2) AS oldest
WHERE create_time < $1 ORDER BY seq DESC LIMIT 1";
        const NOTE: &str = "UPDATE audit_head SET pruned_seq = $1, pruned_hash = $2";
        const DELETE: &str = "DELETE FROM audit_entries WHERE seq <= $1";
        transaction.execute(BEGIN, values![]).await?;
        let last: Option<(i64, Vec<u8>)> = transaction
            .fetch_optional(LAST, values![self.time, PAGE])
            .await?;
        let Some((seq, hash)) = last else {
            return Ok(Decision::Rollback(0));
        };
        let entry = Entry {
            actor: self.actor.clone(),
            action: PRUNED,
            subject: String::new(),
            detail: name(seq, &hash),
        };
        append(transaction, &self.keys, &entry, self.now).await?;
        transaction.execute(NOTE, values![seq, hash]).await?;
        let removed = transaction.execute(DELETE, values![seq]).await?;
        Ok(Decision::Commit(removed))
    }
}
