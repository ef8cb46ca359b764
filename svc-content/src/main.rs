//! Entry point: runs the service that the library defines.

use std::process::ExitCode;

use svc_content::SvcContent;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<SvcContent>().await
}
