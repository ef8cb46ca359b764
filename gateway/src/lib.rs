//! The edge of the site: REST in, gRPC out, documents in between.
//!
//! Nothing in this crate knows an RPC by name, a database, or a word of the domain. Routes come from a descriptor
//! pool that is passed in; documents come from page modules.

pub mod api;
pub mod pages;
