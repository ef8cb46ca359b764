use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use hospital_proto::messaging::v1::{
    AppointmentEvent, AppointmentNotice, ConsultationNotice, send_notice_request::Notice,
};

use super::*;
use crate::{
    domain::{
        change::Appointment,
        consultation::{Consultation, ConsultationStatus, Doctor, Person},
        contact::{Contact, DeskNote},
        proof::Proof,
        roster::{Roster, Seed},
        seats::Resource,
        status::Status as State,
        waitlist::{Entry, EntryState},
    },
    site::Site,
};

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn roster() -> Roster {
    Seed::embedded().roster()
}

fn message(kind: &str) -> Message {
    Message {
        id: Uuid::from_u128(9),
        kind: kind.to_owned(),
        subject: String::new(),
        payload: String::new(),
        not_before: now(),
        attempts: 1,
        last_error: String::new(),
        traceparent: None,
    }
}

fn contact() -> Contact {
    Contact {
        patient_name: "Asha Rao".to_owned(),
        email: "asha@example.com".to_owned(),
        phone: "+91 80 0000 0000".to_owned(),
        reason: "a secret reason".to_owned(),
        notes: "Cardiology | Preferred: Dr. Meera Iyer".to_owned(),
    }
}

/// Monday, 10:00 AM IST, two days and nineteen hours from now.
fn appointment() -> Appointment {
    Appointment {
        id: Uuid::from_u128(1),
        reference: "SH-AAAA-AAAA".to_owned(),
        department_id: "cardiology".to_owned(),
        doctor_id: None,
        starts_at: "2026-11-23T04:30:00Z".parse().expect("a moment"),
        status: State::Booked,
        version: 3,
        secret_generation: 1,
        create_time: now(),
        update_time: now(),
        resource: None,
        proof: Proof::Unproven,
        contact: Some(contact()),
        desk_note: DeskNote::default(),
        consultation_time: None,
        language: None,
    }
}

fn said(kind: &str, of: &Appointment) -> Option<SendNoticeRequest> {
    said_at(kind, of, now())
}

fn said_at(kind: &str, of: &Appointment, at: DateTime<Utc>) -> Option<SendNoticeRequest> {
    let secret = Some("s".repeat(43));
    request::appointment(&message(kind), of, secret, &roster(), &Site::default(), at)
}

fn notice_of(request: SendNoticeRequest) -> AppointmentNotice {
    match request.notice {
        Some(Notice::Appointment(notice)) => notice,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_confirmation_has_all_details_but_the_reason() {
    let request = said(change::BOOKED, &appointment()).expect("a notice");
    assert!(!format!("{request:?}").contains("secret reason"));
    assert_eq!(request.notice_id, Uuid::from_u128(9).to_string());
    assert_eq!(request.subject_id, Uuid::from_u128(1).to_string());
    let recipient = request.recipient.clone().expect("a recipient");
    let to = [recipient.name, recipient.email, recipient.phone];
    assert_eq!(to, ["Asha Rao", "asha@example.com", "+91 80 0000 0000"]);
    let notice = notice_of(request);
    assert_eq!(notice.event(), AppointmentEvent::Booked);
    assert_eq!(notice.department, "Cardiology");
    assert_eq!(notice.doctor, "Dr. Meera Iyer");
    let link = format!(
        "http://127.0.0.1:8080/appointment/manage#SH-AAAA-AAAA.{}",
        "s".repeat(43)
    );
    assert_eq!(notice.manage_url, link);
    assert_eq!(notice.calendar_method, "PUBLISH");
    assert!(
        notice.calendar.contains("SEQUENCE:2\r\n"),
        "{}",
        notice.calendar
    );
}

/// U2: the mail includes the attendant, the fee and the place.
#[test]
fn a_confirmation_names_the_attendant() {
    let of = |resource: &str| {
        let booked = Appointment {
            resource: Some(Resource::named(resource.to_owned())),
            ..appointment()
        };
        let notice = notice_of(said(change::BOOKED, &booked).expect("a notice"));
        let calendar = notice.calendar.replace("\r\n ", "").replace("\\,", ",");
        assert!(calendar.contains(&notice.attendant_name), "{calendar}");
        (notice.attendant_name, notice.fee_rupees, notice.place)
    };
    let place = || "Outpatient block, first floor".to_owned();
    assert_eq!(
        of("doctor:doc-06"),
        ("Dr. Nandini Iyengar".to_owned(), 1000, place())
    );
    let clinic = "Cardiology clinic, ECG and follow-up".to_owned();
    assert_eq!(of("clinic:cardiology-opd"), (clinic, 600, place()));
    let unknown = notice_of(said(change::BOOKED, &appointment()).expect("a notice"));
    assert_eq!(unknown.attendant_name, "");
}

#[test]
fn a_known_preferred_doctor_is_named_in_the_language() {
    let of = |language, doctor: &str| {
        let appointment = Appointment {
            language,
            contact: Some(Contact {
                notes: format!("Cardiology | Preferred: {doctor}"),
                ..contact()
            }),
            ..appointment()
        };
        notice_of(said(change::BOOKED, &appointment).expect("a notice")).doctor
    };
    let kannada = Some(service_kit::language::Language::Kannada);
    assert_eq!(of(None, "Dr. Aravind Bhat"), "Dr. Aravind Bhat");
    assert_eq!(of(kannada, "Dr. Aravind Bhat"), "ಡಾ. ಅರವಿಂದ್ ಭಟ್");
    assert_eq!(of(kannada, "Dr. Nobody Known"), "Dr. Nobody Known");
}

#[test]
fn a_cancellation_removes_the_calendar_entry_and_has_no_link() {
    let cancelled = Appointment {
        status: State::Cancelled,
        ..appointment()
    };
    let notice = notice_of(said(change::CANCELLED, &cancelled).expect("a notice"));
    assert_eq!(
        (notice.calendar_method.as_str(), notice.manage_url.as_str()),
        ("CANCEL", "")
    );
    assert!(notice.calendar.contains("METHOD:CANCEL"));
    assert_eq!(
        said(change::CANCELLED, &appointment()),
        None,
        "it is booked"
    );
}

#[test]
fn an_overtaken_notice_is_not_sent() {
    let kinds = [
        change::BOOKED,
        change::CHANGED,
        change::MOVED,
        change::UNCOVERED,
        change::DAY_BEFORE,
        change::HOURS_BEFORE,
    ];
    for kind in kinds {
        assert!(said(kind, &appointment()).is_some(), "{kind}");
        for status in [
            State::Cancelled,
            State::Arrived,
            State::Completed,
            State::NoShow,
        ] {
            let over = Appointment {
                status,
                ..appointment()
            };
            assert_eq!(said(kind, &over), None, "{kind} {status:?}");
        }
        let erased = Appointment {
            contact: None,
            ..appointment()
        };
        assert_eq!(said(kind, &erased), None, "{kind}, erased");
        let starts_at = appointment().starts_at;
        assert_eq!(
            said_at(kind, &appointment(), starts_at),
            None,
            "{kind}, too late"
        );
        let late = said_at(kind, &appointment(), starts_at - TimeDelta::minutes(1));
        assert_eq!(
            late.is_none(),
            kind == change::DAY_BEFORE,
            "{kind}, a minute before"
        );
    }
}

/// B2: builds before rosters wrote no version.
#[test]
fn a_payload_of_an_older_build_is_parsed() {
    let id = Uuid::from_u128(1);
    let about = |payload: String| -> Result<AboutAppointment, _> {
        super::payload(&Message {
            payload,
            ..message(change::BOOKED)
        })
    };
    let old = about(format!(r#"{{"appointmentId":"{id}"}}"#)).expect("read");
    assert_eq!((old.appointment_id, old.version), (id, 1));
    let new = about(format!(r#"{{"appointmentId":"{id}","version":4}}"#)).expect("read");
    assert_eq!(new.version, 4);
}

#[test]
fn an_offer_is_sent_while_it_is_open() {
    let offered = |state| Entry {
        offer_resource: Some(Resource::doctor("doc-06")),
        id: Uuid::from_u128(5),
        reference: "WL-AAAA-AAAA".to_owned(),
        department_id: "cardiology".to_owned(),
        doctor_id: None,
        date: NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date"),
        state,
        offer_starts_at: Some(appointment().starts_at),
        offer_expire_time: Some(now() + TimeDelta::minutes(20)),
        proof: Some(Proof::Link),
        offers: 1,
        queue_time: now(),
        create_time: now(),
        update_time: now(),
        end_reason: None,
        contact: Some(contact()),
        language: None,
    };
    let said = |state, at| {
        let site = Site::default();
        request::offer(
            &message(waitlist::OFFERED),
            &offered(state),
            "abc",
            &roster(),
            &site,
            at,
        )
    };
    let request = said(EntryState::Offered, now()).expect("a notice");
    let Some(Notice::Waitlist(notice)) = request.notice else {
        panic!("{request:?}")
    };
    assert_eq!(
        notice.offer_url,
        "http://127.0.0.1:8080/appointment/manage#WL-AAAA-AAAA.abc"
    );
    assert_eq!(notice.hold_until, request.expire_time);
    let attendant = (notice.attendant_name.as_str(), notice.fee_rupees);
    assert_eq!(attendant, ("Dr. Nandini Iyengar", 1000));
    assert_eq!(
        said(EntryState::Offered, now() + TimeDelta::minutes(20)),
        None
    );
    for state in [EntryState::Waiting, EntryState::Booked, EntryState::Ended] {
        assert_eq!(said(state, now()), None, "{state:?}");
    }
}

#[test]
fn a_consultations_notice_matches_its_status() {
    let consultation = |status, time| Consultation {
        id: Uuid::from_u128(7),
        reference: "VC-AAAA-AAAA".to_owned(),
        date: NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date"),
        time,
        status,
        version: 2,
        create_time: now(),
        update_time: now(),
        department_id: Some("general-medicine".to_owned()),
        doctor: Some(Doctor {
            id: "doc-06".to_owned(),
            registration: "KMC 000106".to_owned(),
        }),
        person: Person {
            name: "Asha Rao".to_owned(),
            email: Some("asha@example.com".to_owned()),
            phone: None,
            description: Some("a secret reason".to_owned()),
            link: Some("https://video.example/room".to_owned()),
        },
        language: None,
    };
    let said = |kind, status, time| {
        let consultation = consultation(status, time);
        let request = request::consultation(&message(kind), &consultation, &roster(), now())?;
        assert!(!format!("{request:?}").contains("secret reason"));
        match request.notice {
            Some(Notice::Consultation(notice)) => Some(notice),
            other => panic!("{other:?}"),
        }
    };
    let link = |notice: Option<ConsultationNotice>| notice.map(|notice| notice.link);
    let half_past_four = NaiveTime::from_hms_opt(16, 30, 0);
    let (requested, scheduled) = (ConsultationStatus::Requested, ConsultationStatus::Scheduled);
    let notice = said(consultation::SCHEDULED, scheduled, half_past_four).expect("a notice");
    assert_eq!(notice.starts_at.map(|at| at.seconds), Some(1_795_431_600));
    assert_eq!(notice.link, "https://video.example/room");
    assert_eq!(notice.department, "General Medicine");
    assert!(notice.doctor_name.starts_with("Dr. "), "{notice:?}");
    assert_eq!(notice.doctor_registration, "KMC 000106");
    let unallotted = said(consultation::REQUESTED, requested, None).expect("a notice");
    assert_eq!(
        (unallotted.doctor_name, unallotted.doctor_registration),
        Default::default()
    );
    assert_eq!(
        link(said(consultation::REQUESTED, requested, None)),
        Some(String::new())
    );
    assert_eq!(
        said(consultation::REQUESTED, scheduled, half_past_four),
        None
    );
    assert_eq!(said(consultation::SCHEDULED, requested, None), None);
}

#[test]
fn a_delivery_error_contains_only_the_code() {
    let quoting = Status::invalid_argument("asha@example.com is no address");
    let error = refused(&quoting);
    assert!(matches!(error, DeliveryError::Permanent(_)), "{error}");
    assert!(!error.to_string().contains("asha"));
    for code in [
        Code::Unavailable,
        Code::Unimplemented,
        Code::DeadlineExceeded,
        Code::Internal,
    ] {
        let error = refused(&Status::new(code, "asha@example.com"));
        assert!(matches!(error, DeliveryError::Temporary(_)), "{error}");
        assert!(!error.to_string().contains("asha"));
    }
}
