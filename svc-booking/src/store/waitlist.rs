//! The waitlist: its entries, and the offers that pass from one entry to the next.

mod act;
mod desk;
mod join;
mod offer;
mod sweep;

use service_kit::{language::Language, reference::Name};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    row,
    sql::Sql,
    values,
};
use uuid::Uuid;

use super::{Access, By, Reached, Store, WAITLIST, prove::ProveEntry};
use crate::{
    domain::{
        calendar::parse_date,
        change::{Appointment, MessageIds, Refused},
        contact::Contact,
        proof::{Caller, Proof},
        roster::Roster,
        seats::Resource,
        waitlist::{self as domain, EndReason, Entry, EntryState, Removal},
    },
    secret::{self, Given, Shown, Subject},
};

use act::Act;
use join::Join;

pub use desk::{EntryFilter, EntryPosition, EntryStates};
pub use offer::{Given as GivenTime, Offered};
pub(super) use offer::{Offer, offer};
pub use sweep::Wish;

/// Kind of the request keys of waitlist entries.
pub const JOIN: &str = "waitlist_entries.create";

macro_rules! select_entries {
    ($where:literal) => {
        concat!(
            "SELECT id, reference, department_id, doctor_id, date, state, offers, offer_starts_at, offer_expire_time, secret_hash, \
             proof, queue_time, create_time, update_time, end_reason, key_id, patient_name, email, phone, email_index, language, \
             (SELECT min(resource) FROM seats WHERE holder_id = waitlist_entries.id) AS offer_resource FROM waitlist_entries ",
            $where
        )
    };
}

pub(super) use select_entries;

const BY_ID: &str = select_entries!("WHERE id = $1");
const BY_REFERENCE: &str = select_entries!("WHERE reference = $1");
const FOR_UPDATE: Sql = Sql::differing(BY_ID, select_entries!("WHERE id = $1 FOR UPDATE"));
const SET_OFFER: &str = "\
UPDATE waitlist_entries SET state = 'offered', offers = offers + 1, offer_starts_at = $2, offer_expire_time = $3, update_time = $4
WHERE id = $1 AND state = 'waiting'";
const SET_STATE: &str = "\
UPDATE waitlist_entries SET state = $2, queue_time = $3, offer_starts_at = NULL, offer_expire_time = NULL, appointment_id = $4,
                            update_time = $3, end_reason = $5
WHERE id = $1";

row! {
    #[derive(Clone)]
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
        proof: Option<String>,
        queue_time: DateTime<Utc>,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        end_reason: Option<String>,
        key_id: Option<String>,
        patient_name: Option<Vec<u8>>,
        email: Option<Vec<u8>>,
        phone: Option<Vec<u8>>,
        /// `None` once the person has been erased.
        email_index: Option<Vec<u8>>,
        language: String,
        offer_resource: Option<String>,
    }
}

impl EntryRow {
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
        let proof = match self.proof {
            Some(word) => {
                Some(Proof::parse(&word).ok_or_else(|| corrupt("waitlist_entries.proof"))?)
            }
            None => None,
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
            proof,
            offer_resource: self.offer_resource.map(Resource::named),
            offers: self.offers,
            queue_time: self.queue_time,
            create_time: self.create_time,
            update_time: self.update_time,
            end_reason: self.end_reason.as_deref().and_then(EndReason::parse),
            contact,
            language: Language::of(&self.language),
        })
    }
}

/// A new waitlist entry.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub id: Uuid,
    /// Tried in order.
    pub references: Vec<String>,
    pub entry: domain::NewEntry,
    /// Language of the person.
    pub language: Option<Language>,
    pub request: RequestKey,
    /// Keyed hash of the network of the request.
    pub network: Option<[u8; 32]>,
    pub message_id: Uuid,
}

/// Outcome of a join.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JoinOutcome {
    Joined(Box<Entry>),
    /// Created by an earlier request.
    Repeated(Box<Entry>),
    /// The network has reached its limit of entries.
    TooMany,
    RequestIdReused,
    Removed,
}

/// Action of an entry's owner or of staff.
#[derive(Clone, Debug)]
pub enum EntryAction {
    /// Books the offered slot.
    Accept {
        appointment_id: Uuid,
        references: Vec<String>,
    },
    Leave,
    /// Takes the entry off the list for staff, with a notice to the person.
    Remove {
        removal: Removal,
        /// Version of the entry that staff have read.
        etag: String,
        message_id: Uuid,
    },
}

/// Outcome of an [`EntryAction`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EntryOutcome {
    Booked(Box<Appointment>),
    /// The entry has left the list, or staff took it off.
    Left(Box<Entry>),
    /// It has changed since it was read.
    EtagMismatch,
    /// It is booked or has ended.
    NotWaiting,
    /// There is no offer, or it has expired.
    OfferOver,
    /// The proven address has reached a limit of appointments.
    Refused(Refused),
    /// The roster has changed since it was read; it must be read again.
    RosterChanged,
    Unknown,
}

impl Store {
    /// Adds an entry to the waitlist, once per request id.
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

    /// Returns the present state of the entry that an earlier request with the same body created.
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

    /// Returns the entry with an id, for internal use: performs no access check.
    pub async fn entry(&self, id: Uuid) -> Result<Option<Entry>, StoreError> {
        let row: Option<EntryRow> = self
            .database
            .fetch_optional("SELECT waitlist_entries", BY_ID, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// Returns the secret for the response to a join.
    pub fn entry_secret(&self, id: Uuid) -> String {
        secret::derive(&self.keys, Subject::WaitlistEntry, Given::InAnswer, id, 1)
    }

    /// Returns the secret for mails about an entry, which proves its address.
    pub fn mailed_entry_secret(&self, id: Uuid) -> String {
        secret::derive(&self.keys, Subject::WaitlistEntry, Given::ByMail, id, 1)
    }

    /// Returns how the caller's secret of an entry was issued; the secret must be checked before.
    pub(crate) fn entry_given(&self, id: Uuid, access: &Access) -> Given {
        match access.caller(&self.keys, Subject::WaitlistEntry, id, 1) {
            Caller::Proven => Given::ByMail,
            Caller::Staff | Caller::Unproven => Given::InAnswer,
        }
    }

    /// Reads the entry with this name if the caller may. The mailed link also proves the entry.
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
        let id = row.id;
        let hashed = row.secret_hash.clone();
        let entry = row.open(&self.keys)?;
        let Access::Secret(shown) = access else {
            let noted = access.entry("waitlist.read", &id.to_string(), "");
            self.note(noted, now).await?;
            return Ok(Reached::Found(entry));
        };
        let kind = Subject::WaitlistEntry;
        Ok(
            match secret::check(&self.keys, kind, id, 1, Some(&hashed), shown) {
                Shown::Valid(Given::InAnswer) => Reached::Found(entry),
                Shown::Valid(Given::ByMail) => Reached::Found(self.prove_entry(entry, now).await?),
                Shown::Replaced(_) | Shown::Wrong => Reached::Unknown,
            },
        )
    }

    /// Proves a waiting entry, unless its person has reached the limit of entries or already waits for this day.
    async fn prove_entry(&self, entry: Entry, now: DateTime<Utc>) -> Result<Entry, StoreError> {
        let waits = entry.state(now) == EntryState::Waiting;
        if entry.proof != Some(Proof::Unproven) || !waits {
            return Ok(entry);
        }
        self.prove_as(entry, Proof::Link, None, now).await
    }

    async fn prove_as(
        &self,
        entry: Entry,
        proof: Proof,
        noted: Option<audit::Entry>,
        now: DateTime<Utc>,
    ) -> Result<Entry, StoreError> {
        let work = ProveEntry {
            id: entry.id,
            proof,
            noted,
            keys: self.keys.clone(),
            now,
        };
        let proof = self.database.write("UPDATE waitlist_entries", work).await?;
        Ok(Entry {
            proof: Some(proof),
            ..entry
        })
    }

    /// Accepts an offer, leaves the waitlist or takes an entry off it; access must be checked before.
    pub async fn act_on_entry(
        &self,
        id: Uuid,
        action: EntryAction,
        by: By,
        message_ids: MessageIds,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<EntryOutcome, StoreError> {
        let work = Act {
            id,
            action,
            by,
            message_ids,
            roster,
            now,
            open_max: self.limits.of_address,
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE waitlist_entries", work).await
    }
}
