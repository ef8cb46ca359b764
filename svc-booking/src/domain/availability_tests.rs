use super::*;
use crate::domain::{calendar::leaves_notice, roster::Seed};

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn day(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

fn request(department: &str, doctor: &str, from: &str, to: &str) -> AvailabilityRequest {
    AvailabilityRequest {
        department: department.to_owned(),
        doctor: doctor.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
    }
}

fn days(department: &str, doctor: &str, from: &str, to: &str, taken: &TakenSeats) -> Vec<Day> {
    let roster = Seed::embedded().roster();
    let request = request(department, doctor, from, to);
    let query = AvailabilityQuery::parse(&request, &roster, now()).expect("valid");
    query.days(taken, now())
}

fn free(day: &Day) -> Vec<String> {
    let slots = day.slots.iter().filter(|slot| slot.free.is_some());
    slots.map(|slot| slot.time.label()).collect()
}

fn fields(request: &AvailabilityRequest) -> Vec<String> {
    let roster = Seed::embedded().roster();
    let violations = AvailabilityQuery::parse(request, &roster, now()).expect_err("refused");
    violations.into_iter().map(|found| found.field).collect()
}

/// Checks every department and doctor over all bookable days: a time is free exactly where a suitable resource works.
/// The 18 times of a day are always listed.
#[test]
fn a_time_is_free_while_a_resource_is_on_duty() {
    let roster = Seed::embedded().roster();
    let span = Span::bookable(now());
    let bookable = || roster.departments.iter().filter(|found| found.bookable);
    let anybody = bookable().map(|department| (department, None));
    let doctors = roster.doctors().map(|doctor| {
        let department = roster
            .department(doctor.department_id)
            .expect("a department");
        (department, Some(doctor))
    });
    let mut found = 0;
    for (department, doctor) in anybody.chain(doctors) {
        let query = AvailabilityQuery::of(&roster, department, doctor, span);
        for day in query.days(&TakenSeats::default(), now()) {
            let labels: Vec<String> = day.slots.iter().map(|slot| slot.time.label()).collect();
            let all: Vec<String> = SlotTime::all().map(SlotTime::label).collect();
            assert_eq!(labels, all);
            let is_closed = roster.holidays.contains_key(&day.date);
            for slot in &day.slots {
                let duties = roster.on_duty(&department.id, day.date, slot.time);
                let will_do = duties.iter().any(|duty| match doctor {
                    Some(doctor) => duty.resource == Resource::doctor(doctor.id),
                    None => !duty.by_name_only,
                });
                let expected = will_do && !is_closed && leaves_notice(slot.starts_at, now());
                assert_eq!(
                    slot.free.is_some(),
                    expected,
                    "{} {:?} {}",
                    department.id,
                    doctor,
                    slot.starts_at
                );
                found += usize::from(slot.free.is_some());
            }
            assert_eq!(
                day.closed.is_none(),
                day.slots.iter().any(|slot| slot.free.is_some())
            );
        }
    }
    assert!(found > 10_000, "{found} times are free");
}

#[test]
fn cardiology_has_no_evening_times() {
    let monday = &days("Cardiology", "", "2026-11-23", "", &TakenSeats::default())[0];
    assert_eq!(monday.slots.len(), 18);
    let expected = [
        "9:00 AM", "9:30 AM", "10:00 AM", "10:30 AM", "11:00 AM", "11:30 AM", "12:00 PM",
        "12:30 PM",
    ];
    assert_eq!(free(monday), expected);
    // The surgeon has other times.
    let surgeon = &days(
        "Cardiology",
        "doc-11",
        "2026-11-23",
        "",
        &TakenSeats::default(),
    )[0];
    assert_eq!(
        free(surgeon),
        [
            "3:00 PM", "3:30 PM", "4:00 PM", "4:30 PM", "5:00 PM", "5:30 PM"
        ]
    );
}

#[test]
fn the_emergency_department_has_no_times() {
    let days = days(
        "Emergency",
        "",
        "2026-11-23",
        "2026-11-24",
        &TakenSeats::default(),
    );
    assert_eq!(days.len(), 2);
    for day in days {
        assert_eq!(
            (day.closed, day.slots.len()),
            (Some(Closed::CallInstead), 0)
        );
    }
}

/// U2: a free time includes the resource that a booking would get: the clinic first, then the doctor.
#[test]
fn a_free_time_names_its_attendant() {
    let at = SlotTime::parse("10:00 AM")
        .expect("a time")
        .on(day("2026-11-23"));
    let who = |doctor: &str, taken: &[(Resource, usize)]| {
        let rows = taken.iter();
        let taken = rows
            .map(|(resource, seats)| (resource.clone(), at, *seats))
            .collect();
        let mut days = days("Cardiology", doctor, "2026-11-23", "", &taken);
        let slots = days.remove(0).slots.into_iter();
        let mut at_ten = slots.filter(|slot| slot.starts_at == at);
        at_ten.next().expect("a slot").free
    };
    let (clinic, doctor) = (
        Resource::clinic("cardiology-opd"),
        Resource::doctor("doc-06"),
    );
    assert_eq!(who("", &[]), Some(clinic.clone()));
    assert_eq!(who("", &[(clinic.clone(), 2)]), Some(doctor.clone()));
    assert_eq!(who("doc-06", &[]), Some(doctor.clone()));
    assert_eq!(who("", &[(clinic, 2), (doctor, 1)]), None);
}

#[test]
fn a_time_is_taken_once_every_suitable_seat_is() {
    let at = SlotTime::parse("10:00 AM")
        .expect("a time")
        .on(day("2026-11-23"));
    let is_free = |doctor: &str, taken: &[(Resource, usize)]| {
        let taken = taken
            .iter()
            .map(|(resource, seats)| (resource.clone(), at, *seats))
            .collect();
        free(&days("Cardiology", doctor, "2026-11-23", "", &taken)[0])
            .contains(&"10:00 AM".to_owned())
    };
    let (clinic, doctor) = (
        Resource::clinic("cardiology-opd"),
        Resource::doctor("doc-06"),
    );
    assert!(is_free("", &[(clinic.clone(), 2)]), "the doctor is free");
    assert!(is_free("", &[(clinic.clone(), 1), (doctor.clone(), 1)]));
    assert!(!is_free("", &[(clinic.clone(), 2), (doctor.clone(), 1)]));
    assert!(!is_free("doc-06", &[(doctor.clone(), 1)]));
    assert!(is_free("doc-06", &[(clinic, 2)]));
    // Seats of the whole department, sold before rosters.
    let legacy = Resource::department("cardiology");
    assert!(is_free("doc-06", &[(legacy.clone(), 2)]));
    assert!(!is_free("doc-06", &[(legacy, 3)]));
}

#[test]
fn a_closed_day_names_its_reason() {
    let none = TakenSeats::default();
    let closed = |department: &str, date: &str, taken: &TakenSeats| {
        days(department, "", date, "", taken).remove(0).closed
    };
    assert_eq!(closed("Urology", "2026-11-24", &none), None);
    let nobody = Closed::NobodyOnDuty {
        department: "Urology".to_owned(),
    };
    assert_eq!(closed("Urology", "2026-11-23", &none), Some(nobody));
    assert_eq!(
        closed("Cardiology", "2026-11-21", &none),
        Some(Closed::Ended)
    );
    let all = SlotTime::all().map(|slot| {
        let resource = Resource::clinic("urology-opd");
        (resource, slot.on(day("2026-11-24")), 2)
    });
    assert_eq!(
        closed("Urology", "2026-11-24", &all.collect()),
        Some(Closed::Full)
    );
}

#[test]
fn the_next_hour_is_too_near() {
    let today = &days(
        "General Medicine",
        "",
        "2026-11-21",
        "",
        &TakenSeats::default(),
    )[0];
    assert_eq!(
        free(today),
        [
            "4:00 PM", "4:30 PM", "5:00 PM", "5:30 PM", "6:00 PM", "6:30 PM"
        ]
    );
}

#[test]
fn a_taken_time_has_its_three_nearest_alternatives() {
    let roster = Seed::embedded().roster();
    let nearest = |department: &str, doctor: &str, date: &str, time: &str, taken: &TakenSeats| {
        let known = roster.department(department).expect("a department");
        let doctor = roster.doctor_of(doctor, Some(&known.id)).expect("known");
        let query = AvailabilityQuery::around(&roster, known, doctor, day(date), now());
        let to = SlotTime::parse(time).expect("a time").on(day(date));
        let found = query.nearest(taken, to, now()).into_iter();
        found.map(|at| at.to_rfc3339()).collect::<Vec<_>>()
    };
    let none = TakenSeats::default();
    // Both earlier and later times; of two equally near ones, the earlier first.
    assert_eq!(
        nearest("General Medicine", "", "2026-11-23", "10:00 AM", &none),
        [
            "2026-11-23T04:00:00+00:00",
            "2026-11-23T05:00:00+00:00",
            "2026-11-23T03:30:00+00:00"
        ]
    );
    // On another day once the day is over: Urology works Tuesday, Thursday and Saturday.
    assert_eq!(
        nearest("Urology", "", "2026-11-24", "5:30 PM", &none)[0],
        "2026-11-24T11:30:00+00:00"
    );
    let full = SlotTime::all().map(|slot| {
        (
            Resource::clinic("urology-opd"),
            slot.on(day("2026-11-24")),
            2,
        )
    });
    assert_eq!(
        nearest("Urology", "", "2026-11-24", "3:00 PM", &full.collect()),
        [
            "2026-11-26T09:30:00+00:00",
            "2026-11-26T10:00:00+00:00",
            "2026-11-26T10:30:00+00:00"
        ]
    );
    // An absent doctor has no alternatives.
    assert_eq!(
        nearest("Cardiology", "doc-16", "2026-11-23", "10:00 AM", &none),
        Vec::<String>::new()
    );
}

#[test]
fn the_next_time_is_the_first_free_one() {
    let roster = Seed::embedded().roster();
    let urology = roster.department("urology").expect("a department");
    let query = AvailabilityQuery::of(&roster, urology, None, Span::bookable(now()));
    let first = query
        .first_free(&TakenSeats::default(), now())
        .expect("a time");
    // On Saturday at 3 PM, the clinic is open until six.
    assert_eq!(first.starts_at.to_rfc3339(), "2026-11-21T10:30:00+00:00");
    let sunday = Span {
        from: day("2026-11-22"),
        to: day("2026-11-23"),
    };
    let query = AvailabilityQuery::of(&roster, urology, None, sunday);
    assert_eq!(query.first_free(&TakenSeats::default(), now()), None);
}

#[test]
fn a_span_is_limited_and_inclusive() {
    let good = request("ENT", "", "2026-11-23", "2027-01-24");
    let roster = Seed::embedded().roster();
    let query = AvailabilityQuery::parse(&good, &roster, now()).expect("62 days after the first");
    assert_eq!(query.days(&TakenSeats::default(), now()).len(), 63);
    let default =
        AvailabilityQuery::parse(&request("ENT", "", "", ""), &roster, now()).expect("valid");
    assert_eq!(
        (default.span().from, default.span().to),
        (day("2026-11-21"), day("2026-11-21"))
    );
    assert_eq!(
        fields(&request("ENT", "", "2026-11-23", "2027-01-25")),
        ["to"]
    );
    assert_eq!(
        fields(&request("ENT", "", "2026-11-23", "2026-11-22")),
        ["to"]
    );
    assert_eq!(
        fields(&request("Astrology", "doc-99", "tomorrow", "later")),
        ["department", "doctor", "from", "to"]
    );
    assert_eq!(fields(&request("ENT", "doc-06", "", "")), ["doctor"]);
}

/// At 3:10 PM on a Saturday: online from 4:30 PM on, at the desk with the running time.
#[test]
fn the_desk_has_the_running_time_too() {
    let now: DateTime<Utc> = "2026-11-21T09:40:00Z".parse().expect("a moment");
    let roster = Seed::embedded().roster();
    let request = request("General Medicine", "", "2026-11-21", "");
    let first = |lead| {
        let query = AvailabilityQuery::parse(&request, &roster, now).expect("valid");
        let days = query.with_lead(lead).days(&TakenSeats::default(), now);
        free(&days[0]).first().cloned()
    };
    assert_eq!(first(Lead::Online).as_deref(), Some("4:30 PM"));
    assert_eq!(first(Lead::Desk).as_deref(), Some("3:00 PM"));
}
