//! Runs the service that the library defines.

use std::process::ExitCode;

use svc_assessment::Assessments;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Assessments>().await
}
