//! Conversion of deliveries and suppressions for staff.

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1 as proto;
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::{
    inbox::{page_size, position},
    timestamp,
};
use crate::{
    mail::store::{Delivery, DeliveryState, suppressions::Suppression},
    store::Position,
};

/// Requested page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub state: Option<DeliveryState>,
    pub after: Option<Position>,
    pub size: u32,
}

/// Parses the requested page. `state` is a state name or empty.
///
/// # Errors
/// One violation per invalid field.
pub fn page(size: i32, token: &str, state: &str) -> Result<Page, Vec<Violation>> {
    let mut violations = Violations::default();
    let size = page_size(&mut violations, size);
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let after = given(token).and_then(|token| {
        let words = "Use the nextPageToken of the page before, unchanged";
        violations.take("pageToken", position(&token).ok_or(words))
    });
    let state = given(state).and_then(|word| {
        let words = "Give waiting, postponed, failed or expired";
        violations.take("state", DeliveryState::from_word(&word).ok_or(words))
    });
    violations.into_result(Some(Page { state, after, size }))
}

/// Returns the cursor of a row.
pub fn page_token(create_time: DateTime<Utc>, id: Uuid) -> String {
    format!("{}_{}", create_time.timestamp_micros(), id.simple())
}

/// Converts a delivery for staff.
pub fn delivery(found: &Delivery) -> proto::Delivery {
    proto::Delivery {
        id: found.id.to_string(),
        kind: found.kind.clone(),
        channel: found.channel.clone(),
        state: found.state.as_str().to_owned(),
        reason: found.reason.clone(),
        recipient_name: found.name.as_str().to_owned(),
        recipient: found.recipient.as_str().to_owned(),
        subject_id: found
            .subject_id
            .map(|id| id.to_string())
            .unwrap_or_default(),
        create_time: Some(timestamp(found.create_time)),
        expire_time: Some(timestamp(found.expire_time)),
        postponed_until: found.postponed_until.map(timestamp),
        attempts: i32::try_from(found.attempts).unwrap_or(i32::MAX),
        last_error: found.last_error.clone(),
    }
}

/// Converts a suppression for staff.
pub fn suppression(found: &Suppression) -> proto::Suppression {
    proto::Suppression {
        id: found.id.to_string(),
        email: found.email.as_str().to_owned(),
        reason: found.reason.clone(),
        create_time: Some(timestamp(found.create_time)),
        expire_time: Some(timestamp(found.expire_time)),
    }
}
