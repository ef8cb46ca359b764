//! Decides nothing: the kit runs what the library says.

use std::process::ExitCode;

use svc_messaging::Messaging;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Messaging>().await
}
