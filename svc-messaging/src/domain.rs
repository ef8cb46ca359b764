//! What a message is: checks every field, reports all violations at once, and keeps only what passed.

use chrono::{DateTime, SubsecRound, Utc};
use hospital_proto::messaging::v1::{CreateMessageRequest, Message, MessageMeta};
use prost::Message as _;
use service_kit::input::{
    EmailAddress, Line, Paragraphs, PersonName, PhoneNumber, RequestId, Violation, Violations,
    optional,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub const SUBJECT_CHARS_MAX: usize = 200;
pub const MESSAGE_CHARS_MAX: usize = 5000;
pub const THREAD_ID_CHARS_MAX: usize = 200;

/// What the message is about, with what only that kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Somebody waits for an answer, so both ways to reach them are required.
    Enquiry {
        email: EmailAddress,
        phone: PhoneNumber,
    },
    /// Tells the hospital of a comment that is kept in the visitor's own browser.
    Comment {
        email: Option<EmailAddress>,
        phone: Option<PhoneNumber>,
        thread_id: String,
        written_at: Option<DateTime<Utc>>,
    },
}

impl Kind {
    /// The word for the kind in the database and in logs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Enquiry { .. } => "enquiry",
            Self::Comment { .. } => "comment",
        }
    }
}

/// A message that passed every check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub request_id: RequestId,
    pub name: PersonName,
    pub subject: Line,
    pub message: Paragraphs,
    pub kind: Kind,
}

impl Draft {
    pub fn email(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { email, .. } => Some(email.as_str()),
            Kind::Comment { email, .. } => email.as_ref().map(EmailAddress::as_str),
        }
    }

    pub fn phone(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { phone, .. } => Some(phone.as_str()),
            Kind::Comment { phone, .. } => phone.as_ref().map(PhoneNumber::as_str),
        }
    }

    pub fn thread_id(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { .. } => None,
            Kind::Comment { thread_id, .. } => Some(thread_id),
        }
    }

    pub fn written_at(&self) -> Option<DateTime<Utc>> {
        match &self.kind {
            Kind::Enquiry { .. } => None,
            Kind::Comment { written_at, .. } => *written_at,
        }
    }

    /// SHA-256 of the message as checked, so that white space around a value makes no difference.
    pub fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(self.to_proto().encode_to_vec()).into()
    }

    /// The answer to the visitor, for the row that `receipt` names.
    pub fn accepted(&self, receipt: &Receipt) -> Message {
        Message {
            id: receipt.id.to_string(),
            create_time: Some(timestamp(receipt.create_time)),
            ..self.to_proto()
        }
    }

    fn to_proto(&self) -> Message {
        Message {
            id: String::new(),
            name: self.name.as_str().to_owned(),
            email: self.email().unwrap_or_default().to_owned(),
            phone: self.phone().unwrap_or_default().to_owned(),
            subject: self.subject.as_str().to_owned(),
            message: self.message.as_str().to_owned(),
            meta: self.thread_id().map(|thread_id| MessageMeta {
                thread_id: thread_id.to_owned(),
                created_at: self.written_at().map(timestamp),
            }),
            create_time: None,
        }
    }
}

/// What the server adds to a draft, once, when it first stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    pub id: Uuid,
    pub create_time: DateTime<Utc>,
}

impl Receipt {
    /// Microseconds are what both databases keep; a repeated answer must equal the first one.
    pub fn new(id: Uuid, now: DateTime<Utc>) -> Self {
        Self {
            id,
            create_time: now.trunc_subsecs(6),
        }
    }
}

/// Checks a request. The error holds every violation, in the order of the form.
pub fn parse(request: CreateMessageRequest) -> Result<Draft, Vec<Violation>> {
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
    let kind = match comment_meta(&message) {
        Some(meta) => comment(&mut violations, meta, email, phone),
        None => enquiry(email, phone),
    };
    let draft = match (request_id, name, subject, body, kind) {
        (Some(request_id), Some(name), Some(subject), Some(message), Some(kind)) => Some(Draft {
            request_id,
            name,
            subject,
            message,
            kind,
        }),
        _ => None,
    };
    violations.into_result(draft)
}

/// What only a comment has.
fn comment_meta(message: &Message) -> Option<&MessageMeta> {
    message
        .meta
        .as_ref()
        .filter(|meta| **meta != MessageMeta::default())
}

/// How the visitor can be reached. Only a comment may leave both empty.
fn ways_back(
    violations: &mut Violations,
    message: &Message,
) -> (Option<EmailAddress>, Option<PhoneNumber>) {
    let email = EmailAddress::parse(&message.email);
    let phone = PhoneNumber::parse(&message.phone);
    if comment_meta(message).is_some() {
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

fn enquiry(email: Option<EmailAddress>, phone: Option<PhoneNumber>) -> Option<Kind> {
    email
        .zip(phone)
        .map(|(email, phone)| Kind::Enquiry { email, phone })
}

fn comment(
    violations: &mut Violations,
    meta: &MessageMeta,
    email: Option<EmailAddress>,
    phone: Option<PhoneNumber>,
) -> Option<Kind> {
    let thread_id = violations.take(
        "meta.threadId",
        Line::parse(&meta.thread_id, THREAD_ID_CHARS_MAX),
    );
    let written_at = match meta.created_at {
        Some(raw) => violations.take("meta.createdAt", instant(raw)),
        None => None,
    };
    thread_id.map(|thread_id| Kind::Comment {
        email,
        phone,
        thread_id: thread_id.into_string(),
        written_at,
    })
}

fn instant(raw: prost_types::Timestamp) -> Result<DateTime<Utc>, &'static str> {
    u32::try_from(raw.nanos)
        .ok()
        .filter(|nanos| *nanos < 1_000_000_000)
        .and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos))
        .filter(|instant| INSTANT_SECONDS.contains(&instant.timestamp()))
        .map(|instant| instant.trunc_subsecs(6))
        .ok_or("Send a time between the years 1 and 9999")
}

/// What google.protobuf.Timestamp can say: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const INSTANT_SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

fn timestamp(instant: DateTime<Utc>) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: instant.timestamp(),
        // Below 2^31: chrono keeps at most 1,999,999,999 here.
        nanos: i32::try_from(instant.timestamp_subsec_nanos()).unwrap_or(i32::MAX),
    }
}

#[cfg(test)]
mod tests;
