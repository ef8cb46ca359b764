use chrono::NaiveTime;

use super::*;

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn day(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

fn slot(time: &str) -> SlotTime {
    SlotTime::parse(time).expect("a time")
}

/// Iterates over the days from Monday to Sunday.
fn week() -> impl Iterator<Item = NaiveDate> {
    day("2026-11-23").iter_days().take(7)
}

#[test]
fn the_embedded_file_has_the_departments_of_the_specification() {
    let roster = Seed::embedded().roster();
    let names: Vec<&str> = roster
        .departments
        .iter()
        .map(|found| found.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "General Medicine",
            "Cardiology",
            "Orthopedics",
            "Gynecology",
            "Pediatrics",
            "Dermatology",
            "ENT",
            "Ophthalmology",
            "Neurology",
            "Urology",
            "Psychiatry",
            "Emergency",
        ]
    );
    for department in roster.departments.iter() {
        assert_eq!(department.bookable, department.id != "emergency");
        let sessions = roster
            .sessions
            .iter()
            .filter(|session| session.department_id == department.id);
        assert_eq!(
            sessions.count() == 0,
            !department.bookable,
            "{}",
            department.id
        );
    }
    for clinic in ["pediatrics", "dermatology", "ent", "urology"] {
        let mut sessions = roster.sessions.iter();
        let has_clinic =
            sessions.any(|found| found.department_id == clinic && found.doctor_id.is_none());
        assert!(has_clinic, "{clinic} has no doctor of its own");
    }
}

#[test]
fn the_embedded_file_has_sixteen_doctors() {
    let roster = Seed::embedded().roster();
    let doctors: Vec<String> = roster
        .doctors()
        .map(|doctor| doctor.id.to_owned())
        .collect();
    let expected: Vec<String> = (1..=16).map(|number| format!("doc-{number:02}")).collect();
    assert_eq!(doctors, expected);
}

/// Checks every department at every slot of a week. A resource is on duty exactly if it is not on leave and has a
/// session that day which covers the whole slot.
#[test]
fn exactly_the_working_resources_are_on_duty() {
    let roster = Seed::embedded().roster();
    let mut seats = 0;
    for (date, department) in
        week().flat_map(|date| roster.departments.iter().map(move |found| (date, found)))
    {
        for slot in SlotTime::all() {
            let duties = roster.on_duty(&department.id, date, slot);
            let from = slot.time();
            let until = from + TimeDelta::minutes(30);
            let midnight = NaiveTime::MIN;
            let works = |session: &&Session| {
                let minutes = |minutes: u16| midnight + TimeDelta::minutes(minutes.into());
                session.department_id == department.id
                    && session.weekdays.iter().any(|day| day == date.weekday())
                    && minutes(session.from_minutes) <= from
                    && until <= minutes(session.until_minutes)
                    && session.doctor_id.as_deref() != Some("doc-16")
            };
            let expected: u32 = roster
                .sessions
                .iter()
                .filter(works)
                .map(|session| session.seats)
                .sum();
            let found: u32 = duties.iter().map(|duty| duty.seats).sum();
            assert_eq!(found, expected, "{} {date} {}", department.id, slot.label());
            seats += found;
            let is_clinic = |duty: &OnDuty| duty.resource.clinic_id().is_some();
            assert!(
                duties.is_sorted_by_key(|duty| !is_clinic(duty)),
                "clinics come first"
            );
        }
    }
    assert!(seats > 1000, "{seats} seats of a week");
}

#[test]
fn cardiology_has_no_evening_seats() {
    let roster = Seed::embedded().roster();
    for date in week() {
        assert_eq!(roster.on_duty("cardiology", date, slot("6:30 PM")), []);
        assert_eq!(roster.on_duty("emergency", date, slot("9:00 AM")), []);
    }
    assert_eq!(
        roster
            .on_duty("cardiology", day("2026-11-23"), slot("9:00 AM"))
            .len(),
        1
    );
}

const SMALL: &str = r#"
holidays = [{ date = "2026-11-25", name = "Founders' Day" }]
[[departments]]
id = "ent"
name = "ENT"
[[departments]]
id = "urology"
name = "Urology"
[[doctors]]
id = "d"
name = "Dr. D. Desai"
fee_rupees = 700
place = "First floor"
[[doctors]]
id = "guest"
name = "Dr. G. Guest"
fee_rupees = 900
place = "Second floor"
[[sessions]]
id = "morning"
department = "ent"
doctor = "d"
weekdays = ["Mon", "Tue", "Wed"]
from = "9:00 AM"
until = "10:30 AM"
[[sessions]]
id = "also"
department = "ent"
doctor = "d"
weekdays = ["Mon"]
from = "10:00 AM"
until = "11:15 AM"
seats = 3
[[sessions]]
id = "guest"
department = "ent"
doctor = "guest"
weekdays = ["Thu"]
from = "9:00 AM"
until = "10:00 AM"
by_name_only = true
[[sessions]]
id = "elsewhere"
department = "urology"
doctor = "d"
weekdays = ["Sat"]
from = "9:00 AM"
until = "7:00 PM"
valid_from = "2026-12-05"
valid_until = "2026-12-12"
[[leaves]]
resource = "doctor:d"
from = "2026-11-24"
until = "2026-11-24"
"#;

fn small() -> Roster {
    Seed::parse("small.toml", SMALL).expect("valid").roster()
}

fn seats(roster: &Roster, department: &str, date: &str, time: &str) -> u32 {
    let duties = roster.on_duty(department, day(date), slot(time));
    duties.iter().map(|duty| duty.seats).sum()
}

/// U2: each bookable department lists attendants with fee and place; others list none.
#[test]
fn every_bookable_department_has_an_attendant() {
    let roster = Seed::embedded().roster();
    for department in roster.departments.iter() {
        let listed = roster.attendants(department, now());
        assert_eq!(listed.is_empty(), !department.bookable, "{}", department.id);
        for one in &listed {
            let attendant = &one.attendant;
            assert!(
                (400..=1200).contains(&attendant.fee_rupees),
                "{attendant:?}"
            );
            assert!(!attendant.name.is_empty() && !attendant.place.is_empty());
            assert!(!one.sittings.is_empty());
            let same = roster.attendant(&attendant.resource, &department.id);
            assert_eq!(same.as_ref(), Some(attendant));
        }
        let is_doctor = |one: &ListedAttendant| one.attendant.resource.doctor_id().is_some();
        assert!(listed.is_sorted_by_key(is_doctor), "clinics come first");
    }
}

#[test]
fn attendants_work_on_a_bookable_day() {
    let roster = small();
    let of = |department: &str, now: &str| {
        let department = roster.department(department).expect("a department");
        roster.attendants(department, now.parse().expect("a moment"))
    };
    let ent = of("ent", "2026-11-21T09:30:00Z");
    let names: Vec<&str> = ent.iter().map(|one| one.attendant.name.as_str()).collect();
    assert_eq!(names, ["Dr. D. Desai", "Dr. G. Guest"]);
    let hours: Vec<(u16, u16)> = ent[0]
        .sittings
        .iter()
        .map(|sitting| (sitting.from_minutes, sitting.until_minutes))
        .collect();
    assert_eq!(hours, [(540, 630), (600, 675)]);
    assert_eq!((ent[0].by_name_only, ent[1].by_name_only), (false, true));
    assert_eq!(of("urology", "2026-11-21T09:30:00Z").len(), 1);
    assert_eq!(of("urology", "2026-12-13T09:30:00Z"), []);
    let rao = Seed::embedded().roster();
    let cardiology = rao.department("cardiology").expect("a department");
    let listed = rao.attendants(cardiology, now());
    let mut resources = listed.iter().map(|one| one.attendant.resource.as_str());
    assert!(
        resources.all(|resource| resource != "doctor:doc-16"),
        "away"
    );
}

#[test]
fn an_attendant_without_an_entry_has_the_departments_name() {
    let mut roster = small();
    roster.doctor_entries = Arc::default();
    roster.sessions.retain(|session| session.id != "morning");
    let name = |resource: Resource| {
        let attendant = roster.attendant(&resource, "ent");
        attendant.map(|attendant| (attendant.name, attendant.fee_rupees))
    };
    let named = |name: &str| Some((name.to_owned(), 0));
    assert_eq!(name(Resource::doctor("d")), named("ENT doctor"));
    assert_eq!(name(Resource::clinic("gone")), named("ENT clinic"));
    assert_eq!(name(Resource::department("ent")), None);
}

#[test]
fn a_fee_has_indian_digit_grouping() {
    let label = |fee_rupees| {
        let attendant = Attendant {
            resource: Resource::doctor("d"),
            name: String::new(),
            fee_rupees,
            place: String::new(),
        };
        attendant.fee_label().unwrap_or_default()
    };
    let labels = [0, 400, 1_200, 12_050, 100_000].map(label);
    assert_eq!(labels, ["", "₹400", "₹1,200", "₹12,050", "₹1,00,000"]);
}

#[test]
fn session_ends_leave_and_holidays_are_respected() {
    let roster = small();
    for (department, date, time, expected) in [
        ("ent", "2026-11-23", "9:30 AM", 1),
        // Two simultaneous sessions of one doctor count as one, with the larger number of seats.
        ("ent", "2026-11-23", "10:00 AM", 3),
        ("ent", "2026-11-23", "10:30 AM", 3),
        // The session ends within the slot.
        ("ent", "2026-11-23", "11:00 AM", 0),
        ("ent", "2026-11-24", "9:00 AM", 0),
        ("ent", "2026-11-25", "9:00 AM", 0),
        ("ent", "2026-12-01", "9:00 AM", 1),
        ("urology", "2026-11-28", "9:00 AM", 0),
        ("urology", "2026-12-05", "9:00 AM", 1),
        ("urology", "2026-12-12", "6:30 PM", 1),
        ("urology", "2026-12-19", "9:00 AM", 0),
    ] {
        assert_eq!(
            seats(&roster, department, date, time),
            expected,
            "{department} {date} {time}"
        );
    }
}

/// W15: pages get a code in addition to the text.
#[test]
fn a_day_without_resources_is_closed_with_a_reason() {
    let roster = small();
    let ent = roster.department("ent").expect("a department");
    let closed = |date: &str, doctor: Option<&str>| {
        let doctor = doctor.map(|id| Doctor {
            id,
            department_id: "ent",
        });
        roster.closed(day(date), Some(ent), doctor, now())
    };
    let holiday = || Closed::Holiday("Founders' Day".to_owned());
    let nobody = || Closed::NobodyOnDuty {
        department: "ENT".to_owned(),
    };
    let last = day("2027-01-20");
    for (date, doctor, expected, words) in [
        ("2026-11-20", None, Closed::Past, "This day has passed"),
        (
            "2027-01-21",
            None,
            Closed::TooFar { last },
            "up to 20 January 2027",
        ),
        ("2026-11-22", None, Closed::Sunday, "Closed on Sundays"),
        ("2026-11-25", None, holiday(), "Closed for Founders' Day"),
        ("2026-11-24", None, nobody(), "No one sees patients in ENT"),
        // A doctor who must be requested by name does not open the department.
        ("2026-11-26", None, nobody(), "No one sees patients in ENT"),
        (
            "2026-11-24",
            Some("d"),
            Closed::DoctorAway,
            "This doctor is on leave",
        ),
        (
            "2026-11-26",
            Some("d"),
            Closed::NoSitting(Weekday::Thu),
            "does not see patients on Thursdays",
        ),
        ("2026-11-25", Some("d"), holiday(), "Closed for Founders"),
    ] {
        let found = closed(date, doctor).expect(words);
        assert!(found.to_string().contains(words), "{date}: {found}");
        assert_eq!(found, expected, "{date} {doctor:?}");
    }
    assert_eq!(closed("2026-11-23", None), None);
    assert_eq!(closed("2026-11-26", Some("guest")), None);
}

#[test]
fn an_appointment_is_covered_while_its_resource_is_on_duty() {
    let roster = small();
    let covers = |resource: Resource, date: &str, time: &str| {
        roster.covers("ent", &resource, slot(time).on(day(date)))
    };
    assert!(covers(Resource::doctor("d"), "2026-11-23", "9:00 AM"));
    assert!(!covers(Resource::doctor("guest"), "2026-11-23", "9:00 AM"));
    assert!(!covers(Resource::doctor("d"), "2026-11-24", "9:00 AM"));
    // Seats of the whole department are covered while any resource works.
    assert!(covers(Resource::department("ent"), "2026-11-26", "9:00 AM"));
    assert!(!covers(
        Resource::department("ent"),
        "2026-11-24",
        "9:00 AM"
    ));
    let odd = slot("9:00 AM").on(day("2026-11-23")) + TimeDelta::minutes(10);
    assert!(!roster.covers("ent", &Resource::doctor("d"), odd));
}

#[test]
fn a_doctor_of_two_departments_is_found_in_each() {
    let roster = small();
    let of = |id: &str, department: Option<&str>| {
        let found = roster.doctor_of(id, department);
        found.map(|doctor| doctor.map(|doctor| doctor.department_id.to_owned()))
    };
    assert_eq!(of("d", Some("ent")), Ok(Some("ent".to_owned())));
    assert_eq!(of("d", Some("urology")), Ok(Some("urology".to_owned())));
    assert_eq!(of(" d ", None), Ok(Some("ent".to_owned())));
    assert_eq!(of("", Some("ent")), Ok(None));
    assert!(
        of("guest", Some("urology")).is_err_and(|refused| refused.reason == "OTHER_DEPARTMENT")
    );
    assert!(of("nobody", None).is_err());
    let departments: Vec<&str> = roster
        .departments_of(&Resource::doctor("d"))
        .map(|department| department.id.as_str())
        .collect();
    assert_eq!(departments, ["ent", "urology"]);
}

#[test]
fn departments_are_found_by_id_and_by_label() {
    let roster = Seed::embedded().roster();
    for name in ["general-medicine", "General Medicine", " general medicine "] {
        let found = roster.department(name).map(|found| found.id.as_str());
        assert_eq!(found, Some("general-medicine"));
    }
    assert!(roster.department("Astrology").is_none());
    assert!(roster.department("").is_none());
}

#[test]
fn the_end_of_the_holiday_list_is_reported_a_year_ahead() {
    let text = "departments = []\n[[holidays]]\ndate = \"2028-10-02\"\nname = \"Gandhi Jayanti\"\n";
    let roster = Seed::parse("r.toml", text).expect("valid").roster();
    let ending = |at: &str| roster.ending_holidays(at.parse().expect("a moment"));
    assert_eq!(ending("2027-10-01T00:00:00Z"), None);
    assert!(ending("2027-10-04T00:00:00Z").is_some());
    let embedded = Seed::embedded().roster();
    let soon = "2030-01-01T00:00:00Z".parse().expect("a moment");
    assert_eq!(
        embedded.ending_holidays(soon),
        None,
        "the own list is long enough"
    );
}

#[test]
fn weekdays_match_their_bits() {
    for bits in [0, -1, 64, 127, i64::MAX] {
        assert_eq!(Weekdays::of_bits(bits), None, "{bits}");
    }
    let days = Weekdays::of_bits(0b10_0001).expect("two days");
    assert_eq!(
        days.iter().collect::<Vec<_>>(),
        [Weekday::Mon, Weekday::Sat]
    );
    assert_eq!(days.bits(), 0b10_0001);
    assert!(!days.contains(Weekday::Sun));
    assert_eq!(days.with(Weekday::Sun), None);
}
