//! Proves the address of an appointment or waitlist entry, after its owner has opened the link or entered the code of a
//! mail.
//!
//! The limits of a person are enforced here. A row beyond them stays unproven and keeps counting towards its network's
//! limit.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    sql::{Lock, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::locks::address_lock;
use crate::domain::{
    calendar::today,
    change::{OpenAppointment, one_too_many},
    proof::{OpenLimits, Proof},
    status::Status,
    waitlist::ENTRIES_MAX,
};

pub(super) struct ProveAppointment {
    pub(super) id: Uuid,
    /// Generation of the secret that was shown: a later secret may belong to another address.
    pub(super) generation: i64,
    pub(super) proof: Proof,
    pub(super) limits: OpenLimits,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for ProveAppointment {
    type Outcome = Proof;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Proof>, StoreError> {
        // Without a proof, nothing was written.
        self.prove(transaction).await.map(Decision::Commit)
    }
}

impl ProveAppointment {
    /// Proves the address and returns the resulting proof.
    pub(super) async fn prove(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Proof, StoreError> {
        const PRESENT: &str = "SELECT proof FROM appointments WHERE id = $1";
        const ADDRESS: &str = "SELECT email_index FROM contacts WHERE id = $1";
        const UNPROVEN: &str = "\
SELECT department_id, starts_at FROM appointments
WHERE id = $1 AND secret_generation = $2 AND status = $3 AND proof = 'unproven'";
        const PROVE: &str = "\
UPDATE appointments SET proof = $3 WHERE id = $1 AND secret_generation = $2 AND proof = 'unproven'";
        let Self { id, generation, .. } = *self;
        let address: Option<(Vec<u8>,)> = transaction.fetch_optional(ADDRESS, values![id]).await?;
        let Some((email_index,)) = address else {
            return Ok(Proof::Unproven);
        };
        let address = address_lock(&email_index);
        transaction.lock_all(&[Lock::Exclusive(&address)]).await?;
        let find = values![id, generation, Status::Booked.as_str()];
        let row: Option<(String, DateTime<Utc>)> =
            transaction.fetch_optional(UNPROVEN, find).await?;
        let Some((department_id, starts_at)) = row else {
            return present(transaction, PRESENT, id).await;
        };
        let open = open_of(transaction, &email_index, id, self.now).await?;
        let place = OpenAppointment {
            department_id,
            starts_at,
        };
        if one_too_many(&open, &place, self.limits.of_address).is_some() {
            return Ok(Proof::Unproven);
        }
        let prove = values![id, generation, self.proof.as_str()];
        if transaction.execute(PROVE, prove).await? == 0 {
            return present(transaction, PRESENT, id).await;
        }
        Ok(self.proof)
    }
}

/// Returns the proven open appointments of an e-mail address. The caller must hold the address's lock, and the
/// requester must have proven the address.
pub(super) async fn open_of(
    transaction: &mut Transaction<'_>,
    email_index: &[u8],
    except: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<OpenAppointment>, StoreError> {
    const OPEN: &str = "\
SELECT department_id, starts_at FROM appointments
WHERE id IN (SELECT id FROM contacts WHERE email_index = $1)
  AND id <> $2 AND status = 'booked' AND proof <> 'unproven' AND starts_at > $3";
    let rows: Vec<(String, DateTime<Utc>)> = transaction
        .fetch_all(OPEN, values![email_index, except, now])
        .await?;
    let open = rows.into_iter();
    Ok(open
        .map(|(department_id, starts_at)| OpenAppointment {
            department_id,
            starts_at,
        })
        .collect())
}

/// Returns the proof that a concurrent call has stored.
async fn present(
    transaction: &mut Transaction<'_>,
    sql: &'static str,
    id: Uuid,
) -> Result<Proof, StoreError> {
    let row: Option<(String,)> = transaction.fetch_optional(sql, values![id]).await?;
    let Some((word,)) = row else {
        return Ok(Proof::Unproven);
    };
    Proof::parse(&word).ok_or(StoreError::Corrupt { column: "proof" })
}

pub(super) struct ProveEntry {
    pub(super) id: Uuid,
    pub(super) proof: Proof,
    /// Audit entry of a proof by staff.
    pub(super) noted: Option<audit::Entry>,
    pub(super) keys: Keys,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for ProveEntry {
    type Outcome = Proof;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Proof>, StoreError> {
        const PRESENT: &str =
            "SELECT proof FROM waitlist_entries WHERE id = $1 AND proof IS NOT NULL";
        const UNPROVEN: &str = "\
SELECT email_index, department_id, date FROM waitlist_entries
WHERE id = $1 AND state = 'waiting' AND proof = 'unproven' AND email_index IS NOT NULL";
        const PROVEN: &str = "\
SELECT department_id, date FROM waitlist_entries
WHERE email_index = $1 AND id <> $2 AND state IN ('waiting', 'offered') AND date >= $3 AND proof IN ('link', 'code', 'desk')";
        const PROVE: &str =
            "UPDATE waitlist_entries SET proof = $2 WHERE id = $1 AND proof = 'unproven'";
        let row: Option<(Vec<u8>, String, String)> = transaction
            .fetch_optional(UNPROVEN, values![self.id])
            .await?;
        // The department and day of an entry never change, so they can be read before the lock.
        let Some((email_index, department_id, date)) = row else {
            return Ok(Decision::Rollback(
                present(transaction, PRESENT, self.id).await?,
            ));
        };
        let address = address_lock(&email_index);
        transaction.lock_all(&[Lock::Exclusive(&address)]).await?;
        let today = today(self.now).to_string();
        let proven: Vec<(String, String)> = transaction
            .fetch_all(PROVEN, values![email_index, self.id, today])
            .await?;
        if proven.len() >= ENTRIES_MAX || proven.contains(&(department_id, date)) {
            return Ok(Decision::Rollback(Proof::Unproven));
        }
        let prove = values![self.id, self.proof.as_str()];
        transaction.execute(PROVE, prove).await?;
        if let Some(noted) = &self.noted {
            audit::append(transaction, &self.keys, noted, self.now).await?;
        }
        Ok(Decision::Commit(self.proof))
    }
}
