//! A small hospital on a database of its own, requests that are right in every respect, and the store as the service uses it.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use hospital_proto::booking::v1::{Appointment as Body, CreateAppointmentRequest};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{error::StoreError, requests::RequestKey};
use svc_booking::{
    Booking as Service, OPEN_APPOINTMENTS_MAX,
    domain::{
        appointment::NewAppointment,
        calendar::SlotTime,
        change::{Action, Appointment, Asked, Booking, Contact, MessageIds, PATIENT},
        hold::HOLD_TIME,
        roster::{
            Leave, Roster, Seed,
            change::{Edit, Edited},
        },
        seats::{Resource, Wanted},
    },
    store::{
        Access, BookOutcome, CREATE, ChangeOutcome, ChangeRequest, HoldOutcome, NewBooking,
        NewHold, Store,
    },
    wire,
};
use test_kit::keys::keys;
use uuid::Uuid;

pub(crate) type Bench = test_kit::bench::Bench<Service>;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(crate) const NOW: &str = "2026-11-21T09:30:00Z";
/// The Monday after.
pub(crate) const MONDAY: &str = "2026-11-23";
pub(crate) const TUESDAY: &str = "2026-11-24";
/// A subject of a staff token.
pub(crate) const STAFF: &str = "desk@sampige";

/// ENT: a clinic in the morning, doctors d1 and d2, and d3 only for those who ask for her. Urology: one seat all day. Pediatrics: three
/// seats. General Medicine and Cardiology: one doctor each.
pub(crate) const SEED: &str = r#"
[[departments]]
id = "ent"
name = "ENT"
[[departments]]
id = "urology"
name = "Urology"
[[departments]]
id = "pediatrics"
name = "Pediatrics"
[[departments]]
id = "general-medicine"
name = "General Medicine"
[[departments]]
id = "cardiology"
name = "Cardiology"
[[departments]]
id = "emergency"
name = "Emergency"
bookable = false

[[holidays]]
date = "2026-12-25"
name = "Christmas"

[[doctors]]
id = "d1"
name = "Dr. Deepa One"
fee_rupees = 600
place = "First floor"
[[doctors]]
id = "d2"
name = "Dr. Deepak Two"
fee_rupees = 700
place = "First floor"
[[doctors]]
id = "d3"
name = "Dr. Divya Three"
fee_rupees = 800
place = "First floor"
[[doctors]]
id = "g1"
name = "Dr. Gita One"
fee_rupees = 500
place = "Ground floor"
[[doctors]]
id = "c1"
name = "Dr. Chitra One"
fee_rupees = 900
place = "Second floor"

[[sessions]]
id = "ent-1"
department = "ent"
name = "ENT clinic"
fee_rupees = 400
place = "First floor"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "12:00 PM"
[[sessions]]
id = "ent-d1"
department = "ent"
doctor = "d1"
weekdays = ["Mon", "Tue"]
from = "9:00 AM"
until = "1:00 PM"
[[sessions]]
id = "ent-d2"
department = "ent"
doctor = "d2"
weekdays = ["Mon", "Tue"]
from = "9:00 AM"
until = "1:00 PM"
[[sessions]]
id = "ent-d3"
department = "ent"
doctor = "d3"
weekdays = ["Mon"]
from = "9:00 AM"
until = "7:00 PM"
by_name_only = true
[[sessions]]
id = "uro"
department = "urology"
name = "Urology clinic"
fee_rupees = 450
place = "Ground floor"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
[[sessions]]
id = "ped"
department = "pediatrics"
name = "Paediatric clinic"
fee_rupees = 500
place = "First floor"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
seats = 3
[[sessions]]
id = "gm-g1"
department = "general-medicine"
doctor = "g1"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
[[sessions]]
id = "car-c1"
department = "cardiology"
doctor = "c1"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "5:00 PM"
"#;

pub(crate) fn now() -> DateTime<Utc> {
    NOW.parse().expect("a moment")
}

pub(crate) fn day(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

/// The moment of a label on a day.
pub(crate) fn at(date: &str, time: &str) -> DateTime<Utc> {
    SlotTime::parse(time).expect("a time").on(day(date))
}

pub(crate) fn seed() -> Seed {
    Seed::parse("test.toml", SEED).expect("valid")
}

/// A number that nobody else has.
pub(crate) fn unique() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A request that is right in every respect, on Monday, of a person and with a request id that no other has.
pub(crate) fn request(department: &str, doctor: &str, time: &str) -> CreateAppointmentRequest {
    let number = unique();
    CreateAppointmentRequest {
        appointment: Some(Body {
            patient_name: "Asha Rao".to_owned(),
            email: format!("asha{number}@example.com"),
            phone: format!("+91 80 {number:08}"),
            date: MONDAY.to_owned(),
            time: time.to_owned(),
            doctor_id: doctor.to_owned(),
            department: department.to_owned(),
            ..Body::default()
        }),
        request_id: RandomIds.uuid().to_string(),
    }
}

/// The same person and visit, changed.
pub(crate) fn changed(
    request: &CreateAppointmentRequest,
    change: impl FnOnce(&mut Body),
) -> CreateAppointmentRequest {
    let mut body = request.appointment.clone().expect("a body");
    change(&mut body);
    CreateAppointmentRequest {
        appointment: Some(body),
        request_id: RandomIds.uuid().to_string(),
    }
}

/// The same visit of the same person under another request id.
pub(crate) fn again(request: &CreateAppointmentRequest) -> CreateAppointmentRequest {
    changed(request, |_| {})
}

pub(crate) fn key(request: &CreateAppointmentRequest) -> RequestKey {
    let body = wire::fingerprinted(request);
    RequestKey::new(&keys(), CREATE, &request.request_id, &body)
}

pub(crate) fn is_booked(outcome: &BookOutcome) -> bool {
    matches!(outcome, BookOutcome::Created(_))
}

/// The appointment of a booking that must have gone well.
pub(crate) fn created(outcome: BookOutcome) -> Appointment {
    match outcome {
        BookOutcome::Created(appointment) => *appointment,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn staff() -> Access {
    Access::Staff(STAFF.to_owned())
}

/// Keyed hash of a name.
pub(crate) fn hashed(name: &str) -> [u8; 32] {
    keys().digest("test", name.as_bytes())
}

/// The small hospital, on an open database.
#[derive(Clone, Debug)]
pub(crate) struct Hospital {
    pub(crate) store: Store,
}

impl Hospital {
    pub(crate) async fn of(bench: &Bench) -> Self {
        let store = Store::new(
            bench.database.clone(),
            keys(),
            seed(),
            OPEN_APPOINTMENTS_MAX.into(),
        );
        store.rosters.read(now()).await.expect("a roster");
        Self { store }
    }

    pub(crate) async fn roster(&self) -> Arc<Roster> {
        self.store.rosters.read(now()).await.expect("a roster")
    }

    /// The booking that such a request becomes.
    pub(crate) async fn new_booking(
        &self,
        request: &CreateAppointmentRequest,
        now: DateTime<Utc>,
    ) -> NewBooking {
        let roster = self.roster().await;
        let asked = wire::booking_request(request.clone());
        let (_, appointment) = NewAppointment::parse(&asked, &roster, now).expect("valid");
        NewBooking {
            booking: Booking::new(appointment, &RandomIds, now),
            request: key(request),
            network: None,
        }
    }

    pub(crate) async fn try_book(
        &self,
        request: &CreateAppointmentRequest,
        now: DateTime<Utc>,
    ) -> Result<BookOutcome, StoreError> {
        let new = self.new_booking(request, now).await;
        let roster = self.store.rosters.known(now).await?;
        self.store.book(new, roster, now).await
    }

    pub(crate) async fn book(&self, request: &CreateAppointmentRequest) -> BookOutcome {
        self.try_book(request, now()).await.expect("no error")
    }

    /// Books what must be free.
    pub(crate) async fn booked(&self, department: &str, doctor: &str, time: &str) -> Appointment {
        created(self.book(&request(department, doctor, time)).await)
    }

    pub(crate) async fn wanted(
        &self,
        department: &str,
        doctor: Option<&str>,
        date: &str,
        time: &str,
    ) -> Wanted {
        let slot = SlotTime::parse(time).expect("a time");
        let roster = self.roster().await;
        roster.wanted(department, doctor, day(date), slot)
    }

    /// A hold on Monday of a visitor who has the network for themselves.
    pub(crate) async fn new_hold(&self, department: &str, time: &str, visitor: &str) -> NewHold {
        NewHold {
            id: RandomIds.uuid(),
            wanted: self.wanted(department, None, MONDAY, time).await,
            visitor: hashed(visitor),
            network: hashed(&format!("network of {visitor}")),
            replaces: None,
            expire_time: now() + HOLD_TIME,
        }
    }

    pub(crate) async fn hold_at(&self, new: &NewHold, now: DateTime<Utc>) -> HoldOutcome {
        let roster = self.roster().await;
        let held = self.store.hold(new.clone(), roster, now).await;
        held.expect("no error")
    }

    pub(crate) async fn hold(&self, new: &NewHold) -> HoldOutcome {
        self.hold_at(new, now()).await
    }

    /// What somebody asks for of an appointment as they know it.
    pub(crate) async fn change_at(
        &self,
        known: &Appointment,
        access: &Access,
        action: Action,
        now: DateTime<Utc>,
    ) -> ChangeOutcome {
        let request = ChangeRequest {
            id: known.id,
            version: known.version,
            asked: Asked {
                action,
                actor: access.actor().to_owned(),
                message_ids: MessageIds::new(&RandomIds, now),
            },
            access: access.clone(),
            request: None,
        };
        let roster = self.store.rosters.known(now).await.expect("a roster");
        let changed = self.store.change(request, roster, now).await;
        changed.expect("no error")
    }

    /// What the patient asks for a minute after the booking.
    pub(crate) async fn change(&self, known: &Appointment, action: Action) -> ChangeOutcome {
        let patient = Access::Secret(self.store.secret(known).unwrap_or_default());
        assert_eq!(patient.actor(), PATIENT);
        let later = now() + TimeDelta::minutes(1);
        self.change_at(known, &patient, action, later).await
    }

    /// What staff ask for a minute after the booking.
    pub(crate) async fn change_by_staff(
        &self,
        known: &Appointment,
        action: Action,
    ) -> ChangeOutcome {
        let later = now() + TimeDelta::minutes(1);
        self.change_at(known, &staff(), action, later).await
    }

    pub(crate) async fn edit(&self, edit: Edit) -> Edited {
        let rosters = &self.store.rosters;
        let edited = rosters.edit(edit, None, STAFF, &RandomIds, now()).await;
        edited.expect("no error")
    }

    /// Sends a resource on leave on one day; gives who is affected.
    pub(crate) async fn leave(&self, resource: Resource, date: &str) -> Vec<Uuid> {
        let leave = Leave {
            id: Uuid::nil(),
            resource,
            from: day(date),
            until: day(date),
            reason: String::new(),
        };
        match self.edit(Edit::CreateLeave(leave)).await {
            Edited::Done { affected, .. } => affected,
            other => panic!("{other:?}"),
        }
    }
}

/// The appointment after a change that must have been made.
pub(crate) fn done(outcome: ChangeOutcome) -> Appointment {
    match outcome {
        ChangeOutcome::Changed { appointment, .. } => *appointment,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn contact(appointment: &Appointment) -> Contact {
    appointment.contact.clone().expect("a contact")
}
