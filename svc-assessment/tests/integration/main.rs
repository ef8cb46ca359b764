//! Tests against real databases and the real process, in one binary so that it is linked only once.

mod privacy;
mod recorded;
mod retention;
mod service;
mod serving;
mod store;
mod summary;
mod upgrade;

/// The service on a database.
type Bench = test_kit::bench::Bench<svc_assessment::Assessments>;

/// The program of the service.
const PROGRAM: test_kit::process::Program =
    test_kit::process::Program(env!(concat!("CARGO_BIN_EXE_", env!("CARGO_PKG_NAME"))));
