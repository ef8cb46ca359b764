//! Replays calls recorded from the last release's gateway and compares the responses (`proto/fixtures`,
//! `e2e/recorded`).

use clap::{Args as _, FromArgMatches as _};
use svc_messaging::Arguments;
use test_kit::recorded::replay;

use crate::Bench;

const RECORDING: &str = include_str!("../../../proto/fixtures/messaging.json");

async fn calls_of_the_last_release(bench: Bench) {
    let command = Arguments::augment_args(clap::Command::new("svc-messaging"));
    let matches = command.get_matches_from(["svc-messaging"]);
    let arguments = Arguments::from_arg_matches(&matches).expect("valid");
    replay(bench, &arguments, RECORDING, &[]).await;
}

test_kit::on_both_databases!(test_kit::bench::empty: calls_of_the_last_release);
