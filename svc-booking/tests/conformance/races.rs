//! Many at once.

use std::{collections::HashSet, sync::Arc};

use futures::future::join_all;
use svc_booking::store::{BookOutcome, Store};
use test_kit::service::is_replay;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::fixture::{Database, Server, book, is_booked, request, resources};

/// Books all at once and returns the outcomes; an error of the store is a failed test.
async fn book_all(
    store: &Store,
    requests: impl IntoIterator<Item = hospital_proto::booking::v1::CreateAppointmentRequest>,
) -> Vec<BookOutcome> {
    let tasks: Vec<_> = requests
        .into_iter()
        .map(|request| {
            let store = store.clone();
            tokio::spawn(async move { book(&store, &request).await })
        })
        .collect();
    join_all(tasks)
        .await
        .into_iter()
        .map(|outcome| outcome.expect("no panic").expect("no error"))
        .collect()
}

pub(crate) async fn one_seat_is_sold_once(database: Arc<Database>) {
    let store = database.open().await;
    let outcomes = book_all(&store, (0..200).map(|_| request("Urology", "", "9:00 AM"))).await;
    assert_eq!(
        outcomes.iter().filter(|outcome| is_booked(outcome)).count(),
        1
    );
    let taken = outcomes
        .iter()
        .filter(|outcome| **outcome == BookOutcome::SlotTaken);
    assert_eq!(taken.count(), 199);
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
    assert_eq!(database.number("SELECT count(*) FROM seats").await, 1);
}

pub(crate) async fn a_department_sells_exactly_its_capacity(database: Arc<Database>) {
    let store = database.open().await;
    let outcomes = book_all(&store, (0..60).map(|_| request("ENT", "", "9:00 AM"))).await;
    assert_eq!(
        outcomes.iter().filter(|outcome| is_booked(outcome)).count(),
        4
    );
    let seats = "SELECT count(DISTINCT seat) FROM seats WHERE seat <= 4";
    assert_eq!(database.number(seats).await, 4);
}

pub(crate) async fn a_repeated_request_is_booked_once(database: Arc<Database>) {
    let store = database.open().await;
    let one = request("Urology", "", "9:00 AM");
    let outcomes = book_all(&store, (0..50).map(|_| one.clone())).await;
    let mut first = 0;
    let answers: HashSet<_> = outcomes
        .iter()
        .map(|outcome| match outcome {
            BookOutcome::Created(appointment) => {
                first += 1;
                appointment.id
            }
            BookOutcome::Repeated(appointment) => appointment.id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((first, answers.len()), (1, 1));
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
}

/// Bookings with and without a doctor want the same seats in different ways at the same time.
pub(crate) async fn mixed_doctors_fill_a_department_without_deadlock(database: Arc<Database>) {
    let store = database.open().await;
    let doctors = ["", "d1", "d2", "d3"];
    let requests = (0..120).map(|number| request("ENT", doctors[number % 4], "9:00 AM"));
    let outcomes = book_all(&store, requests).await;
    let booked: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            BookOutcome::Created(row) => Some(row),
            _ => None,
        })
        .collect();
    assert_eq!(booked.len(), 4, "the department is full and not overfull");
    let with_doctor: Vec<_> = booked
        .iter()
        .filter_map(|row| row.doctor_id.as_ref())
        .collect();
    let distinct: HashSet<_> = with_doctor.iter().collect();
    assert_eq!(with_doctor.len(), distinct.len(), "a doctor has one seat");
    let expected = i64::try_from(4 + with_doctor.len()).expect("a few");
    assert_eq!(
        database.number("SELECT count(*) FROM seats").await,
        expected
    );
}

pub(crate) async fn one_seat_is_sold_once_over_grpc(database: Arc<Database>) {
    let server = Server::start(&database, resources()).await;
    let calls = (0..200).map(|_| {
        let mut client = server.client.clone();
        async move {
            client
                .create_appointment(request("Urology", "", "9:00 AM"))
                .await
        }
    });
    let (won, lost): (Vec<_>, Vec<_>) = join_all(calls).await.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 199));
    for status in lost.into_iter().filter_map(Result::err) {
        assert_eq!(status.code(), Code::AlreadyExists, "{status}");
        let info = status.get_details_error_info().expect("a reason");
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            ("SLOT_TAKEN", "hospital")
        );
    }
    server.stop().await;
}

pub(crate) async fn a_repeated_request_gets_equal_answers_over_grpc(database: Arc<Database>) {
    let server = Server::start(&database, resources()).await;
    let one = request("ENT", "d2", "10:00 AM");
    let calls = (0..50).map(|_| {
        let (mut client, one) = (server.client.clone(), one.clone());
        async move { client.create_appointment(one).await }
    });
    let (answers, replays): (Vec<_>, Vec<_>) = join_all(calls)
        .await
        .into_iter()
        .map(|answer| {
            let answer = answer.expect("booked");
            let is_replay = is_replay(&answer);
            (answer.into_inner().appointment.expect("a body"), is_replay)
        })
        .unzip();
    assert_eq!(replays.iter().filter(|replay| **replay).count(), 49);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
    assert_eq!(
        database
            .number("SELECT count(*) FROM outbox_messages")
            .await,
        1
    );
    server.stop().await;
}
