//! What is said to patients.

use super::{
    Action, Calendar, Letter,
    times::{date, date_time, short_date_time},
    words::{greeting, has_link},
};
use crate::{
    mail::content::{Appointment, AppointmentEvent, Consultation, ConsultationEvent, Waitlist},
    site::Site,
};

/// Subject, heading, and the first sentences.
type Said = (String, &'static str, Vec<String>);

pub(super) fn appointment(appointment: &Appointment, site: &Site) -> Letter {
    let (subject, heading, opening) = said(appointment, site);
    let is_off = matches!(appointment.event, AppointmentEvent::Cancelled);
    let mut letter = Letter {
        subject,
        preheader: date_time(appointment.starts_at),
        heading: heading.into(),
        greeting: greeting(&appointment.name),
        opening,
        action: (!appointment.manage_url.is_empty()).then(|| Action {
            label: if is_off {
                "See the details"
            } else {
                "Change or cancel this visit"
            },
            url: appointment.manage_url.clone(),
        }),
        closing: closing(appointment, site),
        reason: reason(site),
        calendar: (!appointment.calendar.is_empty()).then(|| Calendar {
            file: appointment.calendar.clone(),
            method: appointment.calendar_method.clone(),
        }),
        ..Letter::default()
    };
    letter.fact("When", date_time(appointment.starts_at));
    letter.fact("Department", &appointment.department);
    letter.fact("Doctor", typed(&appointment.doctor));
    letter.fact("Reference", &appointment.reference);
    if !is_off {
        letter.fact("Where", format!("{}, {}", site.name, site.address));
    }
    letter
}

fn said(appointment: &Appointment, site: &Site) -> Said {
    let when = short_date_time(appointment.starts_at);
    match appointment.event {
        AppointmentEvent::Booked => (
            format!("Your visit is booked: {when}"),
            "Your visit is booked",
            vec![format!(
                "We look forward to seeing you at {}. Please come 15 minutes early, and bring your earlier reports and a list of the \
                 medicines you take.",
                site.name
            )],
        ),
        AppointmentEvent::Changed => (
            format!("Your visit was changed: {when}"),
            "Your visit was changed",
            vec!["Some details of your visit have changed. This is how it stands now.".into()],
        ),
        AppointmentEvent::Moved => (
            format!("Your visit has a new time: {when}"),
            "Your visit has a new time",
            vec!["Your visit was moved. This is the new time; the earlier one no longer counts.".into()],
        ),
        AppointmentEvent::Cancelled => (
            format!("Your visit is cancelled: {when}"),
            "Your visit is cancelled",
            vec!["This visit will not take place. You do not need to do anything more.".into()],
        ),
        AppointmentEvent::Uncovered => (
            format!("Please choose another time for your visit: {when}"),
            "Please choose another time",
            vec![
                "We are sorry: nobody can see you at the time of your visit any more. Please choose another time, or call us and we will \
                 find one together."
                    .into(),
            ],
        ),
        AppointmentEvent::Reminder24h => (
            // Not "tomorrow": it may have waited for a server.
            format!("Reminder of your visit: {when}"),
            "Your visit is coming up",
            vec![
                "This is a reminder of your visit. Please come 15 minutes early, and bring your earlier reports and a list of the \
                 medicines you take."
                    .into(),
            ],
        ),
        AppointmentEvent::Reminder2h => (
            format!("Your visit is today: {when}"),
            "Your visit is today",
            vec!["This is a reminder. Please come 15 minutes early.".into()],
        ),
    }
}

fn closing(appointment: &Appointment, site: &Site) -> Vec<String> {
    let call = match appointment.event {
        AppointmentEvent::Cancelled => {
            format!(
                "To book another visit, go to {}/appointment or call {}.",
                site.origin, site.phone
            )
        }
        AppointmentEvent::Uncovered => format!("You can also call us on {}.", site.phone),
        _ => format!(
            "If you cannot come, please tell us, so that someone else can have the time. You can also call {}.",
            site.phone
        ),
    };
    let calendar = if appointment.calendar.is_empty() {
        None
    } else if appointment.calendar_method == "CANCEL" {
        Some("The attached file takes this visit out of your calendar.".to_owned())
    } else {
        Some("The attached file puts this visit into your calendar.".to_owned())
    };
    let link = (!appointment.manage_url.is_empty()).then(|| {
        "Whoever has the link above can change this visit, so keep this mail to yourself."
            .to_owned()
    });
    [Some(call), calendar, link].into_iter().flatten().collect()
}

/// What somebody typed into a field. Anybody can have this mail sent to anybody: it carries nobody's links.
fn typed(text: &str) -> &str {
    if has_link(text) { "" } else { text }
}

fn reason(site: &Site) -> String {
    format!(
        "You get this mail because this address was given for a visit to {}. If it was not yours to give, tell us at {}.",
        site.name, site.email
    )
}

pub(super) fn waitlist(waitlist: &Waitlist, site: &Site) -> Letter {
    let mut letter = Letter {
        subject: format!("A time came free: {}", short_date_time(waitlist.starts_at)),
        preheader: format!(
            "We keep it for you until {}.",
            date_time(waitlist.hold_until)
        ),
        heading: "A time came free".into(),
        greeting: greeting(&waitlist.name),
        opening: vec![
            format!(
                "You asked us to tell you when an earlier time comes free. We keep this one for you until {}.",
                date_time(waitlist.hold_until)
            ),
            "If you do not take it by then, we offer it to the next person. You stay on the list."
                .into(),
        ],
        action: Some(Action {
            label: "Take or leave this time",
            url: waitlist.offer_url.clone(),
        }),
        closing: vec![format!("You can also call {}.", site.phone)],
        reason: reason(site),
        ..Letter::default()
    };
    letter.fact("When", date_time(waitlist.starts_at));
    letter.fact("Kept until", date_time(waitlist.hold_until));
    letter.fact("Department", &waitlist.department);
    letter.fact("Doctor", typed(&waitlist.doctor));
    letter.fact("Reference", &waitlist.reference);
    letter
}

pub(super) fn consultation(consultation: &Consultation, site: &Site) -> Letter {
    let (subject, heading, opening) = match consultation.event {
        ConsultationEvent::Requested => (
            "We have your request for a video consultation",
            "We have your request",
            "Thank you. Someone at the hospital will choose a time on the day you asked for and send it to you.",
        ),
        ConsultationEvent::Scheduled => (
            "Your video consultation has a time",
            "Your video consultation has a time",
            "Please open the link a few minutes early, in a quiet place with good light.",
        ),
        ConsultationEvent::Cancelled => (
            "Your video consultation is cancelled",
            "Your video consultation is cancelled",
            "This consultation will not take place. You do not need to do anything more.",
        ),
    };
    let when = consultation.starts_at.map(date_time);
    let mut letter = Letter {
        subject: subject.into(),
        preheader: when.clone().unwrap_or_else(|| date(consultation.date)),
        heading: heading.into(),
        greeting: greeting(&consultation.name),
        opening: vec![opening.into()],
        action: (!consultation.link.is_empty()).then(|| Action {
            label: "Join the video consultation",
            url: consultation.link.clone(),
        }),
        closing: vec![format!("If you have a question, call {}.", site.phone)],
        reason: reason(site),
        ..Letter::default()
    };
    match when {
        Some(when) => letter.fact("When", when),
        None => letter.fact("Day", date(consultation.date)),
    }
    letter.fact("Reference", &consultation.reference);
    letter
}
