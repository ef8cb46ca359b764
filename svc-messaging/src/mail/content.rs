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
        name: String,
        reference: String,
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
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Appointment {
    pub event: AppointmentEvent,
    pub name: String,
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    pub department: String,
    /// Empty: none was asked for.
    pub doctor: String,
    /// Empty: there is none.
    pub manage_url: String,
    /// RFC 5545. Empty: none is attached.
    pub calendar: String,
    /// PUBLISH or CANCEL.
    pub calendar_method: String,
}

#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
pub struct Waitlist {
    pub name: String,
    pub reference: String,
    pub department: String,
    pub doctor: String,
    pub starts_at: DateTime<Utc>,
    pub hold_until: DateTime<Utc>,
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

impl Content {
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
            },
            Self::Waitlist(_) => "waitlist.offered",
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

impl fmt::Debug for Appointment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Appointment(withheld)")
    }
}

impl fmt::Debug for Waitlist {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Waitlist(withheld)")
    }
}

impl fmt::Debug for Consultation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Consultation(withheld)")
    }
}
