//! Text of each kind of mail, rendered as plain text and as HTML.
//!
//! Every mail has the same parts ([`Letter`]), so each format needs only one template. The templates must work on
//! narrow screens, in dark mode, with screen readers and in text-only clients. No remote images and no open tracking.
//!
//! Subject lines are visible to bystanders and on locked screens, so they name no department, doctor or patient.

mod events;
mod language;
mod names;
mod notices;
mod staff;
mod texts;
mod words;

use std::fmt;

use askama::Template;
use chrono::{DateTime, Utc};
use service_kit::language::Language;

use super::content::Content;
use crate::{
    domain::markdown::{as_link, mail_html, plain_text},
    site::Site,
};

use language::{Words, key};
pub use texts::{Encoding, Text as PhoneText, TextKind, text_message};
use words::{is_echoed, wrapped};

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
    /// `None` is English. The text of a newsletter is English in each language.
    pub language: Option<Language>,
    pub subject: String,
    /// Preview text that mail programs show beside the subject.
    pub preheader: String,
    pub heading: String,
    /// Empty for mails to the hospital itself.
    pub greeting: String,
    /// Name in the greeting; empty if it has none.
    pub name: String,
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
    /// `None` is English.
    pub language: Option<Language>,
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
    /// Writes the letter for a mail in a language; `site` has the facts in that language. Letters to staff are English.
    ///
    /// # Errors
    /// When `subject` is not the record that the content refers to.
    pub fn of(
        content: &Content,
        name: &str,
        subject: &Subject,
        language: Option<Language>,
        site: &Site,
    ) -> Result<Self, LetterError> {
        let words = Words(language);
        Ok(match (content, subject) {
            (Content::Acknowledgement { reference, .. }, _) => {
                acknowledgement(words, reference, site)
            }
            (Content::Enquiry { .. }, Subject::Enquiry(enquiry)) => staff::forwarded(enquiry, site),
            (
                Content::Newsletter {
                    unsubscribe_url, ..
                },
                Subject::Issue(issue),
            ) => issue_of(words, issue, name, unsubscribe_url, site),
            (Content::Enquiry { .. } | Content::Newsletter { .. }, _) => {
                return Err(LetterError::NoSubject);
            }
            (Content::NewsletterTest { subject, text }, _) => staff::test_of(subject, text, site),
            (Content::Confirmation { confirm_url }, _) => confirmation(words, confirm_url, site),
            (Content::Appointment(appointment), _) => {
                notices::appointment(words, appointment, site)
            }
            (Content::Waitlist(waitlist), _) => notices::waitlist(words, waitlist, site),
            (Content::WaitlistRemoved(removed), _) => {
                notices::waitlist_removed(words, removed, site)
            }
            (Content::Consultation(consultation), _) => {
                notices::consultation(words, consultation, site)
            }
            (Content::Code(code), _) => notices::code(words, code, site),
            (Content::Registered(registration), _) => events::registered(words, registration, site),
            (Content::EventCancelled(registration), _) => {
                events::cancelled(words, registration, site)
            }
            (
                Content::Quarantine {
                    waiting,
                    since,
                    held,
                },
                _,
            ) => staff::quarantine(*waiting, *since, held, site),
        })
    }

    /// Returns an empty letter with a greeting. The name is repeated only if [`is_echoed`] allows it.
    fn to_visitor(words: Words, name: &str) -> Self {
        let (greeting, name) = if is_echoed(name) {
            let greeting = words.fill(key!("Dear {name},"), &[("name", name)]);
            (greeting, name)
        } else {
            (words.text(key!("Hello,")).to_owned(), "")
        };
        Self {
            language: words.0,
            greeting,
            name: name.to_owned(),
            ..Self::default()
        }
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
        self.letter.words().fill(EMERGENCY, &[("phone", phone)])
    }

    fn reception(&self) -> String {
        let phone = &self.site.phone;
        self.letter.words().fill(RECEPTION, &[("phone", phone)])
    }

    fn unsubscribe(&self) -> &'static str {
        let words = self.letter.words();
        words.text(key!("To unsubscribe from the newsletter:"))
    }
}

impl Html<'_> {
    /// Returns the greeting before and after the name; `None` without a name, and in English.
    fn greeting(&self) -> Option<(&'static str, &'static str)> {
        let is_split = self.letter.language.is_some() && !self.letter.name.is_empty();
        is_split.then(|| self.letter.words().around(key!("Dear {name},")))
    }

    fn emergency(&self) -> (&'static str, &'static str) {
        self.letter.words().around(EMERGENCY)
    }

    fn reception(&self) -> (&'static str, &'static str) {
        self.letter.words().around(RECEPTION)
    }

    fn unsubscribe(&self) -> &'static str {
        let words = self.letter.words();
        words.text(key!("Unsubscribe from the newsletter"))
    }
}

impl Letter {
    fn words(&self) -> Words {
        Words(self.language)
    }

    /// Returns the language of the page, with the region as on English pages.
    fn lang(&self) -> &'static str {
        match self.language {
            None => "en-IN",
            Some(language) => language.code(),
        }
    }

    /// Returns whether the heading and the Markdown are English in a letter of another language.
    fn has_english_text(&self) -> bool {
        self.language.is_some() && !self.markdown.is_empty()
    }

    /// Returns the value of the header `Content-Language` (RFC 3282); `None` for English letters, which have none.
    pub(super) fn content_language(&self) -> Option<String> {
        let english = if self.has_english_text() { ", en" } else { "" };
        Some(self.language?.code().to_owned() + english)
    }

    /// Returns the address of the home page in the language of the letter.
    fn home(&self, site: &Site) -> String {
        self.words().page(site, "")
    }
}

const EMERGENCY: language::Key = key!("In an emergency, call {phone}, day or night.");
const RECEPTION: language::Key = key!("Reception {phone}");

/// Formats a phone number for `tel:`.
fn dial(phone: &str) -> String {
    phone
        .chars()
        .filter(|character| character.is_ascii_digit() || *character == '+')
        .collect()
}

/// Writes the acknowledgement of a message. It must not repeat visitors' input: a stranger can have this mail sent to
/// any address.
fn acknowledgement(words: Words, reference: &str, site: &Site) -> Letter {
    let mut letter = Letter {
        subject: words.fill(
            key!("We have your message ({reference})"),
            &[("reference", reference)],
        ),
        preheader: words
            .text(key!("A member of our staff will read it and reply."))
            .into(),
        heading: words.text(key!("We have your message")).into(),
        opening: vec![
            words
                .text(key!(
                    "Thank you for writing to us. A member of our staff will read your message and reply, usually within one working day."
                ))
                .into(),
            words
                .text(key!(
                    "You don't need to do anything now. If you contact us about it, please give us your reference."
                ))
                .into(),
        ],
        closing: vec![words.fill(
            key!("If you can't wait for a reply, call reception on {phone}."),
            &[("phone", &site.phone)],
        )],
        reason: words.fill(
            key!(
                "You're getting this e-mail because this address was entered in our contact form. If you did not write to us, you can \
                 ignore it, or tell us at {email}."
            ),
            &[("email", &site.email)],
        ),
        ..Letter::to_visitor(words, "")
    };
    letter.fact(words.text(key!("Reference")), reference);
    letter
}

fn confirmation(words: Words, confirm_url: &str, site: &Site) -> Letter {
    Letter {
        subject: words
            .text(key!("Please confirm your newsletter subscription"))
            .into(),
        preheader: words
            .text(key!("Confirm your address to get our newsletter."))
            .into(),
        heading: words.text(key!("Confirm your subscription")).into(),
        opening: vec![words.fill(
            key!(
                "Someone asked us to send the newsletter of {hospital} to this address. If it was you, please confirm your address within \
                 7 days."
            ),
            &[("hospital", &site.name)],
        )],
        action: Some(Action {
            label: words.text(key!("Confirm my subscription")),
            url: words.localized(site, confirm_url),
        }),
        closing: vec![
            words
                .text(key!(
                    "If it wasn't you, you can ignore this e-mail. We won't send you the newsletter unless you confirm."
                ))
                .into(),
        ],
        reason: words
            .text(key!(
                "You're getting this e-mail because this address was entered on our website."
            ))
            .into(),
        ..Letter::to_visitor(words, "")
    }
}

fn issue_of(words: Words, issue: &Issue, name: &str, unsubscribe_url: &str, site: &Site) -> Letter {
    Letter {
        subject: issue.subject.clone(),
        preheader: words.fill(
            key!("The newsletter of {hospital}"),
            &[("hospital", &site.name)],
        ),
        heading: issue.subject.clone(),
        markdown: issue.text.clone(),
        reason: words
            .text(key!(
                "You're getting this e-mail because you subscribed to our newsletter."
            ))
            .into(),
        unsubscribe_url: words.localized(site, unsubscribe_url),
        ..Letter::to_visitor(words, name)
    }
}
