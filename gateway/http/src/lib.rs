//! What every layer of the gateway knows of HTTP: the request being served, errors as clients see them, and metrics.

#![warn(missing_docs)]

pub mod language;
pub mod metrics;
pub mod problem;
pub mod request;
