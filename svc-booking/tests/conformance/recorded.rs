//! Calls recorded from the last release's gateway are accepted and answered as then (`proto/fixtures`, `e2e/recorded`).

use clap::{Args as _, FromArgMatches as _};
use svc_booking::Arguments;
use test_kit::recorded::replay;

use crate::fixture::Bench;

const RECORDING: &str = include_str!("../../../proto/fixtures/booking.json");

async fn accepts_calls_of_the_last_release(bench: Bench) {
    let command = Arguments::augment_args(clap::Command::new("svc-booking"));
    // Rosters change over time; the recording has its own copy.
    let resources = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../proto/fixtures/resources.toml"
    );
    let matches = command.get_matches_from(["svc-booking", "--resources", resources]);
    let arguments = Arguments::from_arg_matches(&matches).expect("valid");
    replay(bench, &arguments, RECORDING, &[]).await;
}

test_kit::on_both_databases!(test_kit::bench::empty: accepts_calls_of_the_last_release);
