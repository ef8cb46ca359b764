//! Properties of the request being served, for every layer: its client, deadline, trace and validators.

pub(crate) mod budget;
pub mod client_address;
pub mod deadline;
pub(crate) mod etag;
pub mod form_key;
pub(crate) mod lanes;
pub(crate) mod log_budget;
pub mod panic;
pub(crate) mod task;
pub mod trace;

/// A body paused for too long, or arrived below the minimum rate.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the body came too slowly")]
pub(crate) struct BodyTooSlow;
