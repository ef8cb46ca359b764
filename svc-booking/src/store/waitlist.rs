//! The waitlist: its lines, and the offers that go from one to the next.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    requests::{self, Found, RequestKey},
    sql::{Lock, Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Access, Name, Reached, Store, WAITLIST,
    book::{Persons, open_of, slot},
    joined,
    rosters::ROSTER,
    rows::{self, AppointmentRow, Holder, SeatRow, select_appointments},
};
use crate::{
    domain::{
        calendar::{IST, SlotTime, leaves_notice, parse_date, today},
        change::{
            Appointment, BOOKED, Change, Contact, MessageIds, OpenAppointment, PATIENT, Refused,
            notices, one_too_many,
        },
        roster::Roster,
        seats::SeatsAt,
        status::Status,
        waitlist::{self as domain, ENTRIES_MAX, Entry, EntryState, OFFER_TIME, OFFERS_MAX},
    },
    secret::{self, Shown, Subject},
};

/// Kind of the request keys of entries.
pub const JOIN: &str = "waitlist_entries.create";
/// What is to be told when a time is offered.
const OFFERED: &str = "waitlist.offered";
/// Those in line who are looked at for one seat.
const LINE_MAX: i64 = 50;
/// Entries and times of one sweep.
const SWEEP_MAX: i64 = 200;

macro_rules! select_entries {
    ($where:literal) => {
        concat!(
            "SELECT id, reference, department_id, doctor_id, date, state, offers, offer_starts_at, offer_expire_time, secret_hash, \
             create_time, key_id, patient_name, email, phone, email_index, phone_index FROM waitlist_entries ",
            $where
        )
    };
}

pub(super) use select_entries;

const BY_ID: &str = select_entries!("WHERE id = $1");
const BY_REFERENCE: &str = select_entries!("WHERE reference = $1");
const FOR_UPDATE: Sql = Sql::differing(BY_ID, select_entries!("WHERE id = $1 FOR UPDATE"));
const IN_LINE: &str = select_entries!(
    "WHERE department_id = $1 AND date = $2 AND state = 'waiting' ORDER BY queue_time, id LIMIT $3"
);
const INSERT: &str = "\
INSERT INTO waitlist_entries (id, reference, department_id, doctor_id, date, state, queue_time, secret_hash, create_time, update_time,
                              key_id, patient_name, email, phone, email_index, phone_index)
VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $6, $6, $8, $9, $10, $11, $12, $13)";
const OF_PERSON: &str = "\
SELECT department_id, date FROM waitlist_entries
WHERE id IN (SELECT id FROM waitlist_entries WHERE email_index = $1 UNION SELECT id FROM waitlist_entries WHERE phone_index = $2)
  AND state IN ('waiting', 'offered') AND date >= $3";
const TAKEN: &str = "SELECT reference FROM waitlist_entries WHERE reference IN ($1, $2, $3, $4)";
const SET_OFFER: &str = "\
UPDATE waitlist_entries SET state = 'offered', offers = offers + 1, offer_starts_at = $2, offer_expire_time = $3, update_time = $4
WHERE id = $1 AND state = 'waiting'";
const SET_STATE: &str = "\
UPDATE waitlist_entries SET state = $2, queue_time = $3, offer_starts_at = NULL, offer_expire_time = NULL, appointment_id = $4,
                            update_time = $3
WHERE id = $1";

#[derive(sqlx::FromRow)]
pub(super) struct EntryRow {
    id: Uuid,
    reference: String,
    department_id: String,
    doctor_id: Option<String>,
    date: String,
    state: String,
    offers: i64,
    offer_starts_at: Option<DateTime<Utc>>,
    offer_expire_time: Option<DateTime<Utc>>,
    secret_hash: Vec<u8>,
    create_time: DateTime<Utc>,
    key_id: Option<String>,
    patient_name: Option<Vec<u8>>,
    email: Option<Vec<u8>>,
    phone: Option<Vec<u8>>,
    email_index: Option<Vec<u8>>,
    phone_index: Option<Vec<u8>>,
}

impl EntryRow {
    /// `None`: the person was erased.
    fn persons(&self) -> Option<Persons> {
        Persons::indexed(self.email_index.as_deref(), self.phone_index.as_deref())
    }

    pub(super) fn open(self, keys: &Keys) -> Result<Entry, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        let open = |column, sealed: &Option<Vec<u8>>| {
            let key_id = self.key_id.as_deref().unwrap_or_default();
            let sealed = sealed.as_deref().unwrap_or_default();
            WAITLIST.open(keys, key_id, self.id, column, sealed)
        };
        let contact = match self.key_id {
            None => None,
            Some(_) => Some(Contact {
                patient_name: open("patient_name", &self.patient_name)?,
                email: open("email", &self.email)?,
                phone: open("phone", &self.phone)?,
                ..Contact::default()
            }),
        };
        Ok(Entry {
            id: self.id,
            date: parse_date(&self.date).ok_or_else(|| corrupt("waitlist_entries.date"))?,
            state: EntryState::parse(&self.state)
                .ok_or_else(|| corrupt("waitlist_entries.state"))?,
            reference: self.reference,
            department_id: self.department_id,
            doctor_id: self.doctor_id,
            offer_starts_at: self.offer_starts_at,
            offer_expire_time: self.offer_expire_time,
            create_time: self.create_time,
            contact,
        })
    }
}

/// Somebody who wants to wait.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub id: Uuid,
    /// Tried in order.
    pub references: Vec<String>,
    pub entry: domain::NewEntry,
    pub request: RequestKey,
}

/// What became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JoinOutcome {
    Joined(Box<Entry>),
    /// By an earlier request.
    Repeated(Box<Entry>),
    /// This person waits for as many days as one may, or for this day already.
    TooMany,
    RequestIdReused,
    Removed,
}

/// What an entry's owner does.
#[derive(Clone, Debug)]
pub enum EntryAction {
    /// Books the time that is offered.
    Accept {
        appointment_id: Uuid,
        references: Vec<String>,
    },
    Leave,
}

/// What became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EntryOutcome {
    Booked(Box<Appointment>),
    Left(Box<Entry>),
    /// Nothing is offered (any more).
    OfferOver,
    /// The person has as many appointments as one may have.
    Refused(Refused),
    /// The roster has changed since it was read: it has to be read again.
    RosterChanged,
    Unknown,
}

impl Store {
    /// Puts somebody in line, once per request.
    pub async fn join_waitlist(
        &self,
        new: NewEntry,
        now: DateTime<Utc>,
    ) -> Result<JoinOutcome, StoreError> {
        let work = Join {
            new,
            now,
            keys: self.keys.clone(),
        };
        self.database.write("INSERT waitlist_entries", work).await
    }

    /// The present state of the entry that an earlier request with the same body made.
    pub async fn recall_entry(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Entry>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        let id = requests::subject_id(&subject)?;
        let row: Option<EntryRow> = self
            .database
            .fetch_optional("SELECT waitlist_entries", BY_ID, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// The secret by which an entry is reached.
    pub fn entry_secret(&self, id: Uuid) -> String {
        secret::derive(&self.keys, Subject::WaitlistEntry, id, 1)
    }

    /// The entry of that name, for whoever may read it.
    pub async fn read_entry(
        &self,
        name: &Name,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<Reached<Entry>, StoreError> {
        let (sql, value) = match name {
            Name::Id(id) => (BY_ID, values![*id]),
            Name::Reference(reference) => (BY_REFERENCE, values![reference]),
        };
        let row: Option<EntryRow> = self
            .database
            .fetch_optional("SELECT waitlist_entries", sql, value)
            .await?;
        let Some(row) = row else {
            return Ok(Reached::Unknown);
        };
        if let Access::Secret(shown) = access {
            let kind = Subject::WaitlistEntry;
            let hashed = Some(row.secret_hash.as_slice());
            if secret::check(&self.keys, kind, row.id, 1, hashed, shown) != Shown::Valid {
                return Ok(Reached::Unknown);
            }
        }
        let subject = row.id.to_string();
        self.note(access.entry("waitlist.read", &subject, ""), now)
            .await?;
        Ok(Reached::Found(row.open(&self.keys)?))
    }

    /// Accepts an offer or leaves the line, for whoever may: access was checked.
    pub async fn act_on_entry(
        &self,
        id: Uuid,
        action: EntryAction,
        access: Access,
        message_ids: MessageIds,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<EntryOutcome, StoreError> {
        let work = Act {
            id,
            action,
            access,
            message_ids,
            roster,
            now,
            open_max: self.open_max,
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE waitlist_entries", work).await
    }

    /// Ends offers that are over, and passes each seat on to the next in line; gives the times that were touched.
    pub async fn sweep_offers(
        &self,
        roster: Arc<Roster>,
        message_ids: impl Fn() -> Uuid + Send,
        now: DateTime<Utc>,
    ) -> Result<Vec<(String, DateTime<Utc>)>, StoreError> {
        const OVER: &str = select_entries!(
            "WHERE state = 'offered' AND offer_expire_time <= $1 ORDER BY offer_expire_time LIMIT $2"
        );
        const ENDED: &str = select_entries!(
            "WHERE date < $1 AND state IN ('waiting', 'offered') ORDER BY date LIMIT $2"
        );
        let over: Vec<EntryRow> = self
            .database
            .fetch_all("SELECT waitlist_entries", OVER, values![now, SWEEP_MAX])
            .await?;
        let past: Vec<EntryRow> = self
            .database
            .fetch_all(
                "SELECT waitlist_entries",
                ENDED,
                values![today(now).to_string(), SWEEP_MAX],
            )
            .await?;
        let mut touched = Vec::new();
        for row in over.into_iter().chain(past) {
            let place = row
                .offer_starts_at
                .map(|at| (row.department_id.clone(), at));
            let work = EndOffer {
                id: row.id,
                roster: Arc::clone(&roster),
                message_id: message_ids(),
                now,
            };
            self.database.write("UPDATE waitlist_entries", work).await?;
            touched.extend(place);
        }
        Ok(touched)
    }

    /// Departments and days for which somebody waits.
    pub async fn waited_for(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Vec<(String, NaiveDate)>, StoreError> {
        const DAYS: &str = "\
SELECT DISTINCT department_id, date FROM waitlist_entries WHERE state = 'waiting' AND date >= $1 LIMIT $2";
        let rows: Vec<(String, String)> = self
            .database
            .fetch_all(
                "SELECT waitlist_entries",
                DAYS,
                values![today(now).to_string(), SWEEP_MAX],
            )
            .await?;
        let day = |(department, date): (String, String)| Some((department, parse_date(&date)?));
        Ok(rows.into_iter().filter_map(day).collect())
    }

    /// Offers a free seat of that time to the first in line who can use it.
    pub async fn offer_time(
        &self,
        department_id: &str,
        starts_at: DateTime<Utc>,
        message_id: Uuid,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let work = OfferTime {
            department_id: department_id.to_owned(),
            starts_at,
            message_id,
            roster,
            now,
        };
        self.database.write("UPDATE waitlist_entries", work).await
    }
}

struct Join {
    new: NewEntry,
    now: DateTime<Utc>,
    keys: Keys,
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

/// A seat that may have come free.
pub(super) struct Offer<'a> {
    pub(super) department_id: &'a str,
    pub(super) starts_at: DateTime<Utc>,
    pub(super) message_id: Uuid,
}

/// Offers a free seat of that time to the first in line who can use it. The caller holds the locks of the roster and of the slot.
pub(super) async fn offer(
    transaction: &mut Transaction<'_>,
    offer: &Offer<'_>,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let Offer {
        department_id,
        starts_at,
        message_id,
    } = *offer;
    let local = starts_at.with_timezone(&IST);
    let date = local.date_naive();
    let Some(slot) = SlotTime::at(local.time()) else {
        return Ok(false);
    };
    let department = roster.department(department_id);
    // Who accepts at the last moment must still leave the desk its notice.
    let is_open = leaves_notice(starts_at, now + OFFER_TIME)
        && roster.closed_reason(date, None, None, now).is_none();
    if !is_open || department.is_none() {
        return Ok(false);
    }
    let line: Vec<EntryRow> = transaction
        .fetch_all(IN_LINE, values![department_id, date.to_string(), LINE_MAX])
        .await?;
    if line.is_empty() {
        return Ok(false);
    }
    let any = roster.wanted(department_id, None, date, slot);
    let resources: Vec<_> = any.resources().collect();
    let rows: Vec<SeatRow> = transaction
        .fetch_all(
            rows::SEATS_AT,
            values![joined(&resources), starts_at, None::<Uuid>],
        )
        .await?;
    let seats = rows
        .into_iter()
        .map(SeatRow::held)
        .collect::<Result<_, _>>()?;
    let seats = SeatsAt::new(seats, Vec::new(), now);
    for row in line {
        let wanted = roster.wanted(department_id, row.doctor_id.as_deref(), date, slot);
        let Some((seat, stale)) = seats.free(&wanted) else {
            continue;
        };
        let expire_time = now + OFFER_TIME;
        // First: another time of the day may be offered to the same person at this moment, or the person may be leaving.
        let values = values![row.id, starts_at, expire_time, now];
        if transaction.execute(SET_OFFER, values).await? == 0 {
            continue;
        }
        transaction
            .run(stale.iter().map(rows::free).collect())
            .await?;
        let message = outbox::NewMessage {
            id: message_id,
            kind: OFFERED,
            subject: row.id.to_string(),
            payload: format!(r#"{{"waitlistEntryId":"{}"}}"#, row.id),
            not_before: now,
        };
        let mut script = Script::new();
        script.push(rows::take(&seat, Holder::Offer, row.id, Some(expire_time)));
        script.push(outbox::insert(&message, now)?);
        transaction.run(script).await?;
        return Ok(true);
    }
    Ok(false)
}

struct OfferTime {
    department_id: String,
    starts_at: DateTime<Utc>,
    message_id: Uuid,
    roster: Arc<Roster>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for OfferTime {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        let slot = slot(&self.department_id, self.starts_at);
        transaction
            .lock_all(&[Lock::Shared(ROSTER), Lock::Exclusive(&slot)])
            .await?;
        if !is_current(transaction, &self.roster).await? {
            return Ok(Decision::Rollback(false));
        }
        let next = Offer {
            department_id: &self.department_id,
            starts_at: self.starts_at,
            message_id: self.message_id,
        };
        Ok(
            if offer(transaction, &next, &self.roster, self.now).await? {
                Decision::Commit(true)
            } else {
                Decision::Rollback(false)
            },
        )
    }
}

/// Whether the roster is still the one that was read.
async fn is_current(
    transaction: &mut Transaction<'_>,
    roster: &Roster,
) -> Result<bool, StoreError> {
    const REVISION: &str = "SELECT revision FROM roster_head WHERE id = 1";
    let (revision,): (i64,) = transaction.fetch_one(REVISION, values![]).await?;
    Ok(revision == roster.revision)
}

/// Writes the end of an offer: its seat goes, and the entry waits again at the end of the line, or ends.
async fn end_offer(
    transaction: &mut Transaction<'_>,
    row: &EntryRow,
    state: EntryState,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let mut script = Script::new();
    script.push(rows::free_all(row.id));
    script.push(Statement::new(
        SET_STATE,
        values![row.id, state.as_str(), now, None::<Uuid>],
    ));
    script.push(outbox::withdraw(OFFERED, &row.id.to_string()));
    transaction.run(script).await
}

struct EndOffer {
    id: Uuid,
    roster: Arc<Roster>,
    message_id: Uuid,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for EndOffer {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let Some(row) = locked(transaction, self.id).await? else {
            return Ok(Decision::Rollback(()));
        };
        let is_past = parse_date(&row.date).is_some_and(|date| date < today(self.now));
        let is_over = row.offer_expire_time.is_some_and(|until| until <= self.now);
        let state = match EntryState::parse(&row.state) {
            Some(EntryState::Waiting | EntryState::Offered) if is_past => EntryState::Ended,
            Some(EntryState::Offered) if is_over && row.offers >= OFFERS_MAX => EntryState::Ended,
            Some(EntryState::Offered) if is_over => EntryState::Waiting,
            _ => return Ok(Decision::Rollback(())),
        };
        end_offer(transaction, &row, state, self.now).await?;
        if let Some(starts_at) = row.offer_starts_at
            && is_current(transaction, &self.roster).await?
        {
            let next = Offer {
                department_id: &row.department_id,
                starts_at,
                message_id: self.message_id,
            };
            offer(transaction, &next, &self.roster, self.now).await?;
        }
        Ok(Decision::Commit(()))
    }
}

/// An entry, with the locks of the time that it is offered and of the person, as it is until the end of the transaction.
async fn locked(
    transaction: &mut Transaction<'_>,
    id: Uuid,
) -> Result<Option<EntryRow>, StoreError> {
    let mut row: Option<EntryRow> = transaction.fetch_optional(BY_ID, values![id]).await?;
    while let Some(found) = row {
        let place = |row: &EntryRow| row.offer_starts_at;
        let slot = place(&found).map(|at| slot(&found.department_id, at));
        let names = found
            .persons()
            .map(|persons| persons.locks())
            .unwrap_or_default();
        let mut locks = vec![Lock::Shared(ROSTER)];
        locks.extend(slot.as_deref().map(Lock::Exclusive));
        locks.extend(names.iter().map(|name| Lock::Exclusive(name)));
        transaction.lock_all(&locks).await?;
        // Whoever makes an offer locks the time first and then the row; it may have been made while these locks were waited for.
        row = transaction.fetch_optional(FOR_UPDATE, values![id]).await?;
        if row.as_ref().map(place) == Some(place(&found)) {
            return Ok(row);
        }
    }
    Ok(None)
}

struct Act {
    id: Uuid,
    action: EntryAction,
    access: Access,
    message_ids: MessageIds,
    roster: Arc<Roster>,
    now: DateTime<Utc>,
    open_max: usize,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Act {
    type Outcome = EntryOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<EntryOutcome>, StoreError> {
        let Some(row) = locked(transaction, self.id).await? else {
            return Ok(Decision::Rollback(EntryOutcome::Unknown));
        };
        let subject = row.id.to_string();
        let (outcome, action) = match &self.action {
            EntryAction::Leave => (self.leave(transaction, row).await?, "waitlist.leave"),
            EntryAction::Accept {
                appointment_id,
                references,
            } => {
                let accepted = self
                    .accept(transaction, row, *appointment_id, references)
                    .await?;
                (accepted, "waitlist.accept")
            }
        };
        if matches!(
            outcome,
            EntryOutcome::OfferOver | EntryOutcome::Refused(_) | EntryOutcome::RosterChanged
        ) {
            return Ok(Decision::Rollback(outcome));
        }
        if let Some(entry) = self.access.entry(action, &subject, "") {
            audit::append(transaction, &self.keys, &entry, self.now).await?;
        }
        Ok(Decision::Commit(outcome))
    }
}

impl Act {
    async fn leave(
        &self,
        transaction: &mut Transaction<'_>,
        row: EntryRow,
    ) -> Result<EntryOutcome, StoreError> {
        if matches!(row.state.as_str(), "waiting" | "offered") {
            end_offer(transaction, &row, EntryState::Ended, self.now).await?;
            if let Some(starts_at) = row.offer_starts_at
                && is_current(transaction, &self.roster).await?
            {
                let next = Offer {
                    department_id: &row.department_id,
                    starts_at,
                    message_id: self.message_ids.of_offer(),
                };
                offer(transaction, &next, &self.roster, self.now).await?;
            }
        }
        let row: EntryRow = transaction.fetch_one(BY_ID, values![row.id]).await?;
        Ok(EntryOutcome::Left(Box::new(row.open(&self.keys)?)))
    }

    /// What was accepted before, for whoever did not get the answer; not once its link was replaced.
    async fn accepted(
        &self,
        transaction: &mut Transaction<'_>,
        row: &EntryRow,
    ) -> Result<EntryOutcome, StoreError> {
        const BOOKED_OF: &str = select_appointments!(
            "WHERE appointments.id = (SELECT appointment_id FROM waitlist_entries WHERE id = $1) AND delete_time IS NULL"
        );
        let booked: Option<AppointmentRow> = transaction
            .fetch_optional(BOOKED_OF, values![row.id])
            .await?;
        let booked = booked.map(|booked| booked.open(&self.keys)).transpose()?;
        Ok(booked
            .filter(|booked| booked.secret_generation == 1 && booked.status == Status::Booked)
            .map_or(EntryOutcome::OfferOver, |booked| {
                EntryOutcome::Booked(Box::new(booked))
            }))
    }

    async fn accept(
        &self,
        transaction: &mut Transaction<'_>,
        row: EntryRow,
        appointment_id: Uuid,
        references: &[String],
    ) -> Result<EntryOutcome, StoreError> {
        const OFFERED_SEAT: &str = "\
SELECT resource, starts_at, seat, holder_id, expire_time FROM seats WHERE holder_id = $1 AND holder_kind = 'offer'";
        const TAKEN: &str =
            "SELECT reference FROM appointments WHERE reference IN ($1, $2, $3, $4)";
        let seat: Option<SeatRow> = transaction
            .fetch_optional(OFFERED_SEAT, values![row.id])
            .await?;
        let held = seat.map(SeatRow::held).transpose()?;
        let is_offered = row.state == EntryState::Offered.as_str();
        let Some(held) = held.filter(|held| is_offered && held.is_held(self.now)) else {
            return self.accepted(transaction, &row).await;
        };
        if !is_current(transaction, &self.roster).await? {
            return Ok(EntryOutcome::RosterChanged);
        }
        // Whoever enters leave is named the appointments at its time: no more may be made then.
        let seat = &held.seat;
        if !self
            .roster
            .covers(&row.department_id, &seat.resource, seat.starts_at)
        {
            return Ok(EntryOutcome::OfferOver);
        }
        if let Some(persons) = row.persons() {
            let open = open_of(transaction, &persons, row.id, self.now).await?;
            let more = OpenAppointment {
                department_id: row.department_id.clone(),
                starts_at: held.seat.starts_at,
            };
            if let Some(refused) = one_too_many(&open, &more, self.open_max) {
                return Ok(EntryOutcome::Refused(refused));
            }
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
        let id = row.id;
        let department_id = row.department_id.clone();
        let entry = row.open(&self.keys)?;
        let seat = held.seat.clone();
        let appointment = Appointment {
            id: appointment_id,
            reference: reference.clone(),
            department_id,
            doctor_id: seat.resource.doctor_id().map(str::to_owned),
            starts_at: seat.starts_at,
            status: Status::Booked,
            version: 1,
            secret_generation: 1,
            create_time: self.now,
            update_time: self.now,
            resource: Some(seat.resource.clone()),
            contact: entry.contact,
        };
        let messages = notices(BOOKED, appointment.starts_at, self.message_ids, self.now);
        let change = Change {
            freed: vec![held],
            taken: Some(seat),
            rewrites_contact: true,
            messages,
            ..Change::of(appointment, BOOKED, PATIENT)
        };
        transaction.run(rows::clearing(&change)).await?;
        let mut script = Script::new();
        script.push(rows::insert(&self.keys, &change.appointment, None));
        script.append(rows::writing(&self.keys, &change)?);
        script.push(Statement::new(
            SET_STATE,
            values![
                id,
                EntryState::Booked.as_str(),
                self.now,
                change.appointment.id
            ],
        ));
        transaction.run(script).await?;
        Ok(EntryOutcome::Booked(Box::new(change.appointment)))
    }
}
