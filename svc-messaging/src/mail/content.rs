//! What mails say, as it is kept until they are sent: sealed JSON. Every build reads what earlier builds wrote, so a field that comes
//! later has a default.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a mail says. Its `Debug` shows its kind alone, so that no log line can show more.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// To a visitor whose message came.
    Acknowledgement {
        reference: String,
        /// Empty, and not shown: the build before this one needs both to read the mail.
        #[serde(default)]
        name: String,
        #[serde(default)]
        subject: String,
    },
    /// To a mailbox of the hospital: the message itself, which is read when it is sent.
    Enquiry {
        message: Uuid,
    },
    /// To an address that somebody entered for the newsletter.
    Confirmation {
        confirm_url: String,
    },
    /// An issue of the newsletter, which is read when it is sent.
    Newsletter {
        newsletter: Uuid,
        unsubscribe_url: String,
    },
    Appointment(Appointment),
    Waitlist(Waitlist),
    Consultation(Consultation),
    Code(Code),
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
    /// A new link was asked for.
    Link,
}

/// Who sees the patient, for how much and where.
#[derive(Clone, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Attendant {
    /// Empty: not known.
    pub name: String,
    /// 0: not known.
    pub fee_rupees: u32,
    /// Empty: not known.
    pub place: String,
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Appointment {
    pub event: AppointmentEvent,
    pub name: String,
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    pub department: String,
    /// As the patient typed it. Empty: none was asked for.
    pub doctor: String,
    #[serde(default)]
    pub attendant: Attendant,
    /// Of another appointment on the same day. Empty: there is none.
    #[serde(default)]
    pub other_reference: String,
    /// Empty: there is none.
    pub manage_url: String,
    /// RFC 5545. Empty: none is attached.
    pub calendar: String,
    /// PUBLISH or CANCEL.
    pub calendar_method: String,
}

/// What happened to an entry of a waitlist. Known by its fields: earlier builds kept offers alone, without a word for them.
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
        /// The day that is waited for. `None`: not said.
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

/// What happened to a consultation by video.
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
    /// Empty until it is allotted.
    pub link: String,
}

/// A code that opens an appointment.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Code {
    pub name: String,
    pub reference: String,
    /// 6 digits.
    pub code: String,
    pub expire_time: DateTime<Utc>,
}

impl Content {
    /// Says that a message came.
    pub fn acknowledgement(reference: &str) -> Self {
        Self::Acknowledgement {
            reference: reference.to_owned(),
            name: String::new(),
            subject: String::new(),
        }
    }

    /// For the database, metrics and logs, for example `appointment.booked`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Acknowledgement { .. } => "message.acknowledged",
            Self::Enquiry { .. } => "message.forwarded",
            Self::Confirmation { .. } => "newsletter.confirmation",
            Self::Newsletter { .. } => "newsletter.issue",
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
            Self::Code(_) => "appointment.code",
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
    Consultation,
    Code
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_of_earlier_builds_are_read() {
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
    }
}
