use super::*;
use crate::domain::{roster::Seed, status::Status};

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn day(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

fn roster() -> Roster {
    Seed::embedded().roster()
}

fn session() -> SessionForm {
    SessionForm {
        department: "Urology".to_owned(),
        name: "Evening clinic".to_owned(),
        weekdays: vec!["Mon".to_owned(), "saturday".to_owned()],
        from: "9:30 AM".to_owned(),
        until: "13:00".to_owned(),
        valid_from: "2026-12-01".to_owned(),
        valid_until: "2026-12-01".to_owned(),
        ..SessionForm::default()
    }
}

fn fields(violations: Vec<Violation>) -> Vec<String> {
    violations.into_iter().map(|found| found.field).collect()
}

fn refused(change: impl FnOnce(&mut SessionForm)) -> Vec<String> {
    let mut form = session();
    change(&mut form);
    fields(form.parse(&roster()).expect_err("refused"))
}

#[test]
fn a_session_is_parsed() {
    let read = session().parse(&roster()).expect("valid");
    assert_eq!(
        (read.department_id.as_str(), read.doctor_id),
        ("urology", None)
    );
    assert_eq!(
        read.weekdays.iter().collect::<Vec<_>>(),
        [Weekday::Mon, Weekday::Sat]
    );
    assert_eq!(
        (read.from_minutes, read.until_minutes, read.seats),
        (570, 780, 1)
    );
    assert_eq!(
        (read.valid_from, read.valid_until),
        (Some(day("2026-12-01")), Some(day("2026-12-01")))
    );
    let of_doctor = SessionForm {
        doctor_id: " doc-07 ".to_owned(),
        name: String::new(),
        seats: 100,
        by_name_only: true,
        valid_from: String::new(),
        ..session()
    };
    let read = of_doctor.parse(&roster()).expect("a doctor needs no name");
    assert_eq!(
        (read.doctor_id.as_deref(), read.seats, read.by_name_only),
        (Some("doc-07"), 100, true)
    );
    assert_eq!(read.valid_from, None);
}

/// U2: a clinic has its own fee and place; a doctor's come from the configuration.
#[test]
fn a_clinic_keeps_its_fee_and_place_unless_new_ones_are_given() {
    let with = |fee_rupees: i32, place: &str, doctor_id: &str| {
        let form = SessionForm {
            fee_rupees,
            place: place.to_owned(),
            doctor_id: doctor_id.to_owned(),
            ..session()
        };
        form.parse(&roster()).expect("valid")
    };
    let clinic = with(450, " Second floor ", "");
    let known = |session: &Session| (session.fee_rupees, session.place.clone());
    assert_eq!(known(&clinic), (450, "Second floor".to_owned()));
    assert_eq!(
        known(&with(0, "", "").or_as_in(&clinic)),
        (450, "Second floor".to_owned())
    );
    assert_eq!(
        known(&with(500, "First floor", "").or_as_in(&clinic)),
        (500, "First floor".to_owned())
    );
    let of_doctor = with(450, "Second floor", "doc-07").or_as_in(&clinic);
    assert_eq!(known(&of_doctor), (0, String::new()));
}

#[test]
fn a_doctor_without_an_entry_is_named_by_a_session() {
    let mut roster = roster();
    let form = SessionForm {
        department: "ent".to_owned(),
        doctor_id: "doc-17".to_owned(),
        weekdays: vec!["Mon".to_owned()],
        from: "9:00 AM".to_owned(),
        until: "1:00 PM".to_owned(),
        fee_rupees: 700,
        place: "First floor".to_owned(),
        ..SessionForm::default()
    };
    let refused = form.parse(&roster).expect_err("nobody knows the name");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].field, "name");
    let named = SessionForm {
        name: "Dr. Asha Rao".to_owned(),
        ..form.clone()
    };
    roster
        .sessions
        .push(named.parse(&roster).expect("a session"));
    let attendant = roster.attendant(&Resource::doctor("doc-17"), "ent");
    let attendant = attendant.expect("an attendant");
    let shown = (
        attendant.name.as_str(),
        attendant.fee_rupees,
        attendant.place.as_str(),
    );
    assert_eq!(shown, ("Dr. Asha Rao", 700, "First floor"));
    // Further sessions need no name, and a change without fee keeps it.
    let second = form.parse(&roster).expect("a session");
    let change = SessionForm {
        fee_rupees: 0,
        place: String::new(),
        ..form
    };
    let changed = change.parse(&roster).expect("a session").or_as_in(&second);
    assert_eq!(
        (changed.fee_rupees, changed.place.as_str()),
        (700, "First floor")
    );
}

#[test]
fn an_invalid_session_is_refused_by_field() {
    let all = SessionForm::default()
        .parse(&roster())
        .expect_err("refused");
    assert_eq!(
        fields(all),
        ["department", "name", "weekdays", "from", "until"]
    );
    assert_eq!(
        refused(|form| form.department = "Emergency".into()),
        ["department"]
    );
    assert_eq!(refused(|form| form.name = String::new()), ["name"]);
    assert_eq!(refused(|form| form.name = "x".repeat(121)), ["name"]);
    for id in ["a,b", "doctor:x", "ಕ", &"x".repeat(65)] {
        assert_eq!(
            refused(|form| form.doctor_id = id.to_owned()),
            ["doctorId"],
            "{id}"
        );
    }
    for days in [vec!["Sun"], vec!["Mon", "Sun"], vec!["Moonday"], vec![]] {
        let days = days.into_iter().map(str::to_owned).collect();
        assert_eq!(refused(|form| form.weekdays = days), ["weekdays"]);
    }
    for from in ["9:15 AM", "25:00", ""] {
        assert_eq!(
            refused(|form| form.from = from.to_owned()),
            ["from"],
            "{from}"
        );
    }
    for until in ["9:30 AM", "9:00 AM", "1:10 PM"] {
        assert_eq!(
            refused(|form| form.until = until.to_owned()),
            ["until"],
            "{until}"
        );
    }
    for seats in [-1, 101] {
        assert_eq!(refused(|form| form.seats = seats), ["seats"]);
    }
    for fee in [-1, 100_001] {
        assert_eq!(refused(|form| form.fee_rupees = fee), ["feeRupees"]);
    }
    assert_eq!(refused(|form| form.place = "x".repeat(121)), ["place"]);
    assert_eq!(
        refused(|form| form.valid_until = "2026-11-30".into()),
        ["validUntil"]
    );
    assert_eq!(
        refused(|form| form.valid_from = "soon".into()),
        ["validFrom"]
    );
}

#[test]
fn leave_needs_a_known_resource_and_an_end() {
    let form = |resource: &str, from: &str, until: &str| LeaveForm {
        resource: resource.to_owned(),
        from: from.to_owned(),
        until: until.to_owned(),
        reason: String::new(),
    };
    let read = form(" clinic:urology-opd ", "2026-11-24", "2026-11-24").parse(&roster());
    assert_eq!(
        read.expect("valid").resource,
        Resource::clinic("urology-opd")
    );
    for (resource, from, until, field) in [
        ("doctor:doc-99", "2026-11-24", "2026-11-24", "resource"),
        ("department:urology", "2026-11-24", "2026-11-24", "resource"),
        ("doctor:doc-06", "tomorrow", "2026-11-24", "from"),
        ("doctor:doc-06", "2026-11-24", "2026-11-23", "until"),
        ("doctor:doc-06", "2026-11-24", "2029-08-21", "until"),
    ] {
        let violations = form(resource, from, until)
            .parse(&roster())
            .expect_err("refused");
        assert_eq!(fields(violations), [field], "{resource} {from} {until}");
    }
    assert!(
        form("doctor:doc-06", "2026-11-24", "2029-08-20")
            .parse(&roster())
            .is_ok()
    );
}

#[test]
fn a_holiday_has_a_day_and_a_name() {
    let read = parse_holiday("2026-12-25", " Christmas ").expect("valid");
    assert_eq!(read, (day("2026-12-25"), "Christmas".to_owned()));
    assert_eq!(
        fields(parse_holiday("", "").expect_err("refused")),
        ["date", "name"]
    );
    assert_eq!(
        fields(parse_holiday("2026-12-25", &"x".repeat(81)).expect_err("refused")),
        ["name"]
    );
}

/// Returns a booked appointment with Pediatrics' clinic, which has two seats, on Monday at 9:00 AM.
fn booked(number: u128, resource: Option<Resource>) -> Appointment {
    let minutes = i64::try_from(number).expect("a few");
    Appointment {
        id: Uuid::from_u128(number),
        reference: String::new(),
        department_id: "pediatrics".to_owned(),
        doctor_id: None,
        starts_at: "2026-11-23T03:30:00Z".parse().expect("a moment"),
        status: Status::Booked,
        version: 1,
        secret_generation: 1,
        create_time: now() + chrono::TimeDelta::minutes(minutes),
        update_time: now(),
        resource,
        proof: crate::domain::proof::Proof::Unproven,
        contact: None,
        desk_note: crate::domain::contact::DeskNote::default(),
        consultation_time: None,
        language: None,
    }
}

fn uncovered_ids(booked: impl IntoIterator<Item = Appointment>, roster: &Roster) -> Vec<u128> {
    let booked = booked
        .into_iter()
        .map(|booked| Booked::from(&booked))
        .collect();
    let found = uncovered(booked, roster).into_iter();
    found.map(|appointment| appointment.id.as_u128()).collect()
}

#[test]
fn the_last_booking_is_uncovered_first() {
    let clinic = || Some(Resource::clinic("pediatrics-opd"));
    let all = |count: u128| {
        let numbers = (1..=count).rev();
        numbers.map(|number| booked(number, clinic()))
    };
    assert_eq!(uncovered_ids(all(2), &roster()), [0_u128; 0]);
    assert_eq!(uncovered_ids(all(4), &roster()), [3, 4]);
    let mut away = roster();
    away.leaves.push(Leave {
        id: Uuid::nil(),
        resource: Resource::clinic("pediatrics-opd"),
        from: day("2026-11-23"),
        until: day("2026-11-23"),
        reason: String::new(),
    });
    assert_eq!(uncovered_ids(all(2), &away), [1, 2]);
    let mut later = booked(1, clinic());
    later.starts_at += chrono::TimeDelta::days(1);
    assert_eq!(uncovered_ids(vec![later], &away), [0_u128; 0]);
    // One without a seat, and one that starts at none of the 18 times.
    assert_eq!(uncovered_ids(vec![booked(1, None)], &roster()), [1]);
    let mut odd = booked(1, clinic());
    odd.starts_at += chrono::TimeDelta::minutes(10);
    assert_eq!(uncovered_ids(vec![odd], &roster()), [1]);
    // Seats of the whole department are covered by all of its working resources.
    let legacy = |number| booked(number, Some(Resource::department("pediatrics")));
    assert_eq!(
        uncovered_ids(vec![legacy(1), legacy(2), legacy(3)], &roster()),
        [3]
    );
}

#[test]
fn an_edit_examines_the_appointments_that_it_may_uncover() {
    let max = start_of(day("2027-01-21"));
    let reach = |edit: &Edit| edit.reach(&roster(), now(), max);
    let leave = |from: &str, until: &str| {
        Edit::CreateLeave(Leave {
            id: Uuid::nil(),
            resource: Resource::doctor("doc-06"),
            from: day(from),
            until: day(until),
            reason: String::new(),
        })
    };
    let doctor = vec![Resource::doctor("doc-06")];
    let (from, until) = (start_of(day("2026-12-01")), start_of(day("2026-12-03")));
    assert_eq!(
        reach(&leave("2026-12-01", "2026-12-02")),
        Some((doctor.clone(), from, until))
    );
    assert_eq!(
        reach(&leave("2026-11-01", "2027-12-02")),
        Some((doctor, now(), max))
    );
    let (all, from, until) = reach(&Edit::WriteHoliday(
        day("2026-12-25"),
        "Christmas".to_owned(),
    ))
    .expect("all");
    assert_eq!(
        (from, until),
        (start_of(day("2026-12-25")), start_of(day("2026-12-26")))
    );
    for resource in [
        Resource::doctor("doc-16"),
        Resource::clinic("ent-opd"),
        Resource::department("ent"),
    ] {
        assert!(all.contains(&resource), "{resource}");
    }
    let delete = |id: &str| Edit::DeleteSession {
        id: id.to_owned(),
        version: 1,
    };
    let clinic = vec![Resource::clinic("ent-opd")];
    assert_eq!(reach(&delete("ent-opd")), Some((clinic, now(), max)));
    assert_eq!(reach(&delete("unknown")), None);
    assert_eq!(reach(&Edit::DeleteLeave(Uuid::nil())), None);
    assert_eq!(reach(&Edit::DeleteHoliday(day("2026-12-25"))), None);
}
