use super::{ConsultationStatus as Status, update::parse_link, *};

pub(super) fn now() -> DateTime<Utc> {
    // Saturday, 21 November 2026, 3:00 PM IST.
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn form() -> ConsultationForm {
    ConsultationForm {
        patient_name: " Asha Rao ".to_owned(),
        email: "asha@example.com".to_owned(),
        phone: "+91 80 0000 0199".to_owned(),
        description: "ಜ್ವರ\r\ntwo days".to_owned(),
        date: "2026-11-23".to_owned(),
        department: String::new(),
        request_id: "0123456789abcdef".to_owned(),
    }
}

pub(super) fn roster() -> Roster {
    crate::domain::roster::Seed::embedded().roster()
}

pub(super) fn fields(violations: &[Violation]) -> Vec<&str> {
    violations
        .iter()
        .map(|found| found.field.as_str())
        .collect()
}

fn refused(change: impl FnOnce(&mut ConsultationForm)) -> Vec<String> {
    let mut form = form();
    change(&mut form);
    let violations = NewConsultation::parse(&form, &roster(), now()).expect_err("violations");
    fields(&violations).into_iter().map(str::to_owned).collect()
}

fn at(date: &str) -> NaiveDate {
    date.parse().expect("a date")
}

fn time(hour: u32, minute: u32) -> Option<NaiveTime> {
    NaiveTime::from_hms_opt(hour, minute, 0)
}

pub(super) fn consultation(status: Status) -> Consultation {
    let (_, new) = NewConsultation::parse(&form(), &roster(), now()).expect("valid");
    let allotted = status != Status::Requested;
    Consultation {
        id: Uuid::from_u128(1),
        reference: "VC-AAAA-AAAA".to_owned(),
        date: new.date,
        time: time(16, 30).filter(|_| allotted),
        status,
        version: 3,
        create_time: now(),
        update_time: now(),
        department_id: None,
        doctor: None,
        person: Person {
            link: allotted.then(|| "https://video.example/room".to_owned()),
            ..new.person
        },
        language: None,
    }
}

pub(super) fn update(change: impl FnOnce(&mut UpdateForm)) -> Update {
    let mut form = UpdateForm {
        etag: "3".to_owned(),
        ..UpdateForm::default()
    };
    change(&mut form);
    Update::parse(&form).expect("valid")
}

pub(super) fn scheduling() -> Update {
    update(|form| {
        form.time = "4:30 PM".to_owned();
        form.link = "https://video.example/room".to_owned();
        form.status = Some(Status::Scheduled);
    })
}

/// Decides with the embedded roster and no registration number of earlier.
pub(super) fn decided(
    before: &Consultation,
    update: &Update,
    now: DateTime<Utc>,
) -> Result<Option<Updated>, UpdateRefused> {
    decided_after(before, update, None, now)
}

pub(super) fn decided_after(
    before: &Consultation,
    update: &Update,
    registration: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Option<Updated>, UpdateRefused> {
    let doctors = Doctors {
        roster: &roster(),
        registration,
    };
    decide(before, update, doctors, now)
}

#[test]
fn valid_input_is_kept_as_typed() {
    let (_, new) = NewConsultation::parse(&form(), &roster(), now()).expect("valid");
    assert_eq!(new.date, at("2026-11-23"));
    assert_eq!(new.person.name, "Asha Rao");
    assert_eq!(new.person.description.as_deref(), Some("ಜ್ವರ\ntwo days"));
    assert_eq!(format!("{new:?}").matches("Asha").count(), 0);
    assert_eq!(format!("{:?}", form()), "ConsultationForm(withheld)");
}

#[test]
fn all_violations_are_reported_at_once() {
    let empty = NewConsultation::parse(&ConsultationForm::default(), &roster(), now());
    assert_eq!(
        fields(&empty.expect_err("violations")),
        ["patientName", "patientEmail", "date", "requestId"]
    );
    let all = refused(|form| {
        *form = ConsultationForm {
            patient_name: "12".to_owned(),
            email: "nobody".to_owned(),
            phone: "12".to_owned(),
            description: "x".repeat(2001),
            date: "23.11.2026".to_owned(),
            department: "astrology".to_owned(),
            request_id: "short".to_owned(),
        };
    });
    let expected = [
        "patientName",
        "patientEmail",
        "phone",
        "description",
        "department",
        "date",
        "requestId",
    ];
    assert_eq!(all, expected);
}

#[test]
fn email_or_phone_is_enough() {
    for clear in [
        (|form: &mut ConsultationForm| form.email.clear()) as fn(&mut ConsultationForm),
        |form| form.phone.clear(),
        |form| form.description.clear(),
    ] {
        let mut form = form();
        clear(&mut form);
        assert!(NewConsultation::parse(&form, &roster(), now()).is_ok());
    }
    // An invalid address without a number is a single violation.
    let wrong = refused(|form| {
        form.email = "nobody".to_owned();
        form.phone.clear();
    });
    assert_eq!(wrong, ["patientEmail"]);
}

#[test]
fn a_day_is_within_sixty_days_from_today() {
    for good in ["2026-11-21", "2026-11-22", "2027-01-20"] {
        let mut form = form();
        form.date = good.to_owned();
        assert!(
            NewConsultation::parse(&form, &roster(), now()).is_ok(),
            "{good}"
        );
    }
    for bad in ["2026-11-20", "2027-01-21", "2026-02-30", "tomorrow"] {
        assert_eq!(
            refused(|form| form.date = bad.to_owned()),
            ["date"],
            "{bad}"
        );
    }
}

#[test]
fn an_invalid_update_is_refused_by_field() {
    let parsed = scheduling();
    assert_eq!((parsed.time, parsed.version), (time(16, 30), Some(3)));
    let bad = UpdateForm {
        date: "soon".to_owned(),
        time: "4:15 PM".to_owned(),
        link: "http://video.example/room".to_owned(),
        ..UpdateForm::default()
    };
    let violations = Update::parse(&bad).expect_err("violations");
    assert_eq!(fields(&violations), ["date", "time", "link", "etag"]);
    for link in [
        "https://",
        "javascript:alert(1)",
        "https://user:pass@video.example/",
        "https://video.example/a b",
        "video.example",
    ] {
        assert!(parse_link(link).is_err(), "{link}");
    }
    let long = format!("https://video.example/{}", "x".repeat(480));
    assert!(parse_link(&long).is_err());
    assert!(parse_link(&long[..500]).is_ok());
}

#[test]
fn scheduling_needs_time_and_link_and_notifies_the_patient() {
    let before = consultation(Status::Requested);
    let scheduled = decided(&before, &scheduling(), now()).expect("allowed");
    let scheduled = scheduled.expect("a change");
    assert_eq!(scheduled.message, Some(SCHEDULED));
    assert_eq!(scheduled.consultation.status, Status::Scheduled);
    assert_eq!(scheduled.consultation.version, 4);
    assert_eq!(scheduled.consultation.time, time(16, 30));
    let bare = update(|form| form.status = Some(Status::Scheduled));
    match decided(&before, &bare, now()) {
        Err(UpdateRefused::Invalid(violations)) => {
            assert_eq!(fields(&violations), ["time", "link"]);
        }
        other => panic!("{other:?}"),
    }
    let silent = update(|form| form.time = "4:30 PM".to_owned());
    match decided(&before, &silent, now()) {
        Err(UpdateRefused::Invalid(violations)) => assert_eq!(fields(&violations), ["status"]),
        other => panic!("{other:?}"),
    }
    for (date, hour, field) in [
        ("2026-11-21", "3:00 PM", "time"),
        ("2027-01-21", "3:00 PM", "date"),
    ] {
        let wrong = update(|form| {
            form.date = date.to_owned();
            form.time = hour.to_owned();
            form.link = "https://video.example/room".to_owned();
            form.status = Some(Status::Scheduled);
        });
        match decided(&before, &wrong, now()) {
            Err(UpdateRefused::Invalid(violations)) => assert_eq!(fields(&violations), [field]),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_scheduled_consultation_may_be_rescheduled() {
    let before = consultation(Status::Scheduled);
    let other = update(|form| form.time = "17:00".to_owned());
    let moved = decided(&before, &other, now()).expect("allowed");
    let moved = moved.expect("a change");
    assert_eq!(moved.message, Some(SCHEDULED));
    assert_eq!(moved.consultation.time, time(17, 0));
    assert_eq!(moved.consultation.person, before.person);
    let same = update(|form| form.time = "4:30 PM".to_owned());
    assert_eq!(decided(&before, &same, now()), Ok(None));
    // The room may change even after the scheduled time.
    let room = update(|form| form.link = "https://video.example/other".to_owned());
    let later = now() + chrono::TimeDelta::days(9);
    assert!(decided(&before, &room, later).expect("allowed").is_some());
}

#[test]
fn status_changes_follow_the_contract() {
    use Status::{Cancelled, Completed, NoShow, Requested, Scheduled};
    for before in Status::ALL {
        for next in Status::ALL {
            let asked = update(|form| form.status = Some(next));
            let decided = decided(&consultation(before), &asked, now());
            let is_allowed = [
                (Scheduled, Completed),
                (Scheduled, NoShow),
                (Scheduled, Cancelled),
                (Requested, Cancelled),
            ]
            .contains(&(before, next));
            match decided {
                Ok(Some(changed)) => {
                    assert!(is_allowed, "{before:?} {next:?}");
                    let is_told = changed.message == Some(CANCELLED);
                    assert_eq!(is_told, next == Cancelled);
                }
                Ok(None) => assert_eq!(before, next),
                Err(UpdateRefused::Invalid(_)) => {
                    assert_eq!((before, next), (Requested, Scheduled));
                }
                Err(UpdateRefused::StatusNotAllowed) => assert!(!is_allowed, "{before:?} {next:?}"),
                Err(UpdateRefused::EtagMismatch) => panic!("the version is right"),
            }
        }
    }
    // A completed consultation is final, including its time.
    let late = update(|form| form.time = "5:00 PM".to_owned());
    let decided = decided(&consultation(Completed), &late, now());
    assert_eq!(decided, Err(UpdateRefused::StatusNotAllowed));
}

#[test]
fn another_version_is_refused() {
    for etag in ["2", "4", "W/3", "x"] {
        let asked = update(|form| {
            form.etag = etag.to_owned();
            form.status = Some(Status::Cancelled);
        });
        let decided = decided(&consultation(Status::Scheduled), &asked, now());
        assert_eq!(decided, Err(UpdateRefused::EtagMismatch), "{etag}");
    }
}

/// Monday 23 November 2026 is a day of cardiology by video, and Tuesday is not.
#[test]
fn a_department_is_chosen_by_id_or_label_on_its_days() {
    let parsed = |department: &str, date: &str| {
        let form = ConsultationForm {
            department: department.to_owned(),
            date: date.to_owned(),
            ..form()
        };
        let parsed = NewConsultation::parse(&form, &roster(), now());
        parsed.map(|(_, new)| new.department_id)
    };
    for text in ["cardiology", " Cardiology "] {
        let found = parsed(text, "2026-11-23").expect("valid");
        assert_eq!(found.as_deref(), Some("cardiology"));
    }
    assert_eq!(parsed("", "2026-11-22").expect("valid"), None, "a Sunday");
    for text in ["astrology", "emergency", "urology"] {
        let violations = parsed(text, "2026-11-23").expect_err(text);
        assert_eq!(fields(&violations), ["department"], "{text}");
    }
    let violations = parsed("cardiology", "2026-11-24").expect_err("a Tuesday");
    assert_eq!(fields(&violations), ["date"]);
    assert_eq!(
        violations[0].description,
        "Cardiology sees patients by video on Mon, Wed, Fri. Choose one of these days."
    );
    let both = parsed("astrology", "2020-01-01").expect_err("both");
    assert_eq!(fields(&both), ["department", "date"]);
}
