//! The services behind the gateway.

pub mod addresses;
pub(crate) mod rpc;
