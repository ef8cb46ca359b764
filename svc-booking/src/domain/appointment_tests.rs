use proptest::prelude::*;

use super::*;
use crate::domain::calendar::{last_day, today};

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn request() -> BookingRequest {
    BookingRequest {
        appointment: AppointmentForm {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            date: "2026-11-23".to_owned(),
            time: "9:00 AM".to_owned(),
            notes: "Cardiology | Preferred: Dr. Rao".to_owned(),
            ..AppointmentForm::default()
        },
        request_id: "0123456789abcdef".to_owned(),
    }
}

fn changed(change: impl FnOnce(&mut AppointmentForm)) -> BookingRequest {
    let mut request = request();
    change(&mut request.appointment);
    request
}

fn parse(request: &BookingRequest) -> Result<NewAppointment, Vec<(String, String)>> {
    NewAppointment::parse(request, &Resources::embedded(), now())
        .map(|(_, appointment)| appointment)
        .map_err(|refusal| {
            refusal
                .violations
                .into_iter()
                .map(|found| (found.field, found.description))
                .collect()
        })
}

/// The one violation of a request that is right but for one change.
fn violation(change: impl FnOnce(&mut AppointmentForm)) -> (String, String) {
    let mut violations = parse(&changed(change)).expect_err("refused");
    assert_eq!(violations.len(), 1, "{violations:?}");
    violations.remove(0)
}

#[test]
fn the_department_is_taken_from_the_notes() {
    let appointment = parse(&request()).expect("valid");
    assert_eq!(appointment.department_id(), "cardiology");
    assert_eq!(
        appointment.starts_at().to_rfc3339(),
        "2026-11-23T03:30:00+00:00"
    );
    let resources: Vec<&str> = appointment
        .claims()
        .iter()
        .map(|claim| claim.resource.as_str())
        .collect();
    assert_eq!(resources, ["department:cardiology"]);
    let named = changed(|body| {
        body.department = "ENT".to_owned();
        body.notes = "Preferred: Dr. Rao".to_owned();
    });
    assert_eq!(parse(&named).expect("valid").department_id(), "ent");
}

#[test]
fn a_doctor_takes_a_seat_of_the_doctor_and_of_the_department() {
    let with_doctor = changed(|body| {
        body.doctor_id = "doc-06".to_owned();
        body.time = "10:00 AM".to_owned();
    });
    let appointment = parse(&with_doctor).expect("valid");
    let claims: Vec<(&str, u32)> = appointment
        .claims()
        .iter()
        .map(|claim| (claim.resource.as_str(), claim.capacity))
        .collect();
    assert_eq!(claims, [("doctor:doc-06", 1), ("department:cardiology", 4)]);
}

#[test]
fn an_empty_request_has_every_violation_at_once() {
    let violations = parse(&BookingRequest::default()).expect_err("refused");
    let fields: Vec<&str> = violations.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(
        fields,
        [
            "patientName",
            "email",
            "phone",
            "date",
            "time",
            "department",
            "requestId"
        ]
    );
}

#[test]
fn every_field_is_bounded() {
    let long = |length: usize| "x".repeat(length);
    assert!(parse(&changed(|body| body.patient_name = long(120))).is_ok());
    assert_eq!(
        violation(|body| body.patient_name = long(121)).0,
        "patientName"
    );
    assert_eq!(
        violation(|body| body.patient_name = "a\0b".to_owned()).0,
        "patientName"
    );
    assert_eq!(
        violation(|body| body.email = format!("a@{}.example", long(250))).0,
        "email"
    );
    assert!(parse(&changed(|body| body.reason = "ಎದೆ ನೋವು\n".repeat(200))).is_ok());
    assert_eq!(violation(|body| body.reason = long(2001)).0, "reason");
    assert_eq!(
        violation(|body| body.reason = "\u{7}".to_owned() + "x").0,
        "reason"
    );
    let long_notes = |body: &mut AppointmentForm| {
        body.department = "ent".to_owned();
        body.notes = long(301);
    };
    assert_eq!(violation(long_notes).0, "notes");
    for (length, valid) in [(15, false), (16, true), (128, true), (129, false)] {
        let request = BookingRequest {
            request_id: long(length),
            ..request()
        };
        assert_eq!(parse(&request).is_ok(), valid, "{length}");
    }
}

#[test]
fn addresses_and_numbers_are_told_from_slips() {
    for email in [
        "",
        "asha",
        "asha@",
        "@example.com",
        "asha@example",
        "a b@example.com",
        "a@b@c.d",
        "a@.com",
    ] {
        assert_eq!(
            violation(|body| body.email = email.to_owned()).0,
            "email",
            "{email}"
        );
    }
    for phone in [
        "",
        "123456",
        "1234567890123456",
        "12345a7",
        "++911234567",
        "12+345678",
        "080/1234567",
    ] {
        assert_eq!(
            violation(|body| body.phone = phone.to_owned()).0,
            "phone",
            "{phone}"
        );
    }
    for phone in ["1234567", "080-1234567", "(080) 123 4567"] {
        assert!(
            parse(&changed(|body| body.phone = phone.to_owned())).is_ok(),
            "{phone}"
        );
    }
}

#[test]
fn what_cannot_be_seen_is_refused_by_field() {
    for name in ["\u{200b}\u{200b}", "\u{202e}evil", "...", "Asha\nRao"] {
        let (field, _) = violation(|body| body.patient_name = name.to_owned());
        assert_eq!(field, "patientName", "{name:?}");
    }
    let (field, description) = violation(|body| body.email = "a@b.c\u{202e}".to_owned());
    assert_eq!(field, "email");
    assert_eq!(
        description,
        "Remove the characters that cannot be seen, or type this again"
    );
    let unseen = violation(|body| body.reason = "pain\u{2066}".to_owned());
    assert_eq!(unseen.0, "reason");
    let spelled = changed(|body| {
        body.patient_name = "ಶ್ರೀನಿವಾಸ್\u{200c} ಗೌಡ".to_owned();
        body.reason = "ನೋವು\r\n❤\u{fe0f}".to_owned();
    });
    let appointment = parse(&spelled).expect("valid");
    assert_eq!(appointment.contact().patient_name, "ಶ್ರೀನಿವಾಸ್\u{200c} ಗೌಡ");
    assert_eq!(appointment.contact().reason, "ನೋವು\n❤\u{fe0f}");
    let text = format!("{appointment:?}");
    assert!(!text.contains("asha@") && !text.contains("ಶ್ರೀ"), "{text}");
}

#[test]
fn notes_are_one_line_for_the_department_that_is_booked() {
    let booked_as = |department: &str, notes: &str| {
        changed(|body| {
            body.department = department.to_owned();
            body.notes = notes.to_owned();
        })
    };
    for notes in [
        "Cardiology | Preferred: Dr. Rao",
        "cardiology",
        "CARDIOLOGY: staff note",
        "general-medicine",
    ] {
        let violations = parse(&booked_as("urology", notes)).expect_err("refused");
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert_eq!(violations[0].0, "notes", "{notes}");
        assert!(
            violations[0]
                .1
                .contains("Name the department that is booked")
        );
    }
    let two_lines = booked_as("urology", "Urology\nSTAFF NOTE: paid");
    assert_eq!(
        parse(&two_lines).expect_err("refused"),
        [("notes".to_owned(), "Write this on one line".to_owned())]
    );
    for notes in [
        "",
        "Urology | Preferred: Dr. Rao",
        "UROLOGY",
        "Entry by the side gate",
        "Cardiologyst's letter",
        "Preferred: Cardiology",
    ] {
        let appointment = parse(&booked_as("urology", notes)).expect("valid");
        assert_eq!(appointment.department_id(), "urology", "{notes}");
    }
}

#[test]
fn days_obey_the_calendar() {
    for (date, words) in [
        ("", "Choose a day from Monday to Saturday"),
        ("23/11/2026", "Give the day as YYYY-MM-DD"),
        ("2026-11-20", "This day is past"),
        ("2026-11-22", "Choose a day from Monday to Saturday"),
        ("2027-01-21", "Choose a day up to 20 January 2027"),
    ] {
        let (field, description) = violation(|body| body.date = date.to_owned());
        assert_eq!(field, "date");
        assert!(description.contains(words), "{date}: {description}");
    }
    assert!(
        parse(&changed(|body| body.date = "2027-01-20".to_owned())).is_ok(),
        "60 days ahead"
    );
}

#[test]
fn the_next_sixty_minutes_are_too_near() {
    let at = |time: &str| {
        changed(|body| {
            body.date = "2026-11-21".to_owned();
            body.time = time.to_owned();
        })
    };
    assert!(parse(&at("4:00 PM")).is_ok(), "exactly 60 minutes ahead");
    for time in ["9:00 AM", "3:00 PM", "3:30 PM"] {
        let violations = parse(&at(time)).expect_err("too near");
        assert_eq!(violations[0].0, "time");
        assert!(violations[0].1.contains("60 minutes"), "{violations:?}");
    }
}

#[test]
fn holidays_leave_and_hours_are_kept() {
    let text = r#"
        capacity_per_slot = 4
        holidays = [{ date = "2026-11-24", name = "Founders' Day" }]
        [[departments]]
        id = "ent"
        name = "ENT"
        [[doctors]]
        id = "d"
        department = "ent"
        weekdays = ["Mon", "Wed", "Thu"]
        from = "10:00 AM"
        until = "12:00 PM"
        leave = [{ from = "2026-11-26", until = "2026-11-27" }]
    "#;
    let resources = Resources::parse("test.toml", text).expect("valid");
    for (date, time, doctor, refused) in [
        ("2026-11-24", "9:00 AM", "", Some(("date", "Founders' Day"))),
        ("2026-11-23", "10:00 AM", "d", None),
        ("2026-11-23", "11:30 AM", "d", None),
        ("2026-11-23", "9:30 AM", "d", Some(("time", "at 9:30 AM"))),
        ("2026-11-23", "12:00 PM", "d", Some(("time", "at 12:00 PM"))),
        ("2026-11-25", "12:00 PM", "", None),
        ("2026-11-27", "10:00 AM", "d", Some(("date", "Fridays"))),
        ("2026-11-26", "10:00 AM", "d", Some(("date", "on leave"))),
    ] {
        let request = changed(|body| {
            body.date = date.to_owned();
            body.time = time.to_owned();
            body.doctor_id = doctor.to_owned();
            body.department = "ENT".to_owned();
            body.notes.clear();
        });
        let parsed = NewAppointment::parse(&request, &resources, now());
        match refused {
            None => assert!(parsed.is_ok(), "{date} {time} {doctor}: {parsed:?}"),
            Some((field, words)) => {
                let violations = parsed.expect_err("refused").violations;
                assert_eq!(violations.len(), 1);
                assert_eq!(violations[0].field, field);
                assert!(violations[0].description.contains(words), "{violations:?}");
            }
        }
    }
}

#[test]
fn departments_and_doctors_must_fit() {
    let (field, description) = violation(|body| body.department = "Emergency".to_owned());
    assert_eq!(field, "department");
    assert!(description.contains("Call the 24/7 emergency number"));
    assert_eq!(
        violation(|body| body.department = "Astrology".to_owned()).0,
        "department"
    );
    assert_eq!(
        violation(|body| body.doctor_id = "doc-99".to_owned()).0,
        "doctorId"
    );
    assert_eq!(
        violation(|body| body.doctor_id = "doc-07".to_owned()).0,
        "doctorId"
    );
}

proptest! {
    /// What is nearly always right is accepted, and what is accepted obeys the calendar.
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
        let is_open = closed_reason(date, None, &Resources::embedded(), now()).is_none();
        match parse(&request) {
            Ok(appointment) => {
                prop_assert!(is_open);
                prop_assert_ne!(appointment.department_id(), "emergency");
                prop_assert_eq!(appointment.starts_at(), slot.on(date));
                prop_assert!(appointment.starts_at() >= now() + chrono::TimeDelta::minutes(60));
                let day = today(appointment.starts_at());
                prop_assert!(day <= last_day(now()) && chrono::Datelike::weekday(&day) != chrono::Weekday::Sun);
            }
            Err(violations) => {
                let has_reason = !is_open || department == "emergency" || !doctor_id.is_empty();
                prop_assert!(has_reason, "{violations:?}");
            }
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
            },
            request_id: other,
        };
        prop_assert!(parse(&request).is_err());
    }
}
