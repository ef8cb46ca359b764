//! The language of the person: taken from their calls, kept by those of staff, and used in notices.

use hospital_proto::{
    booking::v1::{
        AcceptOfferRequest, Appointment, CancelAppointmentRequest, Consultation,
        ConsultationStatus, CreateConsultationRequest, CreateWaitlistEntryRequest,
        GetWaitlistEntryRequest, MoveAppointmentRequest, UpdateAppointmentRequest,
        UpdateConsultationRequest, WaitlistEntry, WaitlistState,
    },
    messaging::v1::{AppointmentEvent, ConsultationEvent, WaitlistEvent},
};
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;
use tonic::Request;

use crate::{
    fixture::{Bench, MONDAY, now, request, unique},
    mailbox::secret_in,
    serving::{Serving, WRITE, by_patient, with},
};

on_both_databases!(test_kit::bench::empty:
    notices_are_in_the_language_of_the_person,
    an_unknown_language_is_english,
    staff_keep_a_language_of_a_newer_build,
    an_offer_is_in_the_language_of_the_entry,
    a_consultation_is_in_the_language_of_its_request,
);

const ORIGIN: &str = "http://127.0.0.1:8080";

/// Adds the language of the call.
pub(crate) fn in_language<T>(mut request: Request<T>, code: &str) -> Request<T> {
    let code = code.parse().expect("a header");
    request.metadata_mut().insert("content-language", code);
    request
}

/// Books Cardiology's doctor in a language.
pub(crate) async fn booked_in(serving: &Serving, code: &str, time: &str) -> Appointment {
    let asked = Request::new(request("Cardiology", "doc-06", time));
    let booked = serving
        .booking()
        .create_appointment(in_language(asked, code))
        .await;
    let booked = booked.expect("booked").into_inner().appointment;
    booked.expect("a body")
}

fn move_to(known: &Appointment, time: &str) -> MoveAppointmentRequest {
    MoveAppointmentRequest {
        appointment_id: known.id.clone(),
        date: MONDAY.to_owned(),
        time: time.to_owned(),
        doctor_id: "doc-06".to_owned(),
        etag: known.etag.clone(),
        ..MoveAppointmentRequest::default()
    }
}

async fn moved(serving: &Serving, asked: Request<MoveAppointmentRequest>) -> Appointment {
    let moved = serving.booking().move_appointment(asked).await;
    let moved = moved.expect("moved").into_inner().appointment;
    moved.expect("a body")
}

async fn notices_are_in_the_language_of_the_person(bench: Bench) {
    let (serving, mailbox) = Serving::start_as_deployed_with_mail(&bench, now()).await;
    let booked = booked_in(&serving, "kn", "10:00 AM").await;
    assert_eq!(booked.language, "kn");
    assert!(
        booked.calendar.contains("SUMMARY:ಆಸ್ಪತ್ರೆ"),
        "{}",
        booked.calendar
    );
    let reference = &booked.reference;
    let (mail, notice) = mailbox.about(reference, AppointmentEvent::Booked).await;
    assert_eq!(mail.language, "kn");
    assert_eq!(notice.department, "ಹೃದ್ರೋಗ");
    assert_eq!(notice.attendant_name, "ಡಾ. ನಂದಿನಿ ಅಯ್ಯಂಗಾರ್");
    assert_eq!(notice.place, "ಹೊರರೋಗಿ ಬ್ಲಾಕ್, ಮೊದಲ ಮಹಡಿ");
    let page = format!("{ORIGIN}/kn/appointment/manage#{reference}.");
    assert!(
        notice.manage_url.starts_with(&page),
        "{}",
        notice.manage_url
    );
    assert_eq!(notice.calendar, booked.calendar);
    // The patient moves it on a Hindi page.
    let asked = by_patient(move_to(&booked, "10:30 AM"), &booked.secret);
    let second = moved(&serving, in_language(asked, "hi")).await;
    assert_eq!(second.language, "hi");
    let (mail, notice) = mailbox.about(reference, AppointmentEvent::Moved).await;
    assert_eq!(
        (mail.language.as_str(), notice.department.as_str()),
        ("hi", "हृदय रोग")
    );
    let page = format!("{ORIGIN}/hi/appointment/manage#");
    assert!(
        notice.manage_url.starts_with(&page),
        "{}",
        notice.manage_url
    );
    // Staff write in another language.
    let update = UpdateAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: second.etag.clone(),
        appointment: Some(Appointment {
            phone: "+91 80 4123 9876".to_owned(),
            status: 0,
            ..second.clone()
        }),
    };
    let update = in_language(serving.staff(WRITE, update), "kn");
    let updated = serving.booking().update_appointment(update).await;
    let updated = updated.expect("changed").into_inner().appointment;
    let updated = updated.expect("a body");
    assert_eq!(updated.language, "hi");
    let (mail, notice) = mailbox.about(reference, AppointmentEvent::Changed).await;
    assert_eq!(mail.language, "hi");
    // The patient cancels it in English, for which the gateway sends no language.
    let cancel = CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: updated.etag,
    };
    let cancel = by_patient(cancel, &secret_in(&notice.manage_url));
    let cancelled = serving.booking().cancel_appointment(cancel).await;
    let cancelled = cancelled.expect("cancelled").into_inner().appointment;
    assert_eq!(cancelled.expect("a body").language, "");
    let (mail, notice) = mailbox.about(reference, AppointmentEvent::Cancelled).await;
    assert_eq!(
        (mail.language.as_str(), notice.department.as_str()),
        ("", "Cardiology")
    );
    assert!(notice.calendar.contains("SUMMARY:Hospital appointment"));
    serving.stop().await;
    bench.end().await;
}

async fn an_unknown_language_is_english(bench: Bench) {
    let (serving, mailbox) = Serving::start_as_deployed_with_mail(&bench, now()).await;
    for (code, time) in [
        ("en", "10:00 AM"),
        ("xx", "10:30 AM"),
        ("kn,hi", "11:00 AM"),
    ] {
        let booked = booked_in(&serving, code, time).await;
        assert_eq!(booked.language, "", "{code}");
        let (mail, notice) = mailbox
            .about(&booked.reference, AppointmentEvent::Booked)
            .await;
        assert_eq!(
            (mail.language.as_str(), notice.department.as_str()),
            ("", "Cardiology")
        );
        let page = format!("{ORIGIN}/appointment/manage#");
        assert!(
            notice.manage_url.starts_with(&page),
            "{}",
            notice.manage_url
        );
    }
    let stored = "SELECT count(*) FROM appointments WHERE language = 'en'";
    assert_eq!(bench.test.scalar(stored).await, 3);
    serving.stop().await;
    bench.end().await;
}

async fn staff_keep_a_language_of_a_newer_build(bench: Bench) {
    let serving = Serving::start_as_deployed(&bench, now()).await;
    let booked = booked_in(&serving, "kn", "10:00 AM").await;
    let newer = "UPDATE appointments SET language = 'ta'";
    assert_eq!(bench.test.execute(newer).await, 1);
    let asked = serving.staff(WRITE, move_to(&booked, "10:30 AM"));
    let second = moved(&serving, asked).await;
    assert_eq!(second.language, "", "unknown here");
    let stored = "SELECT count(*) FROM appointments WHERE language = 'ta'";
    assert_eq!(bench.test.scalar(stored).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn an_offer_is_in_the_language_of_the_entry(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let mut booked = Vec::new();
    for time in SlotTime::all() {
        booked.push(serving.booked(request("Urology", "", &time.label())).await);
    }
    let number = unique();
    let asked = CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("wait{number}@example.com"),
            phone: format!("+91 80 3{number:07}"),
            department: "Urology".to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: format!("waitlist-request-{number:06}"),
    };
    let asked = in_language(Request::new(asked), "kn");
    let entry = serving.waitlist().create_waitlist_entry(asked).await;
    let entry = entry.expect("joined").into_inner().entry.expect("an entry");
    assert_eq!(entry.language, "kn");
    let reference = &entry.reference;
    let (mail, notice) = mailbox.about_entry(reference, WaitlistEvent::Joined).await;
    assert_eq!(
        (mail.language.as_str(), notice.department.as_str()),
        ("kn", "ಮೂತ್ರರೋಗ")
    );
    let page = format!("{ORIGIN}/kn/appointment/manage#{reference}.");
    assert!(notice.offer_url.starts_with(&page), "{}", notice.offer_url);
    let secret = secret_in(&notice.offer_url);
    let by_owner = |code: &str| {
        let message = AcceptOfferRequest {
            entry_id: reference.clone(),
        };
        in_language(with(message, "x-waitlist-secret", &secret), code)
    };
    let name = GetWaitlistEntryRequest {
        entry_id: reference.clone(),
    };
    let opened = with(name, "x-waitlist-secret", &secret);
    let opened = serving.waitlist().get_waitlist_entry(opened).await;
    let opened = opened.expect("read").into_inner().entry.expect("an entry");
    assert_eq!(opened.state(), WaitlistState::Waiting);
    let cancel = CancelAppointmentRequest {
        appointment_id: booked[0].id.clone(),
        etag: booked[0].etag.clone(),
    };
    let cancel = by_patient(cancel, &booked[0].secret);
    let cancelled = serving.booking().cancel_appointment(cancel).await;
    cancelled.expect("cancelled");
    let (mail, offer) = mailbox.about_entry(reference, WaitlistEvent::Offered).await;
    assert_eq!(
        (mail.language.as_str(), offer.department.as_str()),
        ("kn", "ಮೂತ್ರರೋಗ")
    );
    assert!(offer.offer_url.starts_with(&page), "{}", offer.offer_url);
    // The offer is accepted on a Hindi page.
    let accepted = serving.waitlist().accept_offer(by_owner("hi")).await;
    let accepted = accepted.expect("accepted").into_inner().appointment;
    let accepted = accepted.expect("a body");
    assert_eq!(accepted.language, "hi");
    let (mail, _) = mailbox
        .about(&accepted.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(mail.language, "hi");
    let stored = "SELECT count(*) FROM waitlist_entries WHERE language = 'hi'";
    assert_eq!(bench.test.scalar(stored).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn a_consultation_is_in_the_language_of_its_request(bench: Bench) {
    let (serving, mailbox) = Serving::start_as_deployed_with_mail(&bench, now()).await;
    let asked = CreateConsultationRequest {
        consultation: Some(Consultation {
            patient_name: "Asha Rao".to_owned(),
            patient_email: "asha@example.com".to_owned(),
            date: MONDAY.to_owned(),
            department: "cardiology".to_owned(),
            ..Consultation::default()
        }),
        request_id: format!("consultation-request-{:06}", unique()),
    };
    let asked = in_language(Request::new(asked), "hi");
    let made = serving.consultation().create_consultation(asked).await;
    let made = made.expect("made").into_inner().consultation;
    let made = made.expect("a body");
    assert_eq!(made.language, "hi");
    let (mail, notice) = mailbox
        .about_consultation(&made.reference, ConsultationEvent::Requested)
        .await;
    assert_eq!(
        (mail.language.as_str(), notice.department.as_str()),
        ("hi", "हृदय रोग")
    );
    // Staff schedule it, in their own language.
    let update = UpdateConsultationRequest {
        consultation_id: made.id.clone(),
        etag: made.etag,
        consultation: Some(Consultation {
            time: "6:30 PM".to_owned(),
            link: "https://video.example/room".to_owned(),
            doctor_id: "doc-06".to_owned(),
            doctor_registration: "KMC 000106".to_owned(),
            status: ConsultationStatus::Scheduled.into(),
            ..Consultation::default()
        }),
    };
    let update = in_language(serving.staff(WRITE, update), "kn");
    let updated = serving.consultation().update_consultation(update).await;
    let updated = updated.expect("scheduled").into_inner().consultation;
    let updated = updated.expect("a body");
    assert_eq!(
        (updated.language.as_str(), updated.doctor_name.as_str()),
        ("hi", "Dr. Nandini Iyengar")
    );
    let (mail, notice) = mailbox
        .about_consultation(&made.reference, ConsultationEvent::Scheduled)
        .await;
    assert_eq!(mail.language, "hi");
    assert_eq!(notice.doctor_name, "डॉ. नंदिनी अय्यंगार");
    assert_eq!(notice.link, "https://video.example/room");
    serving.stop().await;
    bench.end().await;
}
