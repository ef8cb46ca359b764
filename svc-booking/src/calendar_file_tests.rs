//! Parses the files with an independent library, which shares no code with the writer.

use icalendar::parser::{Calendar, Component, read_calendar, unfold};

use super::*;
use crate::domain::seats::Resource;

fn entry() -> CalendarEntry {
    CalendarEntry {
        id: Uuid::from_u128(0x0192_7c3e_0000_7000_8000_0000_0000_0001),
        reference: "SH-7K3M-9QXD".to_owned(),
        // A different day in UTC than in Asia/Kolkata.
        starts_at: "2026-11-22T21:30:00Z".parse().expect("a moment"),
        version: 3,
        cancelled: false,
        update_time: "2026-11-20T09:30:00.123456Z".parse().expect("a moment"),
        attendant: Some(Attendant {
            resource: Resource::clinic("pediatrics-opd"),
            name: "Paediatric clinic, visiting consultant".to_owned(),
            fee_rupees: 500,
            place: "Outpatient block, first floor".to_owned(),
        }),
        language: None,
    }
}

/// Every value needs escaping, quoting or folding.
fn site() -> Site {
    Site {
        name: "ಸಂಪಿಗೆ \"East; West\", \\ Hospital".to_owned(),
        address: "214, 9th Main Road; ಜಯನಗರ ನಾಲ್ಕನೇ ಟಿ ಬ್ಲಾಕ್, ಬೆಂಗಳೂರು 560041".to_owned(),
        email: "desk@hospital.example".to_owned(),
        ..Site::default()
    }
}

/// Parses a file and passes its calendar to `look`.
fn read(file: &str, look: impl FnOnce(&Calendar<'_>)) {
    let unfolded = unfold(file);
    look(&read_calendar(&unfolded).expect("a calendar"));
}

fn component<'a, 'b>(components: &'b [Component<'a>], name: &str) -> &'b Component<'a> {
    let found = components.iter().find(|component| component.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// Returns the value as the library unescapes it.
fn value(component: &Component<'_>, name: &str) -> String {
    let found: Vec<_> = component
        .properties
        .iter()
        .filter(|property| property.name == name)
        .collect();
    assert_eq!(found.len(), 1, "{name} stands once in {}", component.name);
    found[0].val.to_string()
}

fn parameter(component: &Component<'_>, property: &str, name: &str) -> Option<String> {
    let property = component.find_prop(property).expect("the property");
    let parameter = property.params.iter().find(|found| found.key == name)?;
    parameter.val.as_ref().map(ToString::to_string)
}

#[test]
fn another_library_parses_the_entry() {
    read(&calendar_file(&entry(), &site()), |calendar| {
        let property = |name: &str| {
            let found = calendar.properties.iter().find(|found| found.name == name);
            found.map(|found| found.val.to_string())
        };
        assert_eq!(property("VERSION").as_deref(), Some("2.0"));
        assert!(
            property("PRODID").is_some_and(|product| product.ends_with("//Appointments 1.0//EN"))
        );
        assert_eq!(property("METHOD").as_deref(), Some("PUBLISH"));
        let zone = component(&calendar.components, "VTIMEZONE");
        assert_eq!(value(zone, "TZID"), "Asia/Kolkata");
        let standard = component(&zone.components, "STANDARD");
        assert_eq!(value(standard, "TZOFFSETFROM"), "+0530");
        assert_eq!(value(standard, "TZOFFSETTO"), "+0530");
        let event = component(&calendar.components, "VEVENT");
        for (name, expected) in [
            (
                "UID",
                "01927c3e-0000-7000-8000-000000000001@appointments.sampige.example",
            ),
            ("SEQUENCE", "2"),
            ("STATUS", "CONFIRMED"),
            ("CLASS", "PRIVATE"),
            ("DTSTAMP", "20261120T093000Z"),
            ("DTSTART", "20261123T030000"),
            ("DTEND", "20261123T033000"),
            ("SUMMARY", "Hospital appointment"),
            ("ORGANIZER", "mailto:desk@hospital.example"),
        ] {
            assert_eq!(value(event, name), expected, "{name}");
        }
        for moment in ["DTSTART", "DTEND"] {
            let zone = parameter(event, moment, "TZID");
            assert_eq!(zone.as_deref(), Some("Asia/Kolkata"));
        }
        let Site { name, address, .. } = site();
        let location = value(event, "LOCATION");
        let place = "Outpatient block, first floor";
        assert_eq!(location, format!("{place}, {name}, {address}"));
        let description = value(event, "DESCRIPTION");
        assert!(
            description.contains("Reference: SH-7K3M-9QXD\n"),
            "{description}"
        );
        // U2: includes the attendant and the fee.
        assert!(
            description.contains(
                "You will see: Paediatric clinic, visiting consultant\nConsultation fee: ₹500\n"
            ),
            "{description}"
        );
        assert!(
            description.contains("come 15 minutes early"),
            "{description}"
        );
        let alarm = component(&event.components, "VALARM");
        assert_eq!(value(alarm, "TRIGGER"), "-PT2H");
        assert_eq!(value(alarm, "ACTION"), "DISPLAY");
    });
}

#[test]
fn a_cancellation_has_the_uid_of_its_entry() {
    let cancelled = CalendarEntry {
        version: 4,
        cancelled: true,
        ..entry()
    };
    let uid_of = |file: &str| {
        let uid = file.lines().find(|line| line.starts_with("UID:"));
        uid.expect("a UID").to_owned()
    };
    let file = calendar_file(&cancelled, &site());
    assert_eq!(uid_of(&file), uid_of(&calendar_file(&entry(), &site())));
    assert_eq!(
        cancelled.content_type(),
        "text/calendar; charset=utf-8; method=CANCEL"
    );
    read(&file, |calendar| {
        let event = component(&calendar.components, "VEVENT");
        assert_eq!(value(event, "STATUS"), "CANCELLED");
        assert!(!value(event, "DESCRIPTION").contains("Paediatric"));
        assert_eq!(value(event, "SEQUENCE"), "3");
        assert!(event.components.is_empty(), "no reminder is left");
    });
    assert!(file.contains("\r\nMETHOD:CANCEL\r\n"));
}

#[test]
fn lines_are_short_and_end_with_crlf() {
    let file = calendar_file(&entry(), &site());
    assert!(file.ends_with("END:VCALENDAR\r\n"));
    assert_eq!(file.matches('\n').count(), file.matches("\r\n").count());
    assert!(file.contains("\r\n "), "a line was folded");
    for line in file.split("\r\n") {
        assert!(line.len() <= 75, "{} octets: {line}", line.len());
    }
    assert_eq!(
        calendar_file(&entry(), &site()),
        file,
        "the same bytes again"
    );
}

#[test]
fn time_zone_and_alarm_have_neither_uid_nor_stamp() {
    let file = calendar_file(&entry(), &site());
    let (zone, _) = file.split_once("END:VTIMEZONE").expect("a time zone");
    let (_, alarm) = file.split_once("BEGIN:VALARM").expect("an alarm");
    for part in [zone, alarm] {
        assert!(
            !part.contains("DTSTAMP") && !part.contains("UID:"),
            "{part}"
        );
    }
}

/// Files in each language: an entry and its cancellation, with line ends of LF.
#[test]
fn each_language_has_its_file() {
    let site = Site::default();
    for (language, golden) in [
        (None, include_str!("../tests/fixtures/calendar/en.ics")),
        (
            Some(Language::Kannada),
            include_str!("../tests/fixtures/calendar/kn.ics"),
        ),
        (
            Some(Language::Hindi),
            include_str!("../tests/fixtures/calendar/hi.ics"),
        ),
    ] {
        let entry = CalendarEntry {
            language,
            ..entry()
        };
        let cancelled = CalendarEntry {
            version: 4,
            cancelled: true,
            ..entry.clone()
        };
        let files = [&entry, &cancelled].map(|entry| calendar_file(entry, &site));
        for line in files.iter().flat_map(|file| file.split("\r\n")) {
            assert!(line.len() <= 75, "{} octets: {line}", line.len());
        }
        let file = files.concat();
        assert_eq!(file.matches('\n').count(), file.matches("\r\n").count());
        assert_eq!(file.replace("\r\n", "\n"), golden, "{language:?}");
        read(&files[0], |calendar| {
            let event = component(&calendar.components, "VEVENT");
            let [description, location] = ["DESCRIPTION", "LOCATION"].map(|of| value(event, of));
            // The address is for maps, the reference for the desk.
            assert!(location.ends_with(&site.address), "{location}");
            for fact in ["SH-7K3M-9QXD", "₹500"] {
                assert!(description.contains(fact), "{description}");
            }
            let is_english = description.contains("Paediatric clinic");
            assert_eq!(is_english, language.is_none(), "{description}");
        });
    }
}
