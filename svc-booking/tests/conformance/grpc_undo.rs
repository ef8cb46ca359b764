//! Undoing a change of status, and the desk's notes, over gRPC.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, AppointmentStatus as Status, CancelAppointmentRequest, ErasePatientRequest,
    ExportPatientRequest, GetAppointmentCalendarRequest, GetAppointmentRequest,
    ListAppointmentsRequest, Proof, SearchFhirAppointmentsRequest, SetAppointmentNoteRequest,
    SetAppointmentStatusRequest, UndoAppointmentStatusRequest, UpdateAppointmentRequest,
    fhir_service_client::FhirServiceClient, privacy_service_client::PrivacyServiceClient,
};
use service_kit::source::{Clock as _, SystemClock};
use store_kit::values;
use test_kit::on_both_databases;
use tonic::{Request, Status as Refusal};

use crate::{
    fixture::{Bench, MONDAY, now, request},
    serving::{READ, Serving, WRITE, authorized, by_patient, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_change_of_status_is_undone_once,
    an_undo_is_refused_late_and_to_others,
    a_note_is_for_staff_only,
    a_note_changes_once_per_version,
);

pub(crate) async fn set(serving: &Serving, of: &Appointment, status: Status) -> Appointment {
    let message = SetAppointmentStatusRequest {
        appointment_id: of.reference.clone(),
        status: status.into(),
        etag: of.etag.clone(),
    };
    let mut desk = serving.desk();
    let changed = desk.set_appointment_status(serving.staff(WRITE, message));
    changed
        .await
        .expect("changed")
        .into_inner()
        .appointment
        .expect("a body")
}

pub(crate) fn undo_of(of: &Appointment) -> UndoAppointmentStatusRequest {
    UndoAppointmentStatusRequest {
        appointment_id: of.reference.clone(),
        etag: of.etag.clone(),
    }
}

pub(crate) async fn undo(
    serving: &Serving,
    request: Request<UndoAppointmentStatusRequest>,
) -> Result<Appointment, Refusal> {
    let undone = serving.desk().undo_appointment_status(request).await?;
    Ok(undone.into_inner().appointment.expect("a body"))
}

async fn a_change_of_status_is_undone_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let reminders = "SELECT count(*) FROM outbox_messages WHERE kind LIKE '%reminder%'";
    let arrived = set(&serving, &booked, Status::Arrived).await;
    let until = arrived.undo_expire_time.expect("it can be undone");
    assert_eq!(until.seconds, now().timestamp() + 30);
    assert_eq!(arrived.proof(), Proof::Desk);
    // Two presses at once.
    let press = || undo(&serving, serving.staff(WRITE, undo_of(&arrived)));
    let (one, other) = tokio::join!(press(), press());
    let (undone, refused) = match (one, other) {
        (Ok(undone), Err(refused)) | (Err(refused), Ok(undone)) => (undone, refused),
        both => panic!("{both:?}"),
    };
    assert_eq!(reason(&refused), "ETAG_MISMATCH");
    assert_eq!(
        (undone.status(), undone.etag.as_str()),
        (Status::Booked, "3")
    );
    assert_eq!(
        (undone.proof(), undone.undo_expire_time),
        (Proof::Unproven, None)
    );
    assert_eq!(
        (&undone.resource, undone.secret.as_str()),
        (&arrived.resource, "")
    );
    assert_eq!(bench.test.scalar(reminders).await, 2);
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'appointment.status_undone' AND actor = 'editor@sampige'";
    assert_eq!(bench.test.scalar(entries).await, 1);

    // The patient comes after all, and the next step is undone too.
    let arrived = set(&serving, &undone, Status::Arrived).await;
    let completed = set(&serving, &arrived, Status::Completed).await;
    let undone = undo(&serving, serving.staff(WRITE, undo_of(&completed))).await;
    assert_eq!(undone.expect("undone").status(), Status::Arrived);
    serving.stop().await;
    bench.end().await;
}

async fn an_undo_is_refused_late_and_to_others(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let refused = async |request| reason(&undo(&serving, request).await.expect_err("refused"));
    let mine = |of: &Appointment| serving.staff(WRITE, undo_of(of));
    assert_eq!(refused(mine(&booked)).await, "NOTHING_TO_UNDO");
    let missed = set(&serving, &booked, Status::NoShow).await;
    let expiry = SystemClock.now().timestamp() + 60;
    let other = format!(
        r#"{{"sub":"other","iss":"https://issuer.example","aud":"hospital-api","exp":{expiry},"scope":"{WRITE}"}}"#
    );
    let theirs = authorized(undo_of(&missed), &serving.issuer.signed(&other));
    assert_eq!(refused(theirs).await, "UNDO_NOT_YOURS");
    assert_eq!(refused(mine(&booked)).await, "ETAG_MISMATCH");
    serving.clock.set(now() + TimeDelta::seconds(31));
    assert_eq!(refused(mine(&missed)).await, "UNDO_TOO_LATE");
    serving.clock.set(now() + TimeDelta::seconds(30));
    let undone = undo(&serving, mine(&missed)).await.expect("undone");
    assert_eq!(refused(mine(&undone)).await, "NOTHING_TO_UNDO");
    let cancel = CancelAppointmentRequest {
        appointment_id: undone.id.clone(),
        etag: undone.etag.clone(),
    };
    let cancelled = serving
        .booking()
        .cancel_appointment(serving.staff(WRITE, cancel))
        .await;
    let cancelled = cancelled
        .expect("cancelled")
        .into_inner()
        .appointment
        .expect("a body");
    assert_eq!(cancelled.undo_expire_time, None);
    assert_eq!(refused(mine(&cancelled)).await, "NOTHING_TO_UNDO");
    serving.stop().await;
    bench.end().await;
}

async fn write_note(
    serving: &Serving,
    of: &Appointment,
    note: &str,
) -> Result<Appointment, Refusal> {
    let message = SetAppointmentNoteRequest {
        appointment_id: of.reference.clone(),
        note: note.to_owned(),
        etag: of.etag.clone(),
    };
    let mut desk = serving.desk();
    let changed = desk
        .set_appointment_note(serving.staff(WRITE, message))
        .await?;
    Ok(changed.into_inner().appointment.expect("a body"))
}

const NOTE: &str = "Needs a wheelchair";

async fn a_note_is_for_staff_only(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let noted = write_note(&serving, &booked, NOTE).await.expect("noted");
    assert_eq!((noted.desk_note.as_str(), noted.etag.as_str()), (NOTE, "2"));
    let list = ListAppointmentsRequest {
        date: MONDAY.to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    assert_eq!(
        listed.expect("listed").into_inner().appointments[0].desk_note,
        NOTE
    );

    let read = GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    };
    let own = serving
        .booking()
        .get_appointment(by_patient(read, &booked.secret))
        .await;
    let own = own.expect("read").into_inner().appointment.expect("a body");
    assert_eq!((own.desk_note.as_str(), own.etag.as_str()), ("", "2"));
    assert!(!own.calendar.contains(NOTE));
    assert_in_no_file(&serving, &booked).await;

    // A change by the patient rewrites the contact, and keeps the note.
    let update = UpdateAppointmentRequest {
        appointment_id: booked.id.clone(),
        appointment: Some(Appointment {
            patient_name: "Asha K Rao".to_owned(),
            desk_note: "forged".to_owned(),
            status: 0,
            ..own
        }),
        etag: "2".to_owned(),
    };
    let updated = serving
        .booking()
        .update_appointment(by_patient(update, &booked.secret))
        .await;
    let updated = updated
        .expect("updated")
        .into_inner()
        .appointment
        .expect("a body");
    assert_eq!(updated.desk_note, "");
    let cancel = CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: updated.etag,
    };
    let cancelled = serving
        .booking()
        .cancel_appointment(serving.staff(WRITE, cancel))
        .await;
    let cancelled = cancelled.expect("cancelled").into_inner().appointment;
    assert_eq!(cancelled.expect("a body").desk_note, NOTE);
    let event = hospital_proto::messaging::v1::AppointmentEvent::Cancelled;
    mailbox.about(&booked.reference, event).await;
    assert!(!format!("{:?}", mailbox.all()).contains(NOTE));

    assert_exported_and_erased(&bench, &serving, &booked).await;
    serving.stop().await;
    bench.end().await;
}

/// Calendar files and FHIR have no note.
async fn assert_in_no_file(serving: &Serving, booked: &Appointment) {
    let calendar = GetAppointmentCalendarRequest {
        appointment_id: booked.id.clone(),
    };
    let file = serving
        .booking()
        .get_appointment_calendar(serving.staff(READ, calendar))
        .await;
    assert!(!String::from_utf8_lossy(&file.expect("a file").into_inner().data).contains(NOTE));
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
    assert!(found.contains(&booked.reference) && !found.contains(NOTE));
}

/// The note is sealed, in the export, and erased with the patient.
async fn assert_exported_and_erased(bench: &Bench, serving: &Serving, booked: &Appointment) {
    let read = GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    };
    let sealed = "SELECT note FROM desk_notes";
    let rows: Vec<(Vec<u8>,)> = bench
        .database
        .fetch_all("SELECT", sealed, values![])
        .await
        .expect("rows");
    assert!(!String::from_utf8_lossy(&rows[0].0).contains("wheelchair"));
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'appointment.note_changed' AND detail = ''";
    assert_eq!(bench.test.scalar(audited).await, 1);
    let mut privacy = PrivacyServiceClient::new(serving.channel.clone());
    let export = ExportPatientRequest {
        email: booked.email.clone(),
        phone: String::new(),
    };
    let exported = privacy
        .export_patient(serving.staff("patients:export", export))
        .await;
    assert_eq!(
        exported.expect("exported").into_inner().appointments[0].desk_note,
        NOTE
    );
    let erase = ErasePatientRequest {
        email: booked.email.clone(),
        phone: String::new(),
    };
    privacy
        .erase_patient(serving.staff("patients:erase", erase))
        .await
        .expect("erased");
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM desk_notes").await,
        0
    );
    let erased = serving
        .booking()
        .get_appointment(serving.staff(READ, read))
        .await;
    let erased = erased
        .expect("read")
        .into_inner()
        .appointment
        .expect("a body");
    let refused = write_note(serving, &erased, NOTE)
        .await
        .expect_err("refused");
    assert_eq!(
        (erased.desk_note.as_str(), reason(&refused).as_str()),
        ("", "ERASED")
    );
}

async fn a_note_changes_once_per_version(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "", "9:00 AM")).await;
    let (one, other) = tokio::join!(
        write_note(&serving, &booked, "one"),
        write_note(&serving, &booked, "other"),
    );
    let (kept, refused) = match (one, other) {
        (Ok(kept), Err(refused)) | (Err(refused), Ok(kept)) => (kept, refused),
        both => panic!("{both:?}"),
    };
    assert_eq!(reason(&refused), "ETAG_MISMATCH");
    let note = kept.desk_note.clone();
    let same = write_note(&serving, &kept, &format!(" {note} "))
        .await
        .expect("kept");
    assert_eq!((&same.desk_note, &same.etag), (&note, &kept.etag));
    let long = write_note(&serving, &kept, &"ಅ".repeat(301)).await;
    assert_eq!(violated(&long.expect_err("too long")), ["note"]);
    let long = write_note(&serving, &kept, &"ಅ".repeat(300))
        .await
        .expect("kept");
    let removed = write_note(&serving, &long, " ").await.expect("removed");
    assert_eq!(removed.desk_note, "");
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM desk_notes").await,
        0
    );
    // A note after an arrival is the last change, so that the arrival can't be undone any more.
    let arrived = set(&serving, &removed, Status::Arrived).await;
    let noted = write_note(&serving, &arrived, "late").await.expect("noted");
    assert_eq!(noted.undo_expire_time, None);
    let refused = undo(&serving, serving.staff(WRITE, undo_of(&noted))).await;
    assert_eq!(reason(&refused.expect_err("refused")), "NOTHING_TO_UNDO");
    serving.stop().await;
    bench.end().await;
}
