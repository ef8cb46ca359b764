//! Bookings by the desk over gRPC: for callers without an e-mail address, and for people who are there.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use hospital_proto::{
    booking::v1::{
        Appointment, AppointmentStatus, BookAppointmentRequest, DeskBooking, GetAppointmentRequest,
        ListAppointmentsRequest, ListAvailabilityRequest, ListDeskAvailabilityRequest,
        MoveAppointmentRequest, Proof, RequestAppointmentCodeRequest,
    },
    messaging::v1::{AppointmentEvent, NoticeCause},
};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{
    audit::{self, Verdict},
    values,
};
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, at, request},
    mailbox::secret_in,
    serving::{READ, Serving, WRITE, by_patient, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    a_phone_number_is_enough_and_nobody_is_mailed,
    a_person_at_the_desk_gets_the_running_time_as_arrived,
    the_desk_is_refused_by_rules_but_not_by_limits,
    a_retry_books_once_and_another_form_is_refused,
    one_seat_is_sold_once_among_desks_and_visitors,
    an_e_mail_address_gets_the_link,
);

/// 9:10 AM IST on Monday: the slot of 9:00 AM is running.
pub(crate) fn monday_morning() -> DateTime<Utc> {
    at(MONDAY, "9:00 AM") + TimeDelta::minutes(10)
}

pub(crate) fn booking(department: &str, time: &str) -> DeskBooking {
    DeskBooking {
        patient_name: "Kaveri Rao".to_owned(),
        phone: "98450 12345".to_owned(),
        date: MONDAY.to_owned(),
        time: time.to_owned(),
        department: department.to_owned(),
        ..DeskBooking::default()
    }
}

pub(crate) async fn book_with(
    serving: &Serving,
    booking: DeskBooking,
    request_id: &str,
) -> Result<Appointment, Status> {
    let message = BookAppointmentRequest {
        booking: Some(booking),
        request_id: request_id.to_owned(),
    };
    let answer = serving
        .desk()
        .book_appointment(serving.staff(WRITE, message))
        .await?;
    Ok(answer.into_inner().appointment.expect("a body"))
}

pub(crate) async fn book(serving: &Serving, booking: DeskBooking) -> Result<Appointment, Status> {
    book_with(serving, booking, &RandomIds.uuid().to_string()).await
}

/// Returns subject, actor and detail of the audit entries of bookings.
async fn audited(bench: &Bench) -> Vec<(String, String, String)> {
    const SELECT: &str = "\
SELECT subject, actor, detail FROM audit_entries WHERE action = 'appointment.booked' ORDER BY seq";
    let found = bench
        .database
        .fetch_all("SELECT audit_entries", SELECT, values![]);
    found.await.expect("entries")
}

async fn a_phone_number_is_enough_and_nobody_is_mailed(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = book(&serving, booking("ENT", "9:00 AM")).await;
    let booked = booked.expect("booked");
    assert_eq!(
        (booked.status(), booked.email.as_str()),
        (AppointmentStatus::Booked, "")
    );
    assert!(booked.secret.is_empty() && booked.reference.starts_with("SH-"));
    assert_eq!(booked.resource, "clinic:ent-1");
    let entry = (
        booked.id.clone(),
        "editor@sampige".to_owned(),
        String::new(),
    );
    assert_eq!(audited(&bench).await, [entry]);
    assert!(matches!(
        audit::verify(&bench.database, &bench.keys).await,
        Ok(Verdict::Intact { .. })
    ));

    // It is found by phone, and a visitor with reference and phone number gets no code: there is nowhere to send it.
    let list = ListAppointmentsRequest {
        phone: "+91 98450-12345".to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    assert_eq!(listed.expect("listed").into_inner().appointments.len(), 1);
    let code = RequestAppointmentCodeRequest {
        reference: booked.reference.clone(),
        phone: "98450 12345".to_owned(),
    };
    let asked = with(code.clone(), "client-network", "192.0.2.0/24");
    let asked = serving.access().request_appointment_code(asked).await;
    asked.expect("answered like an unknown one");

    // Nor after a move, which issues a link.
    let moved = MoveAppointmentRequest {
        appointment_id: booked.id.clone(),
        date: MONDAY.to_owned(),
        time: "10:00 AM".to_owned(),
        etag: booked.etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let moved = serving
        .booking()
        .move_appointment(serving.staff(WRITE, moved))
        .await;
    let moved = moved.expect("moved").into_inner().appointment;
    assert_eq!(moved.expect("a body").secret, "");
    let asked = with(code, "client-network", "192.0.2.0/24");
    let asked = serving.access().request_appointment_code(asked).await;
    asked.expect("answered");

    let due = "SELECT count(*) FROM outbox_messages WHERE kind NOT LIKE '%reminder%' AND delivered_time IS NULL";
    until("every notice is handled", async || {
        bench.test.scalar(due).await == 0
    })
    .await;
    assert_eq!(mailbox.all(), []);
    let failed =
        "SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL OR last_error <> ''";
    assert_eq!(bench.test.scalar(failed).await, 0);
    serving.stop().await;
    bench.end().await;
}

/// Polls until the condition holds.
async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let poll = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let held = tokio::time::timeout(Duration::from_secs(20), poll).await;
    held.unwrap_or_else(|_| panic!("{what}"));
}

async fn a_person_at_the_desk_gets_the_running_time_as_arrived(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.clock.set(monday_morning());
    let free = async || {
        let times = ListDeskAvailabilityRequest {
            department: "Urology".to_owned(),
            ..ListDeskAvailabilityRequest::default()
        };
        let listed = serving
            .desk()
            .list_desk_availability(serving.staff(READ, times))
            .await;
        let day = listed.expect("listed").into_inner().days.remove(0);
        let slots = day.slots.into_iter().filter(|slot| slot.available);
        slots.map(|slot| slot.time).collect::<Vec<_>>()
    };
    assert_eq!(free().await[..2], ["9:00 AM", "9:30 AM"]);
    let walk_in = DeskBooking {
        arrived: true,
        ..booking("Urology", "9:00 AM")
    };
    let booked = book(&serving, walk_in.clone()).await.expect("booked");
    assert_eq!(booked.status(), AppointmentStatus::Arrived);
    assert_eq!((booked.etag.as_str(), booked.uncovered), ("1", false));
    assert_eq!(audited(&bench).await[0].2, "arrived");
    let notices = "SELECT count(*) FROM outbox_messages";
    assert_eq!(bench.test.scalar(notices).await, 0);
    assert_eq!(free().await[0], "9:30 AM");

    // The seat is taken by now. The nearest times that the desk is offered include those of the next hour.
    let taken = book(&serving, walk_in).await.expect_err("taken");
    assert_eq!(reason(&taken), "SLOT_TAKEN");
    let details = taken.get_details_error_info().expect("details");
    let nearest = details.metadata.get("alternatives").expect("times");
    assert!(
        nearest.starts_with(&format!("{MONDAY} 9:30 AM")),
        "{nearest}"
    );

    // Visitors have no such times.
    let public = ListAvailabilityRequest {
        department: "Urology".to_owned(),
        ..ListAvailabilityRequest::default()
    };
    let listed = serving.booking().list_availability(public).await;
    let day = listed.expect("listed").into_inner().days.remove(0);
    let first = day.slots.iter().find(|slot| slot.available);
    assert_eq!(first.expect("a free time").time, "10:30 AM");
    let refused = serving
        .booking()
        .create_appointment(request("Urology", "", "9:30 AM"))
        .await;
    assert_eq!(violated(&refused.expect_err("too near")), ["time"]);
    serving.stop().await;
    bench.end().await;
}

async fn the_desk_is_refused_by_rules_but_not_by_limits(bench: Bench) {
    let serving = Serving::start(&bench).await;
    // A network's limit is 60, an address's is 4, and a day of one department counts once.
    let mut booked = 0;
    for time in SlotTime::all() {
        for _ in 0..3 {
            let mut message = BookAppointmentRequest {
                booking: Some(booking("Pediatrics", &time.label())),
                request_id: RandomIds.uuid().to_string(),
            };
            if let Some(body) = &mut message.booking {
                "ward@example.com".clone_into(&mut body.email);
                [MONDAY, TUESDAY][booked % 2].clone_into(&mut body.date);
            }
            let mut asked = serving.staff(WRITE, message);
            let network = "192.0.2.0/24".parse().expect("a header");
            asked.metadata_mut().insert("client-network", network);
            let answer = serving.desk().book_appointment(asked).await;
            answer.expect("booked");
            booked += 1;
        }
    }
    assert_eq!(booked, 54);
    let counted = "SELECT count(*) FROM appointments WHERE network IS NOT NULL";
    assert_eq!(bench.test.scalar(counted).await, 0);
    let refused = |change: fn(&mut DeskBooking)| {
        let mut body = booking("ENT", "9:00 AM");
        change(&mut body);
        book(&serving, body)
    };
    let violations =
        async |change: fn(&mut DeskBooking)| violated(&refused(change).await.expect_err("refused"));
    assert_eq!(violations(|body| body.phone.clear()).await, ["phone"]);
    assert_eq!(
        violations(|body| body.date = "2026-11-20".into()).await,
        ["date"]
    );
    assert_eq!(violations(|body| body.arrived = true).await, ["arrived"]);
    assert_eq!(
        violations(|body| body.patient_name = "x".repeat(121)).await,
        ["patientName"]
    );
    assert_eq!(
        violations(|body| body.email = "a@b".into()).await,
        ["email"]
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_retry_books_once_and_another_form_is_refused(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let id = RandomIds.uuid().to_string();
    let form = booking("ENT", "9:00 AM");
    let first = book_with(&serving, form.clone(), &id)
        .await
        .expect("booked");
    let other = DeskBooking {
        phone: "98450 12346".to_owned(),
        ..form.clone()
    };
    let reused = book_with(&serving, other, &id).await.expect_err("reused");
    assert_eq!(reason(&reused), "REQUEST_ID_REUSED");
    // A retry returns the appointment even after its time: the first response may have been lost.
    serving.clock.set(at(MONDAY, "11:00 AM"));
    let again = book_with(&serving, form, &id).await.expect("repeated");
    assert_eq!((again.id, again.etag), (first.id, first.etag));
    assert_eq!(audited(&bench).await.len(), 1);
    serving.stop().await;
    bench.end().await;
}

/// Urology has one seat at a time.
async fn one_seat_is_sold_once_among_desks_and_visitors(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let desks = (0..8).map(|_| async {
        let booked = book(&serving, booking("Urology", "9:00 AM")).await;
        booked.map(|booked| booked.id)
    });
    let visitors = (0..8).map(|_| async {
        let asked = request("Urology", "", "9:00 AM");
        let booked = serving.booking().create_appointment(asked).await?;
        Ok::<_, Status>(booked.into_inner().appointment.expect("a body").id)
    });
    let (desks, visitors) = tokio::join!(join_all(desks), join_all(visitors));
    let all: Vec<_> = desks.into_iter().chain(visitors).collect();
    let (sold, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    assert_eq!((sold.len(), refused.len()), (1, 15));
    for refused in refused {
        assert_eq!(refused.expect_err("refused").code(), Code::AlreadyExists);
    }
    serving.stop().await;
    bench.end().await;
}

async fn an_e_mail_address_gets_the_link(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let form = DeskBooking {
        phone: String::new(),
        email: "kaveri@example.com".to_owned(),
        ..booking("ENT", "9:00 AM")
    };
    let booked = book(&serving, form).await.expect("booked");
    assert_eq!((booked.secret.as_str(), booked.proof()), ("", Proof::Desk));
    let (mail, notice) = mailbox
        .about(&booked.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(mail.cause(), NoticeCause::Staff);
    let secret = secret_in(&notice.manage_url);
    let read = GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    };
    let read = serving
        .booking()
        .get_appointment(by_patient(read, &secret))
        .await;
    assert_eq!(
        read.expect("read")
            .into_inner()
            .appointment
            .expect("a body")
            .id,
        booked.id
    );
    serving.stop().await;
    bench.end().await;
}
