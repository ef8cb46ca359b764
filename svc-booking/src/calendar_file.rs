//! An appointment as a calendar file (iCalendar, RFC 5545; methods: RFC 5546).
//!
//! Written by hand instead of with the crate `icalendar`. That crate adds the machine's time and a random UID to every
//! component that lacks them. VTIMEZONE and VALARM would then have properties that they must not have, and no two files
//! would be equal. The tests parse these files with that crate.
//!
//! Calendars are synchronised with other companies' servers and shared with families. The title of an entry therefore
//! names the hospital only, and the attendant appears in the description only. A file contains neither the patient nor
//! the reason nor a link. Entries are marked private. Title, description and location are in the person's language; the
//! address is as configured.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::{
    calendar_file::{Lines, Quoted, Text, utc},
    language::Language,
};
use uuid::Uuid;

use crate::{
    domain::{
        calendar::{IST, TIME_ZONE},
        roster::Attendant,
    },
    site::Site,
    translations,
};

/// Media type of the file. METHOD appears both here and in the file (RFC 5545, 8.1).
pub const CONTENT_TYPE: &str = "text/calendar; charset=utf-8; method=";

/// Length of a visit in the calendar: one slot.
const VISIT_MINUTES: i64 = 30;

/// The facts of an appointment that its calendar file needs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CalendarEntry {
    pub id: Uuid,
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    /// Starts at 1 and grows with each change.
    pub version: i64,
    pub cancelled: bool,
    /// Time of the change that made this version.
    pub update_time: DateTime<Utc>,
    /// The doctor or clinic that sees the patient.
    pub attendant: Option<Attendant>,
    /// Language of the file.
    pub language: Option<Language>,
}

impl CalendarEntry {
    /// Returns the METHOD of the file (RFC 5546).
    pub fn method(&self) -> &'static str {
        if self.cancelled { "CANCEL" } else { "PUBLISH" }
    }

    /// Returns the media type of the file.
    pub fn content_type(&self) -> String {
        format!("{CONTENT_TYPE}{}", self.method())
    }
}

/// Returns the calendar file of an appointment or of its cancellation. The same version gives the same bytes
/// in each language. A calendar replaces an earlier version, because the UID stays the same and SEQUENCE grows.
pub fn calendar_file(entry: &CalendarEntry, site: &Site) -> String {
    let mut file = Lines::default();
    file.line(format_args!("BEGIN:VCALENDAR"));
    file.line(format_args!("VERSION:2.0"));
    file.line(format_args!(
        "PRODID:-//{}//Appointments 1.0//EN",
        Text(&site.name)
    ));
    file.line(format_args!("CALSCALE:GREGORIAN"));
    file.line(format_args!("METHOD:{}", entry.method()));
    time_zone(&mut file);
    event(&mut file, entry, site);
    file.line(format_args!("END:VCALENDAR"));
    file.into_file()
}

/// Writes the time zone. Asia/Kolkata has had one offset since 1945, so one observance is enough.
fn time_zone(file: &mut Lines) {
    file.line(format_args!("BEGIN:VTIMEZONE"));
    file.line(format_args!("TZID:{TIME_ZONE}"));
    file.line(format_args!("BEGIN:STANDARD"));
    file.line(format_args!("DTSTART:19700101T000000"));
    file.line(format_args!("TZOFFSETFROM:+0530"));
    file.line(format_args!("TZOFFSETTO:+0530"));
    file.line(format_args!("TZNAME:IST"));
    file.line(format_args!("END:STANDARD"));
    file.line(format_args!("END:VTIMEZONE"));
}

fn event(file: &mut Lines, entry: &CalendarEntry, site: &Site) {
    let ends_at = entry.starts_at + TimeDelta::minutes(VISIT_MINUTES);
    let status = if entry.cancelled {
        "CANCELLED"
    } else {
        "CONFIRMED"
    };
    file.line(format_args!("BEGIN:VEVENT"));
    file.line(format_args!("UID:{}@{}", entry.id, site.calendar_domain));
    file.line(format_args!("SEQUENCE:{}", sequence(entry.version)));
    // Not the download time: each version has the same file at every download.
    file.line(format_args!("DTSTAMP:{}", utc(entry.update_time)));
    file.line(format_args!("LAST-MODIFIED:{}", utc(entry.update_time)));
    file.line(format_args!(
        "DTSTART;TZID={TIME_ZONE}:{}",
        local(entry.starts_at)
    ));
    file.line(format_args!("DTEND;TZID={TIME_ZONE}:{}", local(ends_at)));
    file.line(format_args!("STATUS:{status}"));
    file.line(format_args!("CLASS:PRIVATE"));
    // Both methods need an organizer (RFC 5546, 3.2.1 and 3.2.5).
    file.line(format_args!(
        "ORGANIZER;CN={}:mailto:{}",
        Quoted(&site.name),
        site.email
    ));
    let title = translations::text("Hospital appointment", entry.language, &[]);
    file.line(format_args!("SUMMARY:{}", Text(&title)));
    file.line(format_args!(
        "DESCRIPTION:{}",
        Text(&description(entry, site))
    ));
    file.line(format_args!("LOCATION:{}", Text(&location(entry, site))));
    if !entry.cancelled {
        alarm(file, entry.language);
    }
    file.line(format_args!("END:VEVENT"));
}

/// Writes an alarm two hours before the visit: time to get ready and to cross the city.
fn alarm(file: &mut Lines, language: Option<Language>) {
    let text = translations::text("Hospital appointment in 2 hours", language, &[]);
    file.line(format_args!("BEGIN:VALARM"));
    file.line(format_args!("ACTION:DISPLAY"));
    file.line(format_args!("DESCRIPTION:{}", Text(&text)));
    file.line(format_args!("TRIGGER:-PT2H"));
    file.line(format_args!("END:VALARM"));
}

fn description(entry: &CalendarEntry, site: &Site) -> String {
    let CalendarEntry {
        reference,
        language,
        ..
    } = entry;
    let text = |english, values: &[(&str, &str)]| translations::text(english, *language, values);
    let hospital = [("hospital", translations::name(&site.name, *language))];
    let reference = text("Reference: {reference}", &[("reference", reference)]);
    if entry.cancelled {
        let cancelled = text("Your appointment at {hospital} was cancelled.", &hospital);
        return format!("{cancelled}\n{reference}");
    }
    let mut lines = vec![
        text("Your appointment at {hospital}.", &hospital),
        reference,
    ];
    if let Some(attendant) = &entry.attendant {
        let name = translations::name(&attendant.name, *language);
        lines.push(text("You will see: {name}", &[("name", name)]));
        let fee = attendant.fee_label();
        lines.extend(fee.map(|fee| text("Consultation fee: {fee}", &[("fee", &fee)])));
    }
    let advice = "Please come 15 minutes early and give the reference at the desk.";
    lines.push(text(advice, &[]));
    lines.join("\n")
}

/// Returns the location, from the room to the address.
fn location(entry: &CalendarEntry, site: &Site) -> String {
    let name = |english| translations::name(english, entry.language);
    let (hospital, address) = (name(&site.name), &site.address);
    let attendant = entry.attendant.as_ref().filter(|_| !entry.cancelled);
    match attendant.map(|attendant| name(&attendant.place)) {
        Some(place) if !place.is_empty() => format!("{place}, {hospital}, {address}"),
        _ => format!("{hospital}, {address}"),
    }
}

/// Returns the SEQUENCE; the first version has 0 (RFC 5545, 3.8.7.4).
fn sequence(version: i64) -> i64 {
    version.saturating_sub(1).max(0)
}

fn local(time: DateTime<Utc>) -> impl fmt::Display {
    time.with_timezone(&IST).format("%Y%m%dT%H%M%S")
}

#[cfg(test)]
#[path = "calendar_file_tests.rs"]
mod tests;
