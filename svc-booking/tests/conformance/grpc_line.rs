//! The waitlist over gRPC.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    AcceptOfferRequest, CancelAppointmentRequest, CreateWaitlistEntryRequest,
    GetAppointmentRequest, GetWaitlistEntryRequest, LeaveWaitlistRequest, Proof, WaitlistEntry,
    WaitlistState,
};
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Request};

use crate::{
    fixture::{Bench, Hospital, MONDAY, now, request, unique},
    serving::{READ, Serving, WRITE, by_patient, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    from_the_full_day_to_the_appointment,
    only_a_full_day_has_a_waitlist,
    a_retried_join_gets_the_same_response,
    an_entry_needs_its_secret,
);

fn join(department: &str) -> CreateWaitlistEntryRequest {
    let number = unique();
    CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("wait{number}@example.com"),
            phone: format!("+91 80 2{number:07}"),
            department: department.to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: format!("waitlist-request-{number}"),
    }
}

fn get(entry: &WaitlistEntry) -> GetWaitlistEntryRequest {
    GetWaitlistEntryRequest {
        entry_id: entry.reference.clone(),
    }
}

fn accept(entry: &WaitlistEntry) -> AcceptOfferRequest {
    AcceptOfferRequest {
        entry_id: entry.reference.clone(),
    }
}

fn by_owner<T>(message: T, entry: &WaitlistEntry) -> Request<T> {
    with(message, "x-waitlist-secret", &entry.secret)
}

/// Books every time of Urology's Monday; returns the first appointment.
async fn fill(serving: &Serving) -> hospital_proto::booking::v1::Appointment {
    let mut booked = Vec::new();
    for time in svc_booking::domain::calendar::SlotTime::all() {
        booked.push(serving.booked(request("Urology", "", &time.label())).await);
    }
    booked.remove(0)
}

/// Joins the waitlist and opens the mailed link.
async fn joined(bench: &Bench, serving: &Serving) -> WaitlistEntry {
    let entry = serving
        .waitlist()
        .create_waitlist_entry(join("Urology"))
        .await
        .expect("joined");
    let entry = entry.into_inner().entry.expect("an entry");
    assert_eq!(entry.proof(), Proof::Unproven);
    let hospital = Hospital::of(bench).await;
    let id = entry.id.parse().expect("an id");
    let mailed = hospital.store.mailed_entry_secret(id);
    let read = serving
        .waitlist()
        .get_waitlist_entry(with(get(&entry), "x-waitlist-secret", &mailed))
        .await
        .expect("read");
    let proof = read.into_inner().entry.expect("an entry").proof;
    assert_eq!(proof, i32::from(Proof::Link));
    WaitlistEntry { proof, ..entry }
}

async fn from_the_full_day_to_the_appointment(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.waitlist();
    let booked = fill(&serving).await;
    let first = joined(&bench, &serving).await;
    serving.clock.set(now() + TimeDelta::seconds(1));
    let second = joined(&bench, &serving).await;
    assert_eq!(
        (first.state(), first.secret.len()),
        (WaitlistState::Waiting, 43)
    );
    assert_eq!(
        (first.department.as_str(), first.date.as_str()),
        ("urology", MONDAY)
    );
    let status = client
        .accept_offer(by_owner(accept(&first), &first))
        .await
        .expect_err("nothing yet");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::FailedPrecondition, "OFFER_OVER".to_owned())
    );
    let cancel = CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: booked.etag.clone(),
    };
    serving
        .booking()
        .cancel_appointment(by_patient(cancel, &booked.secret))
        .await
        .expect("cancelled");
    let mut read = async |entry: &WaitlistEntry| {
        let read = client
            .get_waitlist_entry(by_owner(get(entry), entry))
            .await
            .expect("read");
        read.into_inner().entry.expect("an entry")
    };
    let offered = read(&first).await;
    assert_eq!(
        (offered.state(), offered.offer_time.as_str()),
        (WaitlistState::Offered, "9:00 AM")
    );
    let end = offered.offer_expire_time.expect("an end").seconds;
    assert_eq!(end, (now() + TimeDelta::seconds(20 * 60 + 1)).timestamp());
    assert_eq!(offered.secret, "");
    assert_eq!(read(&second).await.state(), WaitlistState::Waiting);
    let mut client = serving.waitlist();
    let leave = LeaveWaitlistRequest {
        entry_id: first.id.clone(),
    };
    let left = client
        .leave_waitlist(by_owner(leave, &first))
        .await
        .expect("left")
        .into_inner();
    assert_eq!(left.entry.expect("an entry").state(), WaitlistState::Ended);
    let accepted = client
        .accept_offer(by_owner(accept(&second), &second))
        .await
        .expect("accepted");
    let appointment = accepted.into_inner().appointment.expect("a body");
    assert_eq!(
        (appointment.time.as_str(), appointment.secret.len()),
        ("9:00 AM", 43)
    );
    assert_eq!(appointment.email, second.email);
    let again = client
        .accept_offer(by_owner(accept(&second), &second))
        .await
        .expect("again");
    assert_eq!(again.into_inner().appointment.expect("a body"), appointment);
    let name = GetAppointmentRequest {
        appointment_id: appointment.reference.clone(),
    };
    serving
        .booking()
        .get_appointment(by_patient(name, &appointment.secret))
        .await
        .expect("its own link");
    serving.stop().await;
    bench.end().await;
}

async fn only_a_full_day_has_a_waitlist(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.waitlist();
    let status = client
        .create_waitlist_entry(join("Urology"))
        .await
        .expect_err("not full");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::FailedPrecondition, "NOT_FULL".to_owned())
    );
    let status = client
        .create_waitlist_entry(CreateWaitlistEntryRequest::default())
        .await;
    let fields = [
        "patientName",
        "email",
        "phone",
        "date",
        "department",
        "requestId",
    ];
    assert_eq!(violated(&status.expect_err("refused")), fields);
    fill(&serving).await;
    let asked = join("Urology");
    client
        .create_waitlist_entry(asked.clone())
        .await
        .expect("joined");
    let twice = CreateWaitlistEntryRequest {
        request_id: "another-id-of-16-or-more".to_owned(),
        ..asked
    };
    // X1: a response must not reveal whether a person already waits.
    client.create_waitlist_entry(twice).await.expect("joined");
    serving.stop().await;
    bench.end().await;
}

/// Also once the day is no longer full, or has passed.
async fn a_retried_join_gets_the_same_response(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.waitlist();
    fill(&serving).await;
    let asked = join("Urology");
    let first = client
        .create_waitlist_entry(asked.clone())
        .await
        .expect("joined")
        .into_inner();
    bench.test.execute("DELETE FROM seats").await;
    for at in [now(), now() + TimeDelta::days(3)] {
        serving.clock.set(at);
        let again = client
            .create_waitlist_entry(asked.clone())
            .await
            .expect("known");
        assert!(is_replay(&again));
        assert_eq!(again.into_inner(), first);
    }
    serving.stop().await;
    bench.end().await;
}

async fn an_entry_needs_its_secret(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.waitlist();
    fill(&serving).await;
    let (mine, other) = (
        joined(&bench, &serving).await,
        joined(&bench, &serving).await,
    );
    for secret in [other.secret.as_str(), "wrong"] {
        let stranger = WaitlistEntry {
            secret: secret.to_owned(),
            ..mine.clone()
        };
        let status = client
            .get_waitlist_entry(by_owner(get(&mine), &stranger))
            .await
            .expect_err("hidden");
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::NotFound, "NOT_FOUND".to_owned())
        );
        let status = client
            .accept_offer(by_owner(accept(&mine), &stranger))
            .await
            .expect_err("hidden");
        assert_eq!(status.code(), Code::NotFound);
        let leave = LeaveWaitlistRequest {
            entry_id: mine.id.clone(),
        };
        let status = client
            .leave_waitlist(by_owner(leave, &stranger))
            .await
            .expect_err("hidden");
        assert_eq!(status.code(), Code::NotFound);
    }
    let status = client
        .get_waitlist_entry(get(&mine))
        .await
        .expect_err("nobody");
    assert_eq!(status.code(), Code::Unauthenticated);
    // The secret of an appointment opens no entry.
    let asked = by_patient(get(&mine), &mine.secret);
    let status = client
        .get_waitlist_entry(asked)
        .await
        .expect_err("another header");
    assert_eq!(status.code(), Code::Unauthenticated);
    let read = client
        .get_waitlist_entry(serving.staff(READ, get(&mine)))
        .await
        .expect("staff read");
    assert_eq!(read.into_inner().entry.expect("an entry").secret, "");
    let status = client
        .get_waitlist_entry(serving.staff(WRITE, get(&mine)))
        .await
        .expect_err("denied");
    assert_eq!(status.code(), Code::PermissionDenied);
    serving.stop().await;
    bench.end().await;
}
