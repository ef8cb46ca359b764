//! Bookings: their effects, refusals and retries.

use store_kit::error::StoreError;
use svc_booking::{
    domain::{
        change::{Action, Refused},
        seats::Resource,
        status::Status,
    },
    store::BookOutcome,
};
use test_kit::on_both_databases;

use crate::fixture::{
    Bench, Hospital, MONDAY, changed, contact, created, done, is_booked, key, now, request,
};

on_both_databases!(test_kit::bench::empty:
    a_booking_is_read_back,
    another_body_under_the_same_request_id_is_refused,
    a_retry_returns_the_present_state,
    a_refused_booking_writes_nothing,
    clinics_are_filled_before_doctors_and_by_name_only_doctors_are_skipped,
    the_primary_key_guards_seats,
    a_taken_reference_is_replaced,
    a_booking_checked_against_a_stale_roster_is_rechecked,
    seats_sold_before_rosters_still_count,
);

const COUNTS: &str = "SELECT (SELECT count(*) FROM appointments) + 1000 * (SELECT count(*) FROM seats) \
                      + 1000000 * (SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.booked') \
                      + 1000000000 * (SELECT count(*) FROM request_keys)";

async fn a_booking_is_read_back(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let asked = changed(&request("ENT", "d2", "10:30 AM"), |body| {
        body.patient_name = "Name Field".into();
        body.reason = "Reason field".into();
        body.notes = "ENT | Preferred: Dr. Notes".into();
    });
    let written = created(hospital.book(&asked).await);
    let person = contact(&written);
    assert_eq!(person.patient_name, "Name Field");
    assert_eq!(person.reason, "Reason field");
    assert_eq!(person.notes, "ENT | Preferred: Dr. Notes");
    assert_eq!(written.department_id, "ent");
    assert_eq!(written.doctor_id.as_deref(), Some("d2"));
    assert_eq!(written.resource, Some(Resource::doctor("d2")));
    assert_eq!((written.version, written.secret_generation), (1, 1));
    assert_eq!((written.create_time, written.update_time), (now(), now()));
    let recalled = hospital.store.recall(&key(&asked), now()).await;
    assert_eq!(recalled.expect("no error"), Some(written));
    let reminders = "SELECT count(*) FROM outbox_messages WHERE kind LIKE 'appointment.reminder%'";
    assert_eq!(bench.test.scalar(reminders).await, 2);
    let events =
        "SELECT count(*) FROM events WHERE kind = 'appointment.booked' AND actor = 'patient'";
    assert_eq!(bench.test.scalar(events).await, 1);
    bench.end().await;
}

async fn another_body_under_the_same_request_id_is_refused(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = request("ENT", "", "9:00 AM");
    assert!(is_booked(&hospital.book(&first).await));
    let mut other = changed(&first, |body| body.time = "9:30 AM".into());
    other.request_id.clone_from(&first.request_id);
    let recalled = hospital.store.recall(&key(&other), now()).await;
    assert!(recalled.expect("no error").is_none());
    assert_eq!(hospital.book(&other).await, BookOutcome::RequestIdReused);
    assert_eq!(bench.test.scalar(COUNTS).await, 1_001_001_001);
    bench.end().await;
}

/// After a cancellation, the same request books again. After an erasure or a deletion, the retry is refused as removed
/// and restores no personal data.
async fn a_retry_returns_the_present_state(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let asked = request("urology", "", "9:00 AM");
    let first = created(hospital.book(&asked).await);
    let arrived = hospital
        .change_by_staff(&first, Action::SetStatus(Status::Arrived))
        .await;
    let arrived = Box::new(done(arrived));
    assert_eq!(hospital.book(&asked).await, BookOutcome::Repeated(arrived));

    let asked = request("ent", "", "9:00 AM");
    let first = created(hospital.book(&asked).await);
    let cancel = Action::Cancel { notify: true };
    let cancelled = done(hospital.change(&first, cancel).await);
    assert_eq!(
        (cancelled.status, &cancelled.resource),
        (Status::Cancelled, &None)
    );
    let anew = created(hospital.book(&asked).await);
    assert_ne!(anew.id, first.id);
    let repeated = hospital.book(&asked).await;
    assert_eq!(repeated, BookOutcome::Repeated(Box::new(anew.clone())));

    bench.test.execute("DELETE FROM contacts").await;
    assert_eq!(hospital.book(&asked).await, BookOutcome::Removed);
    done(hospital.change_by_staff(&anew, Action::Delete).await);
    assert_eq!(hospital.book(&asked).await, BookOutcome::Removed);
    let recalled = hospital.store.recall(&key(&asked), now()).await;
    assert_eq!(recalled.expect("no error"), None);
    bench.end().await;
}

async fn a_refused_booking_writes_nothing(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    hospital.booked("urology", "", "9:00 AM").await;
    let before = bench.test.scalar(COUNTS).await;
    let refused = hospital.book(&request("urology", "", "9:00 AM")).await;
    assert_eq!(refused, BookOutcome::Refused(Refused::SlotTaken));
    let reminders = "SELECT count(*) FROM outbox_messages";
    assert_eq!(bench.test.scalar(COUNTS).await, before);
    assert_eq!(bench.test.scalar(reminders).await, 3);
    bench.end().await;
}

async fn clinics_are_filled_before_doctors_and_by_name_only_doctors_are_skipped(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut whose = Vec::new();
    for _ in 0..3 {
        let booked = hospital.booked("ENT", "", "9:00 AM").await;
        whose.push(booked.resource.expect("a seat").to_string());
    }
    assert_eq!(whose, ["clinic:ent-1", "doctor:d1", "doctor:d2"]);
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(hospital.book(&request("ENT", "", "9:00 AM")).await, refused);
    assert_eq!(
        hospital.book(&request("ENT", "d1", "9:00 AM")).await,
        refused
    );
    let named = hospital.booked("ENT", "d3", "9:00 AM").await;
    assert_eq!(named.doctor_id.as_deref(), Some("d3"));
    assert_eq!(
        hospital.book(&request("ENT", "d3", "9:00 AM")).await,
        refused
    );
    bench.end().await;
}

/// Even if all other checks fail, the database itself refuses to sell a seat twice.
async fn the_primary_key_guards_seats(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    hospital.booked("urology", "", "9:00 AM").await;
    hospital.booked("urology", "", "9:30 AM").await;
    let twice = "UPDATE seats SET starts_at = (SELECT min(starts_at) FROM seats)";
    let test = bench.test;
    let refused = tokio::spawn(async move {
        test.execute(twice).await;
    });
    assert!(refused.await.is_err(), "the statement fails");
}

async fn a_taken_reference_is_replaced(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let roster = hospital.roster().await;
    let book = async |time: &str, references: &[&str]| {
        let mut new = hospital.new_booking(&request("ENT", "", time), now()).await;
        new.booking.references = references.iter().map(|text| (*text).to_owned()).collect();
        hospital.store.book(new, roster.clone(), now()).await
    };
    let first = book("9:00 AM", &["SH-2222-2222"]).await.expect("no error");
    assert_eq!(created(first).reference, "SH-2222-2222");
    let both = ["SH-2222-2222", "SH-3333-3333"];
    let second = book("9:00 AM", &both).await.expect("no error");
    assert_eq!(created(second).reference, "SH-3333-3333");
    let exhausted = book("9:30 AM", &both).await.expect_err("none is left");
    assert!(
        matches!(exhausted, StoreError::IdentifiersTaken),
        "{exhausted}"
    );
    bench.end().await;
}

async fn a_booking_checked_against_a_stale_roster_is_rechecked(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let stale = hospital.roster().await;
    let asked = request("urology", "", "9:00 AM");
    let new = hospital.new_booking(&asked, now()).await;
    hospital.leave(Resource::clinic("uro"), MONDAY).await;
    let outcome = hospital.store.book(new, stale, now()).await;
    assert_eq!(outcome.expect("no error"), BookOutcome::RosterChanged);
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 0);
    bench.end().await;
}

/// An older build sold Urology's only seat as a seat of the whole department.
async fn seats_sold_before_rosters_still_count(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    hospital.booked("urology", "", "9:00 AM").await;
    let sold = "UPDATE seats SET resource = 'department:urology', seat = 4";
    assert_eq!(bench.test.execute(sold).await, 1);
    let refused = hospital.book(&request("urology", "", "9:00 AM")).await;
    assert_eq!(refused, BookOutcome::Refused(Refused::SlotTaken));
    hospital.booked("urology", "", "9:30 AM").await;
    bench.end().await;
}
