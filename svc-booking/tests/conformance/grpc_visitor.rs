//! Visitors' searches and bookings, as the gateway sends them.

use std::time::Duration;

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    AppointmentStatus, CreateAppointmentRequest, CreateHoldRequest, DeleteHoldRequest, Hold,
    ListAvailabilityRequest, ListFreeTimesRequest, ListNextAvailableRequest,
};
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection};
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Bench, MONDAY, changed, now, request},
    serving::{Serving, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    every_violation_of_a_booking_is_reported,
    a_booking_returns_the_whole_appointment,
    a_retry_succeeds_although_the_rules_would_now_refuse_it,
    a_taken_time_comes_with_the_three_nearest,
    a_hold_is_reserved_for_its_visitor,
    a_blocked_database_fails_at_the_deadline,
    a_closed_store_is_unavailable,
);

async fn every_violation_of_a_booking_is_reported(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let status = client
        .create_appointment(CreateAppointmentRequest::default())
        .await;
    let status = status.expect_err("refused");
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
    assert_eq!(violated(&status), expected);
    // X9: a booking under the hospital's own mailbox would send its mails to reception.
    let own = changed(&request("ENT", "", "9:00 AM"), |body| {
        body.email = "Appointments@Sampige.example".into();
    });
    let status = client.create_appointment(own).await.expect_err("refused");
    assert_eq!(violated(&status), ["email"]);
    // X9: the staff's spreadsheets execute formulas, and their mail programs turn addresses into links.
    let stacked = format!("A{}", "\u{301}".repeat(110));
    for name in ["=HYPERLINK(1) Rao", "https://evil.example Asha", &stacked] {
        let bad = changed(&request("ENT", "", "9:00 AM"), |body| {
            name.clone_into(&mut body.patient_name);
        });
        let status = client.create_appointment(bad).await.expect_err("refused");
        assert_eq!(violated(&status), ["patientName"], "{name}");
    }
    let status = client
        .create_hold(CreateHoldRequest::default())
        .await
        .expect_err("refused");
    assert_eq!(violated(&status), ["date", "time", "department"]);
    let availability =
        |department: &str, doctor: &str, from: &str, to: &str| ListAvailabilityRequest {
            department: department.to_owned(),
            doctor: doctor.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
        };
    for (request, fields) in [
        (
            availability("Astrology", "doc-99", "tomorrow", "later"),
            &["department", "doctor", "from", "to"][..],
        ),
        (availability("ENT", "", MONDAY, "2026-11-22"), &["to"]),
        (availability("ENT", "", MONDAY, "2027-01-25"), &["to"]),
    ] {
        let status = client
            .list_availability(request)
            .await
            .expect_err("refused");
        assert_eq!(violated(&status), fields);
    }
    let long = ListFreeTimesRequest {
        from: MONDAY.to_owned(),
        to: "2026-12-14".to_owned(),
    };
    let status = client.list_free_times(long).await.expect_err("refused");
    assert_eq!(violated(&status), ["to"]);
    let asked = |doctors: Vec<&str>, department: &str| ListNextAvailableRequest {
        doctors: doctors.into_iter().map(str::to_owned).collect(),
        department: department.to_owned(),
        days: 0,
    };
    let mut mostly_empty = vec![""; 50];
    mostly_empty.push("d1");
    for request in [
        asked(vec!["d1"], "ENT"),
        asked(vec!["d1"; 51], ""),
        asked(vec![&"d1,".repeat(51)], ""),
        asked(mostly_empty, ""),
        asked(vec![""; 51], "ENT"),
    ] {
        let status = client
            .list_next_available(request)
            .await
            .expect_err("refused");
        assert_eq!(violated(&status), ["doctors"]);
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_booking_returns_the_whole_appointment(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let asked = changed(&request("", "d1", "09:30"), |body| {
        body.notes = "ENT | Preferred: Dr. Somebody".into();
        body.reason = "ಜ್ವರ, two days\nno appetite".into();
    });
    let booked = serving.booked(asked).await;
    assert_eq!((booked.id.len(), booked.secret.len()), (36, 43));
    assert!(booked.reference.starts_with("SH-"), "{}", booked.reference);
    assert_eq!(booked.status(), AppointmentStatus::Booked);
    assert_eq!(
        (booked.date.as_str(), booked.time.as_str()),
        (MONDAY, "9:30 AM")
    );
    assert_eq!(
        (booked.department.as_str(), booked.doctor_id.as_str()),
        ("ent", "d1")
    );
    assert_eq!(booked.reason, "ಜ್ವರ, two days\nno appetite");
    assert_eq!(booked.notes, "ENT | Preferred: Dr. Somebody");
    assert_eq!(
        booked.create_time.expect("a moment").seconds,
        now().timestamp()
    );
    assert!(booked.calendar.starts_with("BEGIN:VCALENDAR\r\n"));
    assert_eq!((booked.etag.as_str(), booked.resource.as_str()), ("1", ""));
    serving.stop().await;
    bench.end().await;
}

async fn a_retry_succeeds_although_the_rules_would_now_refuse_it(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let asked = request("ENT", "", "9:00 AM");
    let first = client
        .create_appointment(asked.clone())
        .await
        .expect("booked")
        .into_inner();
    serving.clock.set(now() + TimeDelta::days(3));
    let again = client
        .create_appointment(asked.clone())
        .await
        .expect("answered");
    assert!(is_replay(&again));
    assert_eq!(
        again.into_inner(),
        first,
        "with the secret, which whoever asks again may have lost"
    );
    let other = CreateAppointmentRequest {
        request_id: "another-id-of-16-or-more".to_owned(),
        ..asked.clone()
    };
    let status = client
        .create_appointment(other)
        .await
        .expect_err("too late");
    assert_eq!(violated(&status), ["date"]);
    serving.clock.set(now());
    let mut reused = changed(&asked, |body| body.phone = "1234567".into());
    reused.request_id.clone_from(&asked.request_id);
    let status = client
        .create_appointment(reused)
        .await
        .expect_err("refused");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::InvalidArgument, "REQUEST_ID_REUSED".to_owned())
    );
    // The hold is not part of the fingerprint.
    let mut held = changed(&asked, |body| {
        body.hold_id = "00000000-0000-0000-0000-000000000007".into();
    });
    held.request_id.clone_from(&asked.request_id);
    assert!(is_replay(
        &client.create_appointment(held).await.expect("answered")
    ));
    serving.stop().await;
    bench.end().await;
}

async fn a_taken_time_comes_with_the_three_nearest(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    for time in ["10:00 AM", "10:30 AM", "6:30 PM"] {
        serving.booked(request("Urology", "", time)).await;
    }
    for (time, expected) in [
        (
            "10:00 AM",
            "2026-11-23 9:30 AM, 2026-11-23 9:00 AM, 2026-11-23 11:00 AM",
        ),
        (
            "6:30 PM",
            "2026-11-23 6:00 PM, 2026-11-23 5:30 PM, 2026-11-23 5:00 PM",
        ),
    ] {
        let status = client
            .create_appointment(request("Urology", "", time))
            .await
            .expect_err("taken");
        assert_eq!(status.code(), Code::AlreadyExists);
        let info = status.get_details_error_info().expect("a reason");
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            ("SLOT_TAKEN", "hospital")
        );
        assert_eq!(info.metadata["alternatives"], expected);
        let taken = Hold {
            department: "Urology".to_owned(),
            date: MONDAY.to_owned(),
            time: time.to_owned(),
            ..Hold::default()
        };
        let held = client
            .create_hold(CreateHoldRequest {
                hold: Some(taken),
                ..CreateHoldRequest::default()
            })
            .await;
        let info = held
            .expect_err("taken")
            .get_details_error_info()
            .expect("a reason");
        assert_eq!(info.metadata["alternatives"], expected);
    }
    serving.stop().await;
    bench.end().await;
}

fn hold(time: &str, visitor: &str) -> Request<CreateHoldRequest> {
    let hold = Hold {
        department: "Urology".to_owned(),
        date: MONDAY.to_owned(),
        time: time.to_owned(),
        ..Hold::default()
    };
    let message = CreateHoldRequest {
        hold: Some(hold),
        ..CreateHoldRequest::default()
    };
    let mut request = with(message, "client-network", "192.0.2.0/24");
    let value = visitor.parse().expect("a header");
    request.metadata_mut().insert("client-id", value);
    request
}

async fn a_hold_is_reserved_for_its_visitor(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let first = client
        .create_hold(hold("9:00 AM", "a"))
        .await
        .expect("held")
        .into_inner();
    let first = first.hold.expect("a hold");
    assert_eq!(
        (first.date.as_str(), first.time.as_str()),
        (MONDAY, "9:00 AM")
    );
    let end = first.expire_time.expect("an end").seconds;
    assert_eq!(end, (now() + TimeDelta::minutes(5)).timestamp());
    let status = client
        .create_hold(hold("9:00 AM", "b"))
        .await
        .expect_err("taken");
    assert_eq!(reason(&status), "SLOT_TAKEN");
    // After a hold of another time by the same visitor, the first time is free again.
    let second = client
        .create_hold(hold("9:30 AM", "a"))
        .await
        .expect("held")
        .into_inner();
    let others = client
        .create_hold(hold("9:00 AM", "b"))
        .await
        .expect("free")
        .into_inner();
    let id = second.hold.expect("a hold").id;
    let mine = changed(&request("Urology", "", "9:30 AM"), |body| {
        body.hold_id.clone_from(&id);
    });
    serving.booked(mine).await;
    for hold_id in [others.hold.expect("a hold").id, id, "no id".to_owned()] {
        client
            .delete_hold(DeleteHoldRequest { hold_id })
            .await
            .expect("repeatable");
    }
    serving.booked(request("Urology", "", "9:00 AM")).await;
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 2);
    serving.stop().await;
    bench.end().await;
}

/// Another connection locks the database: the call fails at its deadline, and the same request succeeds later.
async fn a_blocked_database_fails_at_the_deadline(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    // The roster is read once.
    serving.booked(request("ENT", "", "9:30 AM")).await;
    let asked = request("ENT", "", "9:00 AM");
    let mut timed = Request::new(asked.clone());
    timed.set_timeout(Duration::from_millis(300));
    let status = if bench.test.is_sqlite() {
        let mut other = SqliteConnection::connect(&bench.test.url)
            .await
            .expect("a connection");
        other.execute("BEGIN IMMEDIATE").await.expect("held");
        let status = client.create_appointment(timed).await.expect_err("blocked");
        other.execute("ROLLBACK").await.expect("released");
        status
    } else {
        let mut other = PgConnection::connect(&bench.test.url)
            .await
            .expect("a connection");
        let lock = "BEGIN; LOCK TABLE seats IN ACCESS EXCLUSIVE MODE";
        other.execute(lock).await.expect("held");
        let status = client.create_appointment(timed).await.expect_err("blocked");
        other.execute("ROLLBACK").await.expect("released");
        status
    };
    let is_late = matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled);
    assert!(is_late, "{status}");
    serving.booked(asked).await;
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM appointments").await,
        2
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_closed_store_is_unavailable(bench: Bench) {
    let serving = Serving::start(&bench).await;
    bench.database.close().await;
    let asked = request("ENT", "", "9:00 AM");
    let status = serving
        .booking()
        .create_appointment(asked)
        .await
        .expect_err("nowhere to write");
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    serving.stop().await;
    bench.end().await;
}
