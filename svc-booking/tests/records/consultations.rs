//! Consultations: their storage, the limit per network, and the staff's reads and updates.

use std::sync::Arc;

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{creation::Creation, keys::Keys, requests::RequestKey, row, values};
use svc_booking::{
    domain::{
        consultation::{
            Asked, Consultation, ConsultationForm, ConsultationStatus as Status, NewConsultation,
            Update, UpdateForm, UpdateRefused,
        },
        roster::{Roster, Seed},
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
    every_column_of_a_consultation_is_read_back,
    no_personal_data_is_stored_in_clear_text,
    a_request_creates_one_consultation,
    another_body_under_the_same_request_id_is_refused,
    a_retry_does_not_restore_a_deleted_consultation,
    a_network_has_twelve_requested_consultations,
    the_limit_holds_for_concurrent_requests,
    a_taken_reference_is_replaced,
);

pub(crate) fn repeated(consultation: &Consultation) -> ConsultationOutcome {
    answered(Creation::Repeated(consultation.clone()))
}

pub(crate) fn answered(creation: Creation<Consultation>) -> ConsultationOutcome {
    ConsultationOutcome::Answered(Box::new(creation))
}

/// Returns the consultation if this call created it.
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
        department: "General Medicine".to_owned(),
        request_id: format!("0123456789abcdef-{number}"),
    }
}

pub(crate) fn key(keys: &Keys, form: &ConsultationForm) -> RequestKey {
    RequestKey::new(keys, CREATE, &form.request_id, &fingerprinted(form))
}

pub(crate) fn asked(form: &ConsultationForm, at: DateTime<Utc>) -> Asked {
    let (_, new) = NewConsultation::parse(form, &Seed::embedded().roster(), at).expect("valid");
    Asked::new(new, &RandomIds, at)
}

pub(crate) async fn propose(
    bench: &Bench,
    form: &ConsultationForm,
    asked: Asked,
) -> ConsultationOutcome {
    propose_from(bench, form, asked, None).await
}

/// Creates a consultation as a caller from this network.
async fn propose_from(
    bench: &Bench,
    form: &ConsultationForm,
    asked: Asked,
    network: Option<[u8; 32]>,
) -> ConsultationOutcome {
    let key = key(&bench.keys, form);
    let store = store(bench);
    let outcome = store.create_consultation(key, asked, network).await;
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
        ..UpdateForm::default()
    };
    Update::parse(&form).expect("valid")
}

pub(crate) fn roster() -> Arc<Roster> {
    Arc::new(Seed::embedded().roster())
}

/// Updates a consultation one minute after its request.
pub(crate) async fn change(
    bench: &Bench,
    name: &str,
    update: Update,
) -> Option<Result<Consultation, UpdateRefused>> {
    let at = now() + TimeDelta::minutes(1);
    let store = store(bench);
    let changed = store.update_consultation(name, update, roster(), RandomIds.uuid(), STAFF, at);
    changed.await.expect("an answer")
}

pub(crate) async fn changed(bench: &Bench, name: &str, update: Update) -> Consultation {
    let changed = change(bench, name, update).await.expect("there is one");
    changed.expect("allowed")
}

pub(crate) async fn number(bench: &Bench, sql: &'static str) -> i64 {
    bench.test.scalar(sql).await
}

async fn every_column_of_a_consultation_is_read_back(bench: Bench) {
    let asked_for = created(&bench, &form(1)).await;
    assert_eq!(asked_for.person.name, "Name Field");
    assert_eq!(asked_for.department_id.as_deref(), Some("general-medicine"));
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
        department: String::new(),
        ..form(2)
    };
    let bare = created(&bench, &bare).await;
    assert_eq!(
        (&bare.person.phone, &bare.person.description),
        (&None, &None)
    );
    assert_eq!(bare.department_id, None);
    assert_eq!(read(&bench, &bare.reference).await, Some(bare));
    for unknown in ["VC-AAAA-AAAA", &Uuid::nil().to_string(), "x"] {
        assert_eq!(read(&bench, unknown).await, None);
    }
    bench.end().await;
}

row! {
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
}

async fn no_personal_data_is_stored_in_clear_text(bench: Bench) {
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
        // One version byte, a nonce, the text and its tag.
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

async fn a_request_creates_one_consultation(bench: Bench) {
    let first = created(&bench, &form(1)).await;
    let mut callers = JoinSet::new();
    for _ in 0..10 {
        let (store, form) = (store(&bench), form(1));
        let (key, asked) = (key(&bench.keys, &form), asked(&form, now()));
        callers.spawn(async move { store.create_consultation(key, asked, None).await });
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

async fn a_retry_does_not_restore_a_deleted_consultation(bench: Bench) {
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

/// Returns the first form's person under another request id.
fn again(number: usize) -> ConsultationForm {
    ConsultationForm {
        request_id: form(100 + number).request_id,
        ..form(1)
    }
}

/// X1, X6: the limit depends on the network, not on the person.
async fn a_network_has_twelve_requested_consultations(bench: Bench) {
    let (network, other) = (Some([1; 32]), Some([2; 32]));
    let ask = async |number, network| {
        let form = again(number);
        propose_from(&bench, &form, asked(&form, now()), network).await
    };
    let first = made(ask(1, network).await).expect("one is made");
    for number in 2..=12 {
        assert!(made(ask(number, network).await).is_some(), "{number}");
    }
    assert_eq!(ask(13, network).await, ConsultationOutcome::TooMany);
    // Other networks are not affected, and a retry gets the same response.
    assert!(made(ask(13, other).await).is_some());
    assert!(made(ask(14, None).await).is_some());
    assert_eq!(ask(1, network).await, repeated(&first));
    // A consultation that staff have handled makes room for another.
    changed(&bench, &first.reference, scheduling(1, "4:30 PM")).await;
    assert!(made(ask(15, network).await).is_some());
    // So does a consultation whose day has passed.
    assert_eq!(ask(16, network).await, ConsultationOutcome::TooMany);
    let later = now() + TimeDelta::days(9);
    let form = ConsultationForm {
        date: "2026-12-01".to_owned(),
        ..again(16)
    };
    let outcome = propose_from(&bench, &form, asked(&form, later), network).await;
    assert!(made(outcome).is_some());
    bench.end().await;
}

async fn the_limit_holds_for_concurrent_requests(bench: Bench) {
    let mut callers = JoinSet::new();
    for number in 0..30 {
        let store = store(&bench);
        let form = form(200 + number);
        let (key, asked) = (key(&bench.keys, &form), asked(&form, now()));
        callers.spawn(async move {
            let created = store.create_consultation(key, asked, Some([1; 32]));
            made(created.await.expect("an answer")).is_some()
        });
    }
    let kept = callers.join_all().await.into_iter().filter(|made| *made);
    assert_eq!(kept.count(), 12);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM consultations").await,
        12
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
    let refused = store(&bench).create_consultation(key, proposal, None).await;
    refused.expect_err("none is free");
    bench.end().await;
}
