//! Reads of the audit log, each bounded. Reading the log is recorded too.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    database::Database,
    error::StoreError,
    keys::Keys,
    row,
    sql::{Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};

use super::{Entry, EntryRow, append};

/// Maximum entries read by one [`find`].
pub const READ_MAX: usize = 1_000;
/// Entries read per query.
const BATCH: i64 = 250;
/// Clocks of processes differ by less, so an entry's number bounds its time to within this.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(10);
/// A read is not recorded again within this time.
const READ_AGAIN: TimeDelta = TimeDelta::minutes(15);

/// An entry as recorded.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recorded {
    /// Number in the chain, from 1.
    pub seq: i64,
    /// Time of the recorded action.
    pub create_time: DateTime<Utc>,
    /// As [`Entry::actor`].
    pub actor: String,
    /// As [`Entry::action`].
    pub action: String,
    /// Affected ids.
    pub ids: Vec<String>,
    /// As [`Entry::detail`].
    pub detail: String,
    /// Keyed hash of the entry and the one before.
    pub hash: Vec<u8>,
}

impl From<EntryRow> for Recorded {
    fn from(row: EntryRow) -> Self {
        let ids = row.subject.split(',').map(str::trim);
        Self {
            seq: row.seq,
            create_time: row.create_time,
            actor: row.actor,
            action: row.action,
            ids: ids.filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            detail: row.detail,
            hash: row.hash,
        }
    }
}

/// Which entries to find. All conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Whole actor.
    pub actor: Option<String>,
    /// Whole action.
    pub action: Option<String>,
    /// One of the ids: of the subject, or a UUID of the detail.
    pub id: Option<String>,
    /// Earliest time.
    pub from: Option<DateTime<Utc>>,
    /// Exclusive end.
    pub until: Option<DateTime<Utc>>,
}

impl Filter {
    /// Whether an entry meets the conditions that are not part of every query.
    fn matches(&self, row: &EntryRow) -> bool {
        self.actor.as_ref().is_none_or(|actor| row.actor == *actor)
            && self
                .action
                .as_ref()
                .is_none_or(|action| row.action == *action)
            && self.from.is_none_or(|from| row.create_time >= from)
            && self.until.is_none_or(|until| row.create_time < until)
    }

    /// Returns the numbers between which entries of the time range are, both exclusive.
    async fn bounds(&self, database: &Database) -> Result<(i64, i64), StoreError> {
        const LAST_BEFORE: &str = "\
SELECT seq FROM audit_entries WHERE create_time < $1 ORDER BY create_time DESC, seq DESC LIMIT 1";
        const FIRST_FROM: &str = "\
SELECT seq FROM audit_entries WHERE create_time >= $1 ORDER BY create_time, seq LIMIT 1";
        let seq = async |sql, time: Option<DateTime<Utc>>| match time {
            Some(time) => {
                let found: Option<(i64,)> = database
                    .fetch_optional("SELECT audit_entries", sql, values![time])
                    .await?;
                Ok::<_, StoreError>(found.map(|(seq,)| seq))
            }
            None => Ok(None),
        };
        let earliest = self
            .from
            .and_then(|from| from.checked_sub_signed(CLOCK_SKEW));
        let latest = self
            .until
            .and_then(|until| until.checked_add_signed(CLOCK_SKEW));
        let low = seq(LAST_BEFORE, earliest).await?.unwrap_or(0);
        let high = seq(FIRST_FROM, latest).await?.unwrap_or(i64::MAX);
        Ok((low, high))
    }

    /// Returns the query for the entries between two numbers, newest first, by the index of the rarest condition. Its
    /// first values are the numbers and the limit.
    fn query(&self) -> (&'static str, Option<Value>) {
        const ALL: &str = "\
SELECT seq, create_time, actor, action, subject, detail, hash FROM audit_entries
WHERE seq > $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
        const OF_ACTOR: &str = "\
SELECT seq, create_time, actor, action, subject, detail, hash FROM audit_entries
WHERE seq > $1 AND seq < $2 AND actor = $4 ORDER BY seq DESC LIMIT $3";
        const OF_ACTION: &str = "\
SELECT seq, create_time, actor, action, subject, detail, hash FROM audit_entries
WHERE seq > $1 AND seq < $2 AND action = $4 ORDER BY seq DESC LIMIT $3";
        const OF_ID: &str = "\
SELECT entry.seq, create_time, actor, action, subject, detail, hash
FROM audit_ids JOIN audit_entries AS entry ON entry.seq = audit_ids.seq
WHERE audit_ids.id = $4 AND audit_ids.seq > $1 AND audit_ids.seq < $2 ORDER BY audit_ids.seq DESC LIMIT $3";
        match (&self.id, &self.actor, &self.action) {
            (Some(id), _, _) => (OF_ID, Some(Value::from(id))),
            (None, Some(actor), _) => (OF_ACTOR, Some(Value::from(actor))),
            (None, None, Some(action)) => (OF_ACTION, Some(Value::from(action))),
            (None, None, None) => (ALL, None),
        }
    }
}

/// A page of entries.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Page {
    /// Newest first.
    pub entries: Vec<Recorded>,
    /// Number before which the next page begins; `None` on the last page.
    pub next: Option<i64>,
}

/// Finds at most `size` entries before the number `before`, newest first. Reads at most [`READ_MAX`] entries, so a page
/// may be short or empty although more follow.
///
/// # Errors
/// When the database fails.
pub async fn find(
    database: &Database,
    filter: &Filter,
    before: Option<i64>,
    size: usize,
) -> Result<Page, StoreError> {
    let (low, mut high) = filter.bounds(database).await?;
    high = high.min(before.unwrap_or(i64::MAX));
    let (sql, condition) = filter.query();
    let mut page = Page::default();
    let mut read = 0;
    while read < READ_MAX {
        let mut values = values![low, high, BATCH];
        values.extend(condition.clone());
        let rows: Vec<EntryRow> = database
            .fetch_all("SELECT audit_entries", sql, values)
            .await?;
        let is_last = i64::try_from(rows.len()).is_ok_and(|rows| rows < BATCH);
        read += rows.len();
        for row in rows {
            if page.entries.len() == size && filter.matches(&row) {
                page.next = Some(high);
                return Ok(page);
            }
            high = row.seq;
            if filter.matches(&row) {
                page.entries.push(row.into());
            }
        }
        if is_last {
            return Ok(page);
        }
    }
    page.next = Some(high);
    Ok(page)
}

/// Returns at most `entries_max` entries of a time range after the number `after`, oldest first, and about `bytes_max`
/// of text; and the number after which more follow.
///
/// # Errors
/// When the database fails.
pub async fn export(
    database: &Database,
    filter: &Filter,
    after: Option<i64>,
    entries_max: usize,
    bytes_max: usize,
) -> Result<Page, StoreError> {
    const NEXT: &str = "\
SELECT seq, create_time, actor, action, subject, detail, hash FROM audit_entries
WHERE seq > $1 AND seq < $2 ORDER BY seq LIMIT $3";
    let (mut low, high) = filter.bounds(database).await?;
    low = low.max(after.unwrap_or(0));
    let mut page = Page::default();
    let (mut read, mut bytes) = (0, 0);
    while read < entries_max {
        let rows: Vec<EntryRow> = database
            .fetch_all("SELECT audit_entries", NEXT, values![low, high, BATCH])
            .await?;
        let is_last = i64::try_from(rows.len()).is_ok_and(|rows| rows < BATCH);
        read += rows.len();
        for row in rows {
            if bytes >= bytes_max {
                page.next = Some(low);
                return Ok(page);
            }
            low = row.seq;
            if filter.matches(&row) {
                bytes += row.subject.len() + row.detail.len() + row.actor.len();
                page.entries.push(row.into());
            }
        }
        if is_last {
            return Ok(page);
        }
    }
    page.next = Some(low);
    Ok(page)
}

/// Records a read of the log, unless the same person made the same read within 15 minutes. So a page that refreshes
/// itself does not fill the log with its own reads.
///
/// # Errors
/// When the database fails or a field is longer than its limit.
pub async fn record_read(
    database: &Database,
    keys: &Keys,
    entry: Entry,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let record = Record {
        keys: keys.clone(),
        entry,
        once_since: Some(now - READ_AGAIN),
        now,
    };
    database.write("INSERT audit_entries", record).await
}

/// Records an action on the log itself.
///
/// # Errors
/// As [`record_read`].
pub async fn record(
    database: &Database,
    keys: &Keys,
    entry: Entry,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let record = Record {
        keys: keys.clone(),
        entry,
        once_since: None,
        now,
    };
    database.write("INSERT audit_entries", record).await
}

struct Record {
    keys: Keys,
    entry: Entry,
    /// Records nothing if an equal entry is not older.
    once_since: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
}

row! {
    struct Earlier {
        create_time: DateTime<Utc>,
        action: String,
        subject: String,
        detail: String,
    }
}

impl Record {
    async fn is_recorded(
        &self,
        transaction: &mut Transaction<'_>,
        since: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        // The latest entries of the person are enough: one too many is no harm.
        const LATEST: &str = "\
SELECT create_time, action, subject, detail FROM audit_entries WHERE actor = $1 ORDER BY seq DESC LIMIT 20";
        let earlier: Vec<Earlier> = transaction
            .fetch_all(LATEST, values![&self.entry.actor])
            .await?;
        Ok(earlier.iter().any(|earlier| {
            earlier.create_time >= since
                && earlier.action == self.entry.action
                && earlier.subject == self.entry.subject
                && earlier.detail == self.entry.detail
        }))
    }
}

#[async_trait]
impl UnitOfWork for Record {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        if let Some(since) = self.once_since
            && self.is_recorded(transaction, since).await?
        {
            return Ok(Decision::Rollback(()));
        }
        append(transaction, &self.keys, &self.entry, self.now).await?;
        Ok(Decision::Commit(()))
    }
}
