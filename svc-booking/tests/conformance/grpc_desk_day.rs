//! The desk during its day: a walk-in that was a slip, and moves to a time that patients cannot choose any more.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, AppointmentStatus as Status, CancelAppointmentRequest, DeskBooking,
    MoveAppointmentRequest, UpdateAppointmentRequest,
};
use service_kit::source::{Ids as _, RandomIds};
use test_kit::on_both_databases;
use tonic::{Request, Status as Refusal};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Bench, MONDAY, at, request},
    grpc_desk::{book, book_with, booking, monday_morning},
    grpc_undo::{set, undo, undo_of},
    serving::{Serving, WRITE, by_patient, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_walk_in_goes_back_to_booked_and_is_cancelled,
    a_walk_in_is_kept_late_and_after_a_change,
    the_desk_moves_to_a_time_that_is_near_or_running,
    two_moves_take_one_near_time_once,
);

fn walk_in(time: &str) -> DeskBooking {
    DeskBooking {
        arrived: true,
        email: "kaveri@example.com".to_owned(),
        ..booking("Urology", time)
    }
}

async fn a_walk_in_goes_back_to_booked_and_is_cancelled(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.clock.set(monday_morning());
    let booked = book(&serving, walk_in("9:30 AM")).await.expect("booked");
    let until = booked.undo_expire_time.expect("it can be undone");
    assert_eq!(until.seconds, monday_morning().timestamp() + 30);
    let notices = "SELECT count(*) FROM outbox_messages";
    assert_eq!(bench.test.scalar(notices).await, 0);
    // Two presses at once.
    let press = || undo(&serving, serving.staff(WRITE, undo_of(&booked)));
    let (one, other) = tokio::join!(press(), press());
    let (undone, refused) = match (one, other) {
        (Ok(undone), Err(refused)) | (Err(refused), Ok(undone)) => (undone, refused),
        both => panic!("{both:?}"),
    };
    assert_eq!(reason(&refused), "ETAG_MISMATCH");
    assert_eq!(
        (undone.status(), undone.etag.as_str(), &undone.resource),
        (Status::Booked, "2", &booked.resource)
    );
    // The patient gets what a booking sends: the link.
    let told = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.booked'";
    assert_eq!(
        (
            bench.test.scalar(told).await,
            bench.test.scalar(notices).await
        ),
        (1, 1)
    );
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'appointment.status_undone'";
    assert_eq!(bench.test.scalar(entries).await, 1);
    let cancel = CancelAppointmentRequest {
        appointment_id: undone.id.clone(),
        etag: undone.etag.clone(),
    };
    let cancelled = serving
        .booking()
        .cancel_appointment(serving.staff(WRITE, cancel))
        .await;
    cancelled.expect("cancelled");
    let again = book(&serving, walk_in("9:30 AM")).await;
    again.expect("the time is free again");
    serving.stop().await;
    bench.end().await;
}

async fn a_walk_in_is_kept_late_and_after_a_change(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.clock.set(monday_morning());
    let id = RandomIds.uuid().to_string();
    let first = book_with(&serving, walk_in("9:00 AM"), &id).await;
    let first = first.expect("booked");
    serving.clock.set(monday_morning() + TimeDelta::seconds(20));
    let again = book_with(&serving, walk_in("9:00 AM"), &id).await;
    let again = again.expect("repeated");
    assert_eq!(again.undo_expire_time, first.undo_expire_time);
    serving.clock.set(monday_morning() + TimeDelta::seconds(31));
    let late = book_with(&serving, walk_in("9:00 AM"), &id).await;
    assert_eq!(late.expect("repeated").undo_expire_time, None);
    let refused = async |of: &Appointment| {
        let undone = undo(&serving, serving.staff(WRITE, undo_of(of))).await;
        reason(&undone.expect_err("refused"))
    };
    assert_eq!(refused(&first).await, "UNDO_TOO_LATE");

    let other = book(&serving, walk_in("9:30 AM")).await.expect("booked");
    let inside = set(&serving, &other, Status::InConsultation).await;
    assert_eq!(refused(&other).await, "ETAG_MISMATCH");
    let undone = undo(&serving, serving.staff(WRITE, undo_of(&inside))).await;
    let undone = undone.expect("undone");
    assert_eq!(undone.status(), Status::Arrived);
    assert_eq!(refused(&undone).await, "NOTHING_TO_UNDO");

    let by_phone = book(&serving, booking("Urology", "10:00 AM")).await;
    let by_phone = by_phone.expect("booked");
    assert_eq!(by_phone.undo_expire_time, None);
    assert_eq!(refused(&by_phone).await, "NOTHING_TO_UNDO");
    serving.stop().await;
    bench.end().await;
}

fn move_to(of: &Appointment, time: &str) -> MoveAppointmentRequest {
    MoveAppointmentRequest {
        appointment_id: of.id.clone(),
        date: MONDAY.to_owned(),
        time: time.to_owned(),
        etag: of.etag.clone(),
        ..MoveAppointmentRequest::default()
    }
}

async fn moved(
    serving: &Serving,
    request: Request<MoveAppointmentRequest>,
) -> Result<Appointment, Refusal> {
    let moved = serving.booking().move_appointment(request).await?;
    Ok(moved.into_inner().appointment.expect("a body"))
}

async fn the_desk_moves_to_a_time_that_is_near_or_running(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mine = serving.booked(request("Urology", "", "11:00 AM")).await;
    serving.clock.set(monday_morning());
    let near = by_patient(move_to(&mine, "9:30 AM"), &mine.secret);
    let near = moved(&serving, near).await.expect_err("too near");
    assert_eq!(violated(&near), ["time"]);
    let update = |of: &Appointment, time: &str| UpdateAppointmentRequest {
        appointment_id: of.id.clone(),
        appointment: Some(Appointment {
            time: time.to_owned(),
            status: 0,
            ..of.clone()
        }),
        etag: of.etag.clone(),
    };
    let near = by_patient(update(&mine, "9:30 AM"), &mine.secret);
    let near = serving.booking().update_appointment(near).await;
    assert_eq!(violated(&near.expect_err("too near")), ["time"]);

    let by_desk = async |of: &Appointment, time: &str| {
        moved(&serving, serving.staff(WRITE, move_to(of, time))).await
    };
    let next = by_desk(&mine, "9:30 AM").await.expect("moved");
    assert_eq!(
        (next.time.as_str(), next.status()),
        ("9:30 AM", Status::Booked)
    );
    let running = by_desk(&next, "9:00 AM").await.expect("moved");
    assert_eq!(
        (running.time.as_str(), running.secret.as_str()),
        ("9:00 AM", "")
    );
    let updated = serving
        .booking()
        .update_appointment(serving.staff(WRITE, update(&running, "9:30 AM")))
        .await;
    let updated = updated.expect("moved").into_inner().appointment;
    let updated = updated.expect("a body");
    assert_eq!(updated.time, "9:30 AM");

    // A taken time has the times of the next hour as alternatives.
    book(&serving, booking("Urology", "10:00 AM"))
        .await
        .expect("booked");
    let taken = by_desk(&updated, "10:00 AM").await.expect_err("taken");
    assert_eq!(reason(&taken), "SLOT_TAKEN");
    let details = taken.get_details_error_info().expect("details");
    let nearest = details.metadata.get("alternatives").expect("times");
    assert!(nearest.contains(&format!("{MONDAY} 9:00 AM")), "{nearest}");

    serving.clock.set(at(MONDAY, "9:30 AM"));
    let over = by_desk(&updated, "9:00 AM").await.expect_err("over");
    assert_eq!(violated(&over), ["time"]);
    serving.stop().await;
    bench.end().await;
}

/// Urology has one seat at a time.
async fn two_moves_take_one_near_time_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let first = serving.booked(request("Urology", "", "11:00 AM")).await;
    let second = serving.booked(request("Urology", "", "11:30 AM")).await;
    serving.clock.set(monday_morning());
    let to = |of: &Appointment| moved(&serving, serving.staff(WRITE, move_to(of, "9:30 AM")));
    let (one, other) = tokio::join!(to(&first), to(&second));
    let (kept, refused) = match (one, other) {
        (Ok(kept), Err(refused)) | (Err(refused), Ok(kept)) => (kept, refused),
        both => panic!("{both:?}"),
    };
    assert_eq!(
        (kept.time.as_str(), reason(&refused).as_str()),
        ("9:30 AM", "SLOT_TAKEN")
    );
    let seats = "SELECT count(*) FROM seats WHERE holder_kind = 'appointment'";
    assert_eq!(bench.test.scalar(seats).await, 2);
    serving.stop().await;
    bench.end().await;
}
