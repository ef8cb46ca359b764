//! The step between arrived and completed: the patient is with the doctor.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, AppointmentStatus as Status, CancelAppointmentRequest, ExportPatientRequest,
    GetAppointmentRequest, ListAppointmentsRequest, SearchFhirAppointmentsRequest,
    SetAppointmentStatusRequest, UpdateAppointmentRequest, fhir_service_client::FhirServiceClient,
    privacy_service_client::PrivacyServiceClient,
};
use store_kit::values;
use test_kit::on_both_databases;
use tonic::Status as Refusal;

use crate::{
    fixture::{Bench, MONDAY, now, request},
    grpc_undo::{set, undo, undo_of},
    serving::{READ, Serving, WRITE, by_patient, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_patient_goes_in_to_the_doctor_and_is_completed,
    no_other_change_is_allowed_meanwhile,
    everyone_but_staff_sees_an_arrival,
    two_people_choose_at_once,
    a_slip_is_undone_in_time,
    an_older_build_reads_and_completes_the_row,
);

async fn try_set(
    serving: &Serving,
    of: &Appointment,
    status: Status,
) -> Result<Appointment, Refusal> {
    let message = SetAppointmentStatusRequest {
        appointment_id: of.reference.clone(),
        status: status.into(),
        etag: of.etag.clone(),
    };
    let mut desk = serving.desk();
    let changed = desk
        .set_appointment_status(serving.staff(WRITE, message))
        .await?;
    Ok(changed.into_inner().appointment.expect("a body"))
}

/// Books a patient, who arrives and goes in to the doctor.
async fn gone_in(serving: &Serving, time: &str) -> Appointment {
    let booked = serving.booked(request("ENT", "", time)).await;
    let arrived = set(serving, &booked, Status::Arrived).await;
    assert_eq!(arrived.consultation_time, None);
    set(serving, &arrived, Status::InConsultation).await
}

/// Returns the listed appointments of a status.
async fn listed(serving: &Serving, status: &str) -> Vec<Appointment> {
    let list = ListAppointmentsRequest {
        date: MONDAY.to_owned(),
        status: status.to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    listed.expect("listed").into_inner().appointments
}

async fn a_patient_goes_in_to_the_doctor_and_is_completed(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.booked(request("ENT", "", "9:30 AM")).await;
    let inside = gone_in(&serving, "9:00 AM").await;
    let since = inside.consultation_time.expect("a time");
    assert_eq!(
        (inside.status(), inside.etag.as_str(), since.seconds),
        (Status::Arrived, "3", now().timestamp())
    );
    assert!(inside.undo_expire_time.is_some() && !inside.resource.is_empty());
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'appointment.in_consultation'";
    assert_eq!(bench.test.scalar(entries).await, 1);
    let ids = async |status| {
        let found = listed(&serving, status).await.into_iter();
        found
            .map(|one| (one.id, one.consultation_time))
            .collect::<Vec<_>>()
    };
    let expected = [(inside.id.clone(), Some(since))];
    assert_eq!(ids("in_consultation").await, expected);
    assert_eq!(ids("APPOINTMENT_STATUS_IN_CONSULTATION").await, expected);
    assert_eq!(ids("arrived").await, []);
    assert_eq!((ids("booked").await.len(), ids("").await.len()), (1, 2));

    serving.clock.set(now() + TimeDelta::minutes(12));
    let completed = set(&serving, &inside, Status::Completed).await;
    assert_eq!(
        (completed.status(), completed.consultation_time),
        (Status::Completed, Some(since))
    );
    assert_eq!(ids("in_consultation").await, []);
    assert_eq!(ids("completed").await, expected);
    let undone = undo(&serving, serving.staff(WRITE, undo_of(&completed))).await;
    assert_eq!(undone.expect("undone").consultation_time, Some(since));
    assert_eq!(ids("in_consultation").await, expected);
    serving.stop().await;
    bench.end().await;
}

async fn no_other_change_is_allowed_meanwhile(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:30 AM")).await;
    let early = try_set(&serving, &booked, Status::InConsultation).await;
    assert_eq!(reason(&early.expect_err("refused")), "STATUS_NOT_ALLOWED");
    let inside = gone_in(&serving, "9:00 AM").await;
    for status in [
        Status::Booked,
        Status::Arrived,
        Status::NoShow,
        Status::Cancelled,
    ] {
        let refused = try_set(&serving, &inside, status).await;
        let refused = refused.expect_err("refused");
        assert_eq!(reason(&refused), "STATUS_NOT_ALLOWED", "{status:?}");
    }
    let unknown = SetAppointmentStatusRequest {
        appointment_id: inside.reference.clone(),
        status: 7,
        etag: inside.etag.clone(),
    };
    // As an older build answers to the status in consultation.
    let refused = serving
        .desk()
        .set_appointment_status(serving.staff(WRITE, unknown))
        .await;
    assert_eq!(violated(&refused.expect_err("refused")), ["status"]);
    let cancel = CancelAppointmentRequest {
        appointment_id: inside.id.clone(),
        etag: inside.etag.clone(),
    };
    let refused = serving
        .booking()
        .cancel_appointment(serving.staff(WRITE, cancel))
        .await;
    assert_eq!(reason(&refused.expect_err("refused")), "STATUS_NOT_ALLOWED");
    let same = try_set(&serving, &inside, Status::InConsultation).await;
    let same = same.expect("unchanged");
    assert_eq!(
        (same.etag, same.undo_expire_time.is_none()),
        (inside.etag.clone(), true)
    );

    // A program sends back what it read, with another name.
    let update = UpdateAppointmentRequest {
        appointment_id: inside.id.clone(),
        appointment: Some(Appointment {
            patient_name: "Asha K Rao".to_owned(),
            ..inside.clone()
        }),
        etag: inside.etag.clone(),
    };
    let updated = serving
        .booking()
        .update_appointment(serving.staff(WRITE, update))
        .await;
    let updated = updated.expect("updated").into_inner().appointment;
    let updated = updated.expect("a body");
    assert_eq!(
        (updated.patient_name.as_str(), updated.consultation_time),
        ("Asha K Rao", inside.consultation_time)
    );
    serving.stop().await;
    bench.end().await;
}

async fn everyone_but_staff_sees_an_arrival(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let arrived = set(&serving, &booked, Status::Arrived).await;
    let inside = set(&serving, &arrived, Status::InConsultation).await;
    let read = GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    };
    let own = serving
        .booking()
        .get_appointment(by_patient(read.clone(), &booked.secret))
        .await;
    let own = own.expect("read").into_inner().appointment.expect("a body");
    assert_eq!(
        (own.status(), own.consultation_time),
        (Status::Arrived, None)
    );
    let theirs = serving
        .booking()
        .get_appointment(serving.staff(READ, read))
        .await;
    let theirs = theirs.expect("read").into_inner().appointment;
    assert_eq!(
        theirs.expect("a body").consultation_time,
        inside.consultation_time
    );
    let search = SearchFhirAppointmentsRequest {
        from: MONDAY.to_owned(),
        to: MONDAY.to_owned(),
        ..SearchFhirAppointmentsRequest::default()
    };
    let mut fhir = FhirServiceClient::new(serving.channel.clone());
    let found = fhir
        .search_fhir_appointments(serving.staff(READ, search))
        .await;
    let found = String::from_utf8(found.expect("found").into_inner().data).expect("text");
    assert!(found.contains(r#""status":"arrived""#), "{found}");
    let mut privacy = PrivacyServiceClient::new(serving.channel.clone());
    let export = ExportPatientRequest {
        email: booked.email.clone(),
        phone: String::new(),
    };
    let exported = privacy
        .export_patient(serving.staff("patients:export", export))
        .await;
    let exported = exported.expect("exported").into_inner().appointments;
    assert_eq!(exported[0].consultation_time, inside.consultation_time);
    serving.stop().await;
    bench.end().await;
}

async fn two_people_choose_at_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (time, theirs) in [
        ("9:00 AM", Status::InConsultation),
        ("9:30 AM", Status::Completed),
    ] {
        let booked = serving.booked(request("ENT", "", time)).await;
        let arrived = set(&serving, &booked, Status::Arrived).await;
        let (mine, theirs) = tokio::join!(
            try_set(&serving, &arrived, Status::InConsultation),
            try_set(&serving, &arrived, theirs),
        );
        let (kept, refused) = match (mine, theirs) {
            (Ok(kept), Err(refused)) | (Err(refused), Ok(kept)) => (kept, refused),
            both => panic!("{both:?}"),
        };
        assert_eq!(
            (reason(&refused).as_str(), kept.etag.as_str()),
            ("ETAG_MISMATCH", "3")
        );
        let again = try_set(&serving, &arrived, Status::InConsultation).await;
        assert_eq!(reason(&again.expect_err("an old version")), "ETAG_MISMATCH");
        let events = "SELECT count(*) FROM events WHERE version = 3";
        assert_eq!(
            bench.test.scalar(events).await,
            if time == "9:00 AM" { 1 } else { 2 }
        );
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_slip_is_undone_in_time(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let inside = gone_in(&serving, "9:00 AM").await;
    let mine = |of: &Appointment| serving.staff(WRITE, undo_of(of));
    serving.clock.set(now() + TimeDelta::seconds(31));
    let late = undo(&serving, mine(&inside)).await.expect_err("refused");
    assert_eq!(reason(&late), "UNDO_TOO_LATE");
    assert_eq!(listed(&serving, "in_consultation").await.len(), 1);
    serving.clock.set(now() + TimeDelta::seconds(30));
    let undone = undo(&serving, mine(&inside)).await.expect("undone");
    assert_eq!(
        (undone.status(), undone.consultation_time),
        (Status::Arrived, None)
    );
    let twice = undo(&serving, mine(&undone)).await.expect_err("refused");
    assert_eq!(reason(&twice), "NOTHING_TO_UNDO");
    // Completed without the step.
    let completed = set(&serving, &undone, Status::Completed).await;
    assert_eq!(completed.consultation_time, None);
    serving.stop().await;
    bench.end().await;
}

/// Statement of the builds before the column.
const COMPLETE: &str = "\
UPDATE appointments SET status = 'completed', version = version + 1 WHERE status = 'arrived'";

async fn an_older_build_reads_and_completes_the_row(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let inside = gone_in(&serving, "9:00 AM").await;
    let stored = "SELECT status FROM appointments";
    let rows: Vec<(String,)> = bench
        .database
        .fetch_all("SELECT appointments", stored, values![])
        .await
        .expect("rows");
    assert_eq!(rows, [("arrived".to_owned(),)]);
    // Such a build reads the key `from` only. It would undo the status, and leave the time.
    let undone_by_it = "SELECT count(*) FROM events WHERE version = 3 AND detail LIKE '%from%'";
    assert_eq!(bench.test.scalar(undone_by_it).await, 0);
    bench.test.execute(COMPLETE).await;
    let [completed] = listed(&serving, "completed").await.try_into().expect("one");
    assert_eq!(
        (completed.status(), completed.consultation_time),
        (Status::Completed, inside.consultation_time)
    );
    serving.stop().await;
    bench.end().await;
}
