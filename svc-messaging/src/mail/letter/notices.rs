//! Letters to patients about their appointments, waiting lists and consultations.

use super::{
    Action, Calendar, Letter,
    times::{clock_time, date, date_time, short_date_time},
    words::{greeting, is_echoed, rupees},
};
use crate::{
    mail::content::{
        Appointment, AppointmentEvent, Attendant, Code, Consultation, ConsultationEvent, Removal,
        Waitlist, WaitlistEvent, WaitlistRemoved,
    },
    site::Site,
};

/// Subject, heading and opening sentences.
type Said = (String, &'static str, Vec<String>);

const BRING: &str = "Please come 15 minutes early. Bring your earlier reports and a list of the medicines you take.";

pub(super) fn appointment(appointment: &Appointment, site: &Site) -> Letter {
    let (subject, heading, opening) = said(appointment);
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
                "See, change or cancel this appointment"
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
    letter.attendant(&appointment.attendant, &appointment.doctor);
    letter.fact("Department", &appointment.department);
    if !is_off {
        letter.place(&appointment.attendant, site);
    }
    letter.fact("Reference", &appointment.reference);
    letter
}

impl Letter {
    /// Adds the doctor who sees the patient or, if unknown, the doctor whom the patient asked for.
    fn attendant(&mut self, attendant: &Attendant, typed: &str) {
        if !attendant.name.is_empty() {
            self.fact("With", &attendant.name);
        } else if is_echoed(typed) {
            self.fact("You asked for", typed);
        }
    }

    fn place(&mut self, attendant: &Attendant, site: &Site) {
        if attendant.fee_rupees > 0 {
            self.fact("Consultation fee", rupees(attendant.fee_rupees));
        }
        let place = [&attendant.place, &site.name, &site.address];
        let known: Vec<&str> = place
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        self.fact("Where", known.join(", "));
    }
}

fn said(appointment: &Appointment) -> Said {
    let when = short_date_time(appointment.starts_at);
    let (subject, heading, opening): (&str, _, &[&str]) = match appointment.event {
        AppointmentEvent::Booked => (
            "Your appointment is booked",
            "Your appointment is booked",
            &[BRING],
        ),
        AppointmentEvent::Changed => (
            "Your appointment has changed",
            "Your appointment has changed",
            &["Some details of your appointment have changed. Please check them below."],
        ),
        AppointmentEvent::Moved => (
            "Your appointment has a new time",
            "Your appointment has a new time",
            &[
                "We've moved your appointment to the time below. Please don't come at the earlier time.",
            ],
        ),
        AppointmentEvent::Cancelled => (
            "Your appointment is cancelled",
            "Your appointment is cancelled",
            &["This appointment won't take place. You don't need to do anything else."],
        ),
        AppointmentEvent::Uncovered => (
            "Please choose another time for your appointment",
            "Please choose another time",
            &[
                "We're sorry. We can no longer see you at the time below. Please choose another time, or call us and we'll find one with \
                 you.",
            ],
        ),
        AppointmentEvent::Reminder24h => (
            // Not "tomorrow": delivery may have been delayed.
            "Reminder of your appointment",
            "Your appointment is coming up",
            &[BRING],
        ),
        AppointmentEvent::Reminder2h => (
            "Your appointment is today",
            "Your appointment is today",
            &["Please come 15 minutes early."],
        ),
        AppointmentEvent::Link => (
            "The link to your appointment",
            "The link to your appointment",
            &[
                "You asked us for the link to your appointment. Earlier links may no longer work.",
                "If you didn't ask for it, you can ignore this e-mail.",
            ],
        ),
    };
    let opening = opening.iter().map(|text| (*text).to_owned()).collect();
    (format!("{subject}: {when}"), heading, opening)
}

fn closing(appointment: &Appointment, site: &Site) -> Vec<String> {
    let other = (!appointment.other_reference.is_empty()).then(|| {
        format!(
            "You also have another appointment with us on this day, {}. If you don't need both, please cancel one.",
            appointment.other_reference
        )
    });
    let call = match appointment.event {
        AppointmentEvent::Cancelled => {
            format!(
                "To book another appointment, go to {}/appointment or call {}.",
                site.origin, site.phone
            )
        }
        AppointmentEvent::Uncovered => format!("You can also call us on {}.", site.phone),
        _ => format!(
            "If you can't come, please cancel so that someone else can have the time. You can also call us on {}.",
            site.phone
        ),
    };
    let calendar = if appointment.calendar.is_empty() {
        None
    } else if appointment.calendar_method == "CANCEL" {
        Some("Open the attached file to remove this appointment from your calendar.".to_owned())
    } else {
        Some("Open the attached file to add this appointment to your calendar.".to_owned())
    };
    let link = (!appointment.manage_url.is_empty()).then(|| {
        "Anyone with the link above can change this appointment, so don't forward this e-mail."
            .to_owned()
    });
    [other, Some(call), calendar, link]
        .into_iter()
        .flatten()
        .collect()
}

fn reason(site: &Site) -> String {
    format!(
        "You're getting this e-mail because this address was given for an appointment at {}. If you did not make this booking, tell us \
         at {}.",
        site.name, site.email
    )
}

pub(super) fn waitlist(waitlist: &Waitlist, site: &Site) -> Letter {
    let mut letter = match &waitlist.event {
        WaitlistEvent::Joined { date: day } => {
            let mut letter = joined();
            letter.attendant(&Attendant::default(), &waitlist.doctor);
            letter.fact("Department", &waitlist.department);
            letter.fact("Day", day.map(date).unwrap_or_default());
            letter
        }
        WaitlistEvent::Offered {
            starts_at,
            hold_until,
            attendant,
        } => {
            let until = date_time(*hold_until);
            let mut letter = Letter {
                subject: format!(
                    "An earlier time is available: {}",
                    short_date_time(*starts_at)
                ),
                preheader: format!("We're holding it for you until {until}."),
                heading: "An earlier time is available".into(),
                opening: vec![
                    format!("We're holding the time below for you until {until}."),
                    "If you don't accept it by then, we'll offer it to the next person. You'll stay on the waiting list.".into(),
                ],
                action: Some(Action {
                    label: "Accept or decline this time",
                    url: String::new(),
                }),
                ..Letter::default()
            };
            letter.fact("When", date_time(*starts_at));
            letter.fact("Held until", until);
            letter.attendant(attendant, &waitlist.doctor);
            letter.fact("Department", &waitlist.department);
            letter.place(attendant, site);
            letter
        }
    };
    letter.fact("Reference", &waitlist.reference);
    letter.greeting = greeting(&waitlist.name);
    letter.reason = reason(site);
    letter
        .closing
        .push(format!("You can also call us on {}.", site.phone));
    if let Some(action) = &mut letter.action {
        action.url.clone_from(&waitlist.offer_url);
    }
    letter
}

fn joined() -> Letter {
    Letter {
        subject: "Confirm your place on our waiting list".into(),
        preheader: "Confirm your e-mail address to be offered a time.".into(),
        heading: "Confirm your place on our waiting list".into(),
        opening: vec![
            "You asked to be told if a time becomes available. Please confirm your e-mail address: we'll only offer you a time once you \
             have."
                .into(),
        ],
        action: Some(Action {
            label: "Confirm my e-mail address",
            url: String::new(),
        }),
        closing: vec!["If you didn't ask for this, you can ignore this e-mail.".into()],
        ..Letter::default()
    }
}

pub(super) fn waitlist_removed(removed: &WaitlistRemoved, site: &Site) -> Letter {
    let because = match removed.removal {
        Removal::Asked => "You asked us to.",
        Removal::OtherAppointment => "You have another appointment with us.",
        Removal::Unreachable => "We tried to reach you and couldn't.",
        Removal::NoTimes => "No time will become available on this day.",
    };
    let mut letter = Letter {
        subject: "You're no longer on our waiting list".into(),
        preheader: because.into(),
        heading: "You're no longer on our waiting list".into(),
        greeting: greeting(&removed.name),
        opening: vec![format!(
            "We've taken you off the waiting list for the day below. {because}"
        )],
        closing: vec![format!(
            "If you still need an appointment, book another day on our website or call us on {}.",
            site.phone
        )],
        reason: reason(site),
        ..Letter::default()
    };
    letter.fact("Department", &removed.department);
    letter.fact("Day", date(removed.date));
    letter.fact("Reference", &removed.reference);
    letter
}

/// Writes the mail with a code. The code is in neither the subject nor the preheader, because both appear on locked
/// screens.
pub(super) fn code(code: &Code, site: &Site) -> Letter {
    let mut letter = Letter {
        subject: format!("Your code for {}", site.name),
        preheader: "Enter it on our website to open your appointment.".into(),
        heading: "Your code".into(),
        greeting: greeting(&code.name),
        opening: vec!["Enter this code on our website to open your appointment.".into()],
        closing: vec![
            "If you didn't ask for this code, you can ignore this e-mail. Nobody can open your appointment without the code.".into(),
            "Our staff will never ask you for it.".into(),
        ],
        reason: reason(site),
        ..Letter::default()
    };
    letter.fact("Code", &code.code);
    letter.fact(
        "Use it before",
        format!("{} (it works for 10 minutes)", clock_time(code.expire_time)),
    );
    letter.fact("Reference", &code.reference);
    letter
}

pub(super) fn consultation(consultation: &Consultation, site: &Site) -> Letter {
    let (subject, heading, opening) = match consultation.event {
        ConsultationEvent::Requested => (
            "We have your request for a video consultation",
            "We have your request",
            "Thank you. We'll choose a time on the day you asked for and e-mail it to you.",
        ),
        ConsultationEvent::Scheduled => (
            "Your video consultation has a time",
            "Your video consultation has a time",
            "Please open the link a few minutes early, in a quiet place with good light.",
        ),
        ConsultationEvent::Cancelled => (
            "Your video consultation is cancelled",
            "Your video consultation is cancelled",
            "This consultation won't take place. You don't need to do anything else.",
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
        closing: vec![format!(
            "If you have a question, call us on {}.",
            site.phone
        )],
        reason: reason(site),
        ..Letter::default()
    };
    match when {
        Some(when) => letter.fact("When", when),
        None => letter.fact("Day", date(consultation.date)),
    }
    letter.fact("With", &consultation.doctor);
    letter.fact("Registration number", &consultation.registration);
    letter.fact("Department", &consultation.department);
    letter.fact("Reference", &consultation.reference);
    letter
}
