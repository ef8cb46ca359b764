//! MIME encoding of letters (RFC 5322). Every attempt of a mail has the same Message-ID, which mail programs use to
//! detect duplicates.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::{
    Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};
use uuid::Uuid;

use super::{
    bounce::ReturnPath,
    dkim::{DkimError, Signer},
    letter::{Calendar, Letter, LetterError},
    new::recipient,
};
use crate::site::Site;

/// Maximum size of a mail, in bytes. The longest visitor message in four-byte characters needs a tenth of it.
const MAIL_BYTES_MAX: usize = 1024 * 1024;

/// Reason why a mail cannot be composed. Contains nothing of the mail.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    #[error("an address is invalid")]
    Address,
    #[error("a header contains a control character")]
    Control,
    #[error("the mail cannot be encoded")]
    Format,
    #[error("the mail is larger than {MAIL_BYTES_MAX} bytes")]
    TooLarge,
    #[error(transparent)]
    Letter(#[from] LetterError),
    #[error(transparent)]
    Dkim(#[from] DkimError),
}

/// Recipient and identity of a mail.
#[derive(Clone, Copy)]
pub struct Addressed<'a> {
    /// Id of the mail; part of the Message-ID.
    pub id: Uuid,
    /// Empty if unknown.
    pub name: &'a str,
    pub email: &'a str,
    /// When the content was stored.
    pub create_time: DateTime<Utc>,
    /// Time of this attempt. Receivers distrust a `Date` hours in the past.
    pub send_time: DateTime<Utc>,
}

/// An encoded message with its sender and recipient.
#[derive(Clone, Eq, PartialEq)]
pub struct Envelope {
    /// Deduplication key.
    pub id: Uuid,
    /// Sender's e-mail address; empty for webhooks and texts.
    pub from: String,
    /// Recipient's e-mail address or phone number; empty for webhooks.
    pub to: String,
    /// When the content was stored.
    pub create_time: DateTime<Utc>,
    /// Mail with CRLF line endings, or JSON.
    pub body: Vec<u8>,
}

impl std::fmt::Debug for Addressed<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Addressed({})", self.id)
    }
}

impl std::fmt::Debug for Envelope {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Envelope({})", self.id)
    }
}

/// Encodes letters as MIME messages.
#[derive(Debug)]
pub struct Writer {
    pub from: Mailbox,
    /// Sender of newsletters. Separate, so that its reputation does not affect mails to patients.
    pub newsletter_from: Mailbox,
    /// One per algorithm.
    pub signers: Vec<Signer>,
    /// Return path for bounces. `None`: bounces go to the sender.
    pub return_path: Option<ReturnPath>,
}

impl Writer {
    /// Encodes a letter and signs it with every configured signer.
    ///
    /// # Errors
    /// When a template fails, an address or header is invalid, the mail is too large, or signing fails.
    pub fn write(
        &self,
        letter: &Letter,
        to: Addressed<'_>,
        site: &Site,
    ) -> Result<Envelope, MessageError> {
        let text = SinglePart::plain(letter.text(site)?);
        let html = SinglePart::html(letter.html(site)?);
        let mut alternative = MultiPart::alternative()
            .boundary(format!("alternative-{}", to.id.simple()))
            .singlepart(text)
            .singlepart(html);
        let whole = match &letter.calendar {
            None => alternative,
            Some(calendar) => {
                alternative = alternative.singlepart(inline_calendar(calendar)?);
                MultiPart::mixed()
                    .boundary(format!("mixed-{}", to.id.simple()))
                    .multipart(alternative)
                    .singlepart(attached_calendar(calendar)?)
            }
        };
        let message = self
            .headers(letter, to)?
            .multipart(whole)
            .map_err(|_| MessageError::Format)?;
        let mail = message.formatted();
        let mut body = Vec::new();
        for signer in &self.signers {
            body.extend(signer.sign(&mail, to.send_time)?);
        }
        body.extend(mail);
        if body.len() > MAIL_BYTES_MAX {
            return Err(MessageError::TooLarge);
        }
        Ok(Envelope {
            id: to.id,
            from: match &self.return_path {
                Some(path) => path.of(to.id),
                None => self.from(letter).email.to_string(),
            },
            to: to.email.to_owned(),
            create_time: to.create_time,
            body,
        })
    }

    fn from(&self, letter: &Letter) -> &Mailbox {
        if letter.unsubscribe_url.is_empty() {
            &self.from
        } else {
            &self.newsletter_from
        }
    }

    fn headers(
        &self,
        letter: &Letter,
        to: Addressed<'_>,
    ) -> Result<lettre::message::MessageBuilder, MessageError> {
        let from = self.from(letter);
        let domain = from.email.domain();
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}@{domain}>", to.id)))
            .date(SystemTime::from(to.send_time))
            .from(from.clone())
            .to(mailbox(to.name, to.email)?)
            .subject(line(&letter.subject)?)
            .raw_header(raw("Auto-Submitted", "auto-generated")?);
        if let Some(language) = letter.content_language() {
            builder = builder.raw_header(raw("Content-Language", &language)?);
        }
        // An invalid name or address must not keep the mail from staff; both also appear in the text.
        if let Some((name, email)) = &letter.reply_to
            && let Ok(mailbox) = mailbox(name, email).or_else(|_| mailbox("", email))
        {
            builder = builder.reply_to(mailbox);
        }
        let url = &letter.unsubscribe_url;
        if !url.is_empty() {
            // RFC 2919: used for filtering and sorting.
            let list = format!("<newsletter.{domain}>");
            // RFC 8058: one-click unsubscribe in the mail program.
            builder = builder
                .raw_header(raw("List-Id", &list)?)
                .raw_header(raw("List-Unsubscribe", &format!("<{}>", uri(url)?))?)
                .raw_header(raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")?);
        }
        Ok(builder)
    }
}

fn mailbox(name: &str, email: &str) -> Result<Mailbox, MessageError> {
    let email = recipient(email).ok_or(MessageError::Address)?;
    let name = (!name.is_empty()).then(|| line(name)).transpose()?;
    Ok(Mailbox::new(name, email))
}

/// Rejects line breaks and control characters. Input was validated on arrival; this is a second check against header
/// injection.
fn line(text: &str) -> Result<String, MessageError> {
    let breaks = |character: char| character.is_control() || "\u{2028}\u{2029}".contains(character);
    if text.contains(breaks) {
        return Err(MessageError::Control);
    }
    Ok(text.to_owned())
}

/// Checks that a URL is safe in a header: printable ASCII without spaces, angle brackets, commas and quotes.
fn uri(url: &str) -> Result<&str, MessageError> {
    let is_fit = url
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"<>,\"".contains(&byte));
    if is_fit {
        Ok(url)
    } else {
        Err(MessageError::Control)
    }
}

/// Builds a pre-encoded header that fits on one line (RFC 5322, 2.1.1).
fn raw(name: &'static str, value: &str) -> Result<HeaderValue, MessageError> {
    const LINE_BYTES_MAX: usize = 998;
    if name.len() + 2 + value.len() > LINE_BYTES_MAX {
        return Err(MessageError::Control);
    }
    let value = line(value)?;
    let name = HeaderName::new_from_ascii_str(name);
    Ok(HeaderValue::dangerous_new_pre_encoded(
        name,
        value.clone(),
        value,
    ))
}

/// Builds the part for mail programs that offer to add the visit to the calendar.
fn inline_calendar(calendar: &Calendar) -> Result<SinglePart, MessageError> {
    let kind = format!("text/calendar; method={}; charset=utf-8", method(calendar)?);
    Ok(SinglePart::builder()
        .header(content_type(&kind)?)
        .body(calendar.file.clone()))
}

/// Builds the attachment for mail programs that only show files.
fn attached_calendar(calendar: &Calendar) -> Result<SinglePart, MessageError> {
    let kind = content_type("application/ics; name=\"appointment.ics\"")?;
    Ok(Attachment::new("appointment.ics".into()).body(calendar.file.clone(), kind))
}

fn method(calendar: &Calendar) -> Result<&'static str, MessageError> {
    match calendar.method.as_str() {
        "PUBLISH" => Ok("PUBLISH"),
        "CANCEL" => Ok("CANCEL"),
        _ => Err(MessageError::Format),
    }
}

fn content_type(text: &str) -> Result<ContentType, MessageError> {
    ContentType::parse(text).map_err(|_| MessageError::Format)
}
