use super::*;
use crate::domain::roster::Seed;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(super) fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

pub(super) fn request() -> BookingRequest {
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

pub(super) fn changed(change: impl FnOnce(&mut AppointmentForm)) -> BookingRequest {
    let mut request = request();
    change(&mut request.appointment);
    request
}

pub(super) fn parse(request: &BookingRequest) -> Result<NewAppointment, Vec<(String, String)>> {
    NewAppointment::parse(request, &Seed::embedded().roster(), now())
        .map(|(_, appointment)| appointment)
        .map_err(|refusal| {
            refusal
                .violations
                .into_iter()
                .map(|found| (found.field, found.description))
                .collect()
        })
}

/// Returns the only violation of a request that is valid except for one change.
fn violation(change: impl FnOnce(&mut AppointmentForm)) -> (String, String) {
    let mut violations = parse(&changed(change)).expect_err("refused");
    assert_eq!(violations.len(), 1, "{violations:?}");
    violations.remove(0)
}

#[test]
fn the_department_is_taken_from_the_notes() {
    let appointment = parse(&request()).expect("valid");
    assert_eq!(appointment.wanted.department_id, "cardiology");
    assert_eq!(
        appointment.wanted.starts_at.to_rfc3339(),
        "2026-11-23T03:30:00+00:00"
    );
    let resources: Vec<String> = appointment
        .wanted
        .resources()
        .map(|resource| resource.to_string())
        .collect();
    assert_eq!(
        resources,
        ["clinic:cardiology-opd", "department:cardiology"]
    );
    let named = changed(|body| {
        body.department = "ENT".to_owned();
        body.time = "10:00 AM".to_owned();
        body.notes = "Preferred: Dr. Rao".to_owned();
    });
    assert_eq!(parse(&named).expect("valid").wanted.department_id, "ent");
}

#[test]
fn a_request_for_a_doctor_lists_all_doctors_on_duty() {
    let with_doctor = changed(|body| {
        body.doctor_id = "doc-06".to_owned();
        body.time = "10:00 AM".to_owned();
    });
    let wanted = parse(&with_doctor).expect("valid").wanted;
    assert_eq!(wanted.doctor_id.as_deref(), Some("doc-06"));
    let on_duty: Vec<(&str, u32)> = wanted
        .on_duty
        .iter()
        .map(|duty| (duty.resource.as_str(), duty.seats))
        .collect();
    assert_eq!(
        on_duty,
        [("clinic:cardiology-opd", 2), ("doctor:doc-06", 1)],
        "doc-16 is on leave"
    );
}

#[test]
fn a_hold_is_named_by_its_id_or_not_at_all() {
    let hold = changed(|body| body.hold_id = Uuid::from_u128(7).to_string());
    assert_eq!(
        parse(&hold).expect("valid").hold_id,
        Some(Uuid::from_u128(7))
    );
    assert_eq!(parse(&request()).expect("valid").hold_id, None);
    assert_eq!(
        violation(|body| body.hold_id = "mine".to_owned()).0,
        "holdId"
    );
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
        body.department = "cardiology".to_owned();
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
fn mistyped_addresses_and_numbers_are_refused() {
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
fn invisible_characters_are_refused_by_field() {
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
    assert_eq!(appointment.contact.patient_name, "ಶ್ರೀನಿವಾಸ್\u{200c} ಗೌಡ");
    assert_eq!(appointment.contact.reason, "ನೋವು\n❤\u{fe0f}");
    let text = format!("{appointment:?}");
    assert!(!text.contains("asha@") && !text.contains("ಶ್ರೀ"), "{text}");
}

#[test]
fn notes_are_one_line_and_name_the_booked_department() {
    let booked_as = |department: &str, notes: &str| {
        changed(|body| {
            body.department = department.to_owned();
            body.date = "2026-11-24".to_owned();
            body.time = "3:00 PM".to_owned();
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
        assert_eq!(appointment.wanted.department_id, "urology", "{notes}");
    }
}

#[test]
fn days_obey_the_calendar() {
    for (date, words) in [
        ("", "Choose a day from Monday to Saturday"),
        ("23/11/2026", "Give the day as YYYY-MM-DD"),
        ("2026-11-20", "This day has passed"),
        ("2026-11-22", "Closed on Sundays"),
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
fn a_visit_needs_sixty_minutes_notice() {
    let at = |time: &str| {
        changed(|body| {
            body.date = "2026-11-21".to_owned();
            body.time = time.to_owned();
            body.notes = "General Medicine".to_owned();
        })
    };
    assert!(parse(&at("4:00 PM")).is_ok(), "exactly 60 minutes ahead");
    for time in ["9:00 AM", "3:00 PM", "3:30 PM"] {
        let violations = parse(&at(time)).expect_err("too near");
        assert_eq!(violations[0].0, "time");
        assert!(violations[0].1.contains("60 minutes"), "{violations:?}");
    }
}

const WEEK: &str = r#"
        holidays = [{ date = "2026-11-24", name = "Founders' Day" }]
        [[departments]]
        id = "ent"
        name = "ENT"
        [[doctors]]
        id = "d"
        name = "Dr. D"
        fee_rupees = 500
        place = "First floor"
        [[sessions]]
        id = "c"
        department = "ent"
        name = "Clinic"
        fee_rupees = 400
        place = "First floor"
        weekdays = ["Mon", "Tue", "Wed", "Thu"]
        from = "9:00 AM"
        until = "1:00 PM"
        [[sessions]]
        id = "s"
        department = "ent"
        doctor = "d"
        weekdays = ["Mon", "Wed", "Thu"]
        from = "10:00 AM"
        until = "12:00 PM"
        [[leaves]]
        resource = "doctor:d"
        from = "2026-11-26"
        until = "2026-11-27"
    "#;

#[test]
fn holidays_leave_and_hours_are_respected() {
    let roster = Seed::parse("test.toml", WEEK).expect("valid").roster();
    for (date, time, doctor, refused) in [
        (
            "2026-11-24",
            "9:00 AM",
            "",
            Some(("date", "Founders' Day", "HOLIDAY")),
        ),
        ("2026-11-23", "10:00 AM", "d", None),
        ("2026-11-23", "11:30 AM", "d", None),
        (
            "2026-11-23",
            "9:30 AM",
            "d",
            Some(("time", "at 9:30 AM", "NOT_STAFFED")),
        ),
        (
            "2026-11-23",
            "12:00 PM",
            "d",
            Some(("time", "at 12:00 PM", "NOT_STAFFED")),
        ),
        ("2026-11-25", "12:00 PM", "", None),
        (
            "2026-11-25",
            "2:00 PM",
            "",
            Some((
                "time",
                "No one sees patients in ENT at 2:00 PM",
                "NOT_STAFFED",
            )),
        ),
        (
            "2026-11-28",
            "9:00 AM",
            "",
            Some((
                "date",
                "No one sees patients in ENT on this day",
                "NOBODY_ON_DUTY",
            )),
        ),
        (
            "2026-11-27",
            "10:00 AM",
            "d",
            Some(("date", "Fridays", "NO_SITTING")),
        ),
        (
            "2026-11-26",
            "10:00 AM",
            "d",
            Some(("date", "on leave", "DOCTOR_AWAY")),
        ),
    ] {
        let request = changed(|body| {
            body.date = date.to_owned();
            body.time = time.to_owned();
            body.doctor_id = doctor.to_owned();
            body.department = "ENT".to_owned();
            body.notes.clear();
        });
        let parsed = NewAppointment::parse(&request, &roster, now());
        match refused {
            None => assert!(parsed.is_ok(), "{date} {time} {doctor}: {parsed:?}"),
            Some((field, words, reason)) => {
                let violations = parsed.expect_err("refused").violations;
                assert_eq!(violations.len(), 1);
                // W15: programs use the reason.
                let found = (violations[0].field.as_str(), violations[0].reason);
                assert_eq!(found, (field, reason));
                assert!(violations[0].description.contains(words), "{violations:?}");
            }
        }
    }
}

#[test]
fn departments_and_doctors_must_match() {
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
