//! A small hospital on its own database, valid requests, and the store as the service uses it.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use hospital_proto::booking::v1::{Appointment as Body, CreateAppointmentRequest};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{error::StoreError, requests::RequestKey};
use svc_booking::{
    Booking as Service,
    domain::{
        appointment::NewAppointment,
        calendar::SlotTime,
        change::{Action, Appointment, Asked, Booking, MessageIds, PATIENT},
        contact::Contact,
        hold::HOLD_TIME,
        proof::OpenLimits,
        roster::{
            Leave, Roster, Seed,
            change::{Edit, Edited},
        },
        seats::{Resource, Wanted},
    },
    store::{
        Access, BookOutcome, By, CREATE, ChangeOutcome, ChangeRequest, HoldOutcome, Name,
        NewBooking, NewHold, Reached, Store,
    },
    wire,
};
use test_kit::keys::keys;
use uuid::Uuid;

pub(crate) type Bench = test_kit::bench::Bench<Service>;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(crate) const NOW: &str = "2026-11-21T09:30:00Z";
/// The Monday after [`NOW`].
pub(crate) const MONDAY: &str = "2026-11-23";
pub(crate) const TUESDAY: &str = "2026-11-24";
/// Subject of a staff token.
pub(crate) const STAFF: &str = "desk@sampige";

/// ENT: a clinic in the morning, doctors d1 and d2, and d3 by name only. Urology: one seat all day. Pediatrics: three
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

/// Returns the moment of a slot's label on a day.
pub(crate) fn at(date: &str, time: &str) -> DateTime<Utc> {
    SlotTime::parse(time).expect("a time").on(day(date))
}

pub(crate) fn seed() -> Seed {
    Seed::parse("test.toml", SEED).expect("valid")
}

/// Returns a unique number.
pub(crate) fn unique() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns a valid request for Monday, with a unique person and request id.
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

/// Returns a changed request for the same person and visit, with a new request id.
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

pub(crate) fn key(request: &CreateAppointmentRequest) -> RequestKey {
    let body = wire::fingerprinted(request);
    RequestKey::new(&keys(), CREATE, &request.request_id, &body)
}

pub(crate) fn is_booked(outcome: &BookOutcome) -> bool {
    matches!(outcome, BookOutcome::Created(_))
}

/// Returns the appointment of a booking that must succeed.
pub(crate) fn created(outcome: BookOutcome) -> Appointment {
    match outcome {
        BookOutcome::Created(appointment) => *appointment,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn staff() -> Access {
    Access::Staff(STAFF.to_owned())
}

/// Returns the keyed hash of a name.
pub(crate) fn hashed(name: &str) -> [u8; 32] {
    keys().digest("test", name.as_bytes())
}

/// The small hospital on an open database.
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
            OpenLimits::default(),
        );
        store.rosters.read(now()).await.expect("a roster");
        Self { store }
    }

    pub(crate) async fn roster(&self) -> Arc<Roster> {
        self.store.rosters.read(now()).await.expect("a roster")
    }

    /// Converts a request into a booking.
    pub(crate) async fn new_booking(
        &self,
        request: &CreateAppointmentRequest,
        now: DateTime<Utc>,
    ) -> NewBooking {
        let roster = self.roster().await;
        let asked = wire::booking_request(request.clone());
        let (_, appointment) = NewAppointment::parse(&asked, &roster, now).expect("valid");
        NewBooking {
            booking: Booking::new(appointment, "SH", &RandomIds, now),
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

    /// Books a slot that must be free.
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

    /// Returns a hold on Monday, by a visitor with their own network.
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

    /// Changes an appointment, based on the version that the caller has read.
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
            by: By {
                access: access.clone(),
                network: None,
                language: None,
            },
            request: None,
        };
        let roster = self.store.rosters.known(now).await.expect("a roster");
        let changed = self.store.change(request, roster, now).await;
        changed.expect("no error")
    }

    /// Changes an appointment as its patient, a minute after the booking.
    pub(crate) async fn change(&self, known: &Appointment, action: Action) -> ChangeOutcome {
        let patient = Access::Secret(self.store.secret(known).unwrap_or_default());
        assert_eq!(patient.actor(), PATIENT);
        let later = now() + TimeDelta::minutes(1);
        self.change_at(known, &patient, action, later).await
    }

    /// Opens the mailed link of an appointment; returns the appointment afterwards.
    pub(crate) async fn open_mail(&self, known: &Appointment) -> Appointment {
        let secret = self.store.mailed_secret(known).expect("a secret");
        let access = Access::Secret(secret);
        let name = Name::Id(known.id);
        let read = self.store.read(&name, &access, "read", now()).await;
        match read.expect("no error") {
            Reached::Found(appointment) => appointment,
            other => panic!("{other:?}"),
        }
    }

    /// Changes an appointment with the mailed link, as the owner of the address, a minute after the booking.
    pub(crate) async fn change_by_mail(
        &self,
        known: &Appointment,
        action: Action,
    ) -> ChangeOutcome {
        let owner = Access::Secret(self.store.mailed_secret(known).unwrap_or_default());
        let later = now() + TimeDelta::minutes(1);
        self.change_at(known, &owner, action, later).await
    }

    /// Changes an appointment as staff, a minute after the booking.
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

    /// Enters leave of a resource on one day; returns the affected appointments.
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

/// Returns the appointment after a change that must succeed.
pub(crate) fn done(outcome: ChangeOutcome) -> Appointment {
    match outcome {
        ChangeOutcome::Changed { appointment, .. } => *appointment,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn contact(appointment: &Appointment) -> Contact {
    appointment.contact.clone().expect("a contact")
}
