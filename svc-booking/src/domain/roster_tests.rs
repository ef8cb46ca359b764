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

/// Monday to Sunday.
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

/// Every department at every slot of a week: whoever is on duty has a session that day which covers the slot whole, is not away, and
/// everybody of whom that is true is on duty.
#[test]
fn whoever_works_is_on_duty_and_nobody_else() {
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
fn nobody_is_promised_a_seat_of_cardiology_in_the_evening() {
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

#[test]
fn sessions_end_leave_and_holidays_are_kept() {
    let roster = small();
    for (department, date, time, expected) in [
        ("ent", "2026-11-23", "9:30 AM", 1),
        // Two sessions of one doctor at one time are one doctor, with the larger of the two.
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

#[test]
fn a_day_without_anybody_is_closed_and_says_why() {
    let roster = small();
    let ent = roster.department("ent").expect("a department");
    let reason = |date: &str, doctor: Option<&str>| {
        let doctor = doctor.map(|id| Doctor {
            id,
            department_id: "ent",
        });
        roster
            .closed_reason(day(date), Some(ent), doctor, now())
            .unwrap_or_default()
    };
    for (date, doctor, words) in [
        ("2026-11-20", None, "This day is past"),
        ("2027-01-21", None, "up to 20 January 2027"),
        ("2026-11-22", None, "Closed on Sundays"),
        ("2026-11-25", None, "Closed for Founders' Day"),
        (
            "2026-11-24",
            None,
            "Nobody sees patients in ENT on this day",
        ),
        // Whoever must be asked for is nobody for those who do not.
        (
            "2026-11-26",
            None,
            "Nobody sees patients in ENT on this day",
        ),
        ("2026-11-24", Some("d"), "This doctor is on leave"),
        (
            "2026-11-26",
            Some("d"),
            "does not see patients on Thursdays",
        ),
        ("2026-11-25", Some("d"), "Closed for Founders' Day"),
    ] {
        let reason = reason(date, doctor);
        assert!(reason.contains(words), "{date} {doctor:?}: {reason}");
    }
    assert_eq!(reason("2026-11-23", None), "");
    assert_eq!(reason("2026-11-26", Some("guest")), "");
}

#[test]
fn who_is_booked_is_covered_where_somebody_works() {
    let roster = small();
    let covers = |resource: Resource, date: &str, time: &str| {
        roster.covers("ent", &resource, slot(time).on(day(date)))
    };
    assert!(covers(Resource::doctor("d"), "2026-11-23", "9:00 AM"));
    assert!(!covers(Resource::doctor("guest"), "2026-11-23", "9:00 AM"));
    assert!(!covers(Resource::doctor("d"), "2026-11-24", "9:00 AM"));
    // What was sold of the whole department is covered while anybody works.
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
    assert!(of("guest", Some("urology")).is_err_and(|words| words.contains("another department")));
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
fn a_list_of_holidays_that_ends_is_reported_a_year_before() {
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
fn weekdays_are_those_of_the_bits() {
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

#[test]
fn a_bad_file_names_file_line_and_field() {
    let good = "[[departments]]\nid = \"ent\"\nname = \"ENT\"\n";
    let session = "[[sessions]]\nid = \"s\"\ndepartment = \"ent\"\ndoctor = \"d\"\nweekdays = [\"Mon\"]\n\
                   from = \"9:00 AM\"\nuntil = \"1:00 PM\"\nseats = 2\n";
    let leave =
        "[[leaves]]\nresource = \"doctor:d\"\nfrom = \"2026-12-01\"\nuntil = \"2026-12-02\"\n";
    let fine = format!("{good}{session}{leave}");
    Seed::parse("r.toml", &fine).expect("the file to spoil is fine");
    for (from, to, expected) in [
        (
            "= 2",
            "= 0",
            "r.toml:11: sessions[0].seats: 1 to 100 is expected",
        ),
        (
            "= 2",
            "= \"two\"",
            "r.toml:11: sessions[0].seats: invalid type",
        ),
        ("= 2", "= ", "r.toml:11: (file): "),
        (
            "name = \"ENT\"",
            "name = \"Ear\"",
            "r.toml:2: departments[0].id: the id of 'Ear' is 'ear'",
        ),
        (
            "name = \"ENT\"",
            "label = \"ENT\"",
            "r.toml:3: departments[0].label: unknown field",
        ),
        (
            "name = \"ENT\"",
            "name = \"ENT\"\nbookable = false",
            "r.toml:7: sessions[0].department: 'ent' is no bookable",
        ),
        (
            "department = \"ent\"",
            "department = \"eye\"",
            "r.toml:6: sessions[0].department: 'eye' is no",
        ),
        (
            "doctor = \"d\"\n",
            "",
            "r.toml:5: sessions[0].name: a session without a doctor",
        ),
        ("id = \"s\"", "id = \"a,b\"", "r.toml:5: sessions[0].id: "),
        (
            "\"Mon\"",
            "\"Moonday\"",
            "r.toml:8: sessions[0].weekdays: short or long weekday names",
        ),
        (
            "\"Mon\"",
            "\"Sun\"",
            "r.toml:8: sessions[0].weekdays: at least one day",
        ),
        (
            "[\"Mon\"]",
            "[]",
            "r.toml:8: sessions[0].weekdays: at least one day",
        ),
        (
            "\"9:00 AM\"",
            "\"nine\"",
            "r.toml:9: sessions[0].from: a time such as",
        ),
        (
            "\"1:00 PM\"",
            "\"8:00 AM\"",
            "r.toml:5: sessions[0].until: must be later",
        ),
        (
            "\"doctor:d\"",
            "\"doctor:e\"",
            "r.toml:13: leaves[0].resource: no session",
        ),
        (
            "2026-12-02",
            "2026-11-30",
            "r.toml:13: leaves[0].until: is before",
        ),
    ] {
        let text = fine.replacen(from, to, 1);
        let message = Seed::parse("r.toml", &text)
            .expect_err(expected)
            .to_string();
        assert!(
            message.starts_with(expected),
            "{message:?} should start with {expected:?}"
        );
    }
}
