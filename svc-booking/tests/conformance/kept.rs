//! What is kept of an appointment, and how it changes.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{keys::Keys, sealed, sql::Row, values};
use svc_booking::{
    domain::{
        change::{Appointment, Change, Notice},
        seats::{Resource, Seat},
        status::Status,
    },
    store::{BookOutcome, CONTACTS},
};
use test_kit::keys::keys;
use uuid::Uuid;

use crate::fixture::{Database, Kind, book, created, is_booked, key, now, request};

async fn row<T: Row>(database: &Database, sql: &'static str) -> T {
    let open = database.migrated().await;
    let row = open.fetch_one("test", sql, values![]).await.expect("a row");
    open.close().await;
    row
}

fn seat(appointment: &Appointment, number: u32) -> Seat {
    Seat {
        resource: Resource::department(&appointment.department_id),
        starts_at: appointment.starts_at,
        number,
    }
}

/// The next version of an appointment, changed by staff a minute later.
fn changed(before: &Appointment, status: Status) -> Change {
    let mut appointment = before.clone();
    appointment.status = status;
    appointment.version += 1;
    appointment.update_time = now() + TimeDelta::minutes(1);
    Change {
        appointment,
        freed: Vec::new(),
        taken: Vec::new(),
        event: "appointment.changed",
        actor: "staff-7".to_owned(),
        messages: Vec::new(),
    }
}

fn cancelled(before: &Appointment) -> Change {
    Change {
        freed: vec![seat(before, 1)],
        event: "appointment.cancelled",
        ..changed(before, Status::Cancelled)
    }
}

pub(crate) async fn every_column_is_read_back(database: Arc<Database>) {
    let store = database.open().await;
    let mut asked = request("ENT | Preferred: Dr. Notes", "d2", "10:30 AM");
    let body = asked.appointment.as_mut().expect("a body");
    body.patient_name = String::from("Name Field");
    body.email = String::from("email@field.example");
    body.phone = String::from("080 1111 1111");
    body.reason = String::from("Reason field");
    let written = created(book(&store, &asked).await.expect("no error"));
    let contact = written.contact.clone().expect("a contact");
    assert_eq!(contact.patient_name, "Name Field");
    assert_eq!(contact.email, "email@field.example");
    assert_eq!(contact.phone, "080 1111 1111");
    assert_eq!(contact.reason, "Reason field");
    assert_eq!(contact.notes, "ENT | Preferred: Dr. Notes");
    let read = store.recall(&key(&asked), now()).await.expect("no error");
    assert_eq!(read.as_ref(), Some(&written));

    let stored: (Uuid, String, String, Option<String>, DateTime<Utc>, String, i64) = row(
        &database,
        "SELECT id, reference, department_id, doctor_id, starts_at, status, version FROM appointments",
    )
    .await;
    let expected = (
        written.id,
        written.reference.clone(),
        "ent".to_owned(),
        Some("d2".to_owned()),
        "2026-11-23T05:00:00Z".parse().expect("a moment"),
        "booked".to_owned(),
        1,
    );
    assert_eq!(stored, expected);
    let times: (DateTime<Utc>, DateTime<Utc>, Option<Vec<u8>>) = row(
        &database,
        "SELECT create_time, update_time, secret_hash FROM appointments",
    )
    .await;
    assert_eq!(times, (now(), now(), None));
    let found: (Uuid, String, Vec<u8>, Vec<u8>, DateTime<Utc>) = row(
        &database,
        "SELECT id, key_id, email_index, phone_index, create_time FROM contacts",
    )
    .await;
    assert_eq!(
        (found.0, found.1.as_str(), found.4),
        (written.id, "k1", now())
    );
    let digest = |purpose, text: &str| keys().digest(purpose, text.as_bytes()).to_vec();
    assert_eq!(found.2, digest("contacts.email", "email@field.example"));
    assert_eq!(found.3, digest("contacts.phone", "8011111111"));
    let seat: (String, DateTime<Utc>, i64, String, Uuid, Option<DateTime<Utc>>) = row(
        &database,
        "SELECT resource, starts_at, seat, holder_kind, holder_id, expire_time FROM seats ORDER BY resource DESC LIMIT 1",
    )
    .await;
    let expected = (
        "doctor:d2".to_owned(),
        written.starts_at,
        1,
        "appointment".to_owned(),
        written.id,
        None,
    );
    assert_eq!(seat, expected);
}

pub(crate) async fn a_booking_writes_its_event_and_its_message(database: Arc<Database>) {
    let store = database.open().await;
    let written = created(
        book(&store, &request("ENT", "", "9:00 AM"))
            .await
            .expect("no error"),
    );
    let event: (Uuid, i64, String, String, String, DateTime<Utc>) = row(
        &database,
        "SELECT appointment_id, version, kind, actor, detail, create_time FROM events",
    )
    .await;
    let expected = (
        written.id,
        1,
        "appointment.booked".to_owned(),
        "patient".to_owned(),
        "{}".to_owned(),
        now(),
    );
    assert_eq!(event, expected);
    let message: (String, String, String, DateTime<Utc>) = row(
        &database,
        "SELECT kind, subject, payload, not_before FROM outbox_messages WHERE delivered_time IS NULL",
    )
    .await;
    let expected = (
        "appointment.booked".to_owned(),
        written.id.to_string(),
        format!(r#"{{"appointmentId":"{}"}}"#, written.id),
        now(),
    );
    assert_eq!(message, expected);
}

/// Searched in the bytes of the file, and in a dump of every row.
pub(crate) async fn nothing_of_a_person_is_in_clear(database: Arc<Database>) {
    let store = database.open().await;
    let mut asked = request("ENT", "", "9:00 AM");
    let body = asked.appointment.as_mut().expect("a body");
    body.patient_name = String::from("Canary Canarese");
    body.email = String::from("canary@nest.example");
    body.phone = String::from("+91 80 1234 98765");
    body.reason = String::from("canary-reason");
    body.notes = String::from("ENT | Preferred: canary-notes");
    let request_id = asked.request_id.clone();
    assert!(is_booked(&book(&store, &asked).await.expect("no error")));
    let text = match database.kind {
        Kind::Sqlite => {
            let path = database.url.trim_start_matches("sqlite:");
            let mut bytes = Vec::new();
            for suffix in ["", "-wal"] {
                bytes.extend(std::fs::read(format!("{path}{suffix}")).unwrap_or_default());
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        Kind::Postgres => {
            let mut text = String::new();
            for sql in [
                "SELECT string_agg(contacts::text, ' ') FROM contacts",
                "SELECT string_agg(appointments::text, ' ') FROM appointments",
                "SELECT string_agg(request_keys::text, ' ') FROM request_keys",
                "SELECT string_agg(outbox_messages::text, ' ') FROM outbox_messages",
                "SELECT string_agg(events::text, ' ') FROM events",
            ] {
                let (rows,): (String,) = row(&database, sql).await;
                text.push_str(&rows);
            }
            text
        }
    };
    assert!(text.len() > 100, "there is something to search");
    for word in ["Canary", "canary", "98765", request_id.as_str()] {
        assert!(!text.contains(word), "{word}");
        let hex = format!("{:02x?}", word.as_bytes()).replace(", ", "");
        assert!(
            !text.contains(hex.trim_matches(['[', ']'])),
            "{word} in hexadecimal"
        );
    }
}

pub(crate) async fn a_cancelled_seat_is_sold_again(database: Arc<Database>) {
    let store = database.open().await;
    let first = request("Urology", "", "9:00 AM");
    let written = created(book(&store, &first).await.expect("no error"));
    let other = request("Urology", "", "9:00 AM");
    let taken = book(&store, &other).await.expect("no error");
    assert_eq!(taken, BookOutcome::SlotTaken);
    assert!(store.keep(cancelled(&written)).await.expect("no error"));
    assert!(is_booked(&book(&store, &other).await.expect("no error")));
}

pub(crate) async fn a_move_takes_one_seat_and_gives_back_the_other(database: Arc<Database>) {
    let store = database.open().await;
    let written = created(
        book(&store, &request("Urology", "", "9:00 AM"))
            .await
            .expect("no error"),
    );
    let mut change = changed(&written, Status::Booked);
    change.freed = vec![seat(&written, 1)];
    change.appointment.starts_at = written.starts_at + TimeDelta::minutes(30);
    change.taken = vec![seat(&change.appointment, 1)];
    change.messages = vec![Notice {
        id: Uuid::from_u128(7),
        kind: "appointment.moved",
        not_before: now() + TimeDelta::hours(1),
    }];
    assert!(store.keep(change.clone()).await.expect("no error"));
    let at_nine = request("Urology", "", "9:00 AM");
    let at_half_past = request("Urology", "", "9:30 AM");
    assert!(is_booked(&book(&store, &at_nine).await.expect("no error")));
    let taken = book(&store, &at_half_past).await.expect("no error");
    assert_eq!(taken, BookOutcome::SlotTaken);
    let stored: (DateTime<Utc>, i64, DateTime<Utc>) = row(
        &database,
        "SELECT starts_at, version, update_time FROM appointments WHERE version = 2",
    )
    .await;
    let expected = (
        change.appointment.starts_at,
        2,
        change.appointment.update_time,
    );
    assert_eq!(stored, expected);
    let messages = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.moved'";
    assert_eq!(database.number(messages).await, 1);
    let events = "SELECT count(*) FROM events WHERE kind = 'appointment.changed' AND actor = 'staff-7' AND version = 2";
    assert_eq!(database.number(events).await, 1);
}

/// Two who read version 1 both change it: one is told, and nothing of its change is kept.
pub(crate) async fn a_change_of_an_older_version_is_refused_whole(database: Arc<Database>) {
    let store = database.open().await;
    let written = created(
        book(&store, &request("Urology", "", "9:00 AM"))
            .await
            .expect("no error"),
    );
    let arrived = changed(&written, Status::Arrived);
    assert!(store.keep(arrived).await.expect("no error"));
    assert!(!store.keep(cancelled(&written)).await.expect("no error"));
    assert_eq!(database.number("SELECT count(*) FROM seats").await, 1);
    assert_eq!(database.number("SELECT count(*) FROM events").await, 2);
    let arrived = "SELECT count(*) FROM appointments WHERE status = 'arrived' AND version = 2";
    assert_eq!(database.number(arrived).await, 1);
}

pub(crate) async fn an_expired_hold_is_no_holder(database: Arc<Database>) {
    let store = database.open().await;
    let hold = |until: &'static str| {
        let sql = format!(
            "INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id, expire_time) VALUES \
             ('department:urology', '2026-11-23T03:30:00+00:00', 1, 'hold', {}, '{until}')",
            match database.kind {
                Kind::Sqlite => "x'00000000000000000000000000000009'",
                Kind::Postgres => "'00000000-0000-0000-0000-000000000009'",
            }
        );
        &*sql.leak()
    };
    database
        .execute(hold("2026-11-21T09:30:01+00:00"))
        .await
        .expect("held for another second");
    let asked = request("Urology", "", "9:00 AM");
    let outcome = book(&store, &asked).await.expect("no error");
    assert_eq!(outcome, BookOutcome::SlotTaken);
    database
        .execute("DELETE FROM seats")
        .await
        .expect("given back");
    database
        .execute(hold("2026-11-21T09:30:00+00:00"))
        .await
        .expect("just over");
    assert!(is_booked(&book(&store, &asked).await.expect("no error")));
    let taken =
        "SELECT count(*) FROM seats WHERE holder_kind = 'appointment' AND expire_time IS NULL";
    assert_eq!(database.number(taken).await, 1);
}

/// Cancelled: the same request books again. Erased: it is answered without the person.
pub(crate) async fn the_answer_to_a_repeated_request_is_what_is(database: Arc<Database>) {
    let store = database.open().await;
    let asked = request("Urology", "", "9:00 AM");
    let first = created(book(&store, &asked).await.expect("no error"));
    let arrived = changed(&first, Status::Arrived);
    assert!(store.keep(arrived.clone()).await.expect("no error"));
    let repeated = book(&store, &asked).await.expect("no error");
    assert_eq!(
        repeated,
        BookOutcome::Repeated(Box::new(arrived.appointment.clone()))
    );
    assert!(
        store
            .keep(cancelled(&arrived.appointment))
            .await
            .expect("no error")
    );
    let anew = created(book(&store, &asked).await.expect("no error"));
    assert_ne!(anew.id, first.id);
    let again = book(&store, &asked).await.expect("no error");
    assert_eq!(again, BookOutcome::Repeated(Box::new(anew.clone())));
    database
        .execute("DELETE FROM contacts")
        .await
        .expect("erased");
    let BookOutcome::Repeated(erased) = book(&store, &asked).await.expect("no error") else {
        panic!("it is known");
    };
    assert_eq!((erased.id, erased.contact), (anew.id, None));
}

pub(crate) async fn keys_are_rotated(database: Arc<Database>) {
    let store = database.open().await;
    let asked = request("ENT", "", "9:00 AM");
    let written = created(book(&store, &asked).await.expect("no error"));
    let text = test_kit::keys::FILE.replace("active = \"k1\"", "active = \"k0\"");
    let other = Keys::parse(&text).expect("keys");
    let open = database.migrated().await;
    let rotate = async || {
        sealed::rotate(&open, &other, CONTACTS)
            .await
            .expect("no error")
    };
    assert_eq!((rotate().await, rotate().await), (1, 0));
    open.close().await;
    let with_new = "SELECT count(*) FROM contacts WHERE key_id = 'k0'";
    assert_eq!(database.number(with_new).await, 1);
    let read = store.recall(&key(&asked), now()).await.expect("no error");
    assert_eq!(read, Some(written));
}
