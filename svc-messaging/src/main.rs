//! Runs the service that the library declares.

use std::process::ExitCode;

use svc_messaging::Messaging;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Messaging>().await
}
