//! Check of the chain, whole or in parts.

use crate::{database::Database, error::StoreError, keys::Keys, row, values};

use super::{EntryRow, HASH, PAGE, PRUNED, name};

/// Result of checking the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// Every entry is unchanged.
    Intact {
        /// Entries that were checked.
        entries: u64,
        /// `NUMBER:HASH` of the last entry, to be recorded elsewhere.
        head: String,
    },
    /// The chain is broken.
    Broken {
        /// Number of the first entry that is not as written.
        at: i64,
    },
}

/// Result of checking a part of the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Part {
    /// Nothing is left to check.
    Done(Verdict),
    /// The entries so far are unchanged, and more follow.
    More(Progress),
}

/// Where a check of the log continues.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Progress {
    /// Entries that were checked.
    pub entries: u64,
    /// The last checked entry.
    pub seq: i64,
    hash: Vec<u8>,
    /// Last entry that was pruned when the check began.
    pruned_seq: i64,
    /// Whether the chain itself records where it begins. Otherwise the head row could be pointed at any entry.
    is_start_recorded: bool,
}

/// Purpose of the keyed hash in a token.
const TOKEN: &str = "audit.verification";

const SELECT: &str = "\
SELECT seq, create_time, actor, action, subject, detail, hash FROM audit_entries WHERE seq > $1 ORDER BY seq LIMIT $2";
const HEAD: &str = "SELECT seq, hash, pruned_seq, pruned_hash FROM audit_head";

impl Progress {
    /// Returns `NUMBER:HASH` of the last checked entry.
    pub fn head(&self) -> String {
        name(self.seq, &self.hash)
    }

    /// Returns the progress as text that only this log's keys can make. At most 200 bytes.
    pub fn token(&self, keys: &Keys) -> String {
        let fields = format!(
            "{}:{}:{}:{}",
            self.entries,
            self.pruned_seq,
            u8::from(self.is_start_recorded),
            self.head()
        );
        let proof = hex(&keys.digest(TOKEN, fields.as_bytes()));
        format!("{fields}:{proof}")
    }

    /// Parses a token. `None` if it was not made with these keys.
    pub fn parse(token: &str, keys: &Keys) -> Option<Self> {
        let (fields, proof) = token.rsplit_once(':')?;
        if !keys.is_digest(TOKEN, fields.as_bytes(), &bytes(proof)?) {
            return None;
        }
        let mut fields = fields.split(':');
        Some(Self {
            entries: fields.next()?.parse().ok()?,
            pruned_seq: fields.next()?.parse().ok()?,
            is_start_recorded: fields.next()? == "1",
            seq: fields.next()?.parse().ok()?,
            hash: bytes(fields.next()?)?,
        })
    }

    /// Begins at the first entry.
    fn start(head: &Head) -> Self {
        Self {
            entries: 0,
            seq: head.pruned_seq,
            hash: head.pruned_hash.clone(),
            pruned_seq: head.pruned_seq,
            is_start_recorded: head.pruned_seq == 0,
        }
    }

    /// Continues with the log as it is now. Begins again if the entries after this one were pruned.
    fn on(self, head: &Head) -> Self {
        if self.seq < head.pruned_seq {
            return Self::start(head);
        }
        if self.pruned_seq == head.pruned_seq {
            return self;
        }
        // The entry that records the later pruning follows the entries that were checked.
        Self {
            pruned_seq: head.pruned_seq,
            is_start_recorded: false,
            ..self
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    // After the number and the colon.
    name(0, bytes).split_off(2)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let pairs = digits.chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|p| p.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    pairs.collect()
}

row! {
    #[derive(Eq, PartialEq)]
    struct Head {
        seq: i64,
        hash: Vec<u8>,
        pruned_seq: i64,
        pruned_hash: Vec<u8>,
    }
}

impl Head {
    async fn read(database: &Database) -> Result<Self, StoreError> {
        database
            .fetch_one("SELECT audit_head", HEAD, values![])
            .await
    }
}

/// Checks the whole chain, 1,000 entries per query.
///
/// # Errors
/// When the database fails.
pub async fn verify(database: &Database, keys: &Keys) -> Result<Verdict, StoreError> {
    let mut progress = None;
    loop {
        match verify_part(database, keys, progress, u64::MAX).await? {
            Part::Done(verdict) => return Ok(verdict),
            Part::More(next) => progress = Some(next),
        }
    }
}

/// Checks about `entries_max` entries: those after `from`, or the first ones. Reads 1,000 entries per query.
///
/// # Errors
/// When the database fails.
pub async fn verify_part(
    database: &Database,
    keys: &Keys,
    from: Option<Progress>,
    entries_max: u64,
) -> Result<Part, StoreError> {
    loop {
        let head = Head::read(database).await?;
        let start = match &from {
            Some(progress) => progress.clone().on(&head),
            None => Progress::start(&head),
        };
        let part = verify_until(database, keys, &head, start, entries_max).await?;
        let is_broken = matches!(part, Part::Done(Verdict::Broken { .. }));
        // A prune during the check removes entries legitimately, so the check runs again.
        if !is_broken || Head::read(database).await?.pruned_seq == head.pruned_seq {
            return Ok(part);
        }
    }
}

/// Checks the chain up to `head`. Entries appended later are left to the next check.
async fn verify_until(
    database: &Database,
    keys: &Keys,
    head: &Head,
    mut progress: Progress,
    entries_max: u64,
) -> Result<Part, StoreError> {
    let broken = |at| Ok(Part::Done(Verdict::Broken { at }));
    let start = name(head.pruned_seq, &head.pruned_hash);
    let mut checked = 0;
    while progress.seq < head.seq {
        if checked >= entries_max {
            return Ok(Part::More(progress));
        }
        let rows: Vec<EntryRow> = database
            .fetch_all("SELECT audit_entries", SELECT, values![progress.seq, PAGE])
            .await?;
        if rows.is_empty() {
            return broken(progress.seq + 1);
        }
        for row in rows {
            if progress.seq == head.seq {
                break;
            }
            let is_as_written = keys.is_digest(HASH, &row.content(&progress.hash), &row.hash);
            if row.seq != progress.seq + 1 || !is_as_written {
                return broken(progress.seq + 1);
            }
            progress.is_start_recorded |= row.action == PRUNED && row.detail == start;
            progress.seq = row.seq;
            progress.hash = row.hash;
            progress.entries += 1;
            checked += 1;
        }
    }
    if progress.seq != head.seq || progress.hash != head.hash {
        return broken(head.seq);
    }
    if !progress.is_start_recorded {
        return broken(head.pruned_seq);
    }
    Ok(Part::Done(Verdict::Intact {
        entries: progress.entries,
        head: progress.head(),
    }))
}
