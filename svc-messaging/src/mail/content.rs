//! Content of mails, stored as sealed JSON until they are sent. Every build must read what earlier builds wrote, so new
//! fields need a default.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Content of a mail. Its `Debug` output shows only the kind, to keep personal data out of logs.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// To a visitor whose message arrived.
    Acknowledgement {
        reference: String,
        /// Empty and not shown. The previous build needs `name` and `subject` to read the mail.
        #[serde(default)]
        name: String,
        #[serde(default)]
        subject: String,
    },
    /// To a mailbox of the hospital. The message itself is loaded when the mail is sent.
    Enquiry {
        message: Uuid,
    },
    /// To an address entered into the newsletter form.
    Confirmation {
        confirm_url: String,
    },
    /// An issue of the newsletter, loaded when the mail is sent.
    Newsletter {
        newsletter: Uuid,
        unsubscribe_url: String,
    },
    /// A draft of the newsletter, to the person who tests it. A copy, because the draft may change or go.
    NewsletterTest {
        subject: String,
        text: String,
    },
    Appointment(Appointment),
    Waitlist(Waitlist),
    /// A kind of its own, which earlier builds can't read: as a waitlist event it would look like a new entry.
    WaitlistRemoved(WaitlistRemoved),
    Consultation(Consultation),
    Code(Code),
    /// To a person who has a place at an event.
    Registered(Registration),
    /// To the same person, when the event is cancelled.
    EventCancelled(Registration),
    /// To reception each morning: the messages in quarantine.
    Quarantine {
        waiting: u64,
        since: DateTime<Utc>,
        /// The oldest messages.
        held: Vec<Held>,
    },
}

/// A message in quarantine, without its sender's words.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Held {
    pub reference: String,
    pub create_time: DateTime<Utc>,
    /// Spam signals, for example `links, too_fast`.
    pub signals: String,
}

/// What happened to an appointment.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AppointmentEvent {
    Booked,
    Changed,
    Moved,
    Cancelled,
    Uncovered,
    Reminder24h,
    Reminder2h,
    /// A new link was requested.
    Link,
}

/// The doctor who sees the patient, the fee and the place.
#[derive(Clone, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Attendant {
    /// Empty if unknown.
    pub name: String,
    /// 0 if unknown.
    pub fee_rupees: u32,
    /// Empty if unknown.
    pub place: String,
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Appointment {
    pub event: AppointmentEvent,
    pub name: String,
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    pub department: String,
    /// As the patient typed it. Empty if none was requested.
    pub doctor: String,
    #[serde(default)]
    pub attendant: Attendant,
    /// Reference of another appointment on the same day. Empty if there is none.
    #[serde(default)]
    pub other_reference: String,
    /// Empty if there is none.
    pub manage_url: String,
    /// RFC 5545. Empty if none is attached.
    pub calendar: String,
    /// PUBLISH or CANCEL.
    pub calendar_method: String,
}

/// Event of a waitlist entry. Identified by its fields, because earlier builds stored only offers, without a tag.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub enum WaitlistEvent {
    Offered {
        starts_at: DateTime<Utc>,
        hold_until: DateTime<Utc>,
        #[serde(default)]
        attendant: Attendant,
    },
    Joined {
        /// Requested day; `None` if none was given.
        date: Option<NaiveDate>,
    },
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Waitlist {
    pub name: String,
    pub reference: String,
    pub department: String,
    pub doctor: String,
    #[serde(flatten)]
    pub event: WaitlistEvent,
    pub offer_url: String,
}

/// Why staff took a person off the waitlist.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Removal {
    Asked,
    OtherAppointment,
    Unreachable,
    NoTimes,
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct WaitlistRemoved {
    pub name: String,
    pub reference: String,
    pub department: String,
    pub date: NaiveDate,
    pub removal: Removal,
}

/// Event of a video consultation.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsultationEvent {
    Requested,
    Scheduled,
    Cancelled,
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Consultation {
    pub event: ConsultationEvent,
    pub name: String,
    pub reference: String,
    pub date: NaiveDate,
    pub starts_at: Option<DateTime<Utc>>,
    /// Empty until it is assigned.
    pub link: String,
    /// Empty if none was chosen. Absent from mails queued by earlier builds.
    #[serde(default)]
    pub department: String,
    /// Empty if no doctor was allotted. Absent from mails queued by earlier builds.
    #[serde(default)]
    pub doctor: String,
    /// Registration number of the doctor, or empty. Absent from mails queued by earlier builds.
    #[serde(default)]
    pub registration: String,
}

/// A code that gives access to an appointment.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Code {
    pub name: String,
    pub reference: String,
    /// 6 digits.
    pub code: String,
    pub expire_time: DateTime<Utc>,
}

/// A person's registration for an event.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Registration {
    pub event_id: String,
    pub title: String,
    pub location: String,
    pub starts_at: DateTime<Utc>,
    pub people: i32,
    pub reference: String,
    /// Why the event does not take place. Empty: it does.
    pub cancelled: String,
    /// Gives the place back.
    pub token: String,
}

impl Content {
    /// Creates the acknowledgement of a message.
    pub fn acknowledgement(reference: &str) -> Self {
        Self::Acknowledgement {
            reference: reference.to_owned(),
            name: String::new(),
            subject: String::new(),
        }
    }

    /// Returns the newsletter that the mail is a copy of.
    pub fn newsletter(&self) -> Option<Uuid> {
        match self {
            Self::Newsletter { newsletter, .. } => Some(*newsletter),
            _ => None,
        }
    }

    /// Returns the kind for the database, metrics and logs, for example `appointment.booked`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Acknowledgement { .. } => "message.acknowledged",
            Self::Enquiry { .. } => "message.forwarded",
            Self::Confirmation { .. } => "newsletter.confirmation",
            Self::Newsletter { .. } => "newsletter.issue",
            Self::NewsletterTest { .. } => "newsletter.test",
            Self::Appointment(appointment) => match appointment.event {
                AppointmentEvent::Booked => "appointment.booked",
                AppointmentEvent::Changed => "appointment.changed",
                AppointmentEvent::Moved => "appointment.moved",
                AppointmentEvent::Cancelled => "appointment.cancelled",
                AppointmentEvent::Uncovered => "appointment.uncovered",
                AppointmentEvent::Reminder24h => "appointment.reminder_24h",
                AppointmentEvent::Reminder2h => "appointment.reminder_2h",
                AppointmentEvent::Link => "appointment.link",
            },
            Self::Waitlist(waitlist) => match waitlist.event {
                WaitlistEvent::Joined { .. } => "waitlist.joined",
                WaitlistEvent::Offered { .. } => "waitlist.offered",
            },
            Self::WaitlistRemoved(_) => "waitlist.removed",
            Self::Code(_) => "appointment.code",
            Self::Registered(_) => "registration.confirmed",
            Self::EventCancelled(_) => "event.cancelled",
            Self::Quarantine { .. } => "quarantine.digest",
            Self::Consultation(consultation) => match consultation.event {
                ConsultationEvent::Requested => "consultation.requested",
                ConsultationEvent::Scheduled => "consultation.scheduled",
                ConsultationEvent::Cancelled => "consultation.cancelled",
            },
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Content({})", self.kind())
    }
}

macro_rules! withheld {
    ($($name:ident),+) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(withheld)"))
            }
        })+
    };
}

withheld!(
    Appointment,
    Attendant,
    Waitlist,
    WaitlistEvent,
    WaitlistRemoved,
    Consultation,
    Code,
    Registration,
    Held
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_mails_of_earlier_builds() {
        let offer = r#"{"kind":"waitlist","name":"K","reference":"WL-1","department":"ENT","doctor":"",
            "starts_at":"2026-11-24T05:00:00Z","hold_until":"2026-11-23T06:30:00Z","offer_url":"https://x.example/"}"#;
        let Ok(Content::Waitlist(offer)) = serde_json::from_str(offer) else {
            panic!("an offer");
        };
        assert!(matches!(offer.event, WaitlistEvent::Offered { .. }));
        let booked = r#"{"kind":"appointment","event":"booked","name":"K","reference":"SH-1","starts_at":"2026-11-24T05:00:00Z",
            "department":"ENT","doctor":"","manage_url":"","calendar":"","calendar_method":""}"#;
        let Ok(Content::Appointment(booked)) = serde_json::from_str(booked) else {
            panic!("an appointment");
        };
        assert!(booked.attendant == Attendant::default());
        let joined = Content::Waitlist(Waitlist {
            event: WaitlistEvent::Joined { date: None },
            ..offer
        });
        let kept = serde_json::to_string(&joined).expect("JSON");
        assert!(serde_json::from_str::<Content>(&kept).expect("read") == joined);
        let removed = r#"{"kind":"waitlist_removed","name":"K","reference":"WL-1","department":"ENT",
            "date":"2026-11-24","removal":"no_times"}"#;
        assert!(matches!(
            serde_json::from_str(removed),
            Ok(Content::WaitlistRemoved(_))
        ));
    }
}
