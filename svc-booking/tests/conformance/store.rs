//! What a store promises, one call at a time.

use std::sync::Arc;

use chrono::TimeDelta;
use svc_booking::{
    domain::{booking::SeatClaim, calendar::start_of},
    error::StoreError,
    store::{self, BookOutcome, Store},
};

use crate::fixture::{Database, Kind, LIMITS, booking, is_booked, request};

async fn book(store: &Arc<dyn Store>, department: &str, doctor: &str, time: &str) -> BookOutcome {
    let request = request(department, doctor, time);
    store.book(booking(&request)).await.expect("no error")
}

pub(crate) async fn migrations_run_twice_harmlessly(database: Arc<Database>) {
    if database.kind == Kind::Postgres {
        let refused = store::open(&database.parsed_url(), LIMITS)
            .await
            .expect_err("no schema yet");
        assert!(
            matches!(refused, StoreError::NotMigrated { .. }),
            "{refused}"
        );
    }
    let store = database.open().await;
    assert!(is_booked(&book(&store, "ENT", "", "9:00 AM").await));
    store.close().await;
    let again = database.open().await;
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
    assert!(is_booked(&book(&again, "ENT", "", "9:00 AM").await));
}

pub(crate) async fn another_body_under_the_same_request_id_is_refused(database: Arc<Database>) {
    let store = database.open().await;
    let first = request("ENT", "", "9:00 AM");
    assert!(is_booked(
        &store.book(booking(&first)).await.expect("no error")
    ));
    let other = hospital_proto::booking::v1::CreateAppointmentRequest {
        request_id: first.request_id.clone(),
        ..request("ENT", "", "9:30 AM")
    };
    let refused = booking(&other);
    assert!(
        store
            .recall(&refused.request)
            .await
            .expect("no error")
            .is_none()
    );
    let outcome = store.book(refused).await.expect("no error");
    assert_eq!(outcome, BookOutcome::RequestIdReused);
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
    assert_eq!(database.number("SELECT count(*) FROM seats").await, 1);
}

pub(crate) async fn a_refused_booking_leaves_nothing_behind(database: Arc<Database>) {
    let store = database.open().await;
    assert!(is_booked(&book(&store, "ENT", "d1", "9:00 AM").await));
    // The doctor is taken, the department is not.
    assert_eq!(
        book(&store, "ENT", "d1", "9:00 AM").await,
        BookOutcome::SlotTaken
    );
    assert_eq!(database.number("SELECT count(*) FROM seats").await, 2);
    for _ in 0..3 {
        assert!(is_booked(&book(&store, "ENT", "", "9:00 AM").await));
    }
    // The department is full; the doctor's seat that was claimed first is given back.
    assert_eq!(
        book(&store, "ENT", "d2", "9:00 AM").await,
        BookOutcome::SlotTaken
    );
    let kept = "SELECT count(*) FROM seats WHERE resource = 'doctor:d2'";
    assert_eq!(database.number(kept).await, 0);
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        4
    );
    assert_eq!(database.number("SELECT count(*) FROM outbox").await, 4);
}

pub(crate) async fn a_booking_writes_its_outbox_row(database: Arc<Database>) {
    let store = database.open().await;
    assert!(is_booked(&book(&store, "ENT", "", "9:00 AM").await));
    let waiting = "SELECT count(*) FROM outbox JOIN appointments ON appointments.id = appointment_id \
                   WHERE kind = 'appointment.booked' AND delivered_at IS NULL";
    assert_eq!(database.number(waiting).await, 1);
}

pub(crate) async fn a_released_seat_is_sold_again(database: Arc<Database>) {
    let store = database.open().await;
    assert!(is_booked(&book(&store, "Urology", "", "9:00 AM").await));
    assert_eq!(
        book(&store, "Urology", "", "9:00 AM").await,
        BookOutcome::SlotTaken
    );
    let released = database
        .execute("UPDATE seats SET status = 'released'")
        .await
        .expect("released");
    assert_eq!(released, 1);
    assert!(is_booked(&book(&store, "Urology", "", "9:00 AM").await));
    assert_eq!(
        book(&store, "Urology", "", "9:00 AM").await,
        BookOutcome::SlotTaken
    );
}

/// Whatever goes wrong above it, the database itself refuses to sell a seat twice.
pub(crate) async fn the_index_guards_seats(database: Arc<Database>) {
    let store = database.open().await;
    assert!(is_booked(&book(&store, "Urology", "", "9:00 AM").await));
    assert!(is_booked(&book(&store, "Urology", "", "9:30 AM").await));
    let twice = "UPDATE seats SET starts_at = (SELECT min(starts_at) FROM seats)";
    let refused = database.execute(twice).await.expect_err("refused");
    let refusal = refused.as_database_error().expect("by the database");
    assert!(refusal.is_unique_violation(), "{refusal}");
}

pub(crate) async fn a_taken_reference_is_replaced(database: Arc<Database>) {
    let store = database.open().await;
    let mut first = booking(&request("ENT", "", "9:00 AM"));
    first.references = vec!["SH-2222-2222".to_owned()];
    assert!(is_booked(&store.book(first).await.expect("no error")));
    let mut second = booking(&request("ENT", "", "9:00 AM"));
    second.references = vec!["SH-2222-2222".to_owned(), "SH-3333-3333".to_owned()];
    let BookOutcome::Booked(row) = store.book(second).await.expect("no error") else {
        panic!("a seat is free");
    };
    assert_eq!(row.reference, "SH-3333-3333");
    let mut third = booking(&request("ENT", "", "9:00 AM"));
    third.references = vec!["SH-3333-3333".to_owned()];
    let exhausted = store.book(third).await.expect_err("no reference is left");
    assert!(
        matches!(exhausted, StoreError::ReferencesTaken),
        "{exhausted}"
    );
}

pub(crate) async fn seats_are_counted_within_span_and_capacity(database: Arc<Database>) {
    let store = database.open().await;
    for time in ["9:00 AM", "9:00 AM", "9:00 AM", "6:30 PM"] {
        assert!(is_booked(&book(&store, "ENT", "", time).await));
    }
    assert!(is_booked(&book(&store, "Urology", "", "9:00 AM").await));
    let claim = |capacity| SeatClaim {
        resource: "department:ent".to_owned(),
        capacity,
    };
    let first = booking(&request("ENT", "", "9:00 AM"))
        .appointment
        .starts_at();
    let last = booking(&request("ENT", "", "6:30 PM"))
        .appointment
        .starts_at();
    let day = start_of(crate::fixture::MONDAY.parse().expect("a date"));
    let seats = store
        .booked_seats(&claim(4), (day, day + TimeDelta::days(1)))
        .await
        .expect("no error");
    assert_eq!(seats.len(), 2);
    assert_eq!((seats[&first], seats[&last]), (3, 1));
    let lowered = store
        .booked_seats(&claim(2), (first, last))
        .await
        .expect("no error");
    assert_eq!(lowered.len(), 1, "the end does not belong to the span");
    assert_eq!(lowered[&first], 2, "seats beyond the capacity do not count");
}
