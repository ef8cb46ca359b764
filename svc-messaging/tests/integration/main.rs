//! Tests against real databases and the real process, in one binary to link only once.

mod service;
mod store;
mod upgrade;

/// Test bench: the service's schema on a database.
type Bench = test_kit::bench::Bench<svc_messaging::Messaging>;

/// Returns the default arguments, without any flag.
fn arguments() -> svc_messaging::Arguments {
    use clap::{Args as _, FromArgMatches as _};
    let command = svc_messaging::Arguments::augment_args(clap::Command::new("svc-messaging"));
    let matches = command.get_matches_from(["svc-messaging"]);
    svc_messaging::Arguments::from_arg_matches(&matches).expect("valid")
}

/// The service's own binary.
const PROGRAM: test_kit::process::Program =
    test_kit::process::Program(env!(concat!("CARGO_BIN_EXE_", env!("CARGO_PKG_NAME"))));
