//! What tests of more than one package need: databases of their own, programs as they are deployed, a server that is
//! trusted over TLS, an issuer of tokens.
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
