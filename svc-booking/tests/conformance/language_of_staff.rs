//! The language of the person at the desk, in calendar files, in exports and after an erasure.

use hospital_proto::booking::v1::{
    BookAppointmentRequest, CancelAppointmentRequest, DeskBooking, ErasePatientRequest,
    ExportPatientRequest, GetAppointmentCalendarRequest, GetAppointmentRequest,
    ListAppointmentsRequest, privacy_service_client::PrivacyServiceClient,
};
use hospital_proto::messaging::v1::AppointmentEvent;
use test_kit::on_both_databases;
use tonic::Request;

use crate::{
    fixture::{Bench, MONDAY, now, unique},
    language::{booked_in, in_language},
    serving::{READ, Serving, WRITE, by_patient},
};

on_both_databases!(test_kit::bench::empty:
    the_desk_chooses_the_language,
    staff_see_the_language,
    a_calendar_file_is_in_the_language_of_the_call_or_of_the_person,
    the_language_is_exported_and_erased,
);

async fn the_desk_chooses_the_language(bench: Bench) {
    let (serving, mailbox) = Serving::start_as_deployed_with_mail(&bench, now()).await;
    for (language, time, expected) in [
        ("kn", "10:00 AM", "kn"),
        ("", "10:30 AM", ""),
        ("xx", "11:00 AM", ""),
    ] {
        let message = BookAppointmentRequest {
            booking: Some(DeskBooking {
                patient_name: "Asha Rao".to_owned(),
                email: format!("desk{}@example.com", unique()),
                date: MONDAY.to_owned(),
                time: time.to_owned(),
                department: "cardiology".to_owned(),
                doctor_id: "doc-06".to_owned(),
                language: language.to_owned(),
                ..DeskBooking::default()
            }),
            request_id: format!("desk-request-{:010}", unique()),
        };
        // The language of the staff's call is no language of the person.
        let asked = in_language(serving.staff(WRITE, message), "hi");
        let booked = serving.desk().book_appointment(asked).await;
        let booked = booked.expect("booked").into_inner().appointment;
        let booked = booked.expect("a body");
        assert_eq!(booked.language, expected, "{language}");
        let (mail, _) = mailbox
            .about(&booked.reference, AppointmentEvent::Booked)
            .await;
        assert_eq!(mail.language, expected, "{language}");
    }
    serving.stop().await;
    bench.end().await;
}

async fn staff_see_the_language(bench: Bench) {
    let serving = Serving::start_as_deployed(&bench, now()).await;
    let booked = booked_in(&serving, "hi", "10:00 AM").await;
    let list = ListAppointmentsRequest {
        date: MONDAY.to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    let listed = listed.expect("listed").into_inner().appointments;
    let languages: Vec<_> = listed.iter().map(|found| found.language.as_str()).collect();
    assert_eq!(languages, ["hi"]);
    let name = GetAppointmentRequest {
        appointment_id: booked.id,
    };
    let read = serving
        .booking()
        .get_appointment(in_language(serving.staff(READ, name), "kn"))
        .await;
    let read = read.expect("read").into_inner().appointment;
    let read = read.expect("a body");
    assert_eq!(read.language, "hi");
    assert!(
        read.calendar.contains("SUMMARY:अस्पताल"),
        "{}",
        read.calendar
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_calendar_file_is_in_the_language_of_the_call_or_of_the_person(bench: Bench) {
    let serving = Serving::start_as_deployed(&bench, now()).await;
    let booked = booked_in(&serving, "kn", "10:00 AM").await;
    let name = || GetAppointmentCalendarRequest {
        appointment_id: booked.id.clone(),
    };
    let by_owner = || by_patient(name(), &booked.secret);
    let by_staff = || serving.staff(READ, name());
    let (kannada, hindi) = ("SUMMARY:ಆಸ್ಪತ್ರೆ", "SUMMARY:अस्पताल");
    for (request, expected) in [
        (by_owner(), kannada),
        (in_language(by_owner(), "kn"), kannada),
        (in_language(by_owner(), "hi"), hindi),
        (in_language(by_owner(), "xx"), kannada),
        (by_staff(), kannada),
        (in_language(by_staff(), "hi"), kannada),
    ] {
        let file = serving.booking().get_appointment_calendar(request).await;
        let file = file.expect("a file").into_inner();
        assert_eq!(
            file.content_type,
            "text/calendar; charset=utf-8; method=PUBLISH"
        );
        let file = String::from_utf8(file.data).expect("UTF-8");
        assert!(file.contains(expected), "{expected}: {file}");
    }
    // A read changes nothing.
    let stored = "SELECT count(*) FROM appointments WHERE language = 'kn'";
    assert_eq!(bench.test.scalar(stored).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn the_language_is_exported_and_erased(bench: Bench) {
    let serving = Serving::start_as_deployed(&bench, now()).await;
    let booked = booked_in(&serving, "kn", "10:00 AM").await;
    let mut client = PrivacyServiceClient::new(serving.channel.clone());
    let export = ExportPatientRequest {
        email: booked.email.clone(),
        ..ExportPatientRequest::default()
    };
    let exported = client
        .export_patient(serving.staff("patients:export", export))
        .await;
    let exported = exported.expect("exported").into_inner().appointments;
    assert_eq!(exported[0].language, "kn");
    let cancel = CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: booked.etag.clone(),
    };
    let cancel: Request<_> = in_language(by_patient(cancel, &booked.secret), "kn");
    let cancelled = serving.booking().cancel_appointment(cancel).await;
    cancelled.expect("cancelled");
    let erase = ErasePatientRequest {
        email: booked.email.clone(),
        ..ErasePatientRequest::default()
    };
    let erased = client
        .erase_patient(serving.staff("patients:erase", erase))
        .await;
    assert_eq!(erased.expect("erased").into_inner().appointments, 1);
    let stored = "SELECT count(*) FROM appointments WHERE language = 'en'";
    assert_eq!(bench.test.scalar(stored).await, 1);
    serving.stop().await;
    bench.end().await;
}
