//! Validation of notice requests. Invalid requests cannot succeed on retry, so all violations are reported at once.

mod waitlist;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use hospital_proto::messaging::v1::{
    AppointmentEvent as WireAppointmentEvent, AppointmentNotice, CodeNotice,
    ConsultationEvent as WireConsultationEvent, ConsultationNotice, ForgetNoticesRequest,
    NoticeCause, Recipient, SendNoticeRequest, send_notice_request::Notice as WireNotice,
};
use prost_types::Timestamp;
use service_kit::{
    input::{
        EmailAddress, Line, NAME_CHARS_MAX, PersonName, PhoneNumber, Violation, Violations,
        optional,
    },
    language::Language,
};
use url::Url;
use uuid::Uuid;

use crate::{
    domain::Personal,
    mail::{
        Address, Cause, NewMail,
        content::{
            Appointment, AppointmentEvent, Attendant, Code, Consultation, ConsultationEvent,
            Content,
        },
    },
};

/// Maximum size of a calendar file.
const CALENDAR_BYTES_MAX: usize = 16 * 1024;
/// Maximum subjects per forget request.
const SUBJECTS_MAX: usize = 1000;
/// Default time, in days, until a notice expires.
const EXPIRE_DAYS: i64 = 3;
const REFERENCE_CHARS_MAX: usize = 40;
const LABEL_CHARS_MAX: usize = 120;
const REGISTRATION_CHARS_MAX: usize = 40;
const DOCTOR_CHARS_MAX: usize = 200;
const URL_BYTES_MAX: usize = 2000;
const CODE_DIGITS: usize = 6;
const NETWORK_CHARS: usize = 16;

/// A validated notice.
pub(super) struct Notice {
    pub(super) mail: NewMail,
    pub(super) phone: Option<String>,
}

pub(super) fn notice(
    request: SendNoticeRequest,
    now: DateTime<Utc>,
) -> Result<Notice, Vec<Violation>> {
    let mut violations = Violations::default();
    let id = violations.take("noticeId", uuid(&request.notice_id));
    let subject_id = violations.take("subjectId", uuid(&request.subject_id));
    let recipient = request.recipient.clone().unwrap_or_default();
    let to = whom(&mut violations, &recipient);
    let expire_time = match request.expire_time {
        None => Some(now + TimeDelta::days(EXPIRE_DAYS)),
        Some(_) => violations.take("expireTime", time(request.expire_time)),
    };
    let cause = cause(&mut violations, &request);
    let name = recipient.name.trim();
    let content = match request.notice {
        None => {
            violations.add(
                "notice",
                "Send an appointment, a waitlist, a consultation or a code",
            );
            None
        }
        Some(WireNotice::Appointment(notice)) => appointment(&mut violations, name, notice),
        Some(WireNotice::Waitlist(notice)) => waitlist::waitlist(&mut violations, name, notice),
        Some(WireNotice::Consultation(notice)) => consultation(&mut violations, name, notice),
        Some(WireNotice::Code(notice)) => code(&mut violations, name, notice),
    };
    let notice = || {
        let (to, phone) = to?;
        let id = id?;
        let mail = NewMail {
            id,
            message_id: id,
            subject_id: Some(subject_id?),
            to,
            content: content?,
            language: Language::of(&request.language),
            cause: cause?,
            expire_time: expire_time?,
        };
        Some(Notice { mail, phone })
    };
    violations.into_result(notice())
}

fn cause(violations: &mut Violations, request: &SendNoticeRequest) -> Option<Cause> {
    let is_reminder = matches!(
        &request.notice,
        Some(WireNotice::Appointment(notice)) if matches!(
            notice.event(),
            WireAppointmentEvent::Reminder24h | WireAppointmentEvent::Reminder2h
        )
    );
    match request.cause() {
        NoticeCause::Staff => Some(Cause::Staff),
        NoticeCause::Reminder => Some(Cause::Calendar),
        // Builds that do not send a cause send reminders too.
        NoticeCause::Unspecified if is_reminder => Some(Cause::Calendar),
        NoticeCause::Unspecified | NoticeCause::Patient => {
            let network = &request.network;
            let is_network = network.is_empty()
                || network.len() == NETWORK_CHARS
                    && network.bytes().all(|byte| byte.is_ascii_hexdigit());
            let network = is_network
                .then(|| network.to_ascii_lowercase())
                .ok_or("Send 16 hexadecimal digits");
            Some(Cause::Patient {
                network: violations.take("network", network)?,
                is_proven: request.proven,
            })
        }
    }
}

pub(super) fn subjects(request: &ForgetNoticesRequest) -> Result<Vec<Uuid>, Vec<Violation>> {
    let mut violations = Violations::default();
    if request.subject_ids.len() > SUBJECTS_MAX {
        violations.add("subjectIds", format!("Send at most {SUBJECTS_MAX} ids"));
    }
    let ids: Option<Vec<Uuid>> = request.subject_ids.iter().map(|id| uuid(id).ok()).collect();
    if ids.is_none() {
        violations.add("subjectIds", ID_WANTED);
    }
    violations.into_result(ids)
}

const ID_WANTED: &str = "Send a UUID";

fn uuid(text: &str) -> Result<Uuid, &'static str> {
    Uuid::try_parse(text).map_err(|_| ID_WANTED)
}

fn time(time: Option<Timestamp>) -> Result<DateTime<Utc>, &'static str> {
    /// Range of google.protobuf.Timestamp: 0001-01-01 to 9999-12-31.
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    time.filter(|time| SECONDS.contains(&time.seconds))
        .and_then(|time| {
            let nanos = u32::try_from(time.nanos).ok()?;
            DateTime::from_timestamp(time.seconds, nanos)
        })
        .ok_or("Send a time")
}

/// Parses the recipient: an e-mail address, a phone number or both.
fn whom(violations: &mut Violations, recipient: &Recipient) -> Option<(Address, Option<String>)> {
    // Earlier builds accepted names and addresses that are now invalid. Notices of their appointments must still be
    // accepted.
    let name = Line::parse(&recipient.name, NAME_CHARS_MAX).map(|line| {
        PersonName::parse(line.as_str()).map_or_else(|_| String::new(), PersonName::into_string)
    });
    let name = violations.take("recipient.name", name);
    let email = if has_stray_dots(&recipient.email) {
        Ok(None)
    } else {
        optional(EmailAddress::parse(&recipient.email))
    };
    let email = violations.take("recipient.email", email);
    let phone = optional(PhoneNumber::parse(&recipient.phone));
    let phone = violations.take("recipient.phone", phone);
    // An address with stray dots counts as given, although the notice is then stored without one.
    if recipient.email.is_empty() && phone == Some(None) {
        violations.add(
            "recipient.email",
            "Send an e-mail address or a phone number",
        );
    }
    let to = Address {
        name: Personal::kept(name?),
        email: Personal::kept(email?.map(EmailAddress::into_string).unwrap_or_default()),
    };
    Some((to, phone?.map(PhoneNumber::into_string)))
}

/// Returns whether the address is invalid only because of misplaced dots in its local part. No mail server accepts such
/// an address.
fn has_stray_dots(email: &str) -> bool {
    let Some((local, domain)) = email.split_once('@') else {
        return false;
    };
    let labels: Vec<&str> = local.split('.').filter(|label| !label.is_empty()).collect();
    let mended = format!("{}@{domain}", labels.join("."));
    EmailAddress::parse(email).is_err() && EmailAddress::parse(&mended).is_ok()
}

fn line(
    violations: &mut Violations,
    field: &'static str,
    text: &str,
    chars_max: usize,
) -> Option<String> {
    violations
        .take(field, Line::parse(text, chars_max))
        .map(Line::into_string)
}

fn reference(violations: &mut Violations, field: &'static str, text: &str) -> Option<String> {
    line(violations, field, text, REFERENCE_CHARS_MAX)
}

fn department(violations: &mut Violations, field: &'static str, text: &str) -> Option<String> {
    line(violations, field, text, LABEL_CHARS_MAX)
}

fn doctor(violations: &mut Violations, field: &'static str, text: &str) -> Option<String> {
    line_or_empty(violations, field, text, DOCTOR_CHARS_MAX)
}

fn line_or_empty(
    violations: &mut Violations,
    field: &'static str,
    text: &str,
    chars_max: usize,
) -> Option<String> {
    violations
        .take(field, optional(Line::parse(text, chars_max)))
        .map(|line| line.map(Line::into_string).unwrap_or_default())
}

fn url(violations: &mut Violations, field: &'static str, text: String) -> Option<String> {
    let is_fit = text.len() <= URL_BYTES_MAX
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "https" | "http"));
    violations.take(field, is_fit.then_some(text).ok_or("Send an https address"))
}

fn url_or_empty(violations: &mut Violations, field: &'static str, text: String) -> Option<String> {
    if text.is_empty() {
        Some(text)
    } else {
        url(violations, field, text)
    }
}

fn appointment(
    violations: &mut Violations,
    name: &str,
    notice: AppointmentNotice,
) -> Option<Content> {
    let event = match notice.event() {
        WireAppointmentEvent::Unspecified => Err("Send what happened"),
        WireAppointmentEvent::Booked => Ok(AppointmentEvent::Booked),
        WireAppointmentEvent::Changed => Ok(AppointmentEvent::Changed),
        WireAppointmentEvent::Moved => Ok(AppointmentEvent::Moved),
        WireAppointmentEvent::Cancelled => Ok(AppointmentEvent::Cancelled),
        WireAppointmentEvent::Uncovered => Ok(AppointmentEvent::Uncovered),
        WireAppointmentEvent::Reminder24h => Ok(AppointmentEvent::Reminder24h),
        WireAppointmentEvent::Reminder2h => Ok(AppointmentEvent::Reminder2h),
        WireAppointmentEvent::Link => Ok(AppointmentEvent::Link),
    };
    let event = violations.take("appointment.event", event);
    let reference = reference(violations, "appointment.reference", &notice.reference);
    let starts_at = violations.take("appointment.startsAt", time(notice.starts_at));
    let department = department(violations, "appointment.department", &notice.department);
    let doctor = doctor(violations, "appointment.doctor", &notice.doctor);
    let attendant = attendant(
        violations,
        [
            "appointment.attendantName",
            "appointment.feeRupees",
            "appointment.place",
        ],
        (&notice.attendant_name, notice.fee_rupees, &notice.place),
    );
    let other_reference = line_or_empty(
        violations,
        "appointment.otherReference",
        &notice.other_reference,
        REFERENCE_CHARS_MAX,
    );
    let manage_url = url_or_empty(violations, "appointment.manageUrl", notice.manage_url);
    let calendar = violations.take("appointment.calendar", calendar(notice.calendar));
    let method = match (calendar.as_deref(), notice.calendar_method.as_str()) {
        (Some(""), _) => Ok(String::new()),
        (_, "PUBLISH" | "CANCEL") => Ok(notice.calendar_method),
        _ => Err("Send PUBLISH or CANCEL"),
    };
    let calendar_method = violations.take("appointment.calendarMethod", method);
    Some(Content::Appointment(Appointment {
        event: event?,
        name: name.to_owned(),
        reference: reference?,
        starts_at: starts_at?,
        department: department?,
        doctor: doctor?,
        attendant: attendant?,
        other_reference: other_reference?,
        manage_url: manage_url?,
        calendar: calendar?,
        calendar_method: calendar_method?,
    }))
}

/// Parses the doctor's name, the fee and the place. `fields` are the names of these three fields.
fn attendant(
    violations: &mut Violations,
    fields: [&'static str; 3],
    (name, fee_rupees, place): (&str, i32, &str),
) -> Option<Attendant> {
    let name = line_or_empty(violations, fields[0], name, LABEL_CHARS_MAX);
    let fee_rupees = u32::try_from(fee_rupees).map_err(|_| "Send 0 or more rupees");
    let fee_rupees = violations.take(fields[1], fee_rupees);
    let place = line_or_empty(violations, fields[2], place, LABEL_CHARS_MAX);
    Some(Attendant {
        name: name?,
        fee_rupees: fee_rupees?,
        place: place?,
    })
}

fn calendar(file: String) -> Result<String, &'static str> {
    let is_fit = file.is_empty()
        || file.len() <= CALENDAR_BYTES_MAX
            && file.starts_with("BEGIN:VCALENDAR\r\n")
            && file.ends_with("END:VCALENDAR\r\n");
    is_fit
        .then_some(file)
        .ok_or("Send an iCalendar file of at most 16 KiB")
}

fn day(text: &str) -> Result<NaiveDate, &'static str> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| "Send YYYY-MM-DD")
}

fn code(violations: &mut Violations, name: &str, notice: CodeNotice) -> Option<Content> {
    let reference = reference(violations, "code.reference", &notice.reference);
    let is_code =
        notice.code.len() == CODE_DIGITS && notice.code.bytes().all(|byte| byte.is_ascii_digit());
    let code = is_code.then_some(notice.code).ok_or("Send 6 digits");
    let code = violations.take("code.code", code);
    let expire_time = violations.take("code.expireTime", time(notice.expire_time));
    Some(Content::Code(Code {
        name: name.to_owned(),
        reference: reference?,
        code: code?,
        expire_time: expire_time?,
    }))
}

fn consultation(
    violations: &mut Violations,
    name: &str,
    notice: ConsultationNotice,
) -> Option<Content> {
    let event = match notice.event() {
        WireConsultationEvent::Unspecified => Err("Send what happened"),
        WireConsultationEvent::Requested => Ok(ConsultationEvent::Requested),
        WireConsultationEvent::Scheduled => Ok(ConsultationEvent::Scheduled),
        WireConsultationEvent::Cancelled => Ok(ConsultationEvent::Cancelled),
    };
    let event = violations.take("consultation.event", event);
    let reference = reference(violations, "consultation.reference", &notice.reference);
    let date = violations.take("consultation.date", day(&notice.date));
    let starts_at = match notice.starts_at {
        None => Some(None),
        some => violations
            .take("consultation.startsAt", time(some))
            .map(Some),
    };
    let link = url_or_empty(violations, "consultation.link", notice.link);
    let department = line_or_empty(
        violations,
        "consultation.department",
        &notice.department,
        LABEL_CHARS_MAX,
    );
    let doctor = line_or_empty(
        violations,
        "consultation.doctorName",
        &notice.doctor_name,
        LABEL_CHARS_MAX,
    );
    let registration = line_or_empty(
        violations,
        "consultation.doctorRegistration",
        &notice.doctor_registration,
        REGISTRATION_CHARS_MAX,
    );
    Some(Content::Consultation(Consultation {
        event: event?,
        name: name.to_owned(),
        reference: reference?,
        date: date?,
        starts_at: starts_at?,
        link: link?,
        department: department?,
        doctor: doctor?,
        registration: registration?,
    }))
}
