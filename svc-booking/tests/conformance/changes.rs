//! Reads, moves, updates, cancellations and deletions of an appointment.

use chrono::TimeDelta;
use svc_booking::{
    domain::{
        change::{Action, Appointment, PATIENT, Refused},
        contact::Contact,
        seats::Resource,
        status::Status,
    },
    store::{Access, BookOutcome, ChangeOutcome, Name, Reached},
};
use test_kit::on_both_databases;

use crate::fixture::{
    Bench, Hospital, MONDAY, TUESDAY, at, contact, done, is_booked, now, request, staff,
};

on_both_databases!(test_kit::bench::empty:
    an_appointment_is_read_by_id_or_reference_with_its_secret,
    a_replaced_secret_is_recognised,
    a_move_takes_one_seat_and_frees_the_other,
    a_move_within_one_time_reaches_the_requested_doctor,
    a_move_to_a_taken_time_changes_nothing,
    a_cancellation_frees_the_seat_and_is_idempotent,
    contact_data_is_replaced_without_a_move,
    the_desk_changes_status_only_as_allowed,
    a_change_of_an_older_version_writes_nothing,
    a_deleted_appointment_leaves_no_person,
    reads_and_changes_by_staff_are_audited,
    a_change_against_a_stale_roster_is_rechecked,
);

const SEATS: &str = "SELECT count(*) FROM seats";
const WAITING: &str =
    "SELECT count(*) FROM outbox_messages WHERE kind LIKE 'appointment.reminder%'";

async fn read(hospital: &Hospital, name: &Name, secret: &str) -> Reached<Appointment> {
    let access = Access::Secret(secret.to_owned());
    let read = hospital.store.read(name, &access, "read", now()).await;
    read.expect("no error")
}

async fn an_appointment_is_read_by_id_or_reference_with_its_secret(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mine = hospital.booked("ENT", "", "9:00 AM").await;
    let other = hospital.booked("ENT", "", "9:30 AM").await;
    let secret = hospital.store.secret(&mine).expect("a secret");
    assert_eq!(secret.len(), 43);
    let names = [
        mine.id.to_string(),
        mine.reference.clone(),
        mine.reference.to_lowercase(),
    ];
    for name in names {
        let name = Name::parse(&name).expect("a name");
        assert_eq!(
            read(&hospital, &name, &secret).await,
            Reached::Found(mine.clone())
        );
        let others = hospital.store.secret(&other).expect("a secret");
        for wrong in [others.as_str(), "", &secret[1..], "ಕ"] {
            assert_eq!(read(&hospital, &name, wrong).await, Reached::Unknown);
        }
    }
    let unknown = Name::parse("SH-0000-0000").expect("a name");
    assert_eq!(read(&hospital, &unknown, &secret).await, Reached::Unknown);
    for no_name in ["", "' OR 1=1 --", "SH-7K3M-9QXD-MUCH-TOO-LONG"] {
        assert_eq!(Name::parse(no_name), None);
    }
    bench.end().await;
}

async fn a_replaced_secret_is_recognised(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let first = hospital.store.secret(&booked).expect("a secret");
    let wanted = hospital.wanted("urology", None, TUESDAY, "9:00 AM").await;
    let moved = done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!((moved.version, moved.secret_generation), (2, 2));
    let second = hospital.store.secret(&moved).expect("a secret");
    let name = Name::Id(booked.id);
    assert_eq!(read(&hospital, &name, &first).await, Reached::LinkReplaced);
    assert_eq!(
        read(&hospital, &name, &second).await,
        Reached::Found(moved.clone())
    );
    done(hospital.change_by_staff(&moved, Action::Delete).await);
    assert_eq!(read(&hospital, &name, &second).await, Reached::Unknown);
    assert_eq!(read(&hospital, &name, &first).await, Reached::Unknown);
    bench.end().await;
}

async fn a_move_takes_one_seat_and_frees_the_other(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    assert_eq!(bench.test.scalar(WAITING).await, 2);
    let wanted = hospital
        .wanted("cardiology", Some("c1"), TUESDAY, "4:30 PM")
        .await;
    let moved = done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!(moved.starts_at, at(TUESDAY, "4:30 PM"));
    assert_eq!(
        (moved.department_id.as_str(), moved.doctor_id.as_deref()),
        ("cardiology", Some("c1"))
    );
    assert_eq!(moved.resource, Some(Resource::doctor("c1")));
    assert_eq!(moved.contact, booked.contact);
    let stored = hospital
        .store
        .read(&Name::Id(booked.id), &staff(), "read", now())
        .await;
    assert_eq!(stored.expect("no error"), Reached::Found(moved));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    hospital.booked("urology", "", "9:00 AM").await;
    // The old reminders are withdrawn. Each appointment has two, and those of the moved one are about version 2.
    let messages = "SELECT count(*) FROM outbox_messages WHERE kind IN ('appointment.moved', 'appointment.reminder_24h', \
                    'appointment.reminder_2h') AND payload LIKE '%\"version\":2%'";
    assert_eq!(bench.test.scalar(messages).await, 3);
    assert_eq!(bench.test.scalar(WAITING).await, 4);
    let booked = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.booked'";
    assert_eq!(bench.test.scalar(booked).await, 1);
    let events = "SELECT count(*) FROM events WHERE kind = 'appointment.moved' AND actor = 'patient' AND version = 2";
    assert_eq!(bench.test.scalar(events).await, 1);
    bench.end().await;
}

async fn a_move_within_one_time_reaches_the_requested_doctor(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    assert_eq!(booked.resource, Some(Resource::clinic("ent-1")));
    let wanted = hospital.wanted("ent", Some("d2"), MONDAY, "9:00 AM").await;
    let moved = done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!(moved.resource, Some(Resource::doctor("d2")));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    bench.end().await;
}

async fn a_move_to_a_taken_time_changes_nothing(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    hospital.booked("urology", "", "9:30 AM").await;
    let messages = "SELECT count(*) FROM outbox_messages";
    let before = bench.test.scalar(messages).await;
    let wanted = hospital.wanted("urology", None, MONDAY, "9:30 AM").await;
    let refused = hospital.change(&booked, Action::Move(wanted)).await;
    assert_eq!(refused, ChangeOutcome::Refused(Refused::SlotTaken));
    let stored = hospital
        .store
        .read(&Name::Id(booked.id), &staff(), "read", now())
        .await;
    assert_eq!(stored.expect("no error"), Reached::Found(booked));
    assert_eq!(bench.test.scalar(messages).await, before);
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    bench.end().await;
}

async fn a_cancellation_frees_the_seat_and_is_idempotent(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    let other = request("urology", "", "9:00 AM");
    let taken = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(hospital.book(&other).await, taken);
    let cancel = Action::Cancel { notify: true };
    let cancelled = done(hospital.change(&booked, cancel.clone()).await);
    assert_eq!(
        (cancelled.version, cancelled.status),
        (2, Status::Cancelled)
    );
    // From a caller with the present version, and from one with the previous version.
    for known in [&cancelled, &booked] {
        let again = hospital.change(known, cancel.clone()).await;
        assert_eq!(again, ChangeOutcome::Unchanged(Box::new(cancelled.clone())));
    }
    assert_eq!(bench.test.scalar(WAITING).await, 0);
    let told = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.cancelled'";
    assert_eq!(bench.test.scalar(told).await, 1);
    assert!(is_booked(&hospital.book(&other).await));
    let silent = hospital.booked("urology", "", "9:30 AM").await;
    done(
        hospital
            .change_by_staff(&silent, Action::Cancel { notify: false })
            .await,
    );
    assert_eq!(bench.test.scalar(told).await, 1);
    let begun = hospital.booked("urology", "", "10:00 AM").await;
    let patient = Access::Secret(String::new());
    let late = hospital
        .change_at(&begun, &patient, cancel, begun.starts_at)
        .await;
    assert_eq!(late, ChangeOutcome::Refused(Refused::NotOpen));
    bench.end().await;
}

async fn contact_data_is_replaced_without_a_move(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let new = Contact {
        patient_name: "Ravi Rao".into(),
        email: "ravi@example.com".into(),
        phone: "+91 80 7777 7777".into(),
        reason: "Other".into(),
        notes: "ENT".into(),
    };
    let action = Action::Update {
        contact: new.clone(),
        wanted: None,
        status: None,
    };
    let changed = done(hospital.change(&booked, action).await);
    // Another address gets another link and a notice.
    assert_eq!((contact(&changed), changed.secret_generation), (new, 2));
    let name = Name::Id(booked.id);
    let stored = hospital.store.read(&name, &staff(), "read", now()).await;
    assert_eq!(stored.expect("no error"), Reached::Found(changed));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    assert_eq!(bench.test.scalar(WAITING).await, 2);
    let told = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.changed'";
    assert_eq!(bench.test.scalar(told).await, 1);
    // Staff find the appointment under the new address, in any case.
    let filter = svc_booking::store::ListFilter {
        email: Some("RAVI@example.com".into()),
        size: 5,
        ..svc_booking::store::ListFilter::default()
    };
    let (found, _) = hospital
        .store
        .list(&filter, &staff(), now())
        .await
        .expect("no error");
    assert_eq!(found.len(), 1);
    bench.end().await;
}

async fn the_desk_changes_status_only_as_allowed(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let refused = ChangeOutcome::Refused(Refused::StatusNotAllowed);
    let set = Action::SetStatus;
    assert_eq!(
        hospital
            .change_by_staff(&booked, set(Status::Completed))
            .await,
        refused
    );
    let arrived = done(
        hospital
            .change_by_staff(&booked, set(Status::Arrived))
            .await,
    );
    // The reminders wait for an undo; delivery drops them unless the status is booked again.
    assert_eq!(bench.test.scalar(WAITING).await, 2);
    let same = hospital
        .change_by_staff(&arrived, set(Status::Arrived))
        .await;
    assert_eq!(same, ChangeOutcome::Unchanged(Box::new(arrived.clone())));
    let cancel = Action::Cancel { notify: true };
    assert_eq!(hospital.change_by_staff(&arrived, cancel).await, refused);
    let completed = done(
        hospital
            .change_by_staff(&arrived, set(Status::Completed))
            .await,
    );
    assert_eq!(
        (completed.version, &completed.resource),
        (3, &booked.resource)
    );
    for status in [Status::Booked, Status::NoShow, Status::Cancelled] {
        assert_eq!(
            hospital.change_by_staff(&completed, set(status)).await,
            refused
        );
    }
    let history = "SELECT count(*) FROM events WHERE actor = 'desk@sampige' AND kind IN ('appointment.arrived', 'appointment.completed')";
    assert_eq!(bench.test.scalar(history).await, 2);
    bench.end().await;
}

/// Two callers read version 1 and both change it: the second is refused, and none of its changes is stored.
async fn a_change_of_an_older_version_writes_nothing(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    let arrived = Action::SetStatus(Status::Arrived);
    let arrived = done(hospital.change_by_staff(&booked, arrived).await);
    let mismatch = ChangeOutcome::Refused(Refused::EtagMismatch);
    let wanted = hospital.wanted("ent", None, TUESDAY, "9:00 AM").await;
    for action in [
        Action::Move(wanted),
        Action::Cancel { notify: true },
        Action::SetStatus(Status::NoShow),
        Action::Delete,
        Action::Update {
            contact: contact(&booked),
            wanted: None,
            status: None,
        },
    ] {
        assert_eq!(hospital.change_by_staff(&booked, action).await, mismatch);
    }
    let stored = hospital
        .store
        .read(&Name::Id(booked.id), &staff(), "read", now())
        .await;
    assert_eq!(stored.expect("no error"), Reached::Found(arrived));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    assert_eq!(bench.test.scalar("SELECT count(*) FROM events").await, 2);
    bench.end().await;
}

async fn a_deleted_appointment_leaves_no_person(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    done(hospital.change_by_staff(&booked, Action::Delete).await);
    let rows = "SELECT (SELECT count(*) FROM seats) + (SELECT count(*) FROM contacts) + (SELECT count(*) FROM outbox_messages)";
    assert_eq!(bench.test.scalar(rows).await, 0);
    let name = Name::Reference(booked.reference.clone());
    let read = hospital.store.read(&name, &staff(), "read", now()).await;
    assert_eq!(read.expect("no error"), Reached::Unknown);
    let again = hospital.change_by_staff(&booked, Action::Delete).await;
    assert_eq!(again, ChangeOutcome::Unknown);
    let secrets = "SELECT count(*) FROM appointments WHERE secret_hash IS NOT NULL";
    assert_eq!(bench.test.scalar(secrets).await, 0);
    hospital.booked("urology", "", "9:00 AM").await;
    bench.end().await;
}

async fn reads_and_changes_by_staff_are_audited(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let entries = "SELECT count(*) FROM audit_entries";
    let secret = hospital.store.secret(&booked).expect("a secret");
    let name = Name::Id(booked.id);
    assert_eq!(
        read(&hospital, &name, &secret).await,
        Reached::Found(booked.clone())
    );
    assert_eq!(bench.test.scalar(entries).await, 0);
    let by_staff = hospital
        .store
        .read(&name, &staff(), "appointment.read", now())
        .await;
    assert_eq!(by_staff.expect("no error"), Reached::Found(booked.clone()));
    assert_eq!(bench.test.scalar(entries).await, 1);
    done(
        hospital
            .change(&booked, Action::Cancel { notify: true })
            .await,
    );
    assert_eq!(bench.test.scalar(entries).await, 1);
    let other = hospital.booked("ENT", "", "9:30 AM").await;
    done(
        hospital
            .change_by_staff(&other, Action::SetStatus(Status::NoShow))
            .await,
    );
    let of_staff = "SELECT count(*) FROM audit_entries WHERE actor = 'desk@sampige'";
    assert_eq!(bench.test.scalar(of_staff).await, 2);
    bench.end().await;
}

async fn a_change_against_a_stale_roster_is_rechecked(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let stale = hospital.roster().await;
    let wanted = hospital.wanted("urology", None, TUESDAY, "9:00 AM").await;
    hospital.leave(Resource::clinic("uro"), TUESDAY).await;
    let request = svc_booking::store::ChangeRequest {
        id: booked.id,
        version: 1,
        asked: svc_booking::domain::change::Asked {
            action: Action::Move(wanted),
            actor: PATIENT.to_owned(),
            message_ids: svc_booking::domain::change::MessageIds::new(
                &service_kit::source::RandomIds,
                now() + TimeDelta::minutes(1),
            ),
        },
        by: svc_booking::store::By {
            access: Access::Secret(String::new()),
            network: None,
            language: None,
        },
        request: None,
    };
    let outcome = hospital.store.change(request, stale, now()).await;
    assert_eq!(outcome.expect("no error"), ChangeOutcome::RosterChanged);
    bench.end().await;
}
