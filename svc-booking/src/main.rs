//! Runs the service that the library declares.

use std::process::ExitCode;

use svc_booking::Booking;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Booking>().await
}
