//! Adds an entry to the waitlist, once per request id.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::language::Language;
use store_kit::{
    error::StoreError,
    keys::Keys,
    outbox,
    requests::{self, Found},
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{BY_ID, EntryRow, JoinOutcome, NewEntry};
use crate::{
    domain::waitlist::{ENTRIES_OF_NETWORK_MAX, JOINED, JOINS_OF_NETWORK_MAX},
    secret::{self, Given, Subject},
    store::{WAITLIST, locks::network_lock, references::unused, rows},
};

const INSERT: &str = "\
INSERT INTO waitlist_entries (id, reference, department_id, doctor_id, date, state, queue_time, secret_hash, create_time, update_time,
                              key_id, patient_name, email, phone, email_index, phone_index, proof, network, language)
VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $6, $6, $8, $9, $10, $11, $12, $13, 'unproven', $14, $15)";
/// Counts a network's entries on one day's waitlist, and those that it created since a moment.
const OF_NETWORK: &str = "\
SELECT count(CASE WHEN department_id = $3 AND date = $4 AND state IN ('waiting', 'offered') THEN 1 END),
       count(CASE WHEN create_time > $2 THEN 1 END)
FROM waitlist_entries WHERE network = $1 AND network IS NOT NULL";
const TAKEN: &str = "SELECT reference FROM waitlist_entries WHERE reference IN ($1, $2, $3, $4)";

pub(super) struct Join {
    pub(super) new: NewEntry,
    pub(super) now: DateTime<Utc>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Join {
    type Outcome = JoinOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<JoinOutcome>, StoreError> {
        let undone = |outcome| Ok(Decision::Rollback(outcome));
        let NewEntry {
            id,
            entry,
            language,
            request,
            references,
            network,
            message_id,
        } = &self.new;
        let contact = &entry.contact;
        let lock = network.map(network_lock);
        let locks: Vec<_> = lock.as_deref().map(Lock::Exclusive).into_iter().collect();
        transaction.lock_all(&locks).await?;
        match requests::find(transaction, request, self.now).await? {
            Found::New => {}
            Found::Reused => return undone(JoinOutcome::RequestIdReused),
            Found::Repeated { subject } => {
                let id = requests::subject_id(&subject)?;
                let row: Option<EntryRow> = transaction.fetch_optional(BY_ID, values![id]).await?;
                return undone(match row {
                    Some(row) => JoinOutcome::Repeated(Box::new(row.open(&self.keys)?)),
                    None => JoinOutcome::Removed,
                });
            }
        }
        // Reads nothing about the person, because the caller has not proven to be that person.
        let day = entry.date.to_string();
        let since = self.now - TimeDelta::days(1);
        let find = values![*network, since, &entry.department_id, &day];
        let (in_line, joins): (i64, i64) = transaction.fetch_one(OF_NETWORK, find).await?;
        if in_line >= ENTRIES_OF_NETWORK_MAX || joins >= JOINS_OF_NETWORK_MAX {
            return undone(JoinOutcome::TooMany);
        }
        let reference = unused(transaction, TAKEN, references).await?;
        let kind = Subject::WaitlistEntry;
        let secret = secret::derive(&self.keys, kind, Given::InAnswer, *id, 1);
        let seal = |column, plain: &str| WAITLIST.seal(&self.keys, *id, column, plain);
        let insert = Statement::new(
            INSERT,
            values![
                *id,
                reference,
                &entry.department_id,
                entry.doctor_id.as_ref(),
                day,
                self.now,
                secret::hash(&self.keys, kind, &secret),
                self.keys.active(),
                seal("patient_name", &contact.patient_name)?,
                seal("email", &contact.email)?,
                seal("phone", &contact.phone)?,
                rows::email_index(&self.keys, &contact.email),
                rows::phone_index(&self.keys, &contact.phone),
                *network,
                Language::code_or_en(*language)
            ],
        );
        let message = outbox::NewMessage {
            id: *message_id,
            kind: JOINED,
            subject: id.to_string(),
            payload: format!(r#"{{"waitlistEntryId":"{id}"}}"#),
            not_before: self.now,
        };
        let mut script = Script::new();
        script.push(insert);
        script.push(outbox::insert(&message, self.now)?);
        script.push(requests::insert(request, &id.to_string(), self.now));
        transaction.run(script).await?;
        let row: EntryRow = transaction.fetch_one(BY_ID, values![*id]).await?;
        let joined = JoinOutcome::Joined(Box::new(row.open(&self.keys)?));
        Ok(Decision::Commit(joined))
    }
}
