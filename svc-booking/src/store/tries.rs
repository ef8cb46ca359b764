//! Counts attempts by the keyed hash of their subject.

use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::{Statement, Transaction},
    values,
};

use crate::domain::code::TRIES_WINDOW;

/// Kind of a counter: per reference, which need not exist, or per network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tries {
    Codes,
    Links,
    Wrong,
    WrongOfNetwork,
}

impl Tries {
    pub(super) fn subject(self, keys: &Keys, of: &[u8]) -> [u8; 32] {
        let kind = match self {
            Self::Codes => "access_tries.codes",
            Self::Links => "access_tries.links",
            Self::Wrong => "access_tries.wrong",
            Self::WrongOfNetwork => "access_tries.wrong_of_network",
        };
        keys.digest(kind, of)
    }
}

const TRIES: &str = "SELECT since, tries FROM access_tries WHERE subject = $1 AND since > $2";
const COUNT: &str = "\
INSERT INTO access_tries (subject, tries, since) VALUES ($1, 1, $2)
ON CONFLICT (subject) DO UPDATE SET
    tries = CASE WHEN access_tries.since > $3 THEN access_tries.tries ELSE 0 END + 1,
    since = CASE WHEN access_tries.since > $3 THEN access_tries.since ELSE excluded.since END";
pub(super) const FORGET_TRIES: &str = "DELETE FROM access_tries WHERE subject = $1";

/// Returns the statement that counts one try.
pub(super) fn count(subject: [u8; 32], now: DateTime<Utc>) -> Statement {
    Statement::new(COUNT, values![subject, now, now - TRIES_WINDOW])
}

/// Returns the name of the lock under which the tries of a subject are counted.
pub(super) fn lock(subject: [u8; 32]) -> String {
    format!("tries {subject:02x?}")
}

/// Returns the start of the current window, and the tries since.
pub(super) async fn tries(
    transaction: &mut Transaction<'_>,
    subject: [u8; 32],
    now: DateTime<Utc>,
) -> Result<(DateTime<Utc>, i64), StoreError> {
    let found: Option<(DateTime<Utc>, i64)> = transaction
        .fetch_optional(TRIES, values![subject, now - TRIES_WINDOW])
        .await?;
    Ok(found.unwrap_or((now, 0)))
}
