//! Export, erasure and expiry of personal data, over gRPC and on the tables.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, CancelAppointmentRequest, Consultation, CreateAppointmentRequest,
    CreateConsultationRequest, ErasePatientRequest, ExportPatientRequest, GetAppointmentRequest,
    booking_service_client::BookingServiceClient,
    consultation_service_client::ConsultationServiceClient,
    privacy_service_client::PrivacyServiceClient,
};
use store_kit::audit::{self, Verdict};
use test_kit::on_both_databases;
use tonic::{Code, Request, transport::Channel};

use crate::serving::{Bench, Serving, now, reason, violated};

pub(crate) const EXPORT: &str = "patients:export";
pub(crate) const ERASE: &str = "patients:erase";

on_both_databases!(test_kit::bench::empty:
    an_export_contains_all_stored_data,
    erasure_removes_a_person_everywhere,
    open_appointments_prevent_erasure,
    export_and_erasure_need_their_scope,
);

pub(crate) fn appointment(number: u32, email: &str, phone: &str) -> CreateAppointmentRequest {
    CreateAppointmentRequest {
        appointment: Some(Appointment {
            patient_name: "Asha Rao".to_owned(),
            email: email.to_owned(),
            phone: phone.to_owned(),
            // Monday to Wednesday: a different day for each appointment.
            date: format!("2026-11-{}", 23 + number),
            time: "10:00 AM".to_owned(),
            department: "general-medicine".to_owned(),
            reason: "Knee pain".to_owned(),
            ..Appointment::default()
        }),
        request_id: format!("appointment-{number}-{email}"),
    }
}

pub(crate) fn consultation(number: u32, email: &str, phone: &str) -> CreateConsultationRequest {
    CreateConsultationRequest {
        consultation: Some(Consultation {
            patient_name: "Asha Rao".to_owned(),
            patient_email: email.to_owned(),
            phone: phone.to_owned(),
            date: "2026-11-23".to_owned(),
            ..Consultation::default()
        }),
        request_id: format!("consultation-{number}-0123456789-{email}"),
    }
}

pub(crate) const ASHA: &str = "asha@example.com";
pub(crate) const ASHAS_PHONE: &str = "+91 80 0000 0199";
pub(crate) const RAVI: &str = "ravi@example.com";

pub(crate) async fn book(serving: &Serving, request: CreateAppointmentRequest) -> Appointment {
    let mut client = BookingServiceClient::new(serving.channel.clone());
    let booked = client.create_appointment(request).await.expect("booked");
    booked.into_inner().appointment.expect("a body")
}

pub(crate) async fn cancel(serving: &Serving, booked: &Appointment) {
    let mut client = BookingServiceClient::new(serving.channel.clone());
    let mut request = Request::new(CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: booked.etag.clone(),
    });
    let secret = booked.secret.parse().expect("a header");
    request
        .metadata_mut()
        .insert("x-appointment-secret", secret);
    client.cancel_appointment(request).await.expect("cancelled");
}

pub(crate) async fn ask(serving: &Serving, request: CreateConsultationRequest) {
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    client
        .create_consultation(request)
        .await
        .expect("asked for");
}

pub(crate) fn privacy(serving: &Serving) -> PrivacyServiceClient<Channel> {
    PrivacyServiceClient::new(serving.channel.clone())
}

/// Creates a waitlist entry with an offer, sealed with values that no test reads.
pub(crate) async fn wait_for(bench: &Bench) {
    let email = bench.keys.digest("contacts.email", ASHA.as_bytes());
    let sql = "\
INSERT INTO waitlist_entries (id, reference, department_id, date, state, queue_time, secret_hash, create_time, update_time, email_index)
VALUES ($1, 'WL-AAAA-AAAA', 'general-medicine', '2026-11-23', 'offered', $2, $3, $2, $2, $3)";
    let id = uuid::Uuid::from_u128(77);
    let seat = "\
INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id, expire_time) VALUES ('doctor:x', $2, 1, 'offer', $1, $2)";
    let work = Statements(vec![
        (sql, store_kit::values![id, now(), email]),
        (seat, store_kit::values![id, now()]),
    ]);
    bench.database.write("test", work).await.expect("written");
}

pub(crate) struct Statements(pub(crate) Vec<(&'static str, Vec<store_kit::sql::Value>)>);

#[tonic::async_trait]
impl store_kit::work::UnitOfWork for Statements {
    type Outcome = ();

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<store_kit::work::Decision<()>, store_kit::error::StoreError> {
        for (sql, values) in &self.0 {
            transaction.execute(*sql, values.clone()).await?;
        }
        Ok(store_kit::work::Decision::Commit(()))
    }
}

pub(crate) async fn number(bench: &Bench, sql: &'static str) -> i64 {
    bench.test.scalar(sql).await
}

async fn an_export_contains_all_stored_data(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let first = book(&serving, appointment(0, ASHA, ASHAS_PHONE)).await;
    book(&serving, appointment(1, RAVI, "080 2222 2222")).await;
    ask(&serving, consultation(1, ASHA, "")).await;
    ask(&serving, consultation(2, "", ASHAS_PHONE)).await;
    ask(&serving, consultation(3, RAVI, "")).await;
    wait_for(&bench).await;
    let whom = |email: &str, phone: &str| ExportPatientRequest {
        email: email.to_owned(),
        phone: phone.to_owned(),
    };
    let mut exported = Vec::new();
    // In any spelling: case and the country code make no difference.
    for request in [
        whom("ASHA@example.com", ""),
        whom("", "080-0000-0199"),
        whom(ASHA, ASHAS_PHONE),
        whom("nobody@example.com", ""),
    ] {
        let answer = privacy(&serving)
            .export_patient(serving.staff(EXPORT, request))
            .await;
        let answer = answer.expect("exported").into_inner();
        exported.push((
            answer.appointments.len(),
            answer.consultations.len(),
            answer.waitlist_entries.len(),
        ));
        for found in &answer.appointments {
            assert_eq!(
                (found.id.as_str(), found.secret.as_str()),
                (first.id.as_str(), "")
            );
            assert_eq!(found.reason, "Knee pain");
        }
        // B8: the history of the appointments is personal data, too.
        let events = answer.events.iter().map(|event| {
            let [reference, kind, actor] = [&event.reference, &event.kind, &event.actor];
            (
                reference.as_str(),
                event.version,
                kind.as_str(),
                actor.as_str(),
            )
        });
        let booked = (first.reference.as_str(), 1, "appointment.booked", "patient");
        let expected = if answer.appointments.is_empty() {
            vec![]
        } else {
            vec![booked]
        };
        assert_eq!(events.collect::<Vec<_>>(), expected);
    }
    assert_eq!(exported, [(1, 1, 1), (1, 1, 0), (1, 2, 1), (0, 0, 0)]);
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'patient.exported' AND actor = 'editor@sampige'";
    assert_eq!(number(&bench, entries).await, 3 + 2 + 4);
    let said =
        "SELECT count(*) FROM audit_entries WHERE subject LIKE '%asha%' OR detail LIKE '%asha%'";
    assert_eq!(number(&bench, said).await, 0);
    serving.stop().await;
    bench.end().await;
}

async fn erasure_removes_a_person_everywhere(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let asked = appointment(0, ASHA, ASHAS_PHONE);
    let booked = book(&serving, asked.clone()).await;
    let other = book(&serving, appointment(0, RAVI, "080 2222 2222")).await;
    ask(&serving, consultation(1, ASHA, "")).await;
    ask(&serving, consultation(2, RAVI, "")).await;
    wait_for(&bench).await;
    cancel(&serving, &booked).await;
    let waiting = number(&bench, "SELECT count(*) FROM outbox_messages").await;
    let request = ErasePatientRequest {
        email: ASHA.to_owned(),
        ..ErasePatientRequest::default()
    };
    let mut client = privacy(&serving);
    let erased = client
        .erase_patient(serving.staff(ERASE, request.clone()))
        .await;
    let erased = erased.expect("erased").into_inner();
    assert_eq!(
        (
            erased.appointments,
            erased.consultations,
            erased.waitlist_entries
        ),
        (1, 1, 1)
    );
    for (sql, rows) in [
        ("SELECT count(*) FROM contacts", 1),
        ("SELECT count(*) FROM appointments", 2),
        (
            "SELECT count(*) FROM appointments WHERE secret_hash IS NULL AND secret_generation = 0 AND network IS NULL AND version = 3",
            1,
        ),
        (
            "SELECT count(*) FROM events WHERE kind = 'appointment.erased' AND actor = 'editor@sampige' AND version = 3",
            1,
        ),
        ("SELECT count(*) FROM consultations", 1),
        ("SELECT count(*) FROM waitlist_entries", 0),
        ("SELECT count(*) FROM seats WHERE holder_kind = 'offer'", 0),
        (
            "SELECT count(*) FROM audit_entries WHERE action = 'patient.erased'",
            3,
        ),
        // The messaging service deletes its pending notices about the three, too.
        (
            "SELECT count(*) FROM outbox_messages WHERE kind = 'notices.forget' AND length(payload) = 133",
            1,
        ),
    ] {
        assert_eq!(number(&bench, sql).await, rows, "{sql}");
    }
    let left = number(&bench, "SELECT count(*) FROM outbox_messages").await;
    assert!(left < waiting, "{left} of {waiting}");
    let to_others = "SELECT count(*) FROM outbox_messages WHERE kind LIKE 'consultation.%'";
    assert_eq!(number(&bench, to_others).await, 1);
    // Neither the link nor the form restores anything.
    let mut bookings = BookingServiceClient::new(serving.channel.clone());
    let mut own = Request::new(GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    });
    let secret = booked.secret.parse().expect("a header");
    own.metadata_mut().insert("x-appointment-secret", secret);
    let refused = bookings.get_appointment(own).await.expect_err("no link");
    assert_eq!(refused.code(), Code::NotFound);
    let removed = bookings
        .create_appointment(asked)
        .await
        .expect_err("removed");
    assert_eq!(reason(&removed), "REMOVED");
    let mut consultations = ConsultationServiceClient::new(serving.channel.clone());
    let again = consultations
        .create_consultation(consultation(1, ASHA, ""))
        .await;
    assert_eq!(reason(&again.expect_err("removed")), "REMOVED");
    // Staff still see that there was an appointment.
    let read = serving.staff(
        "appointments:read",
        GetAppointmentRequest {
            appointment_id: booked.id.clone(),
        },
    );
    let read = bookings
        .get_appointment(read)
        .await
        .expect("found")
        .into_inner();
    let read = read.appointment.expect("a body");
    assert_eq!((read.patient_name.as_str(), read.phone.as_str()), ("", ""));
    assert_ne!(other.id, read.id);
    let again = client.erase_patient(serving.staff(ERASE, request)).await;
    assert_eq!(again.expect("nothing").into_inner().appointments, 0);
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { .. }) => {}
        broken => panic!("{broken:?}"),
    }
    serving.stop().await;
    bench.end().await;
}

async fn open_appointments_prevent_erasure(bench: Bench) {
    let serving = Serving::start(&bench).await;
    book(&serving, appointment(0, ASHA, ASHAS_PHONE)).await;
    ask(&serving, consultation(1, ASHA, "")).await;
    let request = ErasePatientRequest {
        phone: ASHAS_PHONE.to_owned(),
        ..ErasePatientRequest::default()
    };
    let refused = privacy(&serving)
        .erase_patient(serving.staff(ERASE, request.clone()))
        .await;
    let refused = refused.expect_err("refused");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(reason(&refused), "OPEN_APPOINTMENTS");
    assert_eq!(number(&bench, "SELECT count(*) FROM contacts").await, 1);
    assert_eq!(
        number(&bench, "SELECT count(*) FROM audit_entries").await,
        0
    );
    // Once the visit has passed, there are no open appointments.
    serving.clock.set(now() + TimeDelta::days(3));
    let erased = privacy(&serving)
        .erase_patient(serving.staff(ERASE, request))
        .await;
    assert_eq!(erased.expect("erased").into_inner().appointments, 1);
    serving.stop().await;
    bench.end().await;
}

async fn export_and_erasure_need_their_scope(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = privacy(&serving);
    let refused = client.export_patient(ExportPatientRequest::default()).await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    for scope in ["appointments:read", ERASE] {
        let request = serving.staff(scope, ExportPatientRequest::default());
        let refused = client.export_patient(request).await.expect_err("refused");
        assert_eq!(refused.code(), Code::PermissionDenied, "{scope}");
    }
    let request = serving.staff(EXPORT, ErasePatientRequest::default());
    let refused = client.erase_patient(request).await.expect_err("refused");
    assert_eq!(refused.code(), Code::PermissionDenied);
    let empty = serving.staff(ERASE, ErasePatientRequest::default());
    let refused = client.erase_patient(empty).await.expect_err("refused");
    assert_eq!(violated(&refused), ["email"]);
    let bad = ExportPatientRequest {
        email: "asha".to_owned(),
        phone: "1".to_owned(),
    };
    let refused = client.export_patient(serving.staff(EXPORT, bad)).await;
    assert_eq!(violated(&refused.expect_err("refused")), ["email", "phone"]);
    serving.stop().await;
    bench.end().await;
}
