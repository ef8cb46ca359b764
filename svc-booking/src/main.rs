//! Runs the service declared by the library.

use std::process::ExitCode;

use svc_booking::Booking;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Booking>().await
}
