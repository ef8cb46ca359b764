//! The staff's reads and updates of consultations, with the audit log and the patients' notices.

use service_kit::source::{Ids as _, RandomIds};
use store_kit::{
    audit::{self, Verdict},
    keys::Keys,
    sealed, values,
};
use svc_booking::{
    domain::consultation::{
        Consultation, ConsultationForm, ConsultationStatus as Status, Doctor, Update,
        UpdateRefused, doctor_ids,
    },
    store::{
        SCHEMA,
        consultations::{ConsultationQuery, Position},
    },
};
use test_kit::on_both_databases;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    consultations::{
        STAFF, asked, change, changed, created, form, key, made, number, read, roster, scheduling,
        update,
    },
    serving::{Bench, now, store, store_with},
};

on_both_databases!(test_kit::bench::empty:
    staff_pages_have_no_gap_or_overlap,
    an_update_increments_the_version,
    one_of_two_concurrent_updates_succeeds,
    notices_match_the_present_state,
    the_last_number_of_a_doctor_is_remembered,
    a_refused_update_is_not_remembered,
    rotation_reseals_with_the_new_key,
    sealed_tables_are_indexed,
);

async fn page(bench: &Bench, query: ConsultationQuery) -> (Vec<Consultation>, bool) {
    let listed = store(bench).list_consultations(query, STAFF, now()).await;
    listed.expect("an answer")
}

async fn staff_pages_have_no_gap_or_overlap(bench: Bench) {
    let mut all = Vec::new();
    for (number, date) in [
        "2026-11-24",
        "2026-11-23",
        "2026-11-25",
        "2026-11-23",
        "2026-11-23",
    ]
    .into_iter()
    .enumerate()
    {
        let form = ConsultationForm {
            date: date.to_owned(),
            ..form(number)
        };
        all.push(created(&bench, &form).await);
    }
    all.sort_by_key(|consultation| (consultation.date, consultation.id));
    for rows_max in [1, 2, 5, 9] {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let query = ConsultationQuery {
                rows_max,
                after: after.take(),
                ..ConsultationQuery::default()
            };
            let (rows, has_more) = page(&bench, query).await;
            assert!(rows.len() <= rows_max as usize);
            after = rows.last().map(|last| Position {
                date: last.date,
                id: last.id,
            });
            seen.extend(rows);
            if !has_more {
                break;
            }
        }
        assert_eq!(seen, all, "pages of {rows_max}");
    }
    changed(
        &bench,
        &all[1].reference,
        update(1, Some(Status::Cancelled)),
    )
    .await;
    let query = ConsultationQuery {
        from: Some(all[0].date),
        to: Some(all[3].date),
        status: Some(Status::Requested),
        rows_max: 50,
        ..ConsultationQuery::default()
    };
    let (rows, has_more) = page(&bench, query).await;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    assert_eq!(
        (ids, has_more),
        (vec![all[0].id, all[2].id, all[3].id], false)
    );
    // Four lists of five rows, an update, and a list of three rows: one entry per shown row.
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'consultation.read' AND actor = 'desk@sampige'";
    assert_eq!(number(&bench, entries).await, 23);
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { entries, .. }) => assert_eq!(entries, 24),
        other => panic!("{other:?}"),
    }
    bench.end().await;
}

async fn an_update_increments_the_version(bench: Bench) {
    let first = created(&bench, &form(1)).await;
    let name = first.id.to_string();
    assert_eq!(
        change(&bench, &name, update(2, Some(Status::Cancelled))).await,
        Some(Err(UpdateRefused::EtagMismatch))
    );
    assert_eq!(
        change(&bench, &name, update(1, Some(Status::Completed))).await,
        Some(Err(UpdateRefused::StatusNotAllowed))
    );
    assert_eq!(change(&bench, "VC-AAAA-AAAA", update(1, None)).await, None);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM audit_entries").await,
        0
    );
    // An update without an effect counts as a read.
    assert_eq!(changed(&bench, &name, update(1, None)).await, first);
    changed(&bench, &name, scheduling(1, "4:30 PM")).await;
    let done = changed(&bench, &name, update(2, Some(Status::Completed))).await;
    assert_eq!((done.version, done.status), (3, Status::Completed));
    for sql in [
        "SELECT count(*) FROM audit_entries WHERE seq = 1 AND action = 'consultation.read' AND detail = '1'",
        "SELECT count(*) FROM audit_entries WHERE seq = 2 AND action = 'consultation.updated' AND detail = '2'",
        "SELECT count(*) FROM audit_entries WHERE seq = 3 AND action = 'consultation.updated' AND detail = '3'",
    ] {
        assert_eq!(number(&bench, sql).await, 1, "{sql}");
    }
    bench.end().await;
}

async fn one_of_two_concurrent_updates_succeeds(bench: Bench) {
    let first = created(&bench, &form(1)).await;
    let mut staff = JoinSet::new();
    for _ in 0..8 {
        let (store, name) = (store(&bench), first.reference.clone());
        staff.spawn(async move {
            let asked = scheduling(1, "4:30 PM");
            let changed =
                store.update_consultation(&name, asked, roster(), RandomIds.uuid(), STAFF, now());
            changed.await.expect("an answer").expect("there is one")
        });
    }
    let outcomes = staff.join_all().await;
    let (made, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 1);
    assert!(refused.contains(&Err(UpdateRefused::EtagMismatch)));
    let written = "SELECT count(*) FROM audit_entries WHERE action = 'consultation.updated'";
    assert_eq!(number(&bench, written).await, 1);
    bench.end().await;
}

async fn notices_match_the_present_state(bench: Bench) {
    const WAITING: &str = "SELECT count(*) FROM outbox_messages";
    let first = created(&bench, &form(1)).await;
    let name = first.id.to_string();
    let told: (String, String, String) = bench
        .database
        .fetch_one(
            "test",
            "SELECT kind, subject, payload FROM outbox_messages",
            values![],
        )
        .await
        .expect("one message");
    assert_eq!(told.0, "consultation.requested");
    assert_eq!(
        (&told.1, &told.2),
        (&name, &format!(r#"{{"consultationId":"{name}"}}"#))
    );
    for (version, time) in [(1, "4:30 PM"), (2, "5:30 PM")] {
        changed(&bench, &name, scheduling(version, time)).await;
        let scheduled =
            "SELECT count(*) FROM outbox_messages WHERE kind = 'consultation.scheduled'";
        assert_eq!(number(&bench, scheduled).await, 1);
        assert_eq!(
            number(&bench, WAITING).await,
            1,
            "what is no longer true is not told"
        );
    }
    // Delivered notices stay.
    bench
        .test
        .execute("UPDATE outbox_messages SET delivered_time = create_time")
        .await;
    changed(&bench, &name, update(3, Some(Status::Cancelled))).await;
    let cancelled = "SELECT count(*) FROM outbox_messages WHERE kind = 'consultation.cancelled'";
    assert_eq!(number(&bench, cancelled).await, 1);
    assert_eq!(number(&bench, WAITING).await, 2);
    bench.end().await;
}

/// An update that allots a doctor of General Medicine; an empty number is left out.
fn allotting(version: i64, doctor_id: &str, registration: &str) -> Update {
    Update {
        doctor_id: Some(doctor_id.to_owned()),
        registration: Some(registration.to_owned()).filter(|given| !given.is_empty()),
        ..scheduling(version, "4:30 PM")
    }
}

fn doctor_of_general_medicine() -> String {
    let roster = roster();
    doctor_ids(&roster, Some("general-medicine"))[0].to_owned()
}

async fn the_last_number_of_a_doctor_is_remembered(bench: Bench) {
    let id = doctor_of_general_medicine();
    let doctor = |registration: &str| {
        Some(Doctor {
            id: id.clone(),
            registration: registration.to_owned(),
        })
    };
    let first = created(&bench, &form(1)).await.id.to_string();
    match change(&bench, &first, allotting(1, &id, "")).await {
        Some(Err(UpdateRefused::Invalid(violations))) => {
            assert_eq!(violations[0].field, "doctorRegistration");
        }
        other => panic!("{other:?}"),
    }
    let told = changed(&bench, &first, allotting(1, &id, "KMC 000101")).await;
    assert_eq!(told.doctor, doctor("KMC 000101"));
    assert_eq!(read(&bench, &first).await, Some(told));
    let second = created(&bench, &form(2)).await.id.to_string();
    let told = changed(&bench, &second, allotting(1, &id, "")).await;
    assert_eq!(told.doctor, doctor("KMC 000101"));
    let corrected = changed(&bench, &second, allotting(2, &id, "KMC 000102")).await;
    assert_eq!(corrected.doctor, doctor("KMC 000102"));
    // What the first patient was told stays.
    let earlier = read(&bench, &first).await.expect("there is one");
    assert_eq!(earlier.doctor, doctor("KMC 000101"));
    let known = store(&bench).doctor_registrations().await.expect("numbers");
    assert_eq!(
        known.into_iter().collect::<Vec<_>>(),
        [(id, "KMC 000102".to_owned())]
    );
    bench.end().await;
}

async fn a_refused_update_is_not_remembered(bench: Bench) {
    let id = doctor_of_general_medicine();
    let name = created(&bench, &form(1)).await.id.to_string();
    let stale = change(&bench, &name, allotting(7, &id, "KMC 000101")).await;
    assert_eq!(stale, Some(Err(UpdateRefused::EtagMismatch)));
    let invalid = change(&bench, &name, allotting(1, "doc-unknown", "KMC 000101")).await;
    assert!(
        matches!(invalid, Some(Err(UpdateRefused::Invalid(_)))),
        "{invalid:?}"
    );
    assert_eq!(
        number(&bench, "SELECT count(*) FROM doctor_registrations").await,
        0
    );
    bench.end().await;
}

async fn rotation_reseals_with_the_new_key(bench: Bench) {
    let old = test_kit::keys::FILE.replace("active = \"k1\"", "active = \"k0\"");
    let old = Keys::parse(&old).expect("keys");
    let before = store_with(&bench, old.clone());
    let outcome = before.create_consultation(key(&old, &form(1)), asked(&form(1), now()), None);
    let first = made(outcome.await.expect("an answer")).expect("one is made");
    let name = first.id.to_string();
    let asked_for = scheduling(1, "4:30 PM");
    let scheduled =
        before.update_consultation(&name, asked_for, roster(), RandomIds.uuid(), STAFF, now());
    let scheduled = scheduled.await.expect("an answer").expect("there is one");
    for rows in [1, 0] {
        let mut rotated = 0;
        for table in SCHEMA.sealed {
            let done = sealed::rotate(&bench.database, &bench.keys, *table).await;
            rotated += done.expect("a rotation").rows;
        }
        assert_eq!(rotated, rows);
    }
    let only_new = Keys::parse(&test_kit::keys::FILE.replace("k0 = ", "k9 = ")).expect("keys");
    let after = store_with(&bench, only_new);
    let read = after.get_consultation(&name, STAFF, now()).await;
    assert_eq!(read.expect("opens"), Some(scheduled.expect("allowed")));
    bench.end().await;
}

async fn sealed_tables_are_indexed(bench: Bench) {
    bench.sealed_tables_are_indexed().await;
}
