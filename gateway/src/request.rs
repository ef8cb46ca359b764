//! What is known of the request being served, for every layer: its client, deadline, trace and validators.

pub mod client_address;
pub mod deadline;
pub(crate) mod etag;
pub mod panic;
pub(crate) mod task;
pub mod trace;
