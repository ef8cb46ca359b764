//! Representations: bytes in each coding, validators, lifetime, what they were made from, single flight.
//!
//! Answers of the API and documents are kept by one [`Store`] type, in a store each, so that neither pushes the other out.

pub(crate) mod changes;
pub(crate) mod coding;
pub(crate) mod compression;
mod config;
mod flight;
mod keep;
mod max_age;
mod recompression;
pub(crate) mod representation;
pub(crate) mod variants;

pub use self::config::StoreConfig;
pub(crate) use self::{
    flight::Made,
    keep::{Counters, Limits, Store, Wanted},
    representation::{CacheControl, Draft, Edition, Lifetime, Representation},
};
