//! The gRPC handlers: authenticate, parse, one call of the store, reply.

mod caller;
mod changes;
mod deliveries;
mod drafts;
mod events;
mod inbox;
mod messages;
mod newsletter;
mod retention;
mod watch;

use chrono::{DateTime, Utc};
use tonic::{Code, Status};

use crate::Parts;

pub use changes::{LISTS, SeenCourier, bounced};
pub use deliveries::DeliveryRpcs;
pub use events::EventRpcs;
pub use inbox::InboxRpcs;
pub use messages::MessagingRpcs;
pub use newsletter::{NewsletterRpcs, send_newsletters};
pub use retention::{keep_retention, purge};
pub use watch::watch;

impl Parts {
    fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Returns the error for a network over its rate limit.
    fn too_many(&self) -> Status {
        service_kit::status::with_reason(
            Code::ResourceExhausted,
            "MESSAGES_MAX",
            &format!(
                "Too many messages came from your network. Please call reception at {}, or try again in an hour.",
                self.site.get().phone
            ),
        )
    }
}
