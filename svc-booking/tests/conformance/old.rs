//! Databases of other builds: the first one, those before rosters and before attendants, and a later one.

use std::{collections::BTreeMap, path::Path};

use chrono::{DateTime, Utc};
use hospital_proto::{
    booking::v1::{
        Appointment, CreateAppointmentRequest, GetAppointmentRequest, GetWaitlistEntryRequest,
        ListAppointmentsRequest, ListConsultationsRequest,
    },
    messaging::v1::{AppointmentEvent, NoticeCause},
};
use serde_json::Value;
use svc_booking::{domain::calendar::IST, store::SCHEMA};
use test_kit::{database::TestDatabase, keys::keys, on_both_databases};
use tonic::Code;

use crate::{
    fixture::{Bench, Hospital, is_booked, request},
    mailbox::Mailbox,
    serving::{READ, Serving, by_patient, reason, with},
};

/// A moment shortly after the first build's fixtures were written.
const WRITTEN_V1: &str = "2026-11-22T10:20:00Z";
/// The same for the build before rosters.
const WRITTEN_V2: &str = "2026-11-22T18:30:00Z";
/// The same for the build before attendants: rosters, holds, the waitlist and consultations.
const WRITTEN_V3: &str = "2026-11-24T18:31:00Z";

const COUNTS: [(&str, i64); 8] = [
    ("SELECT count(*) FROM appointments", 18),
    ("SELECT count(*) FROM contacts", 18),
    ("SELECT count(*) FROM events", 18),
    ("SELECT count(*) FROM request_keys", 18),
    ("SELECT count(*) FROM outbox_messages", 18),
    ("SELECT count(*) FROM appointments_v1", 0),
    ("SELECT count(*) FROM outbox_v1", 0),
    ("SELECT count(*) FROM seats", 18),
];
const WITHOUT_ONE_SEAT: &str = "SELECT count(*) FROM appointments \
    WHERE (SELECT count(*) FROM seats WHERE holder_id = appointments.id AND seats.starts_at = appointments.starts_at) <> 1";

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect(name)
}

/// Returns a database written by an older build.
async fn written(version: &str, is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        TestDatabase::sqlite_of(&path(&format!("{version}.db")))
    } else {
        TestDatabase::postgres_of(&fixture(&format!("{version}.sql"))).await
    }
}

async fn of_v1(is_sqlite: bool) -> TestDatabase {
    written("v1", is_sqlite).await
}

async fn of_v2(is_sqlite: bool) -> TestDatabase {
    written("v2", is_sqlite).await
}

async fn of_v3(is_sqlite: bool) -> TestDatabase {
    written("v3", is_sqlite).await
}

mod v1 {
    use super::migrates_the_first_build;

    test_kit::on_both_databases!(crate::old::of_v1: migrates_the_first_build);
}

mod v2 {
    use super::migrates_the_build_before_rosters;

    test_kit::on_both_databases!(crate::old::of_v2: migrates_the_build_before_rosters);
}

mod v3 {
    use super::migrates_the_build_before_attendants;

    test_kit::on_both_databases!(crate::old::of_v3: migrates_the_build_before_attendants);
}

on_both_databases!(test_kit::bench::empty: serves_on_a_newer_schema);

async fn migrates_the_first_build(bench: Bench) {
    whole(bench, "v1", WRITTEN_V1.parse().expect("a moment")).await;
}

async fn migrates_the_build_before_rosters(bench: Bench) {
    whole(bench, "v2", WRITTEN_V2.parse().expect("a moment")).await;
}

/// U2: no row is lost, and each appointment has its attendant. Configured clinics get the configuration's fee and
/// place; a clinic entered by staff has neither.
async fn migrates_the_build_before_attendants(bench: Bench) {
    let serving = Serving::start_as_deployed(&bench, WRITTEN_V3.parse().expect("a moment")).await;
    let name = if bench.test.is_sqlite() {
        "sqlite"
    } else {
        "postgres"
    };
    let written: Value = serde_json::from_str(&fixture(&format!("v3.{name}.json"))).expect("JSON");
    let entries = written["appointments"].as_array().expect("appointments");
    assert_eq!(entries.len(), 16);
    for entry in entries {
        let get = GetAppointmentRequest {
            appointment_id: text(&entry["reference"]),
        };
        let answer = serving
            .booking()
            .get_appointment(by_patient(get, &text(&entry["secret"])))
            .await;
        let answer = answer.expect("read").into_inner().appointment;
        let read = answer.expect("a body");
        for (field, value) in [
            ("department", &read.department),
            ("doctorId", &read.doctor_id),
            ("date", &read.date),
            ("time", &read.time),
            ("notes", &read.notes),
            ("email", &read.email),
        ] {
            assert_eq!(*value, text(&entry[field]), "{field}");
        }
        let attendant = read.attendant.expect("an attendant");
        let found = (attendant.name.as_str(), attendant.fee_rupees);
        let expected = match (
            read.department.as_str(),
            read.date.as_str(),
            read.time.as_str(),
        ) {
            ("pediatrics", ..) => ("Paediatric clinic, visiting consultant", 500),
            ("cardiology", ..) => ("Dr. Nandini Iyengar", 1000),
            ("neurology", ..) => ("Dr. Praveen Naidu", 1200),
            ("urology", ..) => ("Stone clinic, evening", 0),
            (.., time) if time.ends_with("AM") || time.starts_with("12") => {
                ("Counselling clinic, visiting psychologist", 600)
            }
            _ => ("Dr. Ayesha Khanum", 800),
        };
        assert_eq!(found, expected);
        assert_eq!(attendant.place.is_empty(), attendant.fee_rupees == 0);
    }
    let waiting = &written["waiting"];
    let get = GetWaitlistEntryRequest {
        entry_id: text(&waiting["reference"]),
    };
    let get = with(get, "x-waitlist-secret", &text(&waiting["secret"]));
    let entry = serving.waitlist().get_waitlist_entry(get).await;
    entry.expect("it still waits");
    for (sql, expected) in [
        ("SELECT count(*) FROM sessions", 28),
        ("SELECT count(*) FROM appointments", 16),
        (
            "SELECT count(*) FROM seats WHERE holder_kind = 'appointment'",
            16,
        ),
        ("SELECT count(*) FROM waitlist_entries", 1),
        (
            "SELECT count(*) FROM consultations WHERE department_id IS NULL AND doctor_id IS NULL",
            1,
        ),
        (
            "SELECT count(*) FROM sessions WHERE doctor_id IS NULL AND fee_rupees IS NULL",
            0,
        ),
        (
            "SELECT fee_rupees FROM sessions WHERE id = 'pediatrics-opd'",
            500,
        ),
        (
            "SELECT count(*) FROM sessions WHERE doctor_id IS NULL AND place = ''",
            1,
        ),
    ] {
        assert_eq!(bench.test.scalar(sql).await, expected, "{sql}");
    }
    let list = ListConsultationsRequest::default();
    let listed = serving
        .consultation()
        .list_consultations(serving.staff(READ, list))
        .await;
    let listed = listed.expect("listed").into_inner().consultations;
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (
            listed[0].department.as_str(),
            listed[0].doctor_name.as_str()
        ),
        ("", "")
    );
    serving.stop().await;
    bench.test.drop_if_exists().await;
}

/// Every request that the old build answered gets the same response from this one. Another body under its id is
/// refused. Every appointment has one seat, which counts. Pending notices are delivered.
async fn whole(bench: Bench, version: &str, at: DateTime<Utc>) {
    let (serving, mailbox) = Serving::start_as_deployed_with_mail(&bench, at).await;
    let mut client = serving.booking();
    let name = if bench.test.is_sqlite() {
        "sqlite"
    } else {
        "postgres"
    };
    let entries = fixture(&format!("{version}.{name}.json"));
    let entries: Vec<Value> = serde_json::from_str(&entries).expect("JSON");
    assert_eq!(entries.len(), 18);
    for entry in &entries {
        let asked = asked(entry);
        let answer = client.create_appointment(asked.clone()).await;
        let answer = answer.expect("known").into_inner();
        same(&answer.appointment.expect("a body"), &entry["answer"]);
        let mut other = asked;
        "another".clone_into(&mut other.appointment.as_mut().expect("a body").reason);
        let refused = client.create_appointment(other).await.expect_err("reused");
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    for (sql, expected) in COUNTS {
        assert_eq!(bench.test.scalar(sql).await, expected, "{sql}");
    }
    assert_eq!(bench.test.scalar(WITHOUT_ONE_SEAT).await, 0);
    let doubled = "SELECT count(*) FROM seats JOIN appointments ON appointments.id = holder_id \
                   WHERE doctor_id IS NOT NULL AND resource <> 'doctor:' || doctor_id";
    assert_eq!(bench.test.scalar(doubled).await, 0);
    waiting_notices_are_delivered(&bench, &mailbox, &entries).await;
    everybody_is_found_by_phone(&serving, &entries).await;
    its_seats_count(&serving, &entries).await;
    serving.stop().await;
    bench.test.drop_if_exists().await;
}

/// B2: notices of builds before rosters contain no version; each used to be dead-lettered at its first delivery.
async fn waiting_notices_are_delivered(bench: &Bench, mailbox: &Mailbox, entries: &[Value]) {
    for entry in entries {
        let answer = &entry["answer"];
        let reference = text(&answer["reference"]);
        let (mail, notice) = mailbox.about(&reference, AppointmentEvent::Booked).await;
        assert_eq!(mail.cause(), NoticeCause::Patient);
        let recipient = mail.recipient.expect("a recipient");
        assert_eq!(recipient.email, text(&answer["email"]));
        let starts_at = notice.starts_at.expect("a time").seconds;
        let starts_at = DateTime::from_timestamp(starts_at, 0).expect("a time");
        let date = starts_at.with_timezone(&IST).date_naive().to_string();
        assert_eq!(date, text(&answer["date"]));
    }
    assert_eq!(mailbox.all().len(), entries.len(), "each once");
    let given_up = "SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL";
    assert_eq!(bench.test.scalar(given_up).await, 0);
}

/// B8: older builds hashed the last ten digits; the hash now covers the number with its country code.
async fn everybody_is_found_by_phone(serving: &Serving, entries: &[Value]) {
    for entry in entries {
        let answer = &entry["answer"];
        let list = ListAppointmentsRequest {
            phone: text(&answer["phone"]),
            page_size: 100,
            ..ListAppointmentsRequest::default()
        };
        let listed = serving
            .desk()
            .list_appointments(serving.staff(READ, list))
            .await;
        let listed = listed.expect("listed").into_inner().appointments;
        let references: Vec<&str> = listed
            .iter()
            .map(|found| found.reference.as_str())
            .collect();
        let reference = text(&answer["reference"]);
        assert!(references.contains(&reference.as_str()), "{reference}");
    }
}

/// Books the remaining seats at every time of the old appointments. A booked doctor has none left, and a department has
/// its capacity minus the old appointments.
async fn its_seats_count(serving: &Serving, entries: &[Value]) {
    let mut client = serving.booking();
    let mut booked: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for entry in entries {
        let answer = &entry["answer"];
        let place = (
            text(&answer["department"]),
            text(&answer["date"]),
            text(&answer["time"]),
        );
        *booked.entry(place).or_default() += 1;
        let doctor = text(&answer["doctorId"]);
        if !doctor.is_empty() {
            let mut again = request(
                &text(&answer["department"]),
                &doctor,
                &text(&answer["time"]),
            );
            again.appointment.as_mut().expect("a body").date = text(&answer["date"]);
            let taken = client.create_appointment(again).await.expect_err("taken");
            assert_eq!(reason(&taken), "SLOT_TAKEN", "{doctor}");
        }
    }
    let roster = svc_booking::domain::roster::Seed::embedded().roster();
    let mut full = 0;
    for ((department, date, time), old) in booked {
        let slot = svc_booking::domain::calendar::SlotTime::parse(&time).expect("a time");
        let duties = roster.on_duty(&department, date.parse().expect("a date"), slot);
        let seats: usize = duties.iter().map(|duty| duty.seats as usize).sum();
        let mut new = 0;
        for _ in 0..seats {
            let mut more = request(&department, "", &time);
            more.appointment
                .as_mut()
                .expect("a body")
                .date
                .clone_from(&date);
            new += usize::from(client.create_appointment(more).await.is_ok());
        }
        assert!(
            new + old <= seats.max(old),
            "{department} {date} {time}: {old} and {new} of {seats}"
        );
        full += usize::from(old >= seats);
    }
    assert!(full > 0, "at least one time was sold out");
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
    let status = appointment.status().as_str_name();
    assert_eq!(status, text(&expected["status"]));
    let created: DateTime<Utc> = text(&expected["createTime"]).parse().expect("a time");
    let stamp = appointment.create_time.expect("a time");
    assert_eq!(stamp.seconds, created.timestamp());
    let nanos = created.timestamp_subsec_nanos();
    assert_eq!(stamp.nanos.cast_unsigned(), nanos);
    assert_eq!(appointment.secret, "", "no link existed then");
}

/// Simulates a rollback: this build runs on a schema that a later build has extended by a column.
async fn serves_on_a_newer_schema(bench: Bench) {
    bench
        .migrate_further("ALTER TABLE appointments ADD COLUMN later text")
        .await;
    let bench = bench.reopen().await;
    bench.database.ready().await.expect("ready");
    let hospital = Hospital::of(&bench).await;
    assert!(is_booked(
        &hospital.book(&request("ENT", "", "9:00 AM")).await
    ));
    let url = bench.test.parsed_url();
    store_kit::migrate::migrate(&url, &SCHEMA, &keys())
        .await
        .expect("repeatable");
    bench.end().await;
}
