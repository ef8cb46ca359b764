//! Replays calls recorded from the last release's gateway and compares the responses (`proto/fixtures`,
//! `e2e/recorded`).

use clap::{Args as _, FromArgMatches as _};
use svc_content::Arguments;
use test_kit::{bench::Bench, recorded::replay};

const RECORDING: &str = include_str!("../../../proto/fixtures/content.json");

async fn calls_of_the_last_release(bench: Bench<svc_content::SvcContent>) {
    let command = Arguments::augment_args(clap::Command::new("svc-content"));
    let matches = command.get_matches_from(["svc-content"]);
    let arguments = Arguments::from_arg_matches(&matches).expect("valid");
    replay(bench, &arguments, RECORDING, &["Get", "List", "Search"]).await;
}

test_kit::on_both_databases!(test_kit::bench::empty: calls_of_the_last_release);
