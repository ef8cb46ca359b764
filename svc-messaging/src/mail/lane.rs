//! Outbox lanes. A backlog or slow delivery in one lane does not delay the others.

use std::{num::NonZeroU32, time::Duration};

use store_kit::outbox::{DEFAULT_LANE, Lane, Pace};

use super::{content::Content, store::Channel};

/// Notices to patients. Builds without lanes put every mail here.
pub const PATIENTS: &str = DEFAULT_LANE;
/// Visitors' messages to the hospital's mailboxes, and other notices to staff.
pub const STAFF: &str = "staff";
/// Mails to an address that was typed into a form.
pub const ENQUIRIES: &str = "enquiries";
/// Newsletters.
pub const BULK: &str = "bulk";
/// Text messages, which go to a separate gateway.
pub const TEXTS: &str = "texts";

/// Timeout of one attempt, from connecting to the final reply. Some servers scan for viruses after the final dot.
/// Disconnecting during the scan would send the mail twice.
pub const TRY_TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum concurrent connections to the mail server: the sum over its lanes. Servers limit the connections of one
/// client.
pub const CONCURRENCY_MAX: usize = 4 + 2 + 2 + 1;

/// Returns the lane of a mail.
pub fn of(content: &Content, channel: Channel) -> &'static str {
    if channel == Channel::Sms {
        return TEXTS;
    }
    match content {
        Content::Appointment(_)
        | Content::Waitlist(_)
        | Content::WaitlistRemoved(_)
        | Content::Consultation(_)
        | Content::Code(_)
        | Content::EventCancelled(_) => PATIENTS,
        Content::Enquiry { .. } | Content::NewsletterTest { .. } | Content::Quarantine { .. } => {
            STAFF
        }
        Content::Acknowledgement { .. } | Content::Confirmation { .. } | Content::Registered(_) => {
            ENQUIRIES
        }
        Content::Newsletter { .. } => BULK,
    }
}

/// Returns every lane with its pace: about 60 attempts over four days, as is usual for mail servers. An expired mail
/// ends earlier.
pub fn all(newsletters_per_minute_max: NonZeroU32) -> Vec<Lane> {
    let pace = |concurrency_max| Pace {
        // A batch is leased for its maximum duration, 210 s. After a crash its messages are retried no sooner.
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
