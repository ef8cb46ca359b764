//! Books an appointment: looks up the request, decides against the current seats, and writes everything in one
//! transaction.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound as _, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, Recorded, RequestKey},
    row,
    sql::{Lock, Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    lists::{joined, text_in},
    locks::{network_lock, slot},
    references::candidates,
    rosters::ROSTER,
    rows::{self, AppointmentRow},
};
use crate::domain::{
    change::{Appointment, BOOKED, Booker, Booking, Change, Decided, Refused, State, book},
    roster::Roster,
    seats::{HeldSeat, Resource, Seat, SeatsAt},
};

/// A requested booking.
#[derive(Clone, Debug)]
pub struct NewBooking {
    pub booking: Booking,
    pub request: RequestKey,
    /// Keyed hash of the network of the request.
    pub network: Option<[u8; 32]>,
}

/// Outcome of a booking. A lost race is an outcome, not an error.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BookOutcome {
    /// Booked now.
    Created(Box<Appointment>),
    /// Booked by an earlier call with the same request id and body; contains the present state.
    Repeated(Box<Appointment>),
    Refused(Refused),
    /// The request id belongs to a booking with another body.
    RequestIdReused,
    /// The appointment of the earlier call has been deleted or erased.
    Removed,
    /// The roster has changed since the request was checked; the request must be checked again.
    RosterChanged,
}

impl Store {
    /// Books the seat of an appointment, once per request id.
    pub async fn book(
        &self,
        new: NewBooking,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<BookOutcome, StoreError> {
        let booking = &new.booking;
        // Sealed here: other bookings wait for the unit of work.
        let contact = rows::write_contact(
            &self.keys,
            booking.id,
            &booking.appointment.contact,
            now.trunc_subsecs(6),
        )?;
        let work = Book {
            new,
            contact,
            roster,
            now,
            unproven_max: self.limits.of_network,
            keys: self.keys.clone(),
        };
        self.database.write("INSERT appointments", work).await
    }
}

struct Book {
    new: NewBooking,
    /// Writes the contact data.
    contact: Statement,
    roster: Arc<Roster>,
    now: DateTime<Utc>,
    unproven_max: u32,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Book {
    type Outcome = BookOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<BookOutcome>, StoreError> {
        let booking = &self.new.booking;
        let wanted = &booking.appointment.wanted;
        let slot = slot(&wanted.department_id, wanted.starts_at);
        let network = self.new.network.map(network_lock);
        let mut locks = vec![Lock::Shared(ROSTER), Lock::Exclusive(&slot)];
        locks.extend(network.as_deref().map(Lock::Exclusive));
        transaction.lock_all(&locks).await?;
        let Some(Read {
            mut state,
            recorded,
        }) = self.read(transaction).await?
        else {
            return Ok(Decision::Rollback(BookOutcome::RosterChanged));
        };
        let is_recorded = !recorded.is_empty();
        let found = requests::found(recorded, &self.new.request, self.now);
        match &found {
            Found::New => {}
            Found::Reused => return Ok(Decision::Rollback(BookOutcome::RequestIdReused)),
            Found::Repeated { subject } => {
                let id = requests::subject_id(subject)?;
                let row: Option<AppointmentRow> =
                    transaction.fetch_optional(rows::BY_ID, values![id]).await?;
                let earlier = row.map(|row| row.open(&self.keys)).transpose()?;
                // Erased personal data must not return because a browser retries the request.
                state.repeated = earlier.filter(|earlier| earlier.contact.is_some());
                if state.repeated.is_none() {
                    return Ok(Decision::Rollback(BookOutcome::Removed));
                }
            }
        }
        let change = match book(&state, booking, self.unproven_max, self.now) {
            Decided::Change(change) => Change {
                rewrites_contact: false,
                ..*change
            },
            Decided::Repeated(earlier) => {
                return Ok(Decision::Rollback(BookOutcome::Repeated(earlier)));
            }
            Decided::Refused(Refused::ReferencesTaken) => return Err(StoreError::IdentifiersTaken),
            Decided::Refused(refused) => {
                return Ok(Decision::Rollback(BookOutcome::Refused(refused)));
            }
        };
        self.write(transaction, &change, &found, is_recorded)
            .await?;
        self.note(transaction, &change.appointment).await?;
        Ok(Decision::Commit(BookOutcome::Created(Box::new(
            change.appointment,
        ))))
    }
}

/// Reads the whole state of a decision in one query: seats at the wanted time, all seats of the hold, taken references,
/// the network's unproven appointments (at most $12 are counted), the roster's revision, and what the request id is known
/// for.
const STATE: Sql = text_in!(
    "SELECT 'seat' AS part, resource AS name, seat AS number, holder_id, starts_at, expire_time, CAST(NULL AS bytea) AS fingerprint \
     FROM seats WHERE resource",
    1,
    " AND starts_at = $2 \
     UNION ALL SELECT 'hold', resource, seat, holder_id, starts_at, NULL, NULL FROM seats WHERE holder_id = $3 AND holder_kind = 'hold' \
     UNION ALL SELECT 'reference', reference, 0, NULL, NULL, NULL, NULL FROM appointments WHERE reference IN ($4, $5, $6, $7) \
     UNION ALL SELECT 'unproven', '', count(*), NULL, NULL, NULL, NULL FROM (SELECT 1 FROM appointments \
     WHERE network = $8 AND network IS NOT NULL AND status = 'booked' AND proof = 'unproven' AND starts_at > $9 LIMIT $12) AS counted \
     UNION ALL SELECT 'roster', '', revision, NULL, NULL, NULL, NULL FROM roster_head \
     UNION ALL SELECT 'request', subject, 0, NULL, NULL, expire_time, fingerprint FROM request_keys WHERE request_key IN ($10, $11)"
);

row! {
    struct StateRow {
        part: String,
        /// Resource of a seat, a reference, or the subject of a request.
        name: String,
        number: i64,
        holder_id: Option<Uuid>,
        starts_at: Option<DateTime<Utc>>,
        expire_time: Option<DateTime<Utc>>,
        fingerprint: Option<Vec<u8>>,
    }
}

/// What a decision needs.
struct Read {
    state: State,
    recorded: Vec<Recorded>,
}

impl StateRow {
    fn held(self) -> Result<HeldSeat, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        Ok(HeldSeat {
            seat: Seat {
                resource: Resource::named(self.name),
                starts_at: self.starts_at.ok_or_else(|| corrupt("seats.starts_at"))?,
                number: u32::try_from(self.number).map_err(|_| corrupt("seats.seat"))?,
            },
            holder_id: self.holder_id.ok_or_else(|| corrupt("seats.holder_id"))?,
            expire_time: self.expire_time,
        })
    }

    fn recorded(self) -> Result<Recorded, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        Ok(Recorded {
            fingerprint: self
                .fingerprint
                .ok_or_else(|| corrupt("request_keys.fingerprint"))?,
            subject: self.name,
            expire_time: self
                .expire_time
                .ok_or_else(|| corrupt("request_keys.expire_time"))?,
        })
    }
}

impl Book {
    /// Reads the state of the decision. Returns `None` if the roster has changed since the request was checked.
    async fn read(&self, transaction: &mut Transaction<'_>) -> Result<Option<Read>, StoreError> {
        let booking = &self.new.booking;
        let wanted = &booking.appointment.wanted;
        let [first, second, third, fourth] = candidates(&booking.references);
        let mut values = values![
            joined(&wanted.resources().collect::<Vec<_>>()),
            wanted.starts_at,
            booking.appointment.hold_id,
            first,
            second,
            third,
            fourth,
            self.new.network,
            self.now
        ];
        values.extend(self.new.request.keys());
        values.push(self.unproven_max.into());
        let rows: Vec<StateRow> = transaction.fetch_all(STATE, values).await?;
        let mut recorded = Vec::new();
        let mut seats = Vec::new();
        // Holds only: a client that sends the id of an appointment or waitlist entry as its hold must not free a sold
        // seat.
        let mut mine = Vec::new();
        let mut state = State::default();
        for row in rows {
            match row.part.as_str() {
                "seat" => seats.push(row.held()?),
                "hold" => mine.push(row.held()?),
                "request" => recorded.push(row.recorded()?),
                "reference" => {
                    state.references_taken.insert(row.name);
                }
                "unproven" => state.unproven_of_network = row.number,
                // The roster's revision.
                _ if row.number != self.roster.revision => return Ok(None),
                _ => {}
            }
        }
        let holders = mine.iter().map(|held| held.holder_id).collect();
        mine.retain(|held| seats.iter().all(|known| known.seat != held.seat));
        seats.append(&mut mine);
        state.seats = SeatsAt::new(seats, holders, self.now);
        Ok(Some(Read { state, recorded }))
    }

    /// Records a booking by staff in the audit log.
    async fn note(
        &self,
        transaction: &mut Transaction<'_>,
        appointment: &Appointment,
    ) -> Result<(), StoreError> {
        let Booker::Staff { actor, arrived } = &self.new.booking.booker else {
            return Ok(());
        };
        let entry = audit::Entry {
            actor: actor.clone(),
            action: BOOKED,
            subject: appointment.id.to_string(),
            detail: if *arrived { "arrived" } else { "" }.to_owned(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await
    }

    async fn write(
        &self,
        transaction: &mut Transaction<'_>,
        change: &Change,
        found: &Found,
        is_recorded: bool,
    ) -> Result<(), StoreError> {
        let appointment = &change.appointment;
        let mut clearing = rows::clearing(change);
        if let Some(hold) = self.new.booking.appointment.hold_id {
            clearing.push(super::holds::forget(hold));
        }
        if is_recorded && *found == Found::New {
            clearing.push(requests::forget(&self.new.request));
        }
        transaction.run(clearing).await?;
        let subject = appointment.id.to_string();
        let note = match found {
            Found::Repeated { .. } => requests::replace(&self.new.request, &subject, self.now),
            _ => requests::insert(&self.new.request, &subject, self.now),
        };
        let mut script = Script::new();
        script.push(note);
        script.push(rows::insert(&self.keys, appointment, self.new.network));
        script.push(self.contact.clone());
        script.append(rows::writing(&self.keys, change, None)?);
        transaction.run(script).await
    }
}
