//! Support for the tests of several packages: private databases, programs as deployed, a trusted TLS server, a token
//! issuer.
#![expect(
    clippy::missing_panics_doc,
    reason = "a test kit panics wherever a test must fail"
)]

pub mod bench;
pub mod database;
pub mod issuer;
pub mod keys;
pub mod process;
pub mod recorded;
pub mod service;
pub mod tls;
