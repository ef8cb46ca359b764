//! The services behind the gateway.

pub mod addresses;
mod codec;
mod config;
pub(crate) mod rpc;

pub use self::config::UpstreamConfig;
