//! Stores of representations: bodies in each coding, validators, lifetimes, dependencies and single flight.
//!
//! API responses and documents use separate instances of [`Store`], so that neither evicts the other.

#![warn(missing_docs)]

pub mod changes;
mod coding;
pub mod compression;
mod config;
mod doorkeeper;
mod flight;
mod max_age;
mod recompression;
mod representation;
mod store;
pub mod variants;

pub use self::{
    config::StoreConfig,
    flight::Made,
    representation::{CacheControl, Draft, Edition, Lifetime, Representation},
    store::{Counters, Store, StoreLimits, Wanted},
};
