//! Conversion between the contract and the log.

use std::fmt::Write as _;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, SecondsFormat, Utc};
use hospital_proto::hospital::api::v1 as proto;
use prost_types::Timestamp;
use serde_json::json;
use service_kit::input::{Violation, Violations};
use store_kit::{
    audit::{
        Part, Progress, Verdict,
        log::{Filter, Page, Recorded},
    },
    keys::Keys,
};
use uuid::Uuid;

const PAGE_DEFAULT: usize = 50;
const PAGE_MAX: usize = 100;
const ACTOR_CHARS_MAX: usize = 255;
const ACTION_CHARS_MAX: usize = 64;
const ID_CHARS_MAX: usize = 64;
/// Asia/Kolkata, whose days staff give.
const IST: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).expect("an offset");

/// Requested page.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) filter: Filter,
    pub(crate) before: Option<i64>,
    pub(crate) size: usize,
    /// The days as given, for the log.
    days: [String; 2],
}

impl Listing {
    /// Returns the filter for the log's own entry, without the id: that is the entry's subject. At most 512 bytes.
    pub(crate) fn detail(&self) -> String {
        let [from, to] = &self.days;
        let before = self.before.map(|before| before.to_string());
        let given = [
            ("actor", self.filter.actor.as_deref().unwrap_or_default()),
            ("action", self.filter.action.as_deref().unwrap_or_default()),
            ("from", from),
            ("to", to),
            ("before", before.as_deref().unwrap_or_default()),
        ];
        let given = given.iter().filter(|(_, value)| !value.is_empty());
        let mut detail = String::new();
        for (name, value) in given {
            let separator = if detail.is_empty() { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(detail, "{separator}{name}={value}");
        }
        // An actor of 255 characters may have more bytes than an entry takes.
        detail.truncate(detail.floor_char_boundary(store_kit::audit::FIELD_BYTES_MAX));
        detail
    }
}

/// Requested export.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) filter: Filter,
    pub(crate) after: Option<i64>,
}

/// Parses the request of a page.
///
/// # Errors
/// One violation per invalid field.
pub(crate) fn listing(request: &proto::ListAuditEntriesRequest) -> Result<Listing, Vec<Violation>> {
    let mut violations = Violations::default();
    let size = match usize::try_from(request.page_size) {
        Ok(0) => PAGE_DEFAULT,
        Ok(size) => size.min(PAGE_MAX),
        Err(_) => {
            violations.add("pageSize", "Give 1 to 100");
            PAGE_DEFAULT
        }
    };
    let before = number(&mut violations, &request.page_token);
    let actor = text(&mut violations, "actor", &request.actor, ACTOR_CHARS_MAX);
    let action = text(&mut violations, "action", &request.action, ACTION_CHARS_MAX);
    let id = text(&mut violations, "id", &request.id, ID_CHARS_MAX);
    let [from, until] = range(&mut violations, &request.from, &request.to);
    // The log has UUIDs in lower case and with hyphens.
    let id = id.map(|id| Uuid::parse_str(&id).map_or(id, |uuid| uuid.to_string()));
    violations.into_result(Some(Listing {
        filter: Filter {
            actor,
            action,
            id,
            from,
            until,
        },
        before,
        size,
        days: [&request.from, &request.to].map(|day| day.trim().to_owned()),
    }))
}

/// Parses the request of an export.
///
/// # Errors
/// One violation per invalid field.
pub(crate) fn export(request: &proto::ExportAuditEntriesRequest) -> Result<Export, Vec<Violation>> {
    let mut violations = Violations::default();
    for (field, day) in [("from", &request.from), ("to", &request.to)] {
        if day.trim().is_empty() {
            violations.add(field, "Give a day as YYYY-MM-DD");
        }
    }
    let [from, until] = range(&mut violations, &request.from, &request.to);
    let after = number(&mut violations, &request.page_token);
    let filter = Filter {
        from,
        until,
        ..Filter::default()
    };
    violations.into_result(Some(Export { filter, after }))
}

/// Parses the token of a check in parts.
///
/// # Errors
/// When the token was not made for this log.
pub(crate) fn progress(token: &str, keys: &Keys) -> Result<Option<Progress>, Vec<Violation>> {
    let token = token.trim();
    if token.is_empty() {
        return Ok(None);
    }
    let words = "Use the nextPageToken of the call before, unchanged, or begin again without it";
    let progress = Progress::parse(token, keys);
    progress
        .map(Some)
        .ok_or_else(|| vec![Violation::new("pageToken", words)])
}

fn text(
    violations: &mut Violations,
    field: &'static str,
    given: &str,
    chars_max: usize,
) -> Option<String> {
    let given = given.trim();
    if given.chars().count() > chars_max {
        violations.add(field, format!("Give at most {chars_max} characters"));
    }
    // PostgreSQL rejects NUL.
    if given.contains('\0') {
        violations.add(field, "Give text without control characters");
    }
    Some(given.to_owned()).filter(|given| !given.is_empty())
}

fn number(violations: &mut Violations, token: &str) -> Option<i64> {
    let token = token.trim();
    if token.is_empty() {
        return None;
    }
    let number = token.parse().ok().filter(|number| *number > 0);
    let words = "Use the nextPageToken of the page before, or the number of an entry";
    violations.take("pageToken", number.ok_or(words))
}

/// Parses the first and the last day, and returns the first moment and the exclusive end.
fn range(violations: &mut Violations, from: &str, to: &str) -> [Option<DateTime<Utc>>; 2] {
    let mut day = |field, text: &str| {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let parsed = NaiveDate::parse_from_str(text, "%Y-%m-%d");
        let words = "Give a day as YYYY-MM-DD";
        // No sign and no year of five digits, which would not sort as text.
        let is_plain = text.len() == 10 && !text.starts_with(['+', '-']);
        let parsed = parsed.ok().filter(|_| is_plain);
        violations.take(field, parsed.ok_or(words))
    };
    let (from, to) = (day("from", from), day("to", to));
    if let (Some(from), Some(to)) = (from, to)
        && to < from
    {
        violations.add("to", "Give a last day that is not before the first");
    }
    [from, to.and_then(|to| to.succ_opt())].map(|day| day.and_then(beginning))
}

fn beginning(day: NaiveDate) -> Option<DateTime<Utc>> {
    let midnight = day.and_time(NaiveTime::MIN).and_local_timezone(IST);
    midnight.single().map(|time| time.with_timezone(&Utc))
}

/// Converts an entry for staff.
pub(crate) fn entry(recorded: &Recorded) -> proto::AuditEntry {
    let time = recorded.create_time;
    proto::AuditEntry {
        number: recorded.seq.to_string(),
        create_time: Some(Timestamp {
            seconds: time.timestamp(),
            nanos: i32::try_from(time.timestamp_subsec_nanos()).unwrap_or_default(),
        }),
        actor: recorded.actor.clone(),
        action: recorded.action.clone(),
        ids: recorded.ids.clone(),
        detail: recorded.detail.clone(),
    }
}

pub(crate) fn page_token(next: Option<i64>) -> String {
    next.map(|next| next.to_string()).unwrap_or_default()
}

/// Converts the result of a check.
pub(crate) fn result(part: &Part, begun: u64, keys: &Keys) -> proto::VerifyAuditLogResponse {
    match part {
        Part::Done(Verdict::Intact { entries, head }) => proto::VerifyAuditLogResponse {
            intact: true,
            entries: entries.to_string(),
            head: head.clone(),
            ..proto::VerifyAuditLogResponse::default()
        },
        Part::Done(Verdict::Broken { at }) => proto::VerifyAuditLogResponse {
            broken_at: at.to_string(),
            entries: begun.to_string(),
            ..proto::VerifyAuditLogResponse::default()
        },
        Part::More(progress) => proto::VerifyAuditLogResponse {
            intact: true,
            entries: progress.entries.to_string(),
            head: progress.head(),
            next_page_token: progress.token(keys),
            ..proto::VerifyAuditLogResponse::default()
        },
    }
}

/// Returns the result for the log's own entry.
pub(crate) fn verdict(result: &proto::VerifyAuditLogResponse) -> String {
    if result.intact {
        format!("intact, {} entries, head {}", result.entries, result.head)
    } else {
        format!("broken at {}", result.broken_at)
    }
}

/// Returns a line per entry, and one for the next page if there is one.
pub(crate) fn lines(page: &Page) -> String {
    let mut lines = String::new();
    for entry in &page.entries {
        let hash = entry.hash.iter().fold(String::new(), |mut hash, byte| {
            // Writing to a String cannot fail.
            let _ = write!(hash, "{byte:02x}");
            hash
        });
        let line = json!({
            "number": entry.seq.to_string(),
            "createTime": entry.create_time.to_rfc3339_opts(SecondsFormat::Micros, true),
            "actor": entry.actor,
            "action": entry.action,
            "ids": entry.ids,
            "detail": entry.detail,
            "hash": hash,
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    if let Some(next) = page.next {
        lines.push_str(&json!({"nextPageToken": next.to_string()}).to_string());
        lines.push('\n');
    }
    lines
}
