//! Properties of the request being served, for every layer: its client, deadline, trace and validators.

pub mod budget;
pub mod client_address;
pub mod deadline;
pub mod etag;
pub mod form_key;
pub mod lanes;
pub mod log_budget;
pub mod panic;
pub mod task;
pub mod trace;

/// A body paused for too long, or arrived below the minimum rate.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the body came too slowly")]
pub struct BodyTooSlow;
