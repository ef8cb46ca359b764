//! An event as a calendar file (iCalendar, RFC 5545; methods: RFC 5546). Its texts and its link are in the language of
//! the page.

use std::{fmt, sync::LazyLock};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{Event, Site};
use service_kit::{
    calendar_file::{Lines, Quoted, Text, utc},
    language::{ByLanguage, Catalogue, Language, embedded_catalogues},
};

use crate::values::{Day, TimeRange};

/// Media type of the file. METHOD appears both here and in the file (RFC 5545, 8.1).
const CONTENT_TYPE: &str = "text/calendar; charset=utf-8; method=";

/// Label of the reason for a cancellation. The event's page has the same label.
const CANCELLED: &str = "Cancelled:";

/// Texts of the web pages. Without its catalogue, a label is English.
static TEXTS: LazyLock<ByLanguage<Catalogue>> = LazyLock::new(|| {
    let texts = embedded_catalogues!("../web/messages");
    ByLanguage::new(texts.map(|text| Catalogue::parse(text).unwrap_or_default()))
});

/// An event and the time of its calendar file.
pub(crate) struct CalendarEntry<'a> {
    event: &'a Event,
    site: &'a Site,
    now: DateTime<Utc>,
    language: Option<Language>,
}

impl<'a> CalendarEntry<'a> {
    /// Takes an event and a site in this language.
    pub(crate) fn new(
        event: &'a Event,
        site: &'a Site,
        now: DateTime<Utc>,
        language: Option<Language>,
    ) -> Self {
        Self {
            event,
            site,
            now,
            language,
        }
    }

    fn is_cancelled(&self) -> bool {
        !self.event.cancelled.is_empty()
    }

    /// Returns the METHOD of the file (RFC 5546).
    fn method(&self) -> &'static str {
        if self.is_cancelled() {
            "CANCEL"
        } else {
            "PUBLISH"
        }
    }

    pub(crate) fn content_type(&self) -> String {
        format!("{CONTENT_TYPE}{}", self.method())
    }

    /// Returns the file. A calendar replaces the event by its cancellation: the UID is the same, and SEQUENCE is higher.
    pub(crate) fn file(&self) -> String {
        let mut file = Lines::default();
        file.line(format_args!("BEGIN:VCALENDAR"));
        file.line(format_args!("VERSION:2.0"));
        file.line(format_args!(
            "PRODID:-//{}//Events 1.0//EN",
            Text(&self.site.name)
        ));
        file.line(format_args!("CALSCALE:GREGORIAN"));
        file.line(format_args!("METHOD:{}", self.method()));
        self.write_event(&mut file);
        file.line(format_args!("END:VCALENDAR"));
        file.into_file()
    }

    fn write_event(&self, file: &mut Lines) {
        let (event, site) = (self.event, self.site);
        let status = if self.is_cancelled() {
            "CANCELLED"
        } else {
            "CONFIRMED"
        };
        file.line(format_args!("BEGIN:VEVENT"));
        file.line(format_args!("UID:event-{}@{}", event.id, self.host()));
        file.line(format_args!("SEQUENCE:{}", u8::from(self.is_cancelled())));
        file.line(format_args!("DTSTAMP:{}", utc(self.now)));
        if let Some((start, end)) = times(event) {
            file.line(format_args!("DTSTART:{}", utc(start)));
            file.line(format_args!("DTEND:{}", utc(end)));
        }
        file.line(format_args!("STATUS:{status}"));
        // Both methods need an organizer (RFC 5546, 3.2.1 and 3.2.5).
        let addresses = site.emails.iter();
        if let Some(email) = addresses.min_by_key(|email| email.purpose != "info") {
            let name = Quoted(&site.name);
            file.line(format_args!("ORGANIZER;CN={name}:mailto:{}", email.address));
        }
        file.line(format_args!("SUMMARY:{}", Text(&event.title)));
        file.line(format_args!("DESCRIPTION:{}", Text(&self.description())));
        file.line(format_args!("LOCATION:{}", Text(&self.location())));
        let prefix = Language::prefix(self.language);
        file.line(format_args!(
            "URL:{}{prefix}/event/{}",
            site.origin, event.id
        ));
        file.line(format_args!("END:VEVENT"));
    }

    /// Returns the host of the site, without scheme and port.
    fn host(&self) -> impl fmt::Display {
        let origin = self.site.origin.as_str();
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        host.split(':').next().unwrap_or(host).to_owned()
    }

    fn description(&self) -> String {
        if self.is_cancelled() {
            let texts = self.language.map(|language| TEXTS.of(language));
            let label = texts.and_then(|texts| texts.get(CANCELLED));
            return format!("{} {}", label.unwrap_or(CANCELLED), self.event.cancelled);
        }
        self.event.description.clone()
    }

    fn location(&self) -> String {
        let address = self.site.address.clone().unwrap_or_default();
        let city = [address.city.as_str(), &address.postal_code];
        let city = city.join(" ");
        let parts = [
            self.event.location.as_str(),
            &self.site.name,
            &address.street,
            &address.locality,
            city.trim(),
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Returns start and end of an event.
fn times(event: &Event) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let day = Day::try_from(event.date.clone()).ok()?;
    let time = TimeRange::try_from(event.time.clone()).ok()?;
    Some((day.at(time.start), day.at(time.end)))
}

#[cfg(test)]
mod tests {
    use icalendar::parser::{Calendar, read_calendar, unfold};

    use super::*;
    use crate::{domain::Content, files::Sources};

    fn read(file: &str, look: impl FnOnce(&Calendar<'_>)) {
        let unfolded = unfold(file);
        look(&read_calendar(&unfolded).expect("a calendar"));
    }

    #[test]
    fn a_cancellation_replaces_the_event() {
        let content = Content::load(&Sources::embedded(), None).expect("content");
        let now = "2026-11-27T10:00:00Z".parse().expect("a time");
        let mut event = content
            .event("first-aid-workshop-2026-12", now)
            .expect("an event");
        event.title = "Heart; lungs, and \\ ಹೃದಯ ".repeat(5);
        let facts = |event: &Event| {
            let entry = CalendarEntry::new(event, &content.site, now, None);
            let file = entry.file();
            assert!(file.lines().all(|line| line.len() <= 75));
            let mut facts = Vec::new();
            read(&file, |calendar| {
                let component = &calendar.components[0];
                let value = |name| component.find_prop(name).map(|prop| prop.val.to_string());
                let names = ["UID", "SEQUENCE", "STATUS", "DTSTART", "DTEND"];
                facts = names.map(|name| value(name).unwrap_or_default()).to_vec();
            });
            (entry.content_type(), facts)
        };
        let uid = "event-first-aid-workshop-2026-12@";
        let (kind, held) = facts(&event);
        assert!(kind.ends_with("method=PUBLISH"));
        assert!(
            held[0].starts_with(uid) && !held[0].contains('/'),
            "{held:?}"
        );
        assert_eq!(held[1..3], ["0", "CONFIRMED"]);
        event.cancelled = "The speaker is ill, sorry.".to_owned();
        let (kind, off) = facts(&event);
        assert!(kind.ends_with("method=CANCEL"));
        assert_eq!(off[1..3], ["1", "CANCELLED"]);
        assert_eq!((&off[0], &off[3..]), (&held[0], &held[3..]));
        assert!(held[3].starts_with("20261220T") && held[4].ends_with('Z'));
    }

    /// Returns the value of a content line.
    fn value(file: &str, name: &str) -> String {
        let file = file.replace("\r\n ", "");
        let line = file.lines().find_map(|line| line.strip_prefix(name));
        let text = line.expect("a line").trim_start_matches(':');
        text.replace("\\,", ",")
    }

    #[tokio::test]
    async fn a_file_is_in_the_language_of_the_page() {
        let content = Content::load(&Sources::embedded(), None).expect("content");
        let content = std::sync::Arc::new(content);
        let now = "2026-11-27T10:00:00Z".parse().expect("a time");
        let id = "first-aid-workshop-2026-12";
        let english = content.event(id, now).expect("an event");
        let file = CalendarEntry::new(&english, &content.site, now, None).file();
        let origin = &content.site.origin;
        assert_eq!(value(&file, "URL"), format!("{origin}/event/{id}"));
        for (language, hospital, cancelled) in [
            (Language::Kannada, "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ", "ರದ್ದಾಗಿದೆ: ಮಳೆ"),
            (Language::Hindi, "संपिगे अस्पताल", "रद्द: ಮಳೆ"),
        ] {
            let translated = content.translated(language).await.expect("a content");
            let site = &translated.content.site;
            let mut event = translated.content.event(id, now).expect("an event");
            assert_ne!(event.title, english.title);
            event.time.clone_from(&english.time);
            let file = |event: &Event| CalendarEntry::new(event, site, now, Some(language)).file();
            let held = file(&event);
            assert_eq!(value(&held, "SUMMARY"), event.title);
            assert_eq!(
                value(&held, "DESCRIPTION"),
                event.description.replace(';', "\\;")
            );
            assert!(value(&held, "LOCATION").contains(hospital), "{held}");
            let prefix = language.code();
            assert_eq!(value(&held, "URL"), format!("{origin}/{prefix}/event/{id}"));
            assert_eq!(value(&held, "DTSTART"), "20261220T043000Z");
            event.cancelled = "ಮಳೆ".to_owned();
            assert_eq!(value(&file(&event), "DESCRIPTION"), cancelled);
        }
    }
}
