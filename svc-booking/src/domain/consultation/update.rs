//! Input of staff: day, time, room, doctor and status of a consultation.

use chrono::{NaiveDate, NaiveTime, Timelike as _};
use service_kit::input::{Line, Violation, Violations};
use url::Url;

use super::{
    super::calendar::{parse_date, parse_time},
    ConsultationStatus,
    doctor::REGISTRATION_CHARS_MAX,
};

const LINK_CHARS_MAX: usize = 500;

/// Unvalidated input of staff. Empty fields keep their present value.
#[derive(Clone, Debug, Default)]
pub struct UpdateForm {
    pub date: String,
    pub time: String,
    pub link: String,
    pub doctor_id: String,
    pub registration: String,
    pub status: Option<ConsultationStatus>,
    pub etag: String,
}

/// An update by staff with valid fields. `None` keeps the present value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Update {
    pub date: Option<NaiveDate>,
    pub time: Option<NaiveTime>,
    pub link: Option<String>,
    pub doctor_id: Option<String>,
    pub registration: Option<String>,
    pub status: Option<ConsultationStatus>,
    /// The version that the caller read; `None` for an etag that matches no version.
    pub version: Option<i64>,
}

impl Update {
    /// Parses every field and reports all violations.
    pub fn parse(form: &UpdateForm) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let date = given(&form.date)
            .map(|text| parse_date(text).ok_or("Give the day as YYYY-MM-DD"))
            .transpose();
        let date = violations.take("date", date);
        let time = given(&form.time).map(parse_half_hour).transpose();
        let time = violations.take("time", time);
        let link = violations.take("link", given(&form.link).map(parse_link).transpose());
        let registration = given(&form.registration).map(parse_registration);
        let registration = violations.take("doctorRegistration", registration.transpose());
        let etag = form.etag.trim().trim_matches('"');
        if etag.is_empty() {
            violations.add("etag", "Send If-Match with the etag that was read");
        }
        let whole = match (date, time, link, registration) {
            (Some(date), Some(time), Some(link), Some(registration)) => Some(Self {
                date,
                time,
                link,
                doctor_id: given(&form.doctor_id).map(str::to_owned),
                registration,
                status: form.status,
                version: etag.parse().ok(),
            }),
            _ => None,
        };
        violations.into_result(whole)
    }
}

pub(super) fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn parse_half_hour(text: &str) -> Result<NaiveTime, &'static str> {
    parse_time(text)
        .filter(|time| time.minute() % 30 == 0)
        .ok_or("Give a time on the half hour, such as 4:30 PM")
}

fn parse_registration(text: &str) -> Result<String, String> {
    let line = Line::parse(text, REGISTRATION_CHARS_MAX).map_err(|problem| problem.to_string())?;
    Ok(line.into_string())
}

/// Parses the room's address strictly: the patient gets it unchanged.
pub(super) fn parse_link(text: &str) -> Result<String, String> {
    let line = Line::parse(text, LINK_CHARS_MAX).map_err(|problem| problem.to_string())?;
    let wanted = "Give the https address of the video room";
    let url = Url::parse(line.as_str()).map_err(|_| wanted)?;
    let is_plain = line.as_str().bytes().all(|byte| byte.is_ascii_graphic());
    let has_login = !url.username().is_empty() || url.password().is_some();
    if url.scheme() != "https" || url.host().is_none() || has_login || !is_plain {
        return Err(wanted.to_owned());
    }
    Ok(line.into_string())
}
