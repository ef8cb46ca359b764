//! Stores consultations. Every read and write by staff adds an entry to the audit log in the same unit of work.

mod doctors;
pub(super) mod rows;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    audit,
    creation::{self, Creation, New},
    error::StoreError,
    keys::Keys,
    outbox,
    requests::{self, Found, RequestKey},
    sealed::{Digest, SealedTable},
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Store, locks::network_lock, references::unused};
use crate::domain::{
    calendar::today,
    consultation::{
        Asked, CANCELLED, Consultation, ConsultationStatus, Doctors, REQUESTED,
        REQUESTED_OF_NETWORK_MAX, SCHEDULED, Update, UpdateRefused, decide,
    },
    roster::Roster,
};
use rows::ConsultationRow;

/// Personal data of consultations, and the room's address.
pub const CONSULTATIONS: SealedTable = SealedTable {
    table: "consultations",
    columns: &["patient_name", "email", "phone", "description", "link"],
    digests: &[
        Digest {
            column: "email_index",
            of: "email",
            make: rows::email_index,
        },
        Digest {
            column: "phone_index",
            of: "phone",
            make: rows::phone_index,
        },
    ],
};

/// Kind of the request keys of creates. Must never change, because it is part of the hashed key.
pub const CREATE: &str = "consultations.create";

/// Outcome of a create.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ConsultationOutcome {
    /// Created now, or handled as a retry.
    Answered(Box<Creation<Consultation>>),
    /// The network has reached the limit of consultations that staff have not handled. Nothing was written.
    TooMany,
}

/// Position in the list: the last consultation of the previous page.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Position {
    pub date: NaiveDate,
    pub id: Uuid,
}

/// Filter of the staff's list, which is ordered by day and id.
#[derive(Clone, Debug, Default)]
pub struct ConsultationQuery {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub status: Option<ConsultationStatus>,
    pub after: Option<Position>,
    /// Maximum number of rows; at least 1.
    pub rows_max: u32,
}

impl Store {
    /// Creates a consultation, once per request id, unless its network has reached the limit. Reads nothing about the
    /// person, because the caller has not proven to be that person.
    ///
    /// # Errors
    /// Fails if the database fails or the stored consultation cannot be decrypted with these keys.
    pub async fn create_consultation(
        &self,
        request: RequestKey,
        asked: Asked,
        network: Option<[u8; 32]>,
    ) -> Result<ConsultationOutcome, StoreError> {
        let work = Create {
            request,
            asked,
            network,
            keys: self.keys.clone(),
        };
        self.database.write("INSERT consultations", work).await
    }

    /// Looks up an idempotent replay: returns the consultation that an earlier request created, if it still exists.
    ///
    /// # Errors
    /// See [`Self::create_consultation`].
    pub async fn recall_consultation(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Consultation>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        self.consultation(requests::subject_id(&subject)?).await
    }

    /// Returns a page of the list for a member of staff, and whether there is another page.
    ///
    /// # Errors
    /// Fails if the database fails or a row cannot be decrypted with these keys.
    pub async fn list_consultations(
        &self,
        query: ConsultationQuery,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Consultation>, bool), StoreError> {
        let work = List {
            query,
            staff: self.staff(actor, now),
        };
        self.database.write("SELECT consultations", work).await
    }

    /// Returns the consultation with an id, for internal use: performs no access check.
    ///
    /// # Errors
    /// See [`Self::list_consultations`].
    pub async fn consultation(&self, id: Uuid) -> Result<Option<Consultation>, StoreError> {
        let row: Option<ConsultationRow> = self
            .database
            .fetch_optional("SELECT consultations", rows::BY_ID, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// Returns a consultation by id or reference for a member of staff.
    ///
    /// # Errors
    /// See [`Self::list_consultations`].
    pub async fn get_consultation(
        &self,
        name: &str,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Consultation>, StoreError> {
        let work = Get {
            name: name.to_owned(),
            staff: self.staff(actor, now),
        };
        self.database.write("SELECT consultations", work).await
    }

    /// Updates a consultation, by id or reference, if its version is the one that was read. Returns `Ok(None)` if it
    /// does not exist.
    ///
    /// # Errors
    /// See [`Self::list_consultations`].
    pub async fn update_consultation(
        &self,
        name: &str,
        update: Update,
        roster: Arc<Roster>,
        message_id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Result<Consultation, UpdateRefused>>, StoreError> {
        let work = Change {
            name: name.to_owned(),
            update,
            roster,
            message_id,
            staff: self.staff(actor, now),
        };
        self.database.write("UPDATE consultations", work).await
    }

    fn staff(&self, actor: &str, now: DateTime<Utc>) -> Staff {
        Staff {
            actor: actor.to_owned(),
            keys: self.keys.clone(),
            now,
        }
    }
}

struct Create {
    request: RequestKey,
    asked: Asked,
    network: Option<[u8; 32]>,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = ConsultationOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<ConsultationOutcome>, StoreError> {
        let Asked { id, now, .. } = &self.asked;
        // Serialises requests of one network: the later one counts the consultations of the earlier one.
        let lock = self.network.map(network_lock);
        let locks: Vec<_> = lock.as_deref().map(Lock::Exclusive).into_iter().collect();
        transaction.lock_all(&locks).await?;
        let find = values![self.network, today(*now).to_string()];
        let (requested,): (i64,) = transaction.fetch_one(rows::COUNT_REQUESTED, find).await?;
        // A retry is answered regardless of the limit.
        if requested >= REQUESTED_OF_NETWORK_MAX
            && requests::find(transaction, &self.request, *now).await? == Found::New
        {
            return Ok(Decision::Rollback(ConsultationOutcome::TooMany));
        }
        let reference = unused(transaction, rows::REFERENCES_TAKEN, &self.asked.references).await?;
        let consultation = self.asked.consultation(reference);
        let mut script = Script::new();
        script.push(rows::insert(&self.keys, &consultation, self.network)?);
        script.push(message(
            &consultation,
            REQUESTED,
            self.asked.message_id,
            *now,
        )?);
        let new = New {
            request: &self.request,
            id: *id,
            subject: consultation,
            script,
            now: *now,
        };
        let open = |row: ConsultationRow| row.open(&self.keys);
        let decision = creation::once(transaction, new, rows::BY_ID, open).await?;
        Ok(match decision {
            Decision::Commit(made) => {
                Decision::Commit(ConsultationOutcome::Answered(Box::new(made)))
            }
            Decision::Rollback(found) => {
                Decision::Rollback(ConsultationOutcome::Answered(Box::new(found)))
            }
        })
    }
}

/// A member of staff, with the time of the call.
struct Staff {
    actor: String,
    keys: Keys,
    now: DateTime<Utc>,
}

impl Staff {
    /// Adds an audit entry for a shown or changed consultation. `detail` is its version.
    async fn note(
        &self,
        transaction: &mut Transaction<'_>,
        action: &'static str,
        consultation: &Consultation,
    ) -> Result<(), StoreError> {
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action,
            subject: consultation.id.to_string(),
            detail: consultation.version.to_string(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await
    }
}

const READ: &str = "consultation.read";

struct List {
    query: ConsultationQuery,
    staff: Staff,
}

#[async_trait]
impl UnitOfWork for List {
    type Outcome = (Vec<Consultation>, bool);

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let query = &self.query;
        let day = |date: Option<NaiveDate>| date.map(|date| date.to_string());
        let after = query.after.as_ref();
        // One row more than the page size shows whether there is another page.
        let mut values = values![
            query.rows_max.saturating_add(1),
            day(query.from).unwrap_or_default(),
            day(query.to).unwrap_or_else(|| rows::LAST_DAY.to_owned()),
            day(after.map(|after| after.date)).unwrap_or_default(),
            after.map_or(Uuid::nil(), |after| after.id)
        ];
        let mut found: Vec<ConsultationRow> = match query.status {
            None => transaction.fetch_all(rows::PAGE, values).await?,
            Some(status) => {
                values.extend(values![status.as_str()]);
                transaction.fetch_all(rows::PAGE_OF_STATUS, values).await?
            }
        };
        let has_more = found.len() > query.rows_max as usize;
        found.truncate(query.rows_max as usize);
        let mut page = Vec::with_capacity(found.len());
        for row in found {
            page.push(row.open(&self.staff.keys)?);
        }
        for consultation in &page {
            self.staff.note(transaction, READ, consultation).await?;
        }
        Ok(Decision::Commit((page, has_more)))
    }
}

struct Get {
    name: String,
    staff: Staff,
}

#[async_trait]
impl UnitOfWork for Get {
    type Outcome = Option<Consultation>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let found = find(transaction, &self.staff.keys, &self.name).await?;
        let Some(consultation) = found else {
            return Ok(Decision::Rollback(None));
        };
        self.staff.note(transaction, READ, &consultation).await?;
        Ok(Decision::Commit(Some(consultation)))
    }
}

struct Change {
    name: String,
    update: Update,
    roster: Arc<Roster>,
    message_id: Uuid,
    staff: Staff,
}

#[async_trait]
impl UnitOfWork for Change {
    type Outcome = Option<Result<Consultation, UpdateRefused>>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let Staff { keys, now, .. } = &self.staff;
        let Some(before) = find(transaction, keys, &self.name).await? else {
            return Ok(Decision::Rollback(None));
        };
        let registration = match &self.update.doctor_id {
            Some(id) => doctors::registration_of(transaction, id).await?,
            None => None,
        };
        let doctors = Doctors {
            roster: &self.roster,
            registration: registration.as_deref(),
        };
        let updated = match decide(&before, &self.update, doctors, *now) {
            Ok(Some(updated)) => updated,
            Ok(None) => {
                self.staff.note(transaction, READ, &before).await?;
                return Ok(Decision::Commit(Some(Ok(before))));
            }
            Err(refused) => return Ok(Decision::Rollback(Some(Err(refused)))),
        };
        let after = updated.consultation;
        let (sql, values) = rows::update(keys, &after)?;
        if transaction.execute(sql, values).await? == 0 {
            return Ok(Decision::Rollback(Some(Err(UpdateRefused::EtagMismatch))));
        }
        if let Some(doctor) = after
            .doctor
            .as_ref()
            .filter(|_| after.doctor != before.doctor)
        {
            doctors::remember(transaction, doctor, *now).await?;
        }
        if let Some(kind) = updated.message {
            let subject = after.id.to_string();
            // Pending notices are obsolete.
            let mut script: Script = [REQUESTED, SCHEDULED, CANCELLED]
                .map(|kind| outbox::withdraw(kind, &subject))
                .into_iter()
                .collect();
            script.push(message(&after, kind, self.message_id, *now)?);
            transaction.run(script).await?;
        }
        let staff = &self.staff;
        staff
            .note(transaction, "consultation.updated", &after)
            .await?;
        Ok(Decision::Commit(Some(Ok(after))))
    }
}

/// Finds a consultation by id or reference.
async fn find(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    name: &str,
) -> Result<Option<Consultation>, StoreError> {
    let row: Option<ConsultationRow> = match Uuid::parse_str(name) {
        Ok(id) => transaction.fetch_optional(rows::BY_ID, values![id]).await?,
        Err(_) => {
            transaction
                .fetch_optional(rows::BY_REFERENCE, values![name])
                .await?
        }
    };
    row.map(|row| row.open(keys)).transpose()
}

fn message(
    consultation: &Consultation,
    kind: &'static str,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let message = outbox::NewMessage {
        id,
        kind,
        subject: consultation.id.to_string(),
        payload: format!(r#"{{"consultationId":"{}"}}"#, consultation.id),
        not_before: now,
    };
    outbox::insert(&message, now)
}
