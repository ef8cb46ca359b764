//! A letter in the format of mails (RFC 5322, MIME). Every try of a mail has the same Message-ID, by which mail programs know a duplicate.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::{
    Address, Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};
use service_kit::input::EmailAddress;
use uuid::Uuid;

use super::{
    dkim::{DkimError, Signer},
    letter::{Calendar, Letter, LetterError},
};
use crate::site::Site;

/// Largest mail in bytes. The longest message of a visitor in four-byte characters has a tenth of that.
const MAIL_BYTES_MAX: usize = 1024 * 1024;

/// Why a mail cannot be put together. Holds nothing of the mail.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    #[error("an address is none")]
    Address,
    #[error("a header would have a control character")]
    Control,
    #[error("the mail cannot be put together")]
    Format,
    #[error("the mail is larger than {MAIL_BYTES_MAX} bytes")]
    TooLarge,
    #[error(transparent)]
    Letter(#[from] LetterError),
    #[error(transparent)]
    Dkim(#[from] DkimError),
}

/// Who gets a letter.
#[derive(Clone, Copy)]
pub struct Addressed<'a> {
    /// The mail: part of its Message-ID.
    pub id: Uuid,
    /// Empty: none is known.
    pub name: &'a str,
    pub email: &'a str,
    /// When what it says was kept.
    pub create_time: DateTime<Utc>,
    /// Of this try. Receivers distrust a `Date` of hours ago.
    pub send_time: DateTime<Utc>,
}

/// A mail as it travels.
#[derive(Clone, Eq, PartialEq)]
pub struct Envelope {
    /// Key of deduplication.
    pub id: Uuid,
    /// E-mail address of the sender. Empty where there is none.
    pub from: String,
    /// E-mail address or phone number of the recipient. Empty where there is none.
    pub to: String,
    /// When what it says was kept.
    pub create_time: DateTime<Utc>,
    /// The mail with CRLF line ends, the text or the JSON.
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

/// Puts letters into the format of mails.
#[derive(Debug)]
pub struct Writer {
    pub from: Mailbox,
    /// Who sends newsletters: what receivers think of them must not weigh on the mails of patients.
    pub newsletter_from: Mailbox,
    pub signer: Option<Signer>,
}

impl Writer {
    /// A letter as it travels, signed where that is configured.
    ///
    /// # Errors
    /// When an address or a header is not fit for a mail.
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
        let mut body = message.formatted();
        if let Some(signer) = &self.signer {
            body = signer.sign(&body, to.send_time)?;
        }
        if body.len() > MAIL_BYTES_MAX {
            return Err(MessageError::TooLarge);
        }
        Ok(Envelope {
            id: to.id,
            from: self.from(letter).email.to_string(),
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
        // A name or an address that no header can have is in the text too, and must not keep the mail from staff.
        if let Some((name, email)) = &letter.reply_to
            && let Ok(mailbox) = mailbox(name, email).or_else(|_| mailbox("", email))
        {
            builder = builder.reply_to(mailbox);
        }
        let url = &letter.unsubscribe_url;
        if !url.is_empty() {
            // RFC 2919: by which readers and receivers sort it.
            let list = format!("<newsletter.{domain}>");
            // RFC 8058: the mail program ends the subscription with one click.
            builder = builder
                .raw_header(raw("List-Id", &list)?)
                .raw_header(raw("List-Unsubscribe", &format!("<{}>", uri(url)?))?)
                .raw_header(raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")?);
        }
        Ok(builder)
    }
}

fn mailbox(name: &str, email: &str) -> Result<Mailbox, MessageError> {
    // The rule of what people type is stricter than that of mails: no quoted local part, no comment, no second address.
    let email = EmailAddress::parse(email).map_err(|_| MessageError::Address)?;
    let email: Address = email.as_str().parse().map_err(|_| MessageError::Address)?;
    let name = (!name.is_empty()).then(|| line(name)).transpose()?;
    Ok(Mailbox::new(name, email))
}

/// Whether a mail can be addressed to it.
pub fn is_recipient(email: &str) -> bool {
    mailbox("", email).is_ok()
}

/// A text of one line. What comes here was checked when it was taken; a header is the last place where it would be missed.
fn line(text: &str) -> Result<String, MessageError> {
    let breaks = |character: char| character.is_control() || "\u{2028}\u{2029}".contains(character);
    if text.contains(breaks) {
        return Err(MessageError::Control);
    }
    Ok(text.to_owned())
}

/// An address of the web as a header may have it: ASCII without spaces, angle brackets and commas.
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

/// A header of visible ASCII that is no longer than a line may be (RFC 5322, 2.1.1).
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

/// For mail programs that offer to put the visit into the calendar.
fn inline_calendar(calendar: &Calendar) -> Result<SinglePart, MessageError> {
    let kind = format!("text/calendar; method={}; charset=utf-8", method(calendar)?);
    Ok(SinglePart::builder()
        .header(content_type(&kind)?)
        .body(calendar.file.clone()))
}

/// For those that show a file.
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
