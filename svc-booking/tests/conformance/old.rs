//! Databases of other builds: the one before this, and the one after.

use std::{path::Path, sync::Arc};

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{Appointment, CreateAppointmentRequest};
use serde_json::Value;
use svc_booking::domain::resources::Resources;
use test_kit::database::TestDatabase;
use tonic::Code;

use crate::fixture::{Database, Kind, Server, book, is_booked, request};

/// A moment just after the fixtures were written.
const WRITTEN: &str = "2026-11-22T10:20:00Z";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read_to_string(path.join(name)).expect(name)
}

pub(crate) async fn whole_on_sqlite() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1.db");
    let database = Database::of(Kind::Sqlite, TestDatabase::sqlite_of(&path));
    whole(&database, &fixture("v1.sqlite.json")).await;
}

pub(crate) async fn whole_on_postgres() {
    let database = TestDatabase::postgres_of(&fixture("v1.sql")).await;
    let database = Database::of(Kind::Postgres, database);
    whole(&database, &fixture("v1.postgres.json")).await;
    database.own.drop_if_exists().await;
}

/// Every request that the old build answered gets the same answer from this one; another body under its id is refused; no seat was lost
/// and none is sold twice; what was to be told still waits.
async fn whole(database: &Database, entries: &str) {
    let at: DateTime<Utc> = WRITTEN.parse().expect("a moment");
    let mut server = Server::start_at(database, Resources::embedded(), at).await;
    let entries: Vec<Value> = serde_json::from_str(entries).expect("JSON");
    assert_eq!(entries.len(), 18);
    for entry in &entries {
        let asked = asked(entry);
        let answer = server
            .client
            .create_appointment(asked.clone())
            .await
            .expect("known")
            .into_inner();
        same(&answer.appointment.expect("a body"), &entry["answer"]);
        let mut other = asked;
        other.appointment.as_mut().expect("a body").reason = String::from("another");
        let refused = server.client.create_appointment(other).await;
        assert_eq!(refused.expect_err("reused").code(), Code::InvalidArgument);
    }
    let count = |table| database.number(table);
    assert_eq!(count("SELECT count(*) FROM appointments").await, 18);
    assert_eq!(count("SELECT count(*) FROM contacts").await, 18);
    assert_eq!(count("SELECT count(*) FROM events").await, 18);
    assert_eq!(count("SELECT count(*) FROM request_keys").await, 18);
    assert_eq!(count("SELECT count(*) FROM outbox_messages").await, 18);
    assert_eq!(count("SELECT count(*) FROM appointments_v1").await, 0);
    assert_eq!(count("SELECT count(*) FROM outbox_v1").await, 0);
    let seats = "SELECT count(*) FROM seats JOIN appointments ON appointments.id = holder_id \
                 AND seats.starts_at = appointments.starts_at";
    let with_doctor = entries
        .iter()
        .filter(|entry| entry["request"]["doctorId"] != "")
        .count();
    let expected = i64::try_from(18 + with_doctor).expect("a count");
    assert_eq!(count(seats).await, expected);
    server.stop().await;
    // It may be migrated as often as one likes.
    database.migrated().await.close().await;
    assert_eq!(count("SELECT count(*) FROM appointments").await, 18);
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn asked(entry: &Value) -> CreateAppointmentRequest {
    let body = &entry["request"];
    CreateAppointmentRequest {
        appointment: Some(Appointment {
            patient_name: text(&body["patientName"]),
            email: text(&body["email"]),
            phone: text(&body["phone"]),
            date: text(&body["date"]),
            time: text(&body["time"]),
            reason: text(&body["reason"]),
            doctor_id: text(&body["doctorId"]),
            notes: text(&body["notes"]),
            department: text(&body["department"]),
            ..Appointment::default()
        }),
        request_id: text(&entry["requestId"]),
    }
}

fn same(appointment: &Appointment, expected: &Value) {
    for (field, value) in [
        ("id", &appointment.id),
        ("reference", &appointment.reference),
        ("patientName", &appointment.patient_name),
        ("email", &appointment.email),
        ("phone", &appointment.phone),
        ("date", &appointment.date),
        ("time", &appointment.time),
        ("reason", &appointment.reason),
        ("doctorId", &appointment.doctor_id),
        ("notes", &appointment.notes),
        ("department", &appointment.department),
    ] {
        assert_eq!(*value, text(&expected[field]), "{field}");
    }
    assert_eq!(
        appointment.status().as_str_name(),
        text(&expected["status"])
    );
    let created: DateTime<Utc> = text(&expected["createTime"]).parse().expect("a time");
    let stamp = appointment.create_time.expect("a time");
    assert_eq!(stamp.seconds, created.timestamp());
    assert_eq!(
        stamp.nanos.cast_unsigned(),
        created.timestamp_subsec_nanos()
    );
}

/// A rollback starts: this build on a schema that a later one has migrated, with a column more.
pub(crate) async fn a_newer_schema_is_served(database: Arc<Database>) {
    database.migrated().await.close().await;
    for sql in [
        "ALTER TABLE appointments ADD COLUMN later text",
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', TRUE, '', 0)",
        "INSERT INTO _store_kit_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', TRUE, '', 0)",
    ] {
        database.execute(sql).await.expect(sql);
    }
    let open = database.migrated().await;
    open.ready().await.expect("ready");
    open.close().await;
    let store = database.open().await;
    let outcome = book(&store, &request("ENT", "", "9:00 AM")).await;
    assert!(is_booked(&outcome.expect("no error")));
}
