//! What a message is: checks every field, reports all violations at once, and keeps only what passed.

use std::fmt;

use chrono::{DateTime, SubsecRound, Utc};
use hospital_proto::messaging::v1::{CreateMessageRequest, Message, MessageMeta};
use prost::Message as _;
use service_kit::violation::Violation;
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub const NAME_CHARS_MAX: usize = 120;
/// Longest address that SMTP can carry (RFC 5321, 4.5.3.1.3).
pub const EMAIL_CHARS_MAX: usize = 254;
pub const EMAIL_LOCAL_PART_CHARS_MAX: usize = 64;
/// E.164 allows 15 digits; fewer than 7 are no subscriber's number.
pub const PHONE_DIGITS_MIN: usize = 7;
pub const PHONE_DIGITS_MAX: usize = 15;
pub const PHONE_CHARS_MAX: usize = 32;
pub const SUBJECT_CHARS_MAX: usize = 200;
pub const MESSAGE_CHARS_MAX: usize = 5000;
pub const THREAD_ID_CHARS_MAX: usize = 200;
pub const REQUEST_ID_CHARS_MIN: usize = 16;
pub const REQUEST_ID_CHARS_MAX: usize = 128;

/// A checked text of a visitor. Its `Debug` shows nothing, so that no log line can.
#[derive(Clone, PartialEq, Eq)]
pub struct Personal(String);

impl Personal {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Personal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("<withheld>")
    }
}

/// 16 to 128 visible ASCII characters, chosen by the client (AIP-155).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the message is about, with what only that kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Somebody waits for an answer, so both ways to reach them are required.
    Enquiry { email: Personal, phone: Personal },
    /// Tells the hospital of a comment that is kept in the visitor's own browser.
    Comment {
        email: Option<Personal>,
        phone: Option<Personal>,
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
    pub name: Personal,
    pub subject: Personal,
    pub message: Personal,
    pub kind: Kind,
}

impl Draft {
    pub fn email(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { email, .. } => Some(email.as_str()),
            Kind::Comment { email, .. } => email.as_ref().map(Personal::as_str),
        }
    }

    pub fn phone(&self) -> Option<&str> {
        match &self.kind {
            Kind::Enquiry { phone, .. } => Some(phone.as_str()),
            Kind::Comment { phone, .. } => phone.as_ref().map(Personal::as_str),
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
            name: self.name.0.clone(),
            email: self.email().unwrap_or_default().to_owned(),
            phone: self.phone().unwrap_or_default().to_owned(),
            subject: self.subject.0.clone(),
            message: self.message.0.clone(),
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
    let request_id = violations.request_id(&request.request_id);
    let Some(message) = request.message else {
        violations.add("message", "is required");
        return Err(violations.0);
    };
    let meta = message.meta.unwrap_or_default();
    let is_comment = meta != MessageMeta::default();

    let name = violations.line("name", &message.name, NAME_CHARS_MAX);
    let email = violations.email(&message.email, !is_comment);
    let phone = violations.phone(&message.phone, !is_comment);
    let subject = violations.line("subject", &message.subject, SUBJECT_CHARS_MAX);
    let body = violations.paragraphs("message", &message.message, MESSAGE_CHARS_MAX);
    let kind = if is_comment {
        let thread_id = violations.line("meta.threadId", &meta.thread_id, THREAD_ID_CHARS_MAX);
        let written_at = meta
            .created_at
            .and_then(|raw| violations.instant("meta.createdAt", raw));
        thread_id.map(|thread_id| Kind::Comment {
            email,
            phone,
            thread_id: thread_id.0,
            written_at,
        })
    } else {
        email
            .zip(phone)
            .map(|(email, phone)| Kind::Enquiry { email, phone })
    };

    match (request_id, name, subject, body, kind) {
        (Some(request_id), Some(name), Some(subject), Some(message), Some(kind))
            if violations.0.is_empty() =>
        {
            Ok(Draft {
                request_id,
                name,
                subject,
                message,
                kind,
            })
        }
        _ => Err(violations.0),
    }
}

/// Collects what is wrong while the checks go on.
#[derive(Default)]
struct Violations(Vec<Violation>);

impl Violations {
    fn add(&mut self, field: &str, description: impl Into<String>) {
        self.0.push(Violation::new(field, description));
    }

    fn request_id(&mut self, raw: &str) -> Option<RequestId> {
        let length = raw.len();
        if (REQUEST_ID_CHARS_MIN..=REQUEST_ID_CHARS_MAX).contains(&length)
            && raw.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Some(RequestId(raw.to_owned()));
        }
        self.add(
            "requestId",
            format!(
                "needs {REQUEST_ID_CHARS_MIN} to {REQUEST_ID_CHARS_MAX} visible ASCII characters"
            ),
        );
        None
    }

    /// A required text without line breaks: it may end up in the header of a mail.
    fn line(&mut self, field: &str, raw: &str, chars_max: usize) -> Option<Personal> {
        self.text(field, raw, chars_max, char::is_control)
    }

    /// A required text that may have line breaks and tabs.
    fn paragraphs(&mut self, field: &str, raw: &str, chars_max: usize) -> Option<Personal> {
        self.text(field, raw, chars_max, |character| {
            character.is_control() && !matches!(character, '\n' | '\r' | '\t')
        })
    }

    fn text(
        &mut self,
        field: &str,
        raw: &str,
        chars_max: usize,
        is_refused: impl Fn(char) -> bool,
    ) -> Option<Personal> {
        let text = raw.trim();
        if text.is_empty() {
            self.add(field, "is required");
        } else if text.chars().count() > chars_max {
            self.add(field, format!("has more than {chars_max} characters"));
        } else if text.chars().any(is_refused) {
            self.add(field, "contains a control character");
        } else {
            return Some(Personal(text.to_owned()));
        }
        None
    }

    fn email(&mut self, raw: &str, required: bool) -> Option<Personal> {
        let text = raw.trim();
        if text.is_empty() {
            if required {
                self.add("email", "is required");
            }
            return None;
        }
        if is_email(text) {
            return Some(Personal(text.to_owned()));
        }
        self.add("email", "is not an e-mail address such as name@example.org");
        None
    }

    fn phone(&mut self, raw: &str, required: bool) -> Option<Personal> {
        let text = raw.trim();
        if text.is_empty() {
            if required {
                self.add("phone", "is required");
            }
            return None;
        }
        if is_phone(text) {
            return Some(Personal(text.to_owned()));
        }
        self.add(
            "phone",
            format!(
                "needs {PHONE_DIGITS_MIN} to {PHONE_DIGITS_MAX} digits; spaces, hyphens, brackets and a leading + are allowed"
            ),
        );
        None
    }

    fn instant(&mut self, field: &str, raw: prost_types::Timestamp) -> Option<DateTime<Utc>> {
        let instant = u32::try_from(raw.nanos)
            .ok()
            .filter(|nanos| *nanos < 1_000_000_000)
            .and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos))
            .filter(|instant| INSTANT_SECONDS.contains(&instant.timestamp()));
        if instant.is_none() {
            self.add(field, "is not a time between the years 1 and 9999");
        }
        instant.map(|instant| instant.trunc_subsecs(6))
    }
}

/// What google.protobuf.Timestamp can say: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const INSTANT_SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// The rule of `<input type=email>` (HTML, 4.10.5.1.5), so that browser and server agree.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    text.len() <= EMAIL_CHARS_MAX
        && (1..=EMAIL_LOCAL_PART_CHARS_MAX).contains(&local.len())
        && local
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c))
        && domain.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.len() <= PHONE_CHARS_MAX
        && (PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits)
        && text.char_indices().all(|(at, character)| {
            character.is_ascii_digit()
                || matches!(character, ' ' | '-' | '(' | ')' | '.')
                || (character == '+' && at == 0)
        })
}

fn timestamp(instant: DateTime<Utc>) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: instant.timestamp(),
        // Below 2^31: chrono keeps at most 1,999,999,999 here.
        nanos: i32::try_from(instant.timestamp_subsec_nanos()).unwrap_or(i32::MAX),
    }
}

#[cfg(test)]
mod tests;
