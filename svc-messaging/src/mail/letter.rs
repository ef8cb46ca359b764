//! Text of each kind of mail, rendered as plain text and as HTML.
//!
//! Every mail has the same parts ([`Letter`]), so each format needs only one template. The templates must work on
//! narrow screens, in dark mode, with screen readers and in text-only clients. No remote images and no open tracking.
//!
//! Subject lines are visible to bystanders and on locked screens, so they name no department, doctor or patient.

mod events;
mod notices;
mod texts;
mod times;
mod words;

use std::fmt;

use askama::Template;
use chrono::{DateTime, Utc};

use super::{
    content::{Content, Held},
    new::recipient,
};
use crate::{
    domain::markdown::{as_link, mail_html, plain_text},
    site::Site,
};

pub use texts::{Encoding, Text as PhoneText, TextKind, text_message};
pub use times::{date_time, short_date_time};
use words::{greeting, wrapped};

/// An iCalendar file (RFC 5545).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Calendar {
    pub file: String,
    /// PUBLISH or CANCEL.
    pub method: String,
}

/// A button; in the text part, a label with the full URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Action {
    pub label: &'static str,
    pub url: String,
}

/// One row of a two-column table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fact {
    pub label: &'static str,
    pub value: String,
}

/// The parts of a mail, in reading order.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Letter {
    pub subject: String,
    /// Preview text that mail programs show beside the subject.
    pub preheader: String,
    pub heading: String,
    /// Empty for mails to the hospital itself.
    pub greeting: String,
    pub opening: Vec<String>,
    /// Markdown; empty if the mail is not a newsletter.
    pub markdown: String,
    pub facts: Vec<Fact>,
    /// Quoted message of a visitor, by paragraph and line.
    pub quote: Vec<Vec<String>>,
    pub action: Option<Action>,
    pub closing: Vec<String>,
    /// Reason why the recipient gets this mail.
    pub reason: String,
    /// Unsubscribe link; empty if the mail is not a newsletter.
    pub unsubscribe_url: String,
    pub calendar: Option<Calendar>,
    /// Reply address: name, which may be empty, and address.
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

/// Record that a mail refers to, loaded when the mail is sent.
#[derive(Clone)]
pub enum Subject {
    /// The content is complete.
    None,
    Enquiry(Enquiry),
    Issue(Issue),
}

/// A visitor's message, for a mailbox of the hospital.
#[derive(Clone)]
pub struct Enquiry {
    pub reference: String,
    pub name: String,
    /// Empty if not given.
    pub email: String,
    pub phone: String,
    pub subject: String,
    pub message: String,
    /// Thread of a blog comment; empty otherwise.
    pub thread: String,
    /// People of a registration; `None` otherwise.
    pub people: Option<i32>,
    pub create_time: DateTime<Utc>,
}

/// An issue of the newsletter.
#[derive(Clone)]
pub struct Issue {
    pub subject: String,
    /// Markdown.
    pub text: String,
}

/// Reason why a mail cannot be rendered.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LetterError {
    #[error("the record that the mail refers to is missing")]
    NoSubject,
    #[error("the mail cannot be rendered")]
    Render,
}

impl Letter {
    /// Writes the letter for a mail.
    ///
    /// # Errors
    /// When `subject` is not the record that the content refers to.
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
            (Content::NewsletterTest { subject, text }, _) => test_of(subject, text, site),
            (Content::Confirmation { confirm_url }, _) => confirmation(confirm_url, site),
            (Content::Appointment(appointment), _) => notices::appointment(appointment, site),
            (Content::Waitlist(waitlist), _) => notices::waitlist(waitlist, site),
            (Content::WaitlistRemoved(removed), _) => notices::waitlist_removed(removed, site),
            (Content::Consultation(consultation), _) => notices::consultation(consultation, site),
            (Content::Code(code), _) => notices::code(code, site),
            (Content::Registered(registration), _) => events::registered(registration, site),
            (Content::EventCancelled(registration), _) => events::cancelled(registration, site),
            (
                Content::Quarantine {
                    waiting,
                    since,
                    held,
                },
                _,
            ) => quarantine(*waiting, *since, held, site),
        })
    }

    /// Renders the plain-text part.
    ///
    /// # Errors
    /// When the template fails.
    pub fn text(&self, site: &Site) -> Result<String, LetterError> {
        let text = Text { letter: self, site }
            .render()
            .map_err(|_| LetterError::Render)?;
        // Collapse the empty lines that omitted parts leave behind.
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines() {
            // The trailing space after the dashes marks a signature (RFC 3676, 4.3).
            let line = if line == "-- " { line } else { line.trim_end() };
            if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
                lines.push(line);
            }
        }
        Ok(lines.join("\n").trim_end().to_owned() + "\n")
    }

    /// Renders the HTML part, which most recipients see.
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

/// Formats a phone number for `tel:`.
fn dial(phone: &str) -> String {
    phone
        .chars()
        .filter(|character| character.is_ascii_digit() || *character == '+')
        .collect()
}

/// Writes the acknowledgement of a message. It must not repeat visitors' input: a stranger can have this mail sent to
/// any address.
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
    let what = if enquiry.people.is_some() {
        "Registration"
    } else if enquiry.thread.is_empty() {
        "Message"
    } else {
        "Comment"
    };
    let reply_to = recipient(&enquiry.email).map(|_| (enquiry.name.clone(), enquiry.email.clone()));
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
    letter.fact(
        "People",
        enquiry
            .people
            .map(|people| people.to_string())
            .unwrap_or_default(),
    );
    letter.fact("Sent", date_time(enquiry.create_time));
    letter
}

/// Writes the quarantine digest for staff, limited to what may be shown outside the inbox.
fn quarantine(waiting: u64, since: DateTime<Utc>, held: &[Held], site: &Site) -> Letter {
    let (subject, noun) = if waiting == 1 {
        ("1 message waits in quarantine".to_owned(), "message")
    } else {
        (format!("{waiting} messages wait in quarantine"), "messages")
    };
    let line = |held: &Held| {
        let came = date_time(held.create_time);
        if held.signals.is_empty() {
            format!("{}, {came}", held.reference)
        } else {
            format!("{}, {came} ({})", held.reference, held.signals)
        }
    };
    let mut lines: Vec<String> = held.iter().map(line).collect();
    let named = u64::try_from(lines.len()).unwrap_or(u64::MAX);
    if waiting > named {
        lines.push(format!("and {} more", waiting - named));
    }
    Letter {
        subject: subject.clone(),
        preheader: format!("The oldest one came on {}.", date_time(since)),
        heading: subject,
        opening: vec![
            format!(
                "The website held back {waiting} {noun} that looked like spam. The oldest one came on {}.",
                date_time(since)
            ),
            "Some may be from patients, who were told that we have their message. Please look at each one today: release it, and it goes to \
             its mailbox, or mark it as spam. Messages left in quarantine are deleted after 30 days."
                .into(),
        ],
        quote: vec![lines],
        reason: format!(
            "You're getting this e-mail because this mailbox receives messages from the website of {}.",
            site.name
        ),
        ..Letter::default()
    }
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
    Letter {
        subject: issue.subject.clone(),
        preheader: format!("The newsletter of {}", site.name),
        heading: issue.subject.clone(),
        greeting: greeting(name),
        markdown: issue.text.clone(),
        reason: "You're getting this e-mail because you subscribed to our newsletter.".into(),
        unsubscribe_url: unsubscribe_url.to_owned(),
        ..Letter::default()
    }
}

/// Writes a draft as its readers would get it. Its unsubscribe link is that of nobody.
fn test_of(subject: &str, text: &str, site: &Site) -> Letter {
    let issue = Issue {
        subject: subject.to_owned(),
        text: text.to_owned(),
    };
    let unsubscribe_url = format!("{}/newsletter/unsubscribe?token=test", site.origin);
    Letter {
        subject: format!("Test: {subject}"),
        reason: "This is a test that you sent to yourself from the staff area. Nobody else got it, and its unsubscribe link has \
                 no effect."
            .into(),
        ..issue_of(&issue, "", &unsubscribe_url, site)
    }
}

/// Splits a text into paragraphs at empty lines.
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
