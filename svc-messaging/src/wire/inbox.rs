//! Conversion of messages and newsletters for staff.

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1 as proto;
use service_kit::{
    input::{EmailAddress, PhoneNumber, Violation, Violations, optional},
    language::Language,
};
use uuid::Uuid;

use super::{message, timestamp};
use crate::{
    domain::{
        Message, Status,
        markdown::{page_html, plain_text},
        newsletter::{Draft, Newsletter},
    },
    store::{ListFilter, SenderRecords, Whom},
};

const PAGE_MAX: u32 = 100;
const PAGE_DEFAULT: u32 = 50;

/// Converts a message for a staff member, by the subject of their token.
pub fn inbox_message(found: &Message, caller: &str) -> proto::InboxMessage {
    let handling = &found.handling;
    proto::InboxMessage {
        message: Some(message(found)),
        status: status_to(handling.status).into(),
        mailbox: handling.mailbox.clone(),
        signals: handling.signals.clone(),
        taken_by: handling.taken_by.clone().unwrap_or_default(),
        update_time: Some(timestamp(handling.update_time)),
        etag: handling.version.to_string(),
        taken_by_name: handling.taken_by_name.clone().unwrap_or_default(),
        taken_by_me: handling.taken_by.as_deref() == Some(caller),
        language: language(found.new.language),
    }
}

/// Returns the code of a language; empty for English.
pub(super) fn language(language: Option<Language>) -> String {
    language.map_or("", Language::code).to_owned()
}

fn status_to(status: Status) -> proto::MessageStatus {
    match status {
        Status::New => proto::MessageStatus::New,
        Status::Taken => proto::MessageStatus::Taken,
        Status::Done => proto::MessageStatus::Done,
        Status::Spam => proto::MessageStatus::Spam,
        Status::Quarantined => proto::MessageStatus::Quarantined,
    }
}

/// Converts the status of the contract; `None` for `Unspecified`.
pub fn status_of(status: proto::MessageStatus) -> Option<Status> {
    match status {
        proto::MessageStatus::Unspecified => None,
        proto::MessageStatus::New => Some(Status::New),
        proto::MessageStatus::Taken => Some(Status::Taken),
        proto::MessageStatus::Done => Some(Status::Done),
        proto::MessageStatus::Spam => Some(Status::Spam),
        proto::MessageStatus::Quarantined => Some(Status::Quarantined),
    }
}

/// Parses the filter of a listing by a staff member, by the subject of their token.
///
/// # Errors
/// One violation per invalid field.
pub fn list_filter(
    request: &proto::ListMessagesRequest,
    caller: &str,
) -> Result<ListFilter, Vec<Violation>> {
    let mut violations = Violations::default();
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let size = page_size(&mut violations, request.page_size);
    let status = given(&request.status).and_then(|word| {
        let word = word.to_ascii_lowercase();
        let word = word.strip_prefix("message_status_").unwrap_or(&word);
        let words = "Give new, taken, done, spam or quarantined";
        violations.take("status", Status::from_word(word).ok_or(words))
    });
    let kind = given(&request.kind).unwrap_or_default();
    if !matches!(kind.as_str(), "" | "enquiry" | "comment" | "registration") {
        violations.add("kind", "Give enquiry, comment or registration");
    }
    let after = given(&request.page_token).and_then(|token| {
        let words = "Use the nextPageToken of the page before, unchanged";
        violations.take("pageToken", position(&token).ok_or(words))
    });
    let email = violations.take("email", optional(EmailAddress::parse(&request.email)));
    let phone = violations.take("phone", optional(PhoneNumber::parse(&request.phone)));
    let taken_by = given(&request.taken_by).and_then(|word| {
        let is_me = word == "me";
        violations.take("takenBy", is_me.then(|| caller.to_owned()).ok_or("Give me"))
    });
    let filter = ListFilter {
        status,
        taken_by: taken_by.unwrap_or_default(),
        kind,
        mailbox: given(&request.mailbox).unwrap_or_default(),
        email: email.flatten().map(EmailAddress::into_string),
        phone: phone.flatten().map(PhoneNumber::into_string),
        after,
        size,
    };
    violations.into_result(Some(filter))
}

/// Returns the cursor of a message.
pub fn page_token(last: &Message) -> String {
    let micros = last.create_time.timestamp_micros();
    format!("{micros}_{}", last.id.simple())
}

pub(super) fn page_size(violations: &mut Violations, asked: i32) -> u32 {
    match u32::try_from(asked) {
        Ok(0) => PAGE_DEFAULT,
        Ok(size) => size.min(PAGE_MAX),
        Err(_) => {
            violations.add("pageSize", "Give 1 to 100");
            PAGE_DEFAULT
        }
    }
}

pub(super) fn position(token: &str) -> Option<(DateTime<Utc>, Uuid)> {
    let (micros, id) = token.split_once('_')?;
    let time = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
    Some((time, id.parse().ok()?))
}

/// Parses the person: an e-mail address, a phone number or both.
///
/// # Errors
/// When both are missing, or one is invalid.
pub fn whom(email: &str, phone: &str) -> Result<Whom, Vec<Violation>> {
    let mut violations = Violations::default();
    let email = violations.take("email", optional(EmailAddress::parse(email)));
    let phone = violations.take("phone", optional(PhoneNumber::parse(phone)));
    let whom = match (email, phone) {
        (Some(None), Some(None)) => {
            violations.add("email", "Give an e-mail address or a phone number");
            None
        }
        (Some(email), Some(phone)) => Some(Whom {
            email: email.map(EmailAddress::into_string),
            phone: phone.map(PhoneNumber::into_string),
        }),
        _ => None,
    };
    violations.into_result(whom)
}

/// Converts the stored data of a person.
pub fn sender_records(records: &SenderRecords, caller: &str) -> proto::ExportSenderResponse {
    let mails = records.mails.iter().map(|sent| proto::SentMail {
        kind: sent.kind.clone(),
        state: sent.state.clone(),
        create_time: Some(timestamp(sent.create_time)),
        language: language(Language::of(&sent.language)),
    });
    let subscription = records.subscription.as_ref();
    let state = subscription.map(|found| found.state.as_str());
    proto::ExportSenderResponse {
        messages: records
            .messages
            .iter()
            .map(|message| inbox_message(message, caller))
            .collect(),
        newsletter: state.unwrap_or_default().to_owned(),
        mails: mails.collect(),
        newsletter_language: language(subscription.and_then(|found| found.language)),
    }
}

/// Converts an issue and the progress of its mails.
pub fn newsletter(newsletter: &Newsletter) -> proto::Newsletter {
    proto::Newsletter {
        id: newsletter.id.to_string(),
        subject: newsletter.issue.subject.clone(),
        text: newsletter.issue.text.clone(),
        mails: count(newsletter.mails),
        complete: newsletter.complete_time.is_some(),
        create_time: Some(timestamp(newsletter.create_time)),
        waiting: count(newsletter.outcomes.waiting),
        sent: count(newsletter.outcomes.sent),
        failed: count(newsletter.outcomes.failed),
        withheld: count(newsletter.outcomes.withheld),
        stop_time: newsletter.stop_time.map(timestamp),
        unsubscribes: count(newsletter.unsubscribes),
        html: page_html(&newsletter.issue.text),
    }
}

/// As [`newsletter`], without the HTML.
pub fn listed_newsletter(newsletter: &Newsletter) -> proto::Newsletter {
    let mut listed = self::newsletter(newsletter);
    listed.html = String::new();
    listed
}

/// Converts a draft. `subscribers`: number of confirmed subscribers.
pub fn draft(draft: &Draft, subscribers: i64) -> proto::NewsletterDraft {
    proto::NewsletterDraft {
        id: draft.id.to_string(),
        subject: draft.issue.subject.clone(),
        text: draft.issue.text.clone(),
        create_time: Some(timestamp(draft.create_time)),
        update_time: Some(timestamp(draft.update_time)),
        etag: draft.version.to_string(),
        subscribers: count(subscribers),
        html: page_html(&draft.issue.text),
        plain_text: plain_text(&draft.issue.text),
        can_test: false,
    }
}

/// As [`draft`], without what only the preview shows.
pub fn listed_draft(draft: &Draft) -> proto::NewsletterDraft {
    let mut listed = self::draft(draft, 0);
    listed.html = String::new();
    listed.plain_text = String::new();
    listed
}

fn count(rows: i64) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}
