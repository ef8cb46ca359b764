//! Decides nothing: the kit runs what the library says.

use std::process::ExitCode;

use svc_booking::Booking;

#[tokio::main]
async fn main() -> ExitCode {
    store_kit::process::main::<Booking>().await
}
