//! Changes of a visit, and arbitrary input.

use proptest::prelude::*;

use super::{
    tests::{changed, now, parse, request},
    *,
};
use crate::domain::{
    calendar::{Lead, last_day, today},
    roster::Seed,
};

/// The rules of a booking apply to the changed values only, not to the unchanged ones.
#[test]
fn an_unchanged_visit_is_no_move() {
    let present = Visit {
        department_id: "cardiology".to_owned(),
        doctor_id: Some("doc-06".to_owned()),
        date: "2026-11-21".parse().expect("a date"),
        slot: SlotTime::parse("10:00 AM").expect("a time"),
    };
    let roster = Seed::embedded().roster();
    let parse = |change: fn(&mut AppointmentForm)| {
        let mut body = request().appointment;
        body.date = "2026-11-21".to_owned();
        body.time = "10:00".to_owned();
        body.notes.clear();
        change(&mut body);
        ChangedAppointment::parse(&body, &present, &roster, Lead::Online, now())
    };
    for stays in [
        (|_| {}) as fn(&mut AppointmentForm),
        |body| body.doctor_id = "doc-06".to_owned(),
        |body| body.department = "Cardiology".to_owned(),
    ] {
        let changed = parse(stays).expect("it is past, and stays");
        assert_eq!(changed.wanted, None);
        assert_eq!(changed.contact.patient_name, "Asha Rao");
    }
    let moved = parse(|body| {
        body.date = "2026-11-24".to_owned();
        body.time = "3:00 PM".to_owned();
        body.department = "Urology".to_owned();
    });
    let wanted = moved.expect("valid").wanted.expect("a move");
    assert_eq!(
        (wanted.department_id.as_str(), wanted.doctor_id),
        ("urology", None)
    );
    let refused = parse(|body| body.time = "10:30 AM".to_owned()).expect_err("too late");
    assert_eq!(refused[0].field, "time");
    let nobody = parse(|body| body.patient_name.clear()).expect_err("nobody");
    assert_eq!(nobody[0].field, "patientName");
}

proptest! {
    /// Generates nearly valid requests; accepted ones obey the calendar.
    #[test]
    fn accepted_appointments_obey_the_rules(
        name in "[A-Za-zಅಆಇಕಖಗअआइकखग][A-Za-zಅಆಇಕಖಗअआइकखग .'-]{0,60}",
        phone in "[+]?[0-9]{7,15}",
        days in 1_i64..62,
        slot in 0_usize..18,
        department in proptest::sample::select(vec!["ENT", "cardiology", "Urology", "emergency", "General Medicine"]),
        doctor_id in proptest::sample::select(vec!["", "", "", "doc-06"]),
    ) {
        let date = today(now()) + chrono::TimeDelta::days(days);
        let slot = SlotTime::all().nth(slot).expect("a slot");
        let request = changed(|body| {
            body.patient_name = name;
            body.phone = phone;
            body.date = date.to_string();
            body.time = slot.label();
            body.notes = String::new();
            body.department = department.to_owned();
            body.doctor_id = doctor_id.to_owned();
        });
        let roster = Seed::embedded().roster();
        let known = roster.department(department).expect("a department");
        let doctor = Some(doctor_id).filter(|id| !id.is_empty());
        let wanted = roster.wanted(&known.id, doctor, date, slot);
        let is_open = roster.closed(date, None, None, now()).is_none();
        let should_be_taken = is_open && known.bookable && wanted.is_covered();
        match parse(&request) {
            Ok(appointment) => {
                prop_assert!(should_be_taken);
                prop_assert_eq!(&appointment.wanted, &wanted);
                prop_assert!(wanted.starts_at >= now() + chrono::TimeDelta::minutes(60));
                let day = today(wanted.starts_at);
                prop_assert!(day <= last_day(now()) && chrono::Datelike::weekday(&day) != chrono::Weekday::Sun);
            }
            Err(violations) => prop_assert!(!should_be_taken, "{violations:?}"),
        }
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in "\\PC{0,40}", other in ".{0,40}") {
        let request = BookingRequest {
            appointment: AppointmentForm {
                patient_name: text.clone(),
                email: other.clone(),
                phone: text.clone(),
                date: other.clone(),
                time: text.clone(),
                reason: other.clone(),
                doctor_id: text.clone(),
                notes: other.clone(),
                department: text,
                hold_id: other.clone(),
            },
            request_id: other,
        };
        prop_assert!(parse(&request).is_err());
    }
}
