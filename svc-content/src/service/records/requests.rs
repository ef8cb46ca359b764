//! Parsing of requests for records.

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use hospital_proto::content::v1 as api;
use prost_types::Timestamp;
use service_kit::{auth::Caller, input::Violation};

use crate::{
    error::AnswerError,
    paging::{PageRequest, TOKEN_WANTED},
    records::{BODY_BYTES_MAX, Body, Kind},
    service::PAGE_SIZE_DEFAULT,
    store::records::{Author, Publication, RecordFilter, Times},
    wire::{self, records::to_body},
};

const TEXT_CHARS_MAX: usize = 100;
const ID_BYTES_MAX: usize = 80;
const REDIRECT_BYTES_MAX: usize = 200;
/// How far ahead a record can be published or archived.
pub(in crate::service) const AHEAD_MAX: TimeDelta = TimeDelta::days(366);

pub(super) fn invalid(field: &str, words: impl Into<String>) -> AnswerError {
    vec![Violation::new(field, words)].into()
}

/// Refuses ids that no record can have, for example with NUL, which PostgreSQL does not accept.
pub(in crate::service) fn id(text: String) -> Result<String, AnswerError> {
    if text.len() > ID_BYTES_MAX || text.contains(char::is_control) {
        return Err(AnswerError::NotFound("record"));
    }
    Ok(text)
}

pub(super) fn page(size: i32, token: &str, filter: &[&str]) -> Result<PageRequest, AnswerError> {
    PageRequest::parse_sized(size, token, filter, PAGE_SIZE_DEFAULT).map_err(AnswerError::Invalid)
}

/// Parses the number of the last entry of the page before; the greatest number without one.
pub(super) fn number_before(page: &PageRequest) -> Result<i64, AnswerError> {
    page.after().map_or(Ok(i64::MAX), |after| {
        after
            .parse()
            .map_err(|_| invalid("pageToken", TOKEN_WANTED))
    })
}

pub(super) fn list(
    request: &api::ListRecordsRequest,
) -> Result<(RecordFilter, PageRequest), AnswerError> {
    let kind = kind_of(&request.kind)?;
    let state = request.state.as_str();
    if !["", "draft", "live", "archived"].contains(&state) {
        return Err(invalid("state", "Choose draft, live or archived"));
    }
    let text = request.q.trim().to_lowercase();
    if text.chars().count() > TEXT_CHARS_MAX || text.contains(char::is_control) {
        let words = format!("Enter at most {TEXT_CHARS_MAX} characters");
        return Err(invalid("q", words));
    }
    let filter = ["records", kind.name, state, &text];
    let page = page(request.page_size, &request.page_token, &filter)?;
    let after = page.after().map(|after| {
        let (position, id) = after.split_once(':')?;
        Some((position.parse().ok()?, id.to_owned()))
    });
    if after == Some(None) {
        return Err(invalid("pageToken", TOKEN_WANTED));
    }
    let state = state.to_owned();
    let filter = RecordFilter {
        kind,
        state,
        text,
        after: after.flatten(),
    };
    Ok((filter, page))
}

pub(super) fn body(record: Option<api::ContentRecord>) -> Result<Body, AnswerError> {
    let body = record.and_then(|record| record.body);
    let body = body.ok_or_else(|| invalid("body", "Send the fields of the record"))?;
    let body = to_body(body).map_err(|field| {
        invalid(
            &format!("body.{field}"),
            "Send a text, number, list, object, true or false",
        )
    })?;
    let text = serde_json::Value::Object(body.clone()).to_string();
    if text.len() > BODY_BYTES_MAX {
        let words = format!(
            "Send at most {BODY_BYTES_MAX} bytes; this has {}",
            text.len()
        );
        return Err(invalid("body", words));
    }
    // PostgreSQL does not accept NUL.
    if text.contains("\\u0000") {
        return Err(invalid("body", "Leave out the character NUL"));
    }
    Ok(body)
}

pub(super) fn publication(
    request: &api::PublishRecordRequest,
    now: DateTime<Utc>,
) -> Result<Publication, AnswerError> {
    let publish_at = time("publishTime", request.publish_time.as_ref())?;
    // A time that has come means now.
    let publish_at = publish_at.filter(|at| *at > now);
    let unpublish_at = time("unpublishTime", request.unpublish_time.as_ref())?;
    for (field, at) in [("publishTime", publish_at), ("unpublishTime", unpublish_at)] {
        if at.is_some_and(|at| at > now + AHEAD_MAX) {
            return Err(invalid(field, "Choose a time within a year"));
        }
    }
    if unpublish_at.is_some_and(|at| at <= publish_at.unwrap_or(now)) {
        let words = "Choose a time after the record is published";
        return Err(invalid("unpublishTime", words));
    }
    Ok(Publication {
        version: 0,
        publish_at,
        unpublish_at,
    })
}

pub(super) fn times(request: &api::UnscheduleRecordRequest) -> Result<Times, AnswerError> {
    if !request.publish && !request.unpublish {
        return Err(invalid("publish", "Choose publish, unpublish or both"));
    }
    Ok(Times {
        publish: request.publish,
        unpublish: request.unpublish,
    })
}

/// Parses a page of this site. Empty: the page that lists the kind.
pub(super) fn redirect(text: &str, kind: &Kind) -> Result<String, AnswerError> {
    if text.is_empty() {
        return Ok(kind.list.to_owned());
    }
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path && is_plain && text.len() <= REDIRECT_BYTES_MAX {
        return Ok(text.to_owned());
    }
    Err(invalid(
        "redirect",
        "Enter a page of this site, for example /doctors",
    ))
}

pub(super) fn since(time_of: Option<&Timestamp>) -> Result<DateTime<Utc>, AnswerError> {
    Ok(time("since", time_of)?.unwrap_or(DateTime::UNIX_EPOCH))
}

fn time(field: &str, timestamp: Option<&Timestamp>) -> Result<Option<DateTime<Utc>>, AnswerError> {
    let Some(timestamp) = timestamp else {
        return Ok(None);
    };
    let time =
        wire::time(timestamp).filter(|time| (0..253_402_300_800).contains(&time.timestamp()));
    match time {
        Some(time) => Ok(Some(time.trunc_subsecs(6))),
        None => Err(invalid(field, "Enter a time of the years 1970 to 9999")),
    }
}

pub(in crate::service) fn kind_of(name: &str) -> Result<&'static Kind, AnswerError> {
    Kind::of(name).ok_or(AnswerError::NotFound("kind of records"))
}

pub(in crate::service) fn author(caller: &Caller) -> Author {
    Author {
        subject: caller.subject.clone(),
        name: caller
            .name
            .clone()
            .unwrap_or_else(|| caller.subject.clone()),
    }
}
