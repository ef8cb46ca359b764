//! Messages of visitors: checks every field, reports all violations at once, and keeps only valid values.

pub mod event;
pub mod inbox;
pub mod mailboxes;
pub mod markdown;
pub mod newsletter;
pub mod retention;
mod submission;

use std::fmt;

use chrono::{DateTime, SubsecRound, Utc};
use service_kit::input::{
    EmailAddress, Line, Paragraphs, PersonName, PhoneNumber, RequestId, Violation, Violations,
    optional,
};
use service_kit::language::Language;
use uuid::Uuid;

pub use inbox::{Handling, Status};
pub use service_kit::reference::Name;
pub use submission::{
    Submission, SubmittedMessage, SubmittedMeta, SubmittedRegistration, UnixTime,
};

pub const SUBJECT_CHARS_MAX: usize = 200;
pub const MESSAGE_CHARS_MAX: usize = 5000;
pub const THREAD_ID_CHARS_MAX: usize = 200;
pub const EVENT_ID_CHARS_MAX: usize = 64;
/// Maximum people of one registration.
pub const PEOPLE_MAX: i32 = 10;

/// Returns the reference of a message, such as `MS-7K3M-9QXD`.
pub fn reference(id: Uuid) -> String {
    service_kit::reference::reference("MS", id)
}

/// Validated text from a visitor. Its `Debug` output is withheld to keep it out of logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Personal(String);

impl Personal {
    /// Wraps a text that was validated before it was stored.
    pub(crate) fn kept(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Personal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("<withheld>")
    }
}

/// Kind of a message, with the fields specific to that kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Expects a reply, so both contact fields are required.
    Enquiry { email: Personal, phone: Personal },
    /// Notifies the hospital of a comment stored in the visitor's own browser.
    Comment {
        email: Option<Personal>,
        phone: Option<Personal>,
        thread_id: String,
        write_time: Option<DateTime<Utc>>,
    },
    /// Registers people for an event. The event's team sends no list of events, so the id is not checked.
    Registration {
        email: Option<Personal>,
        phone: Personal,
        event_id: String,
        /// 1 to [`PEOPLE_MAX`].
        people: i32,
    },
}

impl Kind {
    /// Returns the kind's name in the inbox and in logs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Enquiry { .. } => "enquiry",
            Self::Comment { .. } => "comment",
            Self::Registration { .. } => "registration",
        }
    }
}

/// A message that passed every check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    pub name: Personal,
    pub subject: Personal,
    pub message: Personal,
    pub kind: Kind,
    /// Language of the page that it was written on; `None` is English.
    pub language: Option<Language>,
}

impl NewMessage {
    pub fn email(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { email, .. } => Some(email.as_str()),
            Kind::Comment { email, .. } | Kind::Registration { email, .. } => {
                email.as_ref().map(Personal::as_str)
            }
        }
    }

    pub fn phone(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { phone, .. } | Kind::Registration { phone, .. } => Some(phone.as_str()),
            Kind::Comment { phone, .. } => phone.as_ref().map(Personal::as_str),
        }
    }

    pub fn thread_id(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { .. } | Kind::Registration { .. } => None,
            Kind::Comment { thread_id, .. } => Some(thread_id),
        }
    }

    /// Returns when the visitor wrote the comment, according to their own clock.
    pub fn write_time(&self) -> Option<DateTime<Utc>> {
        match &self.kind {
            Kind::Enquiry { .. } | Kind::Registration { .. } => None,
            Kind::Comment { write_time, .. } => *write_time,
        }
    }

    /// Returns event and number of people of a registration.
    pub fn registration(&self) -> Option<(&str, i32)> {
        match &self.kind {
            Kind::Registration {
                event_id, people, ..
            } => Some((event_id, *people)),
            Kind::Enquiry { .. } | Kind::Comment { .. } => None,
        }
    }
}

/// An accepted message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub id: Uuid,
    /// Human-readable, for example `MS-7K3M-9QXD`.
    pub reference: String,
    /// Truncated to microseconds, the precision of both databases: a replayed response must equal the first one.
    pub create_time: DateTime<Utc>,
    /// Processing state: status, mailbox and assignee.
    pub handling: Handling,
    /// The visitor's input.
    pub new: NewMessage,
}

/// Validates a request. The error holds every violation, in the order of the form's fields.
pub fn parse(request: Submission) -> Result<(RequestId, NewMessage), Vec<Violation>> {
    let mut violations = Violations::default();
    let request_id = violations.take("requestId", RequestId::parse(&request.request_id));
    let Some(message) = request.message else {
        violations.add("message", "Write a message");
        return Err(violations.into_vec());
    };
    let name = violations.take("name", PersonName::parse(&message.name));
    let (email, phone) = ways_back(&mut violations, &message);
    let subject = violations.take("subject", Line::parse(&message.subject, SUBJECT_CHARS_MAX));
    let body = violations.take(
        "message",
        Paragraphs::parse(&message.message, MESSAGE_CHARS_MAX),
    );
    let kind = if let Some(registration) = &message.registration {
        if is_comment(&message) {
            violations.add("meta", "Leave this out of a registration");
        }
        registered(&mut violations, registration, email, phone)
    } else if is_comment(&message) {
        comment(&mut violations, &message.meta, email, phone)
    } else {
        email
            .zip(phone)
            .map(|(email, phone)| Kind::Enquiry { email, phone })
    };
    let whole = match (request_id, name, subject, body, kind) {
        (Some(request_id), Some(name), Some(subject), Some(message), Some(kind)) => Some((
            request_id,
            NewMessage {
                name: Personal(name.into_string()),
                subject: Personal(subject.into_string()),
                message: Personal(message.into_string()),
                kind,
                language: None,
            },
        )),
        _ => None,
    };
    violations.into_result(whole)
}

/// Returns whether the message is a comment, i.e. has any comment-only field.
fn is_comment(message: &SubmittedMessage) -> bool {
    message.meta != SubmittedMeta::default()
}

/// Parses the contact fields. A registration needs a phone number, and a comment may leave both empty.
fn ways_back(
    violations: &mut Violations,
    message: &SubmittedMessage,
) -> (Option<Personal>, Option<Personal>) {
    let email = EmailAddress::parse(&message.email).map(|email| Personal(email.into_string()));
    let phone = PhoneNumber::parse(&message.phone).map(|phone| Personal(phone.into_string()));
    if message.registration.is_some() {
        (
            violations.take("email", optional(email)).flatten(),
            violations.take("phone", phone),
        )
    } else if is_comment(message) {
        (
            violations.take("email", optional(email)).flatten(),
            violations.take("phone", optional(phone)).flatten(),
        )
    } else {
        (
            violations.take("email", email),
            violations.take("phone", phone),
        )
    }
}

fn comment(
    violations: &mut Violations,
    meta: &SubmittedMeta,
    email: Option<Personal>,
    phone: Option<Personal>,
) -> Option<Kind> {
    let thread_id = violations.take(
        "meta.threadId",
        Line::parse(&meta.thread_id, THREAD_ID_CHARS_MAX),
    );
    let write_time = match meta.write_time {
        Some(raw) => violations.take("meta.createdAt", instant(raw)),
        None => None,
    };
    thread_id.map(|thread_id| Kind::Comment {
        email,
        phone,
        thread_id: thread_id.into_string(),
        write_time,
    })
}

fn registered(
    violations: &mut Violations,
    registration: &SubmittedRegistration,
    email: Option<Personal>,
    phone: Option<Personal>,
) -> Option<Kind> {
    let is_id = |id: &str| {
        (1..=EVENT_ID_CHARS_MAX).contains(&id.len())
            && id
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    let event_id = registration.event_id.trim();
    let event_id = violations.take(
        "registration.eventId",
        is_id(event_id)
            .then(|| event_id.to_owned())
            .ok_or("Give the id of the event: 1 to 64 characters of a to z, 0 to 9 and hyphens"),
    );
    let people = violations.take(
        "registration.people",
        (1..=PEOPLE_MAX)
            .contains(&registration.people)
            .then_some(registration.people)
            .ok_or("Give 1 to 10 people"),
    );
    Some(Kind::Registration {
        email,
        phone: phone?,
        event_id: event_id?,
        people: people?,
    })
}

fn instant(raw: UnixTime) -> Result<DateTime<Utc>, &'static str> {
    u32::try_from(raw.nanos)
        .ok()
        .filter(|nanos| *nanos < 1_000_000_000)
        .and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos))
        .filter(|instant| INSTANT_SECONDS.contains(&instant.timestamp()))
        .map(|instant| instant.trunc_subsecs(6))
        .ok_or("Send a time between the years 1 and 9999")
}

/// Range of google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const INSTANT_SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

#[cfg(test)]
mod tests;
