//! Version skew: the last release and this tree running together, as during a rollout.

use anyhow::Result;

use super::{
    outcome::Outcome,
    steps::{Run, Scope},
    totals::{Reader, node_test},
};
use crate::release::Release;

const TESTS: &str = "e2e/skew/skew.test.mjs";

/// Runs pages of the last release and of this tree in every combination on this tree's programs. The full form builds
/// the release's programs too, and also combines those.
pub(super) fn check(run: &Run<'_>) -> Result<Outcome> {
    let release = Release::of(run.project)?;
    if let Some(obstacle) = release.obstacle(run.project) {
        return Ok(Outcome::skipped(&obstacle));
    }
    release.check_out(run.project)?;
    release.build_pages(run.project)?;
    let (programs, note) = match run.scope {
        Scope::Full => ("both", ""),
        _ => ("new", "short: pages only; `--full` combines programs too"),
    };
    if run.scope == Scope::Full {
        release.build_programs(run.project)?;
    }
    let folder = format!("RELEASE_DIR={}", release.folder.display());
    let variable = format!("SKEW_PROGRAMS={programs}");
    let runner = "node --test --test-reporter=spec --test-concurrency=1";
    let mut line = vec!["env", &folder, &variable];
    line.extend(runner.split(' '));
    line.push(TESTS);
    let outcome = run.command(&line, Reader::Runner(node_test))?;
    Ok(if outcome.note.is_empty() {
        outcome.with_note(note.to_owned())
    } else {
        outcome
    })
}
