//! Version skew: the last release and this tree running together, as during a rollout.

use anyhow::Result;

use super::{
    steps::{Outcome, Run},
    totals::{Reader, node_test},
};
use crate::release::Release;

const TESTS: &str = "e2e/skew/skew.test.mjs";

/// Builds the last release beside this tree and runs both in every combination.
pub(super) fn check(run: &Run<'_>) -> Result<Outcome> {
    let release = Release::of(run.project)?;
    if let Some(obstacle) = release.obstacle(run.project) {
        return Ok(Outcome::skipped(&obstacle));
    }
    release.build(run.project)?;
    let folder = format!("RELEASE_DIR={}", release.folder.display());
    let node = "node --test --test-reporter=spec --test-concurrency=1";
    let mut line = vec!["env", folder.as_str()];
    line.extend(node.split(' '));
    line.push(TESTS);
    run.command(&line, Reader::Runner(node_test))
}
