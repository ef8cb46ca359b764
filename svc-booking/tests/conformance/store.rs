//! What a store promises, one call at a time.

use std::sync::Arc;

use chrono::TimeDelta;
use store_kit::error::StoreError;
use svc_booking::{
    domain::{
        calendar::start_of,
        change::Command,
        seats::{Resource, SeatClaim},
    },
    store::{BookOutcome, Store},
};

use crate::fixture::{Database, booking, created, is_booked, key, now, request};

async fn book(store: &Store, department: &str, doctor: &str, time: &str) -> BookOutcome {
    let request = request(department, doctor, time);
    crate::fixture::book(store, &request)
        .await
        .expect("no error")
}

pub(crate) async fn another_body_under_the_same_request_id_is_refused(database: Arc<Database>) {
    let store = database.open().await;
    let first = request("ENT", "", "9:00 AM");
    let outcome = crate::fixture::book(&store, &first).await;
    assert!(is_booked(&outcome.expect("no error")));
    let other = hospital_proto::booking::v1::CreateAppointmentRequest {
        request_id: first.request_id.clone(),
        ..request("ENT", "", "9:30 AM")
    };
    let recalled = store.recall(&key(&other), now()).await;
    assert!(recalled.expect("no error").is_none());
    let outcome = crate::fixture::book(&store, &other).await;
    assert_eq!(outcome.expect("no error"), BookOutcome::RequestIdReused);
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
    assert_eq!(
        database
            .number("SELECT count(*) FROM outbox_messages")
            .await,
        4
    );
}

/// Whatever goes wrong above it, the database itself refuses to sell a seat twice.
pub(crate) async fn the_key_guards_seats(database: Arc<Database>) {
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
    let book = async |references: &[&str]| {
        let request = request("ENT", "", "9:00 AM");
        let mut booking = booking(&request);
        booking.references = references.iter().map(|text| (*text).to_owned()).collect();
        store
            .book(Command::Book(booking), key(&request), now())
            .await
    };
    let first = book(&["SH-2222-2222"]).await.expect("no error");
    assert_eq!(created(first).reference, "SH-2222-2222");
    let second = book(&["SH-2222-2222", "SH-3333-3333"])
        .await
        .expect("no error");
    assert_eq!(created(second).reference, "SH-3333-3333");
    let exhausted = book(&["SH-3333-3333"]).await.expect_err("none is left");
    assert!(
        matches!(exhausted, StoreError::IdentifiersTaken),
        "{exhausted}"
    );
}

fn claim(capacity: u32) -> SeatClaim {
    SeatClaim {
        resource: Resource::department("ent"),
        capacity,
    }
}

pub(crate) async fn seats_are_counted_within_span(database: Arc<Database>) {
    let store = database.open().await;
    for time in ["9:00 AM", "9:00 AM", "9:00 AM", "6:30 PM"] {
        assert!(is_booked(&book(&store, "ENT", "", time).await));
    }
    assert!(is_booked(&book(&store, "Urology", "", "9:00 AM").await));
    let starts_at = |time: &str| booking(&request("ENT", "", time)).appointment.starts_at();
    let (first, last) = (starts_at("9:00 AM"), starts_at("6:30 PM"));
    let day = start_of(crate::fixture::MONDAY.parse().expect("a date"));
    let seats = store
        .booked_seats(&[claim(4)], (day, day + TimeDelta::days(1)), now())
        .await
        .expect("no error");
    assert_eq!(seats[0].len(), 2);
    assert_eq!((seats[0][&first], seats[0][&last]), (3, 1));
    let without_the_end = store
        .booked_seats(&[claim(4)], (first, last), now())
        .await
        .expect("no error");
    assert_eq!(without_the_end[0].len(), 1);
}

/// Three seats are sold; then the department has two. Whichever of the three is given back, two are left and nothing is free.
pub(crate) async fn a_lowered_capacity_sells_nothing_more(database: Arc<Database>) {
    let store = database.open().await;
    for _ in 0..3 {
        assert!(is_booked(&book(&store, "ENT", "", "9:00 AM").await));
    }
    let freed = database
        .execute("DELETE FROM seats WHERE seat = 1")
        .await
        .expect("given back");
    assert_eq!(freed, 1);
    let request = request("ENT", "", "9:00 AM");
    let lowered = svc_booking::domain::resources::Resources::parse(
        "test.toml",
        "capacity_per_slot = 2\n[[departments]]\nid = \"ent\"\nname = \"ENT\"\n",
    )
    .expect("valid");
    let asked = svc_booking::wire::booking_request(request.clone());
    let (_, appointment) =
        svc_booking::domain::appointment::NewAppointment::parse(&asked, &lowered, now())
            .expect("valid");
    let booking = svc_booking::domain::change::Booking::new(
        appointment,
        &service_kit::source::RandomIds,
        now(),
    );
    let outcome = store
        .book(Command::Book(booking), key(&request), now())
        .await;
    assert_eq!(outcome.expect("no error"), BookOutcome::SlotTaken);
}
