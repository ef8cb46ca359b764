//! The waitlist: its lines, and the offers that go from one to the next.

mod act;
mod join;
mod offer;

use service_kit::reference::Name;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::Sql,
    values,
};
use uuid::Uuid;

use super::{Access, Reached, Store, WAITLIST, book::Persons};
use crate::{
    domain::{
        calendar::{parse_date, today},
        change::{Appointment, Contact, MessageIds, Refused},
        roster::Roster,
        seats::Resource,
        waitlist::{self as domain, Entry, EntryState},
    },
    secret::{self, Shown, Subject},
};

use act::Act;
use join::Join;
use offer::{EndOffer, OfferTime};

pub(super) use offer::{Offer, offer};

/// Kind of the request keys of entries.
pub const JOIN: &str = "waitlist_entries.create";
/// What is to be told when a time is offered.
/// Those in line who are looked at for one seat.
const LINE_MAX: i64 = 50;
/// Entries and times of one sweep.
const SWEEP_MAX: i64 = 200;

macro_rules! select_entries {
    ($where:literal) => {
        concat!(
            "SELECT id, reference, department_id, doctor_id, date, state, offers, offer_starts_at, offer_expire_time, secret_hash, \
             create_time, key_id, patient_name, email, phone, email_index, phone_index, \
             (SELECT min(resource) FROM seats WHERE holder_id = waitlist_entries.id) AS offer_resource FROM waitlist_entries ",
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
    offer_resource: Option<String>,
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
            offer_resource: self.offer_resource.map(Resource::named),
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
        self.entry(requests::subject_id(&subject)?).await
    }

    /// The entry of that id, for the service itself: nobody's access is checked.
    pub async fn entry(&self, id: Uuid) -> Result<Option<Entry>, StoreError> {
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
