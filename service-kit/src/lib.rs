//! What every process of the hospital's website needs: configuration, telemetry, health, deadlines, shutdown.
//!
//! Nothing here depends on the domain or on a contract; a service passes its own in.

pub mod auth;
pub mod calendar_file;
pub mod clap_values;
pub mod client_tls;
pub mod deadline;
pub mod health;
pub mod input;
pub mod language;
pub mod metrics;
pub mod network;
pub mod operators;
pub mod reference;
pub mod semconv;
pub mod server;
pub mod shutdown;
pub mod source;
pub mod status;
pub mod telemetry;
pub mod trace;
pub mod violation;

/// The version that a process reports: `BUILD_REVISION` of the build if it was set, else the package's version.
#[macro_export]
macro_rules! version {
    () => {
        match option_env!("BUILD_REVISION") {
            Some(revision) => revision,
            None => env!("CARGO_PKG_VERSION"),
        }
    };
}
