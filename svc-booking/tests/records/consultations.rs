//! Consultations: what is kept of them, how many a person may have, and what staff see and change.

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{creation::Creation, keys::Keys, requests::RequestKey, values};
use svc_booking::{
    domain::consultation::{
        Asked, Consultation, ConsultationForm, ConsultationStatus as Status, NewConsultation,
        Update, UpdateForm, UpdateRefused,
    },
    store::consultations::{CREATE, ConsultationOutcome},
    wire::consultation::fingerprinted,
};
use test_kit::on_both_databases;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::serving::{Bench, now, store};

pub(crate) const STAFF: &str = "desk@sampige";
pub(crate) const LINK: &str = "https://video.example/room-9";

on_both_databases!(test_kit::bench::empty:
    every_column_is_read_back,
    nothing_of_a_person_is_in_clear,
    a_request_makes_one,
    another_body_under_the_same_request_id_is_refused,
    what_was_removed_does_not_come_back,
    a_person_has_four_open_ones,
    four_at_once_are_four,
    a_taken_reference_is_replaced,
);

pub(crate) fn repeated(consultation: &Consultation) -> ConsultationOutcome {
    answered(Creation::Repeated(consultation.clone()))
}

pub(crate) fn answered(creation: Creation<Consultation>) -> ConsultationOutcome {
    ConsultationOutcome::Answered(Box::new(creation))
}

/// What was made now, if anything was.
pub(crate) fn made(outcome: ConsultationOutcome) -> Option<Consultation> {
    match outcome {
        ConsultationOutcome::Answered(creation) => match *creation {
            Creation::Created(consultation) => Some(consultation),
            _ => None,
        },
        ConsultationOutcome::TooMany => None,
    }
}

pub(crate) fn form(number: usize) -> ConsultationForm {
    ConsultationForm {
        patient_name: "Name Field".to_owned(),
        email: format!("email{number}@field.example"),
        phone: format!("080 1111 {number:04}"),
        description: "Description field".to_owned(),
        date: "2026-11-23".to_owned(),
        request_id: format!("0123456789abcdef-{number}"),
    }
}

pub(crate) fn key(keys: &Keys, form: &ConsultationForm) -> RequestKey {
    RequestKey::new(keys, CREATE, &form.request_id, &fingerprinted(form))
}

pub(crate) fn asked(form: &ConsultationForm, at: DateTime<Utc>) -> Asked {
    let (_, new) = NewConsultation::parse(form, at).expect("valid");
    Asked::new(new, &RandomIds, at)
}

pub(crate) async fn propose(
    bench: &Bench,
    form: &ConsultationForm,
    asked: Asked,
) -> ConsultationOutcome {
    let key = key(&bench.keys, form);
    let outcome = store(bench).create_consultation(key, asked).await;
    outcome.expect("an answer")
}

pub(crate) async fn create(bench: &Bench, form: &ConsultationForm) -> ConsultationOutcome {
    propose(bench, form, asked(form, now())).await
}

pub(crate) async fn created(bench: &Bench, form: &ConsultationForm) -> Consultation {
    made(create(bench, form).await).expect("one is made")
}

pub(crate) async fn read(bench: &Bench, name: &str) -> Option<Consultation> {
    let found = store(bench).get_consultation(name, STAFF, now()).await;
    found.expect("an answer")
}

pub(crate) fn update(version: i64, status: Option<Status>) -> Update {
    let form = UpdateForm {
        status,
        etag: version.to_string(),
        ..UpdateForm::default()
    };
    Update::parse(&form).expect("valid")
}

pub(crate) fn scheduling(version: i64, time: &str) -> Update {
    let form = UpdateForm {
        date: "2026-11-24".to_owned(),
        time: time.to_owned(),
        link: LINK.to_owned(),
        status: Some(Status::Scheduled),
        etag: version.to_string(),
    };
    Update::parse(&form).expect("valid")
}

/// A minute later than it was asked for.
pub(crate) async fn change(
    bench: &Bench,
    name: &str,
    update: Update,
) -> Option<Result<Consultation, UpdateRefused>> {
    let at = now() + TimeDelta::minutes(1);
    let store = store(bench);
    let changed = store.update_consultation(name, update, RandomIds.uuid(), STAFF, at);
    changed.await.expect("an answer")
}

pub(crate) async fn changed(bench: &Bench, name: &str, update: Update) -> Consultation {
    let changed = change(bench, name, update).await.expect("there is one");
    changed.expect("allowed")
}

pub(crate) async fn number(bench: &Bench, sql: &'static str) -> i64 {
    bench.test.scalar(sql).await
}

async fn every_column_is_read_back(bench: Bench) {
    let asked_for = created(&bench, &form(1)).await;
    assert_eq!(asked_for.person.name, "Name Field");
    assert_eq!(
        asked_for.person.email.as_deref(),
        Some("email1@field.example")
    );
    assert_eq!(asked_for.person.phone.as_deref(), Some("080 1111 0001"));
    assert_eq!(
        asked_for.person.description.as_deref(),
        Some("Description field")
    );
    assert!(
        asked_for.reference.starts_with("VC-"),
        "{}",
        asked_for.reference
    );
    assert_eq!(
        (asked_for.version, asked_for.status),
        (1, Status::Requested)
    );
    let id = asked_for.id.to_string();
    assert_eq!(read(&bench, &id).await.as_ref(), Some(&asked_for));
    let scheduled = changed(&bench, &asked_for.reference, scheduling(1, "4:30 PM")).await;
    assert_eq!(scheduled.date.to_string(), "2026-11-24");
    assert_eq!(scheduled.time, NaiveTime::from_hms_opt(16, 30, 0));
    assert_eq!(scheduled.person.link.as_deref(), Some(LINK));
    assert_eq!(
        (scheduled.version, scheduled.status),
        (2, Status::Scheduled)
    );
    assert_eq!(scheduled.create_time, asked_for.create_time);
    assert_eq!(scheduled.update_time, now() + TimeDelta::minutes(1));
    assert_eq!(read(&bench, &id).await, Some(scheduled));
    let bare = ConsultationForm {
        phone: String::new(),
        description: String::new(),
        ..form(2)
    };
    let bare = created(&bench, &bare).await;
    assert_eq!(
        (&bare.person.phone, &bare.person.description),
        (&None, &None)
    );
    assert_eq!(read(&bench, &bare.reference).await, Some(bare));
    for unknown in ["VC-AAAA-AAAA", &Uuid::nil().to_string(), "x"] {
        assert_eq!(read(&bench, unknown).await, None);
    }
    bench.end().await;
}

#[derive(sqlx::FromRow)]
struct KeptRow {
    key_id: String,
    patient_name: Vec<u8>,
    email: Vec<u8>,
    phone: Vec<u8>,
    description: Vec<u8>,
    link: Vec<u8>,
    email_index: Vec<u8>,
    phone_index: Vec<u8>,
}

async fn nothing_of_a_person_is_in_clear(bench: Bench) {
    const SELECT: &str = "\
SELECT key_id, patient_name, email, phone, description, link, email_index, phone_index FROM consultations";
    let asked_for = created(&bench, &form(1)).await;
    changed(&bench, &asked_for.reference, scheduling(1, "4:30 PM")).await;
    let row: KeptRow = bench
        .database
        .fetch_one("SELECT consultations", SELECT, values![])
        .await
        .expect("the row");
    let sent = form(1);
    for (sealed, plain) in [
        (row.patient_name, sent.patient_name.as_str()),
        (row.email, &sent.email),
        (row.phone, &sent.phone),
        (row.description, &sent.description),
        (row.link, LINK),
    ] {
        let mut windows = sealed.windows(plain.len());
        assert!(!windows.any(|part| part == plain.as_bytes()), "{plain}");
        // A byte of version, a nonce, the text and its tag.
        assert_eq!(sealed.len(), 1 + 12 + plain.len() + 16, "{plain}");
    }
    assert_eq!(row.key_id, "k1");
    let digest = |purpose, value: &str| bench.keys.digest(purpose, value.as_bytes()).to_vec();
    let email = digest("consultations.email", "email1@field.example");
    assert_eq!(row.email_index, email);
    let phone = digest("consultations.phone", "+918011110001");
    assert_eq!(row.phone_index, phone);
    bench.end().await;
}

async fn a_request_makes_one(bench: Bench) {
    let first = created(&bench, &form(1)).await;
    let mut callers = JoinSet::new();
    for _ in 0..10 {
        let (store, form) = (store(&bench), form(1));
        let (key, asked) = (key(&bench.keys, &form), asked(&form, now()));
        callers.spawn(async move { store.create_consultation(key, asked).await });
    }
    for answer in callers.join_all().await {
        assert_eq!(answer.expect("an answer"), repeated(&first));
    }
    let key = key(&bench.keys, &form(1));
    let recalled = store(&bench).recall_consultation(&key, now()).await;
    assert_eq!(recalled.expect("an answer"), Some(first));
    assert_eq!(
        number(&bench, "SELECT count(*) FROM consultations").await,
        1
    );
    let told = "SELECT count(*) FROM outbox_messages WHERE kind = 'consultation.requested'";
    assert_eq!(number(&bench, told).await, 1);
    bench.end().await;
}

async fn another_body_under_the_same_request_id_is_refused(bench: Bench) {
    created(&bench, &form(1)).await;
    let other = ConsultationForm {
        description: "Another".to_owned(),
        ..form(1)
    };
    let reused = answered(Creation::RequestIdReused);
    assert_eq!(create(&bench, &other).await, reused);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM consultations").await,
        1
    );
    bench.end().await;
}

async fn what_was_removed_does_not_come_back(bench: Bench) {
    created(&bench, &form(1)).await;
    bench.test.execute("DELETE FROM consultations").await;
    let removed = answered(Creation::Removed);
    assert_eq!(create(&bench, &form(1)).await, removed);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM consultations").await,
        0
    );
    bench.end().await;
}

/// The person of the first form under other request ids; by the address only, or by the number only.
fn again(number: usize) -> ConsultationForm {
    let other = form(100 + number);
    if number.is_multiple_of(2) {
        ConsultationForm {
            email: form(1).email.to_uppercase(),
            ..other
        }
    } else {
        ConsultationForm {
            phone: "+91-80-1111-0001".to_owned(),
            email: String::new(),
            ..other
        }
    }
}

async fn a_person_has_four_open_ones(bench: Bench) {
    // Two by the address and two by the number are no four of one: each is counted by itself.
    let first = created(&bench, &form(1)).await;
    for number in [2, 4, 6] {
        created(&bench, &again(number)).await;
    }
    for refused in [8, 10] {
        let outcome = create(&bench, &again(refused)).await;
        assert_eq!(outcome, ConsultationOutcome::TooMany);
    }
    // The number has one until now.
    for number in [1, 3, 5] {
        created(&bench, &again(number)).await;
    }
    assert_eq!(
        create(&bench, &again(7)).await,
        ConsultationOutcome::TooMany
    );
    // Others are not concerned, and a repetition keeps its answer.
    created(&bench, &form(50)).await;
    assert_eq!(create(&bench, &form(1)).await, repeated(&first));
    // A cancelled one makes room for another.
    changed(&bench, &first.reference, update(1, Some(Status::Cancelled))).await;
    created(&bench, &again(8)).await;
    // So do days that have passed.
    assert_eq!(
        create(&bench, &again(12)).await,
        ConsultationOutcome::TooMany
    );
    let later = now() + TimeDelta::days(9);
    let form = ConsultationForm {
        date: "2026-12-01".to_owned(),
        ..again(12)
    };
    let outcome = propose(&bench, &form, asked(&form, later)).await;
    assert!(made(outcome).is_some());
    bench.end().await;
}

async fn four_at_once_are_four(bench: Bench) {
    let mut callers = JoinSet::new();
    for number in 0..16 {
        let store = store(&bench);
        // Crosswise: who locked the address first and the number then would wait for each other.
        let form = ConsultationForm {
            email: form(number % 2).email,
            phone: form(1 - number % 2).phone,
            ..form(200 + number)
        };
        let (key, asked) = (key(&bench.keys, &form), asked(&form, now()));
        callers.spawn(async move {
            let outcome = store
                .create_consultation(key, asked)
                .await
                .expect("an answer");
            made(outcome).is_some()
        });
    }
    let kept = callers.join_all().await.into_iter().filter(|made| *made);
    assert_eq!(kept.count(), 8, "four of each address");
    assert_eq!(
        number(&bench, "SELECT count(*) FROM consultations").await,
        8
    );
    bench.end().await;
}

async fn a_taken_reference_is_replaced(bench: Bench) {
    let taken = created(&bench, &form(1)).await.reference;
    let mut proposal = asked(&form(2), now());
    proposal.references = vec![taken.clone(), "VC-BBBB-BBBB".to_owned()];
    let second = made(propose(&bench, &form(2), proposal).await);
    assert_eq!(second.expect("one is made").reference, "VC-BBBB-BBBB");
    let mut proposal = asked(&form(3), now());
    proposal.references = vec![taken];
    let key = key(&bench.keys, &form(3));
    let refused = store(&bench).create_consultation(key, proposal).await;
    refused.expect_err("none is free");
    bench.end().await;
}
