//! Paths of the change stream, by which gateways refresh the lists of staff. A change names a list, and no entry of it.

use std::sync::Arc;

use async_trait::async_trait;
use change_rpc::Announcer;
use store_kit::outbox::{Deliver, DeliveryError, Lane, Message};

use crate::delivery::Courier;

pub(super) const MESSAGES: &str = "/messages";
pub(super) const DELIVERIES: &str = "/deliveries";
pub(super) const SUPPRESSIONS: &str = "/suppressions";
/// Paths that cover every change.
pub const LISTS: &[&str] = &[MESSAGES, DELIVERIES, SUPPRESSIONS];

/// Publishes that mails have bounced.
pub fn bounced(seen: &Announcer) {
    seen.publish([DELIVERIES, SUPPRESSIONS]);
}

/// Delivers mails, and publishes that the list of deliveries changed.
#[derive(Debug)]
pub struct SeenCourier {
    pub courier: Courier,
    pub seen: Arc<Announcer>,
}

#[async_trait]
impl Deliver for SeenCourier {
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        let delivered = self.courier.deliver(message).await;
        // A bounce at once also stops further mails to the address.
        bounced(&self.seen);
        delivered
    }

    fn lanes(&self) -> Vec<Lane> {
        self.courier.lanes()
    }
}
