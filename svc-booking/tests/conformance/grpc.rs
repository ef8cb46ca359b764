//! The service as its callers see it.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    AppointmentStatus, CreateAppointmentRequest, ListAvailabilityRequest, ListDepartmentsRequest,
};
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection};
use svc_booking::domain::resources::Resources;
use test_kit::service::is_replay;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

use crate::fixture::{Database, Kind, MONDAY, Server, now, request, resources};

fn fields(status: &Status) -> Vec<String> {
    let details = status.get_details_bad_request().expect("violations");
    details
        .field_violations
        .into_iter()
        .map(|found| found.field)
        .collect()
}

pub(crate) async fn departments_are_paged(database: Arc<Database>) {
    let mut server = Server::start(&database, Resources::embedded()).await;
    let mut names = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListDepartmentsRequest {
            page_size: 5,
            page_token,
        };
        let page = server
            .client
            .list_departments(request)
            .await
            .expect("a page")
            .into_inner();
        assert!(page.departments.len() <= 5);
        names.extend(
            page.departments
                .into_iter()
                .map(|department| department.name),
        );
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(names.len(), 12);
    assert_eq!(
        (names[0].as_str(), names[11].as_str()),
        ("General Medicine", "Emergency")
    );
    let bad = ListDepartmentsRequest {
        page_size: -1,
        page_token: "?".to_owned(),
    };
    let status = server
        .client
        .list_departments(bad)
        .await
        .expect_err("refused");
    assert_eq!(fields(&status), ["pageSize", "pageToken"]);
    server.stop().await;
}

pub(crate) async fn violations_come_all_at_once(database: Arc<Database>) {
    let mut server = Server::start(&database, Resources::embedded()).await;
    let empty = CreateAppointmentRequest::default();
    let status = server
        .client
        .create_appointment(empty)
        .await
        .expect_err("refused");
    assert_eq!(status.code(), Code::InvalidArgument);
    let expected = [
        "patientName",
        "email",
        "phone",
        "date",
        "time",
        "department",
        "requestId",
    ];
    assert_eq!(fields(&status), expected);
    let bad = ListAvailabilityRequest {
        department: "Astrology".to_owned(),
        doctor: "doc-99".to_owned(),
        from: "tomorrow".to_owned(),
        to: "later".to_owned(),
    };
    let status = server
        .client
        .list_availability(bad)
        .await
        .expect_err("refused");
    assert_eq!(fields(&status), ["department", "doctor", "from", "to"]);
    for to in ["2026-11-22", "2027-01-25"] {
        let span = ListAvailabilityRequest {
            department: "ENT".to_owned(),
            from: MONDAY.to_owned(),
            to: to.to_owned(),
            ..ListAvailabilityRequest::default()
        };
        let status = server
            .client
            .list_availability(span)
            .await
            .expect_err("refused");
        assert_eq!(fields(&status), ["to"]);
    }
    server.stop().await;
}

/// Every slot that is said to be free can be booked, and no other.
pub(crate) async fn availability_says_what_a_booking_would(database: Arc<Database>) {
    let mut server = Server::start(&database, resources()).await;
    for request in [
        request("ENT", "d1", "9:00 AM"),
        request("Urology", "", "9:00 AM"),
    ] {
        server
            .client
            .create_appointment(request)
            .await
            .expect("booked");
    }
    for (department, doctor) in [("ENT", ""), ("ent", "d1"), ("Urology", "")] {
        let span = ListAvailabilityRequest {
            department: department.to_owned(),
            doctor: doctor.to_owned(),
            from: "2026-11-20".to_owned(),
            to: "2026-11-25".to_owned(),
        };
        let listed = server
            .client
            .list_availability(span)
            .await
            .expect("listed")
            .into_inner();
        assert_eq!(listed.time_zone, "Asia/Kolkata");
        assert_eq!(listed.days.len(), 6);
        let mut free = 0;
        for day in listed.days {
            assert_eq!(
                day.closed_reason.is_empty(),
                day.slots.iter().any(|slot| slot.available)
            );
            for slot in day.slots {
                let mut request = request(department, doctor, &slot.time);
                let body = request.appointment.as_mut().expect("a body");
                body.date.clone_from(&day.date);
                let answer = server.client.create_appointment(request).await;
                assert_eq!(
                    answer.is_ok(),
                    slot.available,
                    "{department} {doctor} {} {}",
                    day.date,
                    slot.time
                );
                free += u32::from(slot.available);
            }
        }
        // Saturday from 4:00 PM: 6. A whole day: 18. d1: Monday and Tuesday mornings, 6 each.
        let expected = match (department, doctor) {
            ("ENT", "") => 6 + 3 * 18,
            ("Urology", "") => 6 + 3 * 18 - 1,
            _ => 12 - 1,
        };
        assert_eq!(free, expected, "{department} {doctor}");
    }
    server.stop().await;
}

pub(crate) async fn a_booking_is_answered_in_full(database: Arc<Database>) {
    let mut server = Server::start(&database, resources()).await;
    let mut asked = request("ENT | Preferred: Dr. Somebody", "d1", "09:30");
    asked.appointment.as_mut().expect("a body").reason = String::from("ಜ್ವರ, two days\nno appetite");
    let answer = server
        .client
        .create_appointment(asked)
        .await
        .expect("booked")
        .into_inner();
    let booked = answer.appointment.expect("a body");
    assert_eq!(booked.id.len(), 36);
    assert!(booked.reference.starts_with("SH-"), "{}", booked.reference);
    assert_eq!(booked.status(), AppointmentStatus::Booked);
    assert_eq!(
        (booked.date.as_str(), booked.time.as_str()),
        (MONDAY, "9:30 AM")
    );
    assert_eq!(booked.department, "ent");
    assert_eq!(booked.doctor_id, "d1");
    assert_eq!(booked.reason, "ಜ್ವರ, two days\nno appetite");
    assert_eq!(booked.notes, "ENT | Preferred: Dr. Somebody");
    assert_eq!(
        booked.create_time.expect("a moment").seconds,
        now().timestamp()
    );
    server.stop().await;
}

pub(crate) async fn a_repeated_request_keeps_its_answer_when_the_rules_have_moved_on(
    database: Arc<Database>,
) {
    let mut server = Server::start(&database, resources()).await;
    let asked = request("ENT", "", "9:00 AM");
    let first = server
        .client
        .create_appointment(asked.clone())
        .await
        .expect("booked")
        .into_inner();
    server.clock.set(now() + TimeDelta::days(3));
    let again = server
        .client
        .create_appointment(asked.clone())
        .await
        .expect("answered");
    assert!(is_replay(&again));
    assert_eq!(again.into_inner(), first);
    let other = CreateAppointmentRequest {
        request_id: "another-id-of-16-or-more".to_owned(),
        ..asked.clone()
    };
    let status = server
        .client
        .create_appointment(other)
        .await
        .expect_err("too late");
    assert_eq!(fields(&status), ["date"]);
    server.clock.set(now());
    let mut changed = asked;
    changed.appointment.as_mut().expect("a body").phone = String::from("1234567");
    let status = server
        .client
        .create_appointment(changed)
        .await
        .expect_err("refused");
    assert_eq!(status.code(), Code::InvalidArgument);
    let info = status.get_details_error_info().expect("a reason");
    assert_eq!(info.reason, "REQUEST_ID_REUSED");
    server.stop().await;
}

/// Somebody else holds the database: the caller is told in time, and the same request succeeds later.
pub(crate) async fn a_blocked_database_ends_at_the_deadline(database: Arc<Database>) {
    let mut server = Server::start(&database, resources()).await;
    let asked = request("ENT", "", "9:00 AM");
    let mut timed = Request::new(asked.clone());
    timed.set_timeout(Duration::from_millis(300));
    let status = match database.kind {
        Kind::Sqlite => {
            let mut other = SqliteConnection::connect(&database.url)
                .await
                .expect("a connection");
            other.execute("BEGIN IMMEDIATE").await.expect("held");
            let status = server
                .client
                .create_appointment(timed)
                .await
                .expect_err("blocked");
            other.execute("ROLLBACK").await.expect("released");
            status
        }
        Kind::Postgres => {
            let mut other = PgConnection::connect(&database.url)
                .await
                .expect("a connection");
            other
                .execute("BEGIN; LOCK TABLE seats IN ACCESS EXCLUSIVE MODE")
                .await
                .expect("held");
            let status = server
                .client
                .create_appointment(timed)
                .await
                .expect_err("blocked");
            other.execute("ROLLBACK").await.expect("released");
            status
        }
    };
    assert!(
        matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled),
        "{status}"
    );
    server
        .client
        .create_appointment(asked)
        .await
        .expect("booked once it is free");
    assert_eq!(
        database.number("SELECT count(*) FROM appointments").await,
        1
    );
    server.stop().await;
}

pub(crate) async fn a_closed_store_is_unavailable(database: Arc<Database>) {
    let mut server = Server::start(&database, resources()).await;
    server.store.close().await;
    let status = server
        .client
        .create_appointment(request("ENT", "", "9:00 AM"))
        .await
        .expect_err("nowhere to write");
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    server.stop().await;
}
