//! Lanes of the outbox: what is much or slow in one of them holds up no other.

use std::{num::NonZeroU32, time::Duration};

use store_kit::outbox::{DEFAULT_LANE, Lane, Pace};

use super::{content::Content, store::Channel};
use crate::delivery::TRY_TIMEOUT;

/// Notices to patients. Builds before lanes wrote every mail into it.
pub const PATIENTS: &str = DEFAULT_LANE;
/// Messages of visitors on their way to a mailbox of the hospital, and what else staff are told.
pub const STAFF: &str = "staff";
/// What a form sends to the address that was typed into it.
pub const ENQUIRIES: &str = "enquiries";
/// Newsletters.
pub const BULK: &str = "bulk";
/// Texts to phones: their gateway is another server.
pub const TEXTS: &str = "texts";

/// Connections to the mail server that each lane may use at once; they are part of its pace. Servers limit those of one client.
pub const CONCURRENCY_MAX: usize = 4 + 2 + 2 + 1;

/// The lane of a mail.
pub fn of(content: &Content, channel: Channel) -> &'static str {
    if channel == Channel::Sms {
        return TEXTS;
    }
    match content {
        Content::Appointment(_)
        | Content::Waitlist(_)
        | Content::Consultation(_)
        | Content::Code(_) => PATIENTS,
        Content::Enquiry { .. } => STAFF,
        Content::Acknowledgement { .. } | Content::Confirmation { .. } => ENQUIRIES,
        Content::Newsletter { .. } => BULK,
    }
}

/// Every lane with its pace: some 60 tries over four days, as mail servers do it. A mail whose time is over ends before.
pub fn all(newsletters_per_minute_max: NonZeroU32) -> Vec<Lane> {
    let pace = |concurrency_max| Pace {
        // A batch is leased for as long as it can take: 210 s, which is how long the batch of a process that dies waits.
        batch_max: 8,
        concurrency_max,
        delivery_timeout: TRY_TIMEOUT + Duration::from_secs(10),
        attempts_max: 60,
        ..Pace::default()
    };
    let bulk = Pace {
        batch_max: 4,
        per_minute_max: Some(newsletters_per_minute_max),
        ..pace(1)
    };
    [
        (PATIENTS, pace(4)),
        (STAFF, pace(2)),
        (ENQUIRIES, pace(2)),
        (BULK, bulk),
        (TEXTS, pace(2)),
    ]
    .map(|(name, pace)| Lane { name, pace })
    .into()
}
