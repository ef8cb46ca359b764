//! Letters to the hospital's own staff, in English.

use chrono::{DateTime, Utc};
use service_kit::language::Language;

use super::{Enquiry, Issue, Letter, issue_of, language::Words};
use crate::{
    mail::{content::Held, new::recipient},
    site::Site,
};

const ENGLISH: Words = Words(None);

pub(super) fn forwarded(enquiry: &Enquiry, site: &Site) -> Letter {
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
    letter.fact("Language", enquiry.language.map_or("", Language::name));
    letter.fact("Subject", &enquiry.subject);
    letter.fact("Blog post", &enquiry.thread);
    letter.fact(
        "People",
        enquiry
            .people
            .map(|people| people.to_string())
            .unwrap_or_default(),
    );
    letter.fact("Sent", ENGLISH.date_time(enquiry.create_time));
    letter
}

/// Writes the quarantine digest for staff, limited to what may be shown outside the inbox.
pub(super) fn quarantine(waiting: u64, since: DateTime<Utc>, held: &[Held], site: &Site) -> Letter {
    let (subject, noun) = if waiting == 1 {
        ("1 message waits in quarantine".to_owned(), "message")
    } else {
        (format!("{waiting} messages wait in quarantine"), "messages")
    };
    let line = |held: &Held| {
        let came = ENGLISH.date_time(held.create_time);
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
        preheader: format!("The oldest one came on {}.", ENGLISH.date_time(since)),
        heading: subject,
        opening: vec![
            format!(
                "The website held back {waiting} {noun} that looked like spam. The oldest one came on {}.",
                ENGLISH.date_time(since)
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

/// Writes a draft as its readers would get it. Its unsubscribe link is that of nobody.
pub(super) fn test_of(subject: &str, text: &str, site: &Site) -> Letter {
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
        ..issue_of(ENGLISH, &issue, "", &unsubscribe_url, site)
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
