//! Letters to patients about their appointments, waiting lists and consultations.

use super::{
    Action, Calendar, Letter,
    language::{Key, Words, key},
    words::{is_echoed, rupees},
};
use crate::{
    mail::content::{
        Appointment, AppointmentEvent, Attendant, Code, Consultation, ConsultationEvent, Removal,
        Waitlist, WaitlistEvent, WaitlistRemoved,
    },
    site::Site,
};

/// Subject, heading and opening sentences.
type Said = (Key, Key, &'static [Key]);

const BRING: Key = key!(
    "Please come 15 minutes early. Bring your earlier reports and a list of the medicines you take."
);
const CALL: Key = key!("You can also call us on {phone}.");

pub(super) fn appointment(words: Words, appointment: &Appointment, site: &Site) -> Letter {
    let (subject, heading, opening) = said(appointment.event);
    let is_off = matches!(appointment.event, AppointmentEvent::Cancelled);
    let subject = words.text(subject);
    let when = words.short_date_time(appointment.starts_at);
    let mut letter = Letter {
        subject: format!("{subject}: {when}"),
        preheader: words.date_time(appointment.starts_at),
        heading: words.text(heading).into(),
        opening: opening.iter().map(|key| words.text(*key).into()).collect(),
        action: (!appointment.manage_url.is_empty()).then(|| Action {
            label: words.text(if is_off {
                key!("See the details")
            } else {
                key!("See, change or cancel this appointment")
            }),
            url: appointment.manage_url.clone(),
        }),
        closing: closing(words, appointment, site),
        reason: reason(words, site),
        calendar: (!appointment.calendar.is_empty()).then(|| Calendar {
            file: appointment.calendar.clone(),
            method: appointment.calendar_method.clone(),
        }),
        ..Letter::to_visitor(words, &appointment.name)
    };
    letter.fact(
        words.text(key!("When")),
        words.date_time(appointment.starts_at),
    );
    letter.attendant(words, &appointment.attendant, &appointment.doctor, site);
    letter.department(words, &appointment.department, site);
    if !is_off {
        letter.place(words, &appointment.attendant, site);
    }
    letter.reference(words, &appointment.reference);
    letter
}

impl Letter {
    /// Adds the doctor who sees the patient or, if unknown, the doctor whom the patient asked for.
    fn attendant(&mut self, words: Words, attendant: &Attendant, typed: &str, site: &Site) {
        if !attendant.name.is_empty() {
            self.fact(words.text(key!("With")), words.name(site, &attendant.name));
        } else if is_echoed(typed) {
            self.fact(words.text(key!("You asked for")), typed);
        }
    }

    fn department(&mut self, words: Words, department: &str, site: &Site) {
        self.fact(words.text(key!("Department")), words.name(site, department));
    }

    fn reference(&mut self, words: Words, reference: &str) {
        self.fact(words.text(key!("Reference")), reference);
    }

    fn place(&mut self, words: Words, attendant: &Attendant, site: &Site) {
        if attendant.fee_rupees > 0 {
            let fee = rupees(attendant.fee_rupees);
            self.fact(words.text(key!("Consultation fee")), fee);
        }
        let place = [
            words.name(site, &attendant.place),
            &site.name,
            &site.address,
        ];
        let known: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
        self.fact(words.text(key!("Where")), known.join(", "));
    }
}

fn said(event: AppointmentEvent) -> Said {
    match event {
        AppointmentEvent::Booked => (
            key!("Your appointment is booked"),
            key!("Your appointment is booked"),
            &[BRING],
        ),
        AppointmentEvent::Changed => (
            key!("Your appointment has changed"),
            key!("Your appointment has changed"),
            &[key!(
                "Some details of your appointment have changed. Please check them below."
            )],
        ),
        AppointmentEvent::Moved => (
            key!("Your appointment has a new time"),
            key!("Your appointment has a new time"),
            &[key!(
                "We've moved your appointment to the time below. Please don't come at the earlier time."
            )],
        ),
        AppointmentEvent::Cancelled => (
            key!("Your appointment is cancelled"),
            key!("Your appointment is cancelled"),
            &[key!(
                "This appointment won't take place. You don't need to do anything else."
            )],
        ),
        AppointmentEvent::Uncovered => (
            key!("Please choose another time for your appointment"),
            key!("Please choose another time"),
            &[key!(
                "We're sorry. We can no longer see you at the time below. Please choose another time, or call us and we'll find one with \
                 you."
            )],
        ),
        AppointmentEvent::Reminder24h => (
            // Not "tomorrow": delivery may have been delayed.
            key!("Reminder of your appointment"),
            key!("Your appointment is coming up"),
            &[BRING],
        ),
        AppointmentEvent::Reminder2h => (
            key!("Your appointment is today"),
            key!("Your appointment is today"),
            &[key!("Please come 15 minutes early.")],
        ),
        AppointmentEvent::Link => (
            key!("The link to your appointment"),
            key!("The link to your appointment"),
            &[
                key!(
                    "You asked us for the link to your appointment. Earlier links may no longer work."
                ),
                key!("If you didn't ask for it, you can ignore this e-mail."),
            ],
        ),
    }
}

fn closing(words: Words, appointment: &Appointment, site: &Site) -> Vec<String> {
    let phone = ("phone", site.phone.as_str());
    let other = (!appointment.other_reference.is_empty()).then(|| {
        words.fill(
            key!(
                "You also have another appointment with us on this day, {reference}. If you don't need both, please cancel one."
            ),
            &[("reference", &appointment.other_reference)],
        )
    });
    let call = match appointment.event {
        AppointmentEvent::Cancelled => words.fill(
            key!("To book another appointment, go to {url} or call {phone}."),
            &[("url", &words.page(site, "/appointment")), phone],
        ),
        AppointmentEvent::Uncovered => words.fill(CALL, &[phone]),
        _ => words.fill(
            key!(
                "If you can't come, please cancel so that someone else can have the time. You can also call us on {phone}."
            ),
            &[phone],
        ),
    };
    let calendar = if appointment.calendar.is_empty() {
        None
    } else if appointment.calendar_method == "CANCEL" {
        Some(key!(
            "Open the attached file to remove this appointment from your calendar."
        ))
    } else {
        Some(key!(
            "Open the attached file to add this appointment to your calendar."
        ))
    };
    let link = (!appointment.manage_url.is_empty()).then_some(key!(
        "Anyone with the link above can change this appointment, so don't forward this e-mail."
    ));
    let last = [calendar, link].into_iter().flatten();
    let last = last.map(|key| words.text(key).to_owned());
    other.into_iter().chain([call]).chain(last).collect()
}

fn reason(words: Words, site: &Site) -> String {
    words.fill(
        key!(
            "You're getting this e-mail because this address was given for an appointment at {hospital}. If you did not make this booking, \
             tell us at {email}."
        ),
        &[("hospital", &site.name), ("email", &site.email)],
    )
}

pub(super) fn waitlist(words: Words, waitlist: &Waitlist, site: &Site) -> Letter {
    let mut letter = match &waitlist.event {
        WaitlistEvent::Joined { date: day } => {
            let mut letter = joined(words, waitlist);
            letter.attendant(words, &Attendant::default(), &waitlist.doctor, site);
            letter.department(words, &waitlist.department, site);
            let day = day.map(|day| words.date(day));
            letter.fact(words.text(key!("Day")), day.unwrap_or_default());
            letter
        }
        WaitlistEvent::Offered {
            starts_at,
            hold_until,
            attendant,
        } => {
            let mut letter = Letter {
                subject: words.fill(
                    key!("An earlier time is available: {when}"),
                    &[("when", &words.short_date_time(*starts_at))],
                ),
                ..offered(words, waitlist, &words.until(*hold_until))
            };
            letter.fact(words.text(key!("When")), words.date_time(*starts_at));
            letter.fact(words.text(key!("Held until")), words.date_time(*hold_until));
            letter.attendant(words, attendant, &waitlist.doctor, site);
            letter.department(words, &waitlist.department, site);
            letter.place(words, attendant, site);
            letter
        }
    };
    letter.reference(words, &waitlist.reference);
    letter.reason = reason(words, site);
    letter
        .closing
        .push(words.fill(CALL, &[("phone", &site.phone)]));
    letter
}

fn offered(words: Words, waitlist: &Waitlist, until: &str) -> Letter {
    Letter {
        preheader: words.fill(
            key!("We're holding it for you until {until}."),
            &[("until", until)],
        ),
        heading: words.text(key!("An earlier time is available")).into(),
        opening: vec![
            words.fill(
                key!("We're holding the time below for you until {until}."),
                &[("until", until)],
            ),
            words
                .text(key!(
                    "If you don't accept it by then, we'll offer it to the next person. You'll stay on the waiting list."
                ))
                .into(),
        ],
        action: Some(Action {
            label: words.text(key!("Accept or decline this time")),
            url: waitlist.offer_url.clone(),
        }),
        ..Letter::to_visitor(words, &waitlist.name)
    }
}

fn joined(words: Words, waitlist: &Waitlist) -> Letter {
    const HEADING: Key = key!("Confirm your place on our waiting list");
    Letter {
        subject: words.text(HEADING).into(),
        preheader: words
            .text(key!("Confirm your e-mail address to be offered a time."))
            .into(),
        heading: words.text(HEADING).into(),
        opening: vec![
            words
                .text(key!(
                    "You asked to be told if a time becomes available. Please confirm your e-mail address: we'll only offer you a time \
                     once you have."
                ))
                .into(),
        ],
        action: Some(Action {
            label: words.text(key!("Confirm my e-mail address")),
            url: waitlist.offer_url.clone(),
        }),
        closing: vec![
            words
                .text(key!("If you didn't ask for this, you can ignore this e-mail."))
                .into(),
        ],
        ..Letter::to_visitor(words, &waitlist.name)
    }
}

pub(super) fn waitlist_removed(words: Words, removed: &WaitlistRemoved, site: &Site) -> Letter {
    const HEADING: Key = key!("You're no longer on our waiting list");
    let because = words.text(match removed.removal {
        Removal::Asked => key!("You asked us to."),
        Removal::OtherAppointment => key!("You have another appointment with us."),
        Removal::Unreachable => key!("We tried to reach you and couldn't."),
        Removal::NoTimes => key!("No time will become available on this day."),
    });
    let mut letter = Letter {
        subject: words.text(HEADING).into(),
        preheader: because.into(),
        heading: words.text(HEADING).into(),
        opening: vec![words.fill(
            key!("We've taken you off the waiting list for the day below. {because}"),
            &[("because", because)],
        )],
        closing: vec![words.fill(
            key!("If you still need an appointment, book another day on our website or call us on {phone}."),
            &[("phone", &site.phone)],
        )],
        reason: reason(words, site),
        ..Letter::to_visitor(words, &removed.name)
    };
    letter.department(words, &removed.department, site);
    letter.fact(words.text(key!("Day")), words.date(removed.date));
    letter.reference(words, &removed.reference);
    letter
}

/// Writes the mail with a code. The code is in neither the subject nor the preheader, because both appear on locked
/// screens.
pub(super) fn code(words: Words, code: &Code, site: &Site) -> Letter {
    let mut letter = Letter {
        subject: words.fill(
            key!("Your code for {hospital}"),
            &[("hospital", &site.name)],
        ),
        preheader: words
            .text(key!("Enter it on our website to open your appointment."))
            .into(),
        heading: words.text(key!("Your code")).into(),
        opening: vec![
            words
                .text(key!("Enter this code on our website to open your appointment."))
                .into(),
        ],
        closing: vec![
            words
                .text(key!(
                    "If you didn't ask for this code, you can ignore this e-mail. Nobody can open your appointment without the code."
                ))
                .into(),
            words.text(key!("Our staff will never ask you for it.")).into(),
        ],
        reason: reason(words, site),
        ..Letter::to_visitor(words, &code.name)
    };
    letter.fact(words.text(key!("Code")), &code.code);
    letter.fact(
        words.text(key!("Use it before")),
        words.fill(
            key!("{time} IST (it works for 10 minutes)"),
            &[("time", &words.clock_time(code.expire_time))],
        ),
    );
    letter.reference(words, &code.reference);
    letter
}

pub(super) fn consultation(words: Words, consultation: &Consultation, site: &Site) -> Letter {
    let (subject, heading, opening) = match consultation.event {
        ConsultationEvent::Requested => (
            key!("We have your request for a video consultation"),
            key!("We have your request"),
            key!("Thank you. We'll choose a time on the day you asked for and e-mail it to you."),
        ),
        ConsultationEvent::Scheduled => (
            key!("Your video consultation has a time"),
            key!("Your video consultation has a time"),
            key!("Please open the link a few minutes early, in a quiet place with good light."),
        ),
        ConsultationEvent::Cancelled => (
            key!("Your video consultation is cancelled"),
            key!("Your video consultation is cancelled"),
            key!("This consultation won't take place. You don't need to do anything else."),
        ),
    };
    let when = consultation.starts_at.map(|time| words.date_time(time));
    let day = words.date(consultation.date);
    let mut letter = Letter {
        subject: words.text(subject).into(),
        preheader: when.clone().unwrap_or_else(|| day.clone()),
        heading: words.text(heading).into(),
        opening: vec![words.text(opening).into()],
        action: (!consultation.link.is_empty()).then(|| Action {
            label: words.text(key!("Join the video consultation")),
            url: consultation.link.clone(),
        }),
        closing: vec![words.fill(
            key!("If you have a question, call us on {phone}."),
            &[("phone", &site.phone)],
        )],
        reason: reason(words, site),
        ..Letter::to_visitor(words, &consultation.name)
    };
    match when {
        Some(when) => letter.fact(words.text(key!("When")), when),
        None => letter.fact(words.text(key!("Day")), day),
    }
    letter.fact(
        words.text(key!("With")),
        words.name(site, &consultation.doctor),
    );
    letter.fact(
        words.text(key!("Registration number")),
        &consultation.registration,
    );
    letter.department(words, &consultation.department, site);
    letter.reference(words, &consultation.reference);
    letter
}
