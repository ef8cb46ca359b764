//! Puts somebody in line, once per request.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    requests::{self, Found},
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{BY_ID, EntryRow, JoinOutcome, NewEntry};
use crate::{
    domain::{calendar::today, waitlist::ENTRIES_MAX},
    secret::{self, Subject},
    store::{WAITLIST, book::Persons, rows},
};

const INSERT: &str = "\
INSERT INTO waitlist_entries (id, reference, department_id, doctor_id, date, state, queue_time, secret_hash, create_time, update_time,
                              key_id, patient_name, email, phone, email_index, phone_index)
VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $6, $6, $8, $9, $10, $11, $12, $13)";
const OF_PERSON: &str = "\
SELECT department_id, date FROM waitlist_entries
WHERE id IN (SELECT id FROM waitlist_entries WHERE email_index = $1 UNION SELECT id FROM waitlist_entries WHERE phone_index = $2)
  AND state IN ('waiting', 'offered') AND date >= $3";
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
            request,
            references,
        } = &self.new;
        let contact = &entry.contact;
        let persons = Persons::of(&self.keys, &contact.email, &contact.phone);
        let names = persons.locks();
        let locks: Vec<_> = names.iter().map(|name| Lock::Exclusive(name)).collect();
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
        let indexes = (
            rows::email_index(&self.keys, &contact.email),
            rows::phone_index(&self.keys, &contact.phone),
        );
        let day = entry.date.to_string();
        let first_day = today(self.now).to_string();
        let present: Vec<(String, String)> = transaction
            .fetch_all(OF_PERSON, values![indexes.0, indexes.1, first_day])
            .await?;
        let waits = present.contains(&(entry.department_id.clone(), day.clone()));
        if waits || present.len() >= ENTRIES_MAX {
            return undone(JoinOutcome::TooMany);
        }
        let reference = |number: usize| references.get(number).map(String::as_str);
        let taken: Vec<(String,)> = transaction
            .fetch_all(
                TAKEN,
                values![reference(0), reference(1), reference(2), reference(3)],
            )
            .await?;
        let unused = |reference: &&String| !taken.iter().any(|(taken,)| taken == *reference);
        let reference = references
            .iter()
            .find(unused)
            .ok_or(StoreError::IdentifiersTaken)?;
        let secret = secret::derive(&self.keys, Subject::WaitlistEntry, *id, 1);
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
                secret::hash(&self.keys, Subject::WaitlistEntry, &secret),
                self.keys.active(),
                seal("patient_name", &contact.patient_name)?,
                seal("email", &contact.email)?,
                seal("phone", &contact.phone)?,
                indexes.0,
                indexes.1
            ],
        );
        let mut script = Script::new();
        script.push(insert);
        script.push(requests::insert(request, &id.to_string(), self.now));
        transaction.run(script).await?;
        let row: EntryRow = transaction.fetch_one(BY_ID, values![*id]).await?;
        let joined = JoinOutcome::Joined(Box::new(row.open(&self.keys)?));
        Ok(Decision::Commit(joined))
    }
}
