//! What each kind of mail says, and how that looks as text and as HTML.
//!
//! Every mail has the same parts ([`Letter`]), so that there is one template of each form to get right: for narrow screens, dark mode,
//! screen readers and clients that show text only. No remote image, no counting of who opened it.
//!
//! A subject line is read over somebody's shoulder and on a locked screen: it names neither department nor doctor nor patient.

mod notices;
mod times;
mod words;

use std::fmt;

use askama::Template;
use chrono::{DateTime, Utc};

use super::{
    content::{AppointmentEvent as Event, Content},
    message::is_recipient,
};
use crate::site::Site;

pub use times::{date_time, short_date_time};
use words::{as_link, greeting, wrapped};

/// A file for a calendar (RFC 5545).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Calendar {
    pub file: String,
    /// PUBLISH or CANCEL.
    pub method: String,
}

/// A button, and in the text part an address in full.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Action {
    pub label: &'static str,
    pub url: String,
}

/// One line of a table of two columns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fact {
    pub label: &'static str,
    pub value: String,
}

/// The parts of a mail, in the order in which they are read.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Letter {
    pub subject: String,
    /// Shown by mail programs beside the subject.
    pub preheader: String,
    pub heading: String,
    /// Empty: a mail to the hospital itself.
    pub greeting: String,
    pub opening: Vec<String>,
    pub facts: Vec<Fact>,
    /// What somebody wrote, by paragraph and line.
    pub quote: Vec<Vec<String>>,
    pub action: Option<Action>,
    pub closing: Vec<String>,
    /// Why the reader gets it.
    pub reason: String,
    /// Ends a subscription. Empty: there is none.
    pub unsubscribe_url: String,
    pub calendar: Option<Calendar>,
    /// Where an answer goes: name, which may be empty, and address.
    pub reply_to: Option<(String, String)>,
}

macro_rules! withheld {
    ($($name:ident),+) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(withheld)"))
            }
        })+
    };
}

withheld!(Letter, Subject, Enquiry, Issue);

/// What a mail refers to and is read when it is sent.
#[derive(Clone)]
pub enum Subject {
    /// Nothing beyond its content.
    None,
    Enquiry(Enquiry),
    Issue(Issue),
}

/// A message of a visitor, for a mailbox of the hospital.
#[derive(Clone)]
pub struct Enquiry {
    pub reference: String,
    pub name: String,
    /// Empty: not given.
    pub email: String,
    pub phone: String,
    pub subject: String,
    pub message: String,
    /// Of a blog comment. Empty: an enquiry.
    pub thread: String,
    pub create_time: DateTime<Utc>,
}

/// An issue of the newsletter.
#[derive(Clone)]
pub struct Issue {
    pub subject: String,
    /// Paragraphs, with empty lines between them.
    pub text: String,
}

/// Why a mail cannot be written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LetterError {
    #[error("what the mail refers to is not there")]
    NoSubject,
    #[error("the mail cannot be put into its form")]
    Render,
}

impl Letter {
    /// What a mail says.
    ///
    /// # Errors
    /// When `subject` is not what the content refers to.
    pub fn of(
        content: &Content,
        name: &str,
        subject: &Subject,
        site: &Site,
    ) -> Result<Self, LetterError> {
        Ok(match (content, subject) {
            (Content::Acknowledgement { reference, .. }, _) => acknowledgement(reference, site),
            (Content::Enquiry { .. }, Subject::Enquiry(enquiry)) => forwarded(enquiry, site),
            (
                Content::Newsletter {
                    unsubscribe_url, ..
                },
                Subject::Issue(issue),
            ) => issue_of(issue, name, unsubscribe_url, site),
            (Content::Enquiry { .. } | Content::Newsletter { .. }, _) => {
                return Err(LetterError::NoSubject);
            }
            (Content::Confirmation { confirm_url }, _) => confirmation(confirm_url, site),
            (Content::Appointment(appointment), _) => notices::appointment(appointment, site),
            (Content::Waitlist(waitlist), _) => notices::waitlist(waitlist, site),
            (Content::Consultation(consultation), _) => notices::consultation(consultation, site),
            (Content::Code(code), _) => notices::code(code, site),
        })
    }

    /// The part that every mail program can show.
    ///
    /// # Errors
    /// When the template fails.
    pub fn text(&self, site: &Site) -> Result<String, LetterError> {
        let text = Text { letter: self, site }
            .render()
            .map_err(|_| LetterError::Render)?;
        // Parts that are missing leave their empty lines behind.
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines() {
            // Mail programs know a signature by the space after its dashes (RFC 3676, 4.3).
            let line = if line == "-- " { line } else { line.trim_end() };
            if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
                lines.push(line);
            }
        }
        Ok(lines.join("\n").trim_end().to_owned() + "\n")
    }

    /// The part that most people see.
    ///
    /// # Errors
    /// When the template fails.
    pub fn html(&self, site: &Site) -> Result<String, LetterError> {
        Html { letter: self, site }
            .render()
            .map_err(|_| LetterError::Render)
    }

    fn fact(&mut self, label: &'static str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.facts.push(Fact { label, value });
        }
    }
}

#[derive(Template)]
#[template(path = "letter.txt", escape = "none")]
struct Text<'a> {
    letter: &'a Letter,
    site: &'a Site,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    letter: &'a Letter,
    site: &'a Site,
}

impl Text<'_> {
    fn emergency(&self) -> String {
        let phone = &self.site.emergency_phone;
        format!("In an emergency, call {phone}, day or night.")
    }
}

/// A phone number as `tel:` has it.
fn dial(phone: &str) -> String {
    phone
        .chars()
        .filter(|character| character.is_ascii_digit() || *character == '+')
        .collect()
}

/// Repeats nothing that the visitor typed: a stranger can have this mail sent to any address.
fn acknowledgement(reference: &str, site: &Site) -> Letter {
    let mut letter = Letter {
        subject: format!("We have your message ({reference})"),
        preheader: "A member of our staff will read it and reply.".into(),
        heading: "We have your message".into(),
        greeting: greeting(""),
        opening: vec![
            "Thank you for writing to us. A member of our staff will read your message and reply, usually within one working day."
                .into(),
            "You don't need to do anything now. If you contact us about it, please give us your reference.".into(),
        ],
        closing: vec![format!(
            "If you can't wait for a reply, call reception on {}.",
            site.phone
        )],
        reason: format!(
            "You're getting this e-mail because this address was entered in our contact form. If you did not write to us, you can ignore \
             it, or tell us at {}.",
            site.email
        ),
        ..Letter::default()
    };
    letter.fact("Reference", reference);
    letter
}

fn forwarded(enquiry: &Enquiry, site: &Site) -> Letter {
    let is_comment = !enquiry.thread.is_empty();
    let what = if is_comment { "Comment" } else { "Message" };
    let reply_to =
        is_recipient(&enquiry.email).then(|| (enquiry.name.clone(), enquiry.email.clone()));
    let mut letter = Letter {
        subject: format!("{what} {} from the website", enquiry.reference),
        preheader: "A visitor wrote to the hospital.".into(),
        heading: format!("{what} from the website"),
        quote: paragraphs(&enquiry.message),
        closing: vec![if reply_to.is_some() {
            "Reply to this e-mail to answer the visitor.".into()
        } else if enquiry.email.is_empty() {
            "The visitor left no e-mail address. Replies to this e-mail don't reach the visitor."
                .into()
        } else {
            "The visitor's address can't be set as the reply address. Check it and copy it from above: replies to this e-mail don't \
             reach the visitor."
                .into()
        }],
        reason: format!(
            "You're getting this e-mail because this mailbox receives messages from the website of {}.",
            site.name
        ),
        reply_to,
        ..Letter::default()
    };
    letter.fact("Reference", &enquiry.reference);
    letter.fact("Name", &enquiry.name);
    letter.fact("E-mail", &enquiry.email);
    letter.fact("Phone", &enquiry.phone);
    letter.fact("Subject", &enquiry.subject);
    letter.fact("Blog post", &enquiry.thread);
    letter.fact("Sent", date_time(enquiry.create_time));
    letter
}

fn confirmation(confirm_url: &str, site: &Site) -> Letter {
    Letter {
        subject: "Please confirm your newsletter subscription".into(),
        preheader: "Confirm your address to get our newsletter.".into(),
        heading: "Confirm your subscription".into(),
        greeting: greeting(""),
        opening: vec![format!(
            "Someone asked us to send the newsletter of {} to this address. If it was you, please confirm your address within 7 days.",
            site.name
        )],
        action: Some(Action {
            label: "Confirm my subscription",
            url: confirm_url.to_owned(),
        }),
        closing: vec![
            "If it wasn't you, you can ignore this e-mail. We won't send you the newsletter unless you confirm."
                .into(),
        ],
        reason: "You're getting this e-mail because this address was entered on our website.".into(),
        ..Letter::default()
    }
}

fn issue_of(issue: &Issue, name: &str, unsubscribe_url: &str, site: &Site) -> Letter {
    let text = paragraphs(&issue.text);
    Letter {
        subject: issue.subject.clone(),
        preheader: format!("The newsletter of {}", site.name),
        heading: issue.subject.clone(),
        greeting: greeting(name),
        opening: text.into_iter().map(|lines| lines.join(" ")).collect(),
        reason: "You're getting this e-mail because you subscribed to our newsletter.".into(),
        unsubscribe_url: unsubscribe_url.to_owned(),
        ..Letter::default()
    }
}

/// Empty lines part paragraphs.
fn paragraphs(text: &str) -> Vec<Vec<String>> {
    let mut paragraphs = vec![Vec::new()];
    for line in text.lines().map(str::trim_end) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => last.push(line.to_owned()),
            Some(last) if !last.is_empty() => paragraphs.push(Vec::new()),
            _ => {}
        }
    }
    paragraphs.retain(|lines| !lines.is_empty());
    paragraphs
}

/// A text to a phone for a mail of this content, of at most 160 characters of the alphabet of GSM; `None` where a text is not worth its
/// price, or would say too much on a locked screen.
pub fn text_message(content: &Content, site: &Site) -> Option<String> {
    let Content::Appointment(appointment) = content else {
        return None;
    };
    let said = match appointment.event {
        Event::Reminder24h | Event::Reminder2h => "Reminder: your visit is on",
        Event::Cancelled => "Cancelled: your visit on",
        _ => return None,
    };
    let text = format!(
        "{}: {said} {}. Ref {}. Call {}",
        site.name,
        short_date_time(appointment.starts_at),
        appointment.reference,
        site.phone
    );
    let gsm: String = text
        .chars()
        .map(|character| {
            if character.is_ascii_graphic() || character == ' ' {
                character
            } else {
                '?'
            }
        })
        // In the alphabet of GSM these take two places, or are not there.
        .map(|character| {
            if "[]{}\\^~|`".contains(character) {
                '-'
            } else {
                character
            }
        })
        .take(160)
        .collect();
    Some(gsm)
}
