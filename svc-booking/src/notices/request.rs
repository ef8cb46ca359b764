//! Builds the content of a notice from the current state. `None` means that the notice was overtaken.

use chrono::{DateTime, TimeDelta, Utc};
use hospital_proto::booking::v1 as proto;
use hospital_proto::messaging::v1::{
    AppointmentEvent, AppointmentNotice, CodeNotice, ConsultationEvent, ConsultationNotice,
    Recipient, SendNoticeRequest, WaitlistEvent, WaitlistNotice, WaitlistRemoval,
    send_notice_request::Notice,
};
use prost_types::Timestamp;
use service_kit::language::Language;
use store_kit::outbox::Message;
use uuid::Uuid;

use crate::{
    calendar_file::calendar_file,
    domain::{
        appointment::preferred_doctor,
        calendar::{IST, start_of},
        change::{self, Appointment},
        code,
        consultation::{self, Consultation, ConsultationStatus},
        contact::Contact,
        proof::Proof,
        roster::{Attendant, Roster},
        status::Status,
        waitlist::{EndReason, Entry, EntryState, Removal},
    },
    site::Site,
    store::MailedCode,
    translations, wire,
};

/// Time before the visit at which the day-before reminder expires: the two-hour reminder is close by then.
const DAY_BEFORE_USEFUL: TimeDelta = TimeDelta::hours(3);
/// Time after the visit during which a cancellation notice is still useful.
const CANCELLED_USEFUL: TimeDelta = TimeDelta::hours(1);
/// Time after the last change during which a consultation's notice is useful, unless it is scheduled.
const CONSULTATION_USEFUL: TimeDelta = TimeDelta::days(3);

pub(super) fn appointment(
    message: &Message,
    appointment: &Appointment,
    secret: Option<String>,
    roster: &Roster,
    site: &Site,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let kind = message.kind.as_str();
    let contact = appointment.contact.as_ref()?;
    let starts_at = appointment.starts_at;
    let (event, expire_time) = match kind {
        change::BOOKED => (AppointmentEvent::Booked, starts_at),
        change::CHANGED => (AppointmentEvent::Changed, starts_at),
        change::MOVED => (AppointmentEvent::Moved, starts_at),
        change::CANCELLED => (AppointmentEvent::Cancelled, starts_at + CANCELLED_USEFUL),
        change::UNCOVERED => (AppointmentEvent::Uncovered, starts_at),
        code::LINK => (AppointmentEvent::Link, starts_at),
        change::DAY_BEFORE => (AppointmentEvent::Reminder24h, starts_at - DAY_BEFORE_USEFUL),
        change::HOURS_BEFORE => (AppointmentEvent::Reminder2h, starts_at),
        // The caller passes no other kind.
        _ => return None,
    };
    let is_cancelled = appointment.status == Status::Cancelled;
    // Versions are not compared: most changes send no notice, and one that does withdraws the notices that it makes
    // obsolete.
    let is_true = match kind {
        change::CANCELLED => is_cancelled,
        _ => appointment.status == Status::Booked,
    };
    // Without an e-mail address, only what is also sent as a text is of use.
    let is_text = matches!(
        event,
        AppointmentEvent::Cancelled | AppointmentEvent::Reminder24h | AppointmentEvent::Reminder2h
    );
    let is_sendable = is_text || !contact.email.is_empty();
    if !is_true || !is_sendable || now >= expire_time {
        return None;
    }
    let has_calendar = !matches!(
        event,
        AppointmentEvent::Uncovered
            | AppointmentEvent::Reminder24h
            | AppointmentEvent::Reminder2h
            | AppointmentEvent::Link
    );
    let language = appointment.language;
    let entry = wire::calendar_entry(appointment, roster, language);
    let (calendar, calendar_method) = if has_calendar {
        (calendar_file(&entry, site), entry.method().to_owned())
    } else {
        (String::new(), String::new())
    };
    let reference = &appointment.reference;
    let secret = secret.filter(|_| !is_cancelled);
    let attendant = shown(wire::attendant_of(appointment, roster), language);
    let notice = AppointmentNotice {
        event: event.into(),
        reference: reference.clone(),
        starts_at: Some(timestamp(starts_at)),
        department: label(roster, &appointment.department_id, language),
        doctor: translations::name(preferred_doctor(&contact.notes), language).to_owned(),
        manage_url: secret.map_or_else(String::new, |secret| {
            manage_url(site, language, reference, &secret)
        }),
        calendar,
        calendar_method,
        attendant_name: attendant.name,
        fee_rupees: attendant.fee_rupees,
        place: attendant.place,
        ..AppointmentNotice::default()
    };
    let about = (appointment.id, recipient(contact), language);
    let notice = Notice::Appointment(notice);
    Some(request(message, about, expire_time, notice))
}

/// Builds the notice with a code for a person who has lost the link. Sent by e-mail only, because the code proves the
/// e-mail address.
pub(super) fn code(
    message: &Message,
    appointment: &Appointment,
    code: &MailedCode,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let contact = appointment.contact.as_ref()?;
    if contact.email.is_empty() || !appointment.is_open(now) {
        return None;
    }
    let notice = CodeNotice {
        reference: appointment.reference.clone(),
        code: code.code.clone(),
        expire_time: Some(timestamp(code.expire_time)),
    };
    let by_mail_only = Recipient {
        phone: String::new(),
        ..recipient(contact)
    };
    let about = (appointment.id, by_mail_only, appointment.language);
    Some(request(
        message,
        about,
        code.expire_time,
        Notice::Code(notice),
    ))
}

/// Builds the notice with the link that proves a new entry. Overtaken once the entry is proven or the day has passed.
pub(super) fn joined(
    message: &Message,
    entry: &Entry,
    secret: &str,
    roster: &Roster,
    site: &Site,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let expire_time = start_of(entry.date.succ_opt()?);
    let is_true = entry.state(now) == EntryState::Waiting && entry.proof == Some(Proof::Unproven);
    if !is_true || now >= expire_time {
        return None;
    }
    let contact = entry.contact.as_ref()?;
    let notice = WaitlistNotice {
        event: WaitlistEvent::Joined.into(),
        reference: entry.reference.clone(),
        department: label(roster, &entry.department_id, entry.language),
        offer_url: manage_url(site, entry.language, &entry.reference, secret),
        date: entry.date.to_string(),
        ..WaitlistNotice::default()
    };
    let about = (entry.id, recipient(contact), entry.language);
    Some(request(
        message,
        about,
        expire_time,
        Notice::Waitlist(notice),
    ))
}

/// Builds the notice that staff took an entry off the list. Overtaken once the day has passed.
pub(super) fn removed(
    message: &Message,
    entry: &Entry,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let expire_time = start_of(entry.date.succ_opt()?);
    let Some(EndReason::Removed(removal)) = entry.end_reason else {
        return None;
    };
    if entry.state != EntryState::Ended || now >= expire_time {
        return None;
    }
    let contact = entry.contact.as_ref()?;
    let notice = WaitlistNotice {
        event: WaitlistEvent::Removed.into(),
        reference: entry.reference.clone(),
        department: label(roster, &entry.department_id, entry.language),
        date: entry.date.to_string(),
        removal: match removal {
            Removal::Asked => WaitlistRemoval::Asked,
            Removal::OtherAppointment => WaitlistRemoval::OtherAppointment,
            Removal::Unreachable => WaitlistRemoval::Unreachable,
            Removal::NoTimes => WaitlistRemoval::NoTimes,
        }
        .into(),
        ..WaitlistNotice::default()
    };
    let about = (entry.id, recipient(contact), entry.language);
    let notice = Notice::Waitlist(notice);
    Some(request(message, about, expire_time, notice))
}

pub(super) fn offer(
    message: &Message,
    entry: &Entry,
    secret: &str,
    roster: &Roster,
    site: &Site,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let (starts_at, hold_until) = (entry.offer_starts_at?, entry.offer_expire_time?);
    if entry.state(now) != EntryState::Offered || now >= hold_until {
        return None;
    }
    let contact = entry.contact.as_ref()?;
    let attendant = entry
        .offer_resource
        .as_ref()
        .and_then(|resource| roster.attendant(resource, &entry.department_id));
    let attendant = shown(attendant, entry.language);
    let notice = WaitlistNotice {
        event: WaitlistEvent::Offered.into(),
        reference: entry.reference.clone(),
        department: label(roster, &entry.department_id, entry.language),
        doctor: translations::name(preferred_doctor(&contact.notes), entry.language).to_owned(),
        starts_at: Some(timestamp(starts_at)),
        hold_until: Some(timestamp(hold_until)),
        offer_url: manage_url(site, entry.language, &entry.reference, secret),
        attendant_name: attendant.name,
        fee_rupees: attendant.fee_rupees,
        place: attendant.place,
        ..WaitlistNotice::default()
    };
    let about = (entry.id, recipient(contact), entry.language);
    Some(request(
        message,
        about,
        hold_until,
        Notice::Waitlist(notice),
    ))
}

pub(super) fn consultation(
    message: &Message,
    consultation: &Consultation,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Option<SendNoticeRequest> {
    let (event, status) = match message.kind.as_str() {
        consultation::REQUESTED => (ConsultationEvent::Requested, ConsultationStatus::Requested),
        consultation::SCHEDULED => (ConsultationEvent::Scheduled, ConsultationStatus::Scheduled),
        consultation::CANCELLED => (ConsultationEvent::Cancelled, ConsultationStatus::Cancelled),
        // The caller passes no other kind.
        _ => return None,
    };
    let starts_at = consultation.time.and_then(|time| {
        let local = consultation.date.and_time(time).and_local_timezone(IST);
        local.single().map(|local| local.to_utc())
    });
    let expire_time = match (event, starts_at) {
        (ConsultationEvent::Scheduled, Some(starts_at)) => starts_at,
        _ => consultation.update_time + CONSULTATION_USEFUL,
    };
    if consultation.status != status || now >= expire_time {
        return None;
    }
    let is_scheduled = event == ConsultationEvent::Scheduled;
    let person = &consultation.person;
    let language = consultation.language;
    let link = person.link.clone().filter(|_| is_scheduled);
    let department_id = consultation.department_id.as_deref();
    let doctor = consultation.doctor.as_ref().filter(|_| is_scheduled);
    let notice = ConsultationNotice {
        event: event.into(),
        reference: consultation.reference.clone(),
        date: consultation.date.to_string(),
        starts_at: starts_at.map(timestamp),
        link: link.unwrap_or_default(),
        department: department_id
            .map(|id| label(roster, id, language))
            .unwrap_or_default(),
        doctor_name: doctor.map_or_else(String::new, |doctor| {
            let department_id = department_id.unwrap_or_default();
            let name = wire::consultation::doctor_name(roster, &doctor.id, department_id);
            translations::name(&name, language).to_owned()
        }),
        doctor_registration: doctor.map_or_else(String::new, |doctor| doctor.registration.clone()),
    };
    let recipient = Recipient {
        name: person.name.clone(),
        email: person.email.clone().unwrap_or_default(),
        phone: person.phone.clone().unwrap_or_default(),
    };
    let about = (consultation.id, recipient, language);
    let notice = Notice::Consultation(notice);
    Some(request(message, about, expire_time, notice))
}

/// Addresses a notice. The sender's cause is added later.
fn request(
    message: &Message,
    (subject, recipient, language): (Uuid, Recipient, Option<Language>),
    expire_time: DateTime<Utc>,
    notice: Notice,
) -> SendNoticeRequest {
    SendNoticeRequest {
        notice_id: message.id.to_string(),
        subject_id: subject.to_string(),
        recipient: Some(recipient),
        expire_time: Some(timestamp(expire_time)),
        notice: Some(notice),
        language: language.map_or_else(String::new, |language| language.code().to_owned()),
        ..SendNoticeRequest::default()
    }
}

fn recipient(contact: &Contact) -> Recipient {
    Recipient {
        name: contact.patient_name.clone(),
        email: contact.email.clone(),
        phone: contact.phone.clone(),
    }
}

/// Returns the label of a department in a language, or its id if it is unknown.
fn label(roster: &Roster, department_id: &str, language: Option<Language>) -> String {
    let department = roster.department(department_id);
    department.map_or_else(
        || department_id.to_owned(),
        |known| translations::name(&known.name, language).to_owned(),
    )
}

/// Returns an attendant with name and place in a language; without both if there is none.
fn shown(attendant: Option<Attendant>, language: Option<Language>) -> proto::Attendant {
    let shown = wire::shown_attendant(attendant).unwrap_or_default();
    proto::Attendant {
        name: translations::name(&shown.name, language).to_owned(),
        place: translations::name(&shown.place, language).to_owned(),
        ..shown
    }
}

/// Returns the link to the page in a language. The secret is in the fragment, which browsers do not send to servers.
fn manage_url(site: &Site, language: Option<Language>, reference: &str, secret: &str) -> String {
    let Site { origin, .. } = site;
    let prefix = Language::prefix(language);
    format!("{origin}{prefix}/appointment/manage#{reference}.{secret}")
}

fn timestamp(time: DateTime<Utc>) -> Timestamp {
    std::time::SystemTime::from(time).into()
}
