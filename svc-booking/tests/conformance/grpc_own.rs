//! An appointment through its patient's calls: only with the secret.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, AppointmentStatus, CancelAppointmentRequest, GetAppointmentCalendarRequest,
    GetAppointmentRequest, MoveAppointmentRequest, UpdateAppointmentRequest,
};
use test_kit::on_both_databases;
use tonic::{Code, Request};

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, at, now, request},
    serving::{READ, Serving, WRITE, by_patient, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_patient_reads_moves_and_cancels,
    a_retried_move_returns_the_new_link,
    a_patient_changes_contact_data,
    an_appointment_needs_its_secret,
    a_stale_etag_changes_nothing,
    a_past_appointment_stays_unchanged,
    staff_see_the_attendant_and_no_secret,
);

fn get(name: &str) -> GetAppointmentRequest {
    GetAppointmentRequest {
        appointment_id: name.to_owned(),
    }
}

fn move_to(appointment: &Appointment, date: &str, time: &str) -> MoveAppointmentRequest {
    MoveAppointmentRequest {
        appointment_id: appointment.id.clone(),
        date: date.to_owned(),
        time: time.to_owned(),
        etag: appointment.etag.clone(),
        ..MoveAppointmentRequest::default()
    }
}

fn cancel(appointment: &Appointment) -> CancelAppointmentRequest {
    CancelAppointmentRequest {
        appointment_id: appointment.reference.clone(),
        etag: appointment.etag.clone(),
    }
}

async fn a_patient_reads_moves_and_cancels(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    for name in [&booked.id, &booked.reference] {
        let read = client
            .get_appointment(by_patient(get(name), &booked.secret))
            .await
            .expect("read");
        let read = read.into_inner().appointment.expect("a body");
        let expected = Appointment {
            secret: String::new(),
            ..booked.clone()
        };
        assert_eq!(read, expected, "the secret is given once");
    }
    let asked = MoveAppointmentRequest {
        department: "ENT".to_owned(),
        doctor_id: "d2".to_owned(),
        ..move_to(&booked, TUESDAY, "12:30 PM")
    };
    let moved = client
        .move_appointment(by_patient(asked, &booked.secret))
        .await
        .expect("moved");
    let moved = moved.into_inner().appointment.expect("a body");
    assert_eq!(
        (moved.department.as_str(), moved.doctor_id.as_str()),
        ("ent", "d2")
    );
    assert_eq!(
        (
            moved.date.as_str(),
            moved.time.as_str(),
            moved.etag.as_str()
        ),
        (TUESDAY, "12:30 PM", "2")
    );
    assert!(moved.secret.len() == 43 && moved.secret != booked.secret);
    let status = client
        .get_appointment(by_patient(get(&booked.id), &booked.secret))
        .await
        .expect_err("replaced");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::FailedPrecondition, "LINK_REPLACED".to_owned())
    );
    // The new secret opens the calendar file and allows the cancellation.
    let calendar = GetAppointmentCalendarRequest {
        appointment_id: moved.id.clone(),
    };
    let file = client
        .get_appointment_calendar(by_patient(calendar, &moved.secret))
        .await
        .expect("a file")
        .into_inner();
    assert!(
        file.content_type.starts_with("text/calendar"),
        "{}",
        file.content_type
    );
    let cancelled = client
        .cancel_appointment(by_patient(cancel(&moved), &moved.secret))
        .await
        .expect("cancelled");
    let cancelled = cancelled.into_inner().appointment.expect("a body");
    assert_eq!(cancelled.status(), AppointmentStatus::Cancelled);
    let again = client
        .cancel_appointment(by_patient(cancel(&moved), &moved.secret))
        .await
        .expect("is so");
    assert_eq!(
        again.into_inner().appointment.expect("a body").etag,
        cancelled.etag
    );
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 0);
    serving.stop().await;
    bench.end().await;
}

async fn a_retried_move_returns_the_new_link(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let client = serving.booking();
    let booked = serving.booked(request("ENT", "d1", "9:00 AM")).await;
    let keyed = |key: &str, time: &str| MoveAppointmentRequest {
        doctor_id: "d1".to_owned(),
        request_id: key.to_owned(),
        ..move_to(&booked, TUESDAY, time)
    };
    let send = async |asked, secret: &str| {
        let mut client = client.clone();
        let answer = client.move_appointment(by_patient(asked, secret)).await?;
        let replayed = answer.metadata().contains_key("idempotent-replayed");
        let moved = answer.into_inner().appointment.expect("a body");
        Ok::<_, tonic::Status>((moved, replayed))
    };
    let lost = "a-move-whose-answer-was-lost";
    let one = send(keyed(lost, "9:30 AM"), &booked.secret);
    let other = send(keyed(lost, "9:30 AM"), &booked.secret);
    let (one, other) = futures::join!(one, other);
    let ((first, replayed), (second, second_replayed)) =
        (one.expect("moved"), other.expect("moved"));
    assert_ne!(replayed, second_replayed, "it was moved once");
    assert!(first.secret.len() == 43 && first.secret != booked.secret);
    assert_eq!(
        (&first.secret, &first.etag, &first.time),
        (&second.secret, &second.etag, &second.time)
    );
    let (again, replayed) = send(keyed(lost, "9:30 AM"), &booked.secret)
        .await
        .expect("moved");
    assert_eq!((again.secret, replayed), (first.secret.clone(), true));

    let refusal =
        async |asked, secret: &str| reason(&send(asked, secret).await.expect_err("refused"));
    let stranger = refusal(
        keyed("another-key-of-another-move", "9:30 AM"),
        &booked.secret,
    )
    .await;
    assert_eq!(
        stranger, "LINK_REPLACED",
        "the key is what the old link is not"
    );
    let guessed = refusal(keyed(lost, "9:30 AM"), &"x".repeat(43)).await;
    assert_eq!(guessed, "REQUEST_ID_REUSED");
    let elsewhere = refusal(keyed(lost, "10:00 AM"), &booked.secret).await;
    assert_eq!(elsewhere, "REQUEST_ID_REUSED");

    let next = MoveAppointmentRequest {
        etag: first.etag.clone(),
        ..keyed("the-move-after-the-lost-one", "10:00 AM")
    };
    send(next, &first.secret).await.expect("moved on");
    let overtaken = refusal(keyed(lost, "9:30 AM"), &booked.secret).await;
    assert_eq!(overtaken, "LINK_REPLACED", "another move gave another link");
    serving.stop().await;
    bench.end().await;
}

async fn a_patient_changes_contact_data(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    let update = |appointment: Appointment| UpdateAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: appointment.etag.clone(),
        appointment: Some(appointment),
    };
    let new = Appointment {
        patient_name: "Ravi Rao".to_owned(),
        reason: "ನೋವು".to_owned(),
        ..booked.clone()
    };
    let changed = client
        .update_appointment(by_patient(update(new.clone()), &booked.secret))
        .await;
    let status = changed.expect_err("only staff name a status");
    assert_eq!(violated(&status), ["status"]);
    let new = Appointment { status: 0, ..new };
    let changed = client
        .update_appointment(by_patient(update(new), &booked.secret))
        .await
        .expect("changed");
    let changed = changed.into_inner().appointment.expect("a body");
    assert_eq!(
        (changed.patient_name.as_str(), changed.reason.as_str()),
        ("Ravi Rao", "ನೋವು")
    );
    assert_eq!((changed.etag.as_str(), changed.secret.as_str()), ("2", ""));
    let later = Appointment {
        status: 0,
        time: "9:30 AM".to_owned(),
        ..changed.clone()
    };
    let moved = client
        .update_appointment(by_patient(update(later), &booked.secret))
        .await
        .expect("moved");
    let moved = moved.into_inner().appointment.expect("a body");
    assert_eq!((moved.time.as_str(), moved.secret.len()), ("9:30 AM", 43));
    let nobody = Appointment {
        etag: moved.etag.clone(),
        ..Appointment::default()
    };
    let status = client
        .update_appointment(by_patient(update(nobody), &moved.secret))
        .await
        .expect_err("refused");
    assert_eq!(
        violated(&status),
        ["patientName", "email", "phone", "date", "time"]
    );
    serving.stop().await;
    bench.end().await;
}

async fn an_appointment_needs_its_secret(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    let other = serving.booked(request("Urology", "", "9:30 AM")).await;
    let long = "x".repeat(129);
    for (name, secret, code) in [
        (booked.id.as_str(), other.secret.as_str(), Code::NotFound),
        (&booked.reference, "wrong", Code::NotFound),
        ("SH-2222-2222", &booked.secret, Code::NotFound),
        ("no name at all", &booked.secret, Code::NotFound),
        // Without a plausible secret the call counts as a staff call, which needs a token.
        (&booked.id, "", Code::Unauthenticated),
        (&booked.id, &long, Code::Unauthenticated),
    ] {
        let status = client
            .get_appointment(by_patient(get(name), secret))
            .await
            .expect_err("hidden");
        assert_eq!(status.code(), code, "{name} {secret}");
        let asked = MoveAppointmentRequest {
            appointment_id: name.to_owned(),
            ..move_to(&booked, TUESDAY, "9:00 AM")
        };
        let status = client
            .move_appointment(by_patient(asked, secret))
            .await
            .expect_err("hidden");
        assert_eq!(status.code(), code);
        let asked = CancelAppointmentRequest {
            appointment_id: name.to_owned(),
            etag: "1".to_owned(),
        };
        let status = client
            .cancel_appointment(by_patient(asked, secret))
            .await
            .expect_err("hidden");
        assert_eq!(status.code(), code);
    }
    let calendar = GetAppointmentCalendarRequest {
        appointment_id: booked.id.clone(),
    };
    let status = client
        .get_appointment_calendar(by_patient(calendar, &other.secret))
        .await
        .expect_err("hidden");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::NotFound, "NOT_FOUND".to_owned())
    );
    // A token takes precedence over a secret, and an invalid one is refused.
    let mut both = by_patient(get(&booked.id), &booked.secret);
    both.metadata_mut()
        .insert("authorization", "Bearer x".parse().expect("a header"));
    let status = client.get_appointment(both).await.expect_err("refused");
    assert_eq!(status.code(), Code::Unauthenticated);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM appointments WHERE version = 1")
            .await,
        2
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_stale_etag_changes_nothing(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    for (etag, code) in [
        ("", Code::InvalidArgument),
        ("2", Code::Aborted),
        ("W/\"1\"", Code::Aborted),
    ] {
        let asked = MoveAppointmentRequest {
            etag: etag.to_owned(),
            ..move_to(&booked, TUESDAY, "9:00 AM")
        };
        let status = client
            .move_appointment(by_patient(asked, &booked.secret))
            .await
            .expect_err("refused");
        assert_eq!(status.code(), code, "{etag}");
        if code == Code::Aborted {
            assert_eq!(reason(&status), "ETAG_MISMATCH");
        }
        let asked = CancelAppointmentRequest {
            appointment_id: booked.id.clone(),
            etag: etag.to_owned(),
        };
        let status = client
            .cancel_appointment(by_patient(asked, &booked.secret))
            .await
            .expect_err("refused");
        assert_eq!(status.code(), code, "{etag}");
    }
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM appointments WHERE version = 1")
            .await,
        1
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_past_appointment_stays_unchanged(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let asked = request("Urology", "", "9:00 AM");
    let booked = serving.booked(asked.clone()).await;
    let taken = serving.booked(request("Urology", "", "9:30 AM")).await;
    let status = client
        .move_appointment(by_patient(
            move_to(&booked, MONDAY, "9:30 AM"),
            &booked.secret,
        ))
        .await;
    assert_eq!(reason(&status.expect_err("taken")), "SLOT_TAKEN");
    serving.clock.set(at(MONDAY, "9:00 AM"));
    let status = client
        .move_appointment(by_patient(
            move_to(&booked, TUESDAY, "9:00 AM"),
            &booked.secret,
        ))
        .await;
    assert_eq!(reason(&status.expect_err("begun")), "NOT_OPEN");
    let status = client
        .cancel_appointment(by_patient(cancel(&booked), &booked.secret))
        .await;
    assert_eq!(reason(&status.expect_err("begun")), "NOT_OPEN");
    let staff = serving.staff(WRITE, cancel(&taken));
    client.cancel_appointment(staff).await.expect("staff may");
    let past = by_patient(move_to(&booked, MONDAY, "9:00 AM"), &booked.secret);
    let status = client.move_appointment(past).await.expect_err("too near");
    assert_eq!(violated(&status), ["time"]);
    // The same form may book another day.
    serving.clock.set(now() + TimeDelta::minutes(1));
    client
        .cancel_appointment(by_patient(cancel(&booked), &booked.secret))
        .await
        .expect("cancelled");
    let anew = serving.booked(asked.clone()).await;
    assert!(anew.id != booked.id && anew.secret != booked.secret);
    serving.stop().await;
    bench.end().await;
}

async fn staff_see_the_attendant_and_no_secret(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let read = client
        .get_appointment(serving.staff(READ, get(&booked.reference)))
        .await
        .expect("read");
    let read = read.into_inner().appointment.expect("a body");
    assert_eq!(
        (read.resource.as_str(), read.secret.as_str(), read.uncovered),
        ("clinic:ent-1", "", false)
    );
    let asked = MoveAppointmentRequest {
        doctor_id: "d1".to_owned(),
        ..move_to(&booked, MONDAY, "9:00 AM")
    };
    let moved = client
        .move_appointment(serving.staff(WRITE, asked))
        .await
        .expect("moved");
    let moved = moved.into_inner().appointment.expect("a body");
    assert_eq!(
        (moved.resource.as_str(), moved.secret.as_str()),
        ("doctor:d1", "")
    );
    let status = client
        .get_appointment(serving.staff(WRITE, get(&booked.id)))
        .await
        .expect_err("refused");
    assert_eq!(status.code(), Code::PermissionDenied);
    let status = client
        .get_appointment(Request::new(get(&booked.id)))
        .await
        .expect_err("refused");
    assert_eq!(status.code(), Code::Unauthenticated);
    let audited = "SELECT count(*) FROM audit_entries WHERE actor = 'editor@sampige'";
    // A read, a read for the move, and the move.
    assert_eq!(bench.test.scalar(audited).await, 3);
    serving.stop().await;
    bench.end().await;
}
