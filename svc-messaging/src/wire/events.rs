//! Conversion of events and registrations for staff.

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1 as proto;
use service_kit::input::{Violation, Violations};

use super::{
    inbox::{language, page_size},
    timestamp,
};
use crate::{
    domain::{EVENT_ID_CHARS_MAX, event::Event},
    store::{Registration, WithTaken},
};

/// Requested page of events.
#[derive(Clone, Debug)]
pub struct EventPage {
    pub after: Option<(DateTime<Utc>, String)>,
    pub size: u32,
}

/// Parses the requested page.
///
/// # Errors
/// One violation per invalid field.
pub fn event_page(size: i32, token: &str) -> Result<EventPage, Vec<Violation>> {
    let mut violations = Violations::default();
    let size = page_size(&mut violations, size);
    let after = if token.is_empty() {
        None
    } else {
        let words = "Use the nextPageToken of the page before, unchanged";
        violations.take("pageToken", position(token).ok_or(words))
    };
    violations.into_result(Some(EventPage { after, size }))
}

fn position(token: &str) -> Option<(DateTime<Utc>, String)> {
    let (micros, id) = token.split_once('_')?;
    let time = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
    (id.len() <= EVENT_ID_CHARS_MAX).then(|| (time, id.to_owned()))
}

/// Returns the cursor of an event.
pub fn event_token(last: &WithTaken) -> String {
    format!(
        "{}_{}",
        last.event.starts_at.timestamp_micros(),
        last.event.id
    )
}

/// Returns the places that are left; 0 without a limit.
pub fn left(event: &Event, taken: i64) -> i32 {
    let left = i64::from(event.places) - taken;
    i32::try_from(left.max(0)).unwrap_or(i32::MAX)
}

/// Converts an event for staff.
pub fn event(found: &WithTaken) -> proto::RegistrationEvent {
    counted(&found.event, found.taken)
}

/// Converts an event and the number of people with a place.
pub fn counted(event: &Event, taken: i64) -> proto::RegistrationEvent {
    proto::RegistrationEvent {
        id: event.id.clone(),
        title: event.title.clone(),
        starts_at: Some(timestamp(event.starts_at)),
        ends_at: Some(timestamp(event.ends_at)),
        location: event.location.clone(),
        places: event.places,
        taken: i32::try_from(taken).unwrap_or(i32::MAX),
        cancelled: event.cancelled.clone(),
    }
}

/// Converts a registration for staff.
pub fn registration(found: &Registration) -> proto::EventRegistration {
    let message = &found.message;
    proto::EventRegistration {
        id: message.id.to_string(),
        reference: message.reference.clone(),
        name: message.new.name.as_str().to_owned(),
        phone: message.new.phone().unwrap_or_default().to_owned(),
        email: message.new.email().unwrap_or_default().to_owned(),
        people: found.people,
        create_time: Some(timestamp(message.create_time)),
        notice: found.notice.clone(),
        language: language(message.new.language),
    }
}
