//! What a message is: checks every field, reports all violations at once, and keeps only what passed.

mod submission;

use std::fmt;

use chrono::{DateTime, SubsecRound, Utc};
use service_kit::violation::Violation;
use uuid::Uuid;

pub use submission::{Submission, SubmittedMessage, SubmittedMeta, UnixTime};

pub const NAME_CHARS_MAX: usize = 120;
/// Longest address that SMTP can carry (RFC 5321, 4.5.3.1.3).
pub const EMAIL_CHARS_MAX: usize = 254;
pub const EMAIL_LOCAL_PART_CHARS_MAX: usize = 64;
/// E.164 allows 15 digits; fewer than 7 are no subscriber's number.
pub const PHONE_DIGITS_MIN: usize = 7;
pub const PHONE_DIGITS_MAX: usize = 15;
pub const PHONE_CHARS_MAX: usize = 32;
/// Digits of a number in India, without the country.
const NATIONAL_NUMBER_DIGITS: usize = 10;
pub const SUBJECT_CHARS_MAX: usize = 200;
pub const MESSAGE_CHARS_MAX: usize = 5000;
pub const THREAD_ID_CHARS_MAX: usize = 200;
pub const REQUEST_ID_CHARS_MIN: usize = 16;
pub const REQUEST_ID_CHARS_MAX: usize = 128;

/// A checked text of a visitor. Its `Debug` shows nothing, so that no log line can.
#[derive(Clone, PartialEq, Eq)]
pub struct Personal(String);

impl Personal {
    /// A text that was checked when it was kept.
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
        write_time: Option<DateTime<Utc>>,
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
pub struct NewMessage {
    pub name: Personal,
    pub subject: Personal,
    pub message: Personal,
    pub kind: Kind,
}

impl NewMessage {
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

    /// When the visitor wrote a comment, by their own clock.
    pub fn write_time(&self) -> Option<DateTime<Utc>> {
        match &self.kind {
            Kind::Enquiry { .. } => None,
            Kind::Comment { write_time, .. } => *write_time,
        }
    }
}

/// What an e-mail address is looked up by: nobody relies on a mailbox whose name differs from another one's in case only.
pub fn email_to_look_up(email: &str) -> String {
    email.trim().to_lowercase()
}

/// What a telephone number is looked up by: its last ten digits, so that `+91 80 0000 0199` and `080-00000199` are one number. That
/// is the length of a number in India; a shorter one stands whole.
pub fn phone_to_look_up(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(NATIONAL_NUMBER_DIGITS)..]
        .iter()
        .collect()
}

/// How far the staff are with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nobody has looked at it.
    New,
    /// Somebody sees to it.
    Taken,
    /// Nothing is left to do.
    Done,
    /// No message to a hospital.
    Spam,
}

impl Status {
    const ALL: [Self; 4] = [Self::New, Self::Taken, Self::Done, Self::Spam];

    /// The word for it in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Taken => "taken",
            Self::Done => "done",
            Self::Spam => "spam",
        }
    }

    /// The status of a word; `None` for a word that is none.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// A message that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub id: Uuid,
    pub create_time: DateTime<Utc>,
    pub status: Status,
    /// What the visitor wrote.
    pub new: NewMessage,
}

impl Message {
    /// Microseconds are what both databases keep; a repeated answer must equal the first one.
    pub fn new(id: Uuid, now: DateTime<Utc>, new: NewMessage) -> Self {
        Self {
            id,
            create_time: now.trunc_subsecs(6),
            status: Status::New,
            new,
        }
    }
}

/// Checks a request. The error holds every violation, in the order of the form.
pub fn parse(request: Submission) -> Result<(RequestId, NewMessage), Vec<Violation>> {
    let mut violations = Violations::default();
    let request_id = violations.request_id(&request.request_id);
    let Some(message) = request.message else {
        violations.add("message", "is required");
        return Err(violations.0);
    };
    let meta = message.meta;
    let is_comment = meta != SubmittedMeta::default();

    let name = violations.line("name", &message.name, NAME_CHARS_MAX);
    let email = violations.email(&message.email, !is_comment);
    let phone = violations.phone(&message.phone, !is_comment);
    let subject = violations.line("subject", &message.subject, SUBJECT_CHARS_MAX);
    let body = violations.paragraphs("message", &message.message, MESSAGE_CHARS_MAX);
    let kind = if is_comment {
        let thread_id = violations.line("meta.threadId", &meta.thread_id, THREAD_ID_CHARS_MAX);
        let write_time = meta
            .write_time
            .and_then(|raw| violations.instant("meta.createdAt", raw));
        thread_id.map(|thread_id| Kind::Comment {
            email,
            phone,
            thread_id: thread_id.0,
            write_time,
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
            let new = NewMessage {
                name,
                subject,
                message,
                kind,
            };
            Ok((request_id, new))
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

    fn instant(&mut self, field: &str, raw: UnixTime) -> Option<DateTime<Utc>> {
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

#[cfg(test)]
mod tests;
