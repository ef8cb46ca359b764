//! Representations: bytes in each coding, validators, lifetime, what they were made from, single flight.

pub(crate) mod changes;
mod config;
pub(crate) mod documents;
pub(crate) mod responses;
pub(crate) mod stored;
pub(crate) mod variants;

pub use self::config::StoreConfig;
