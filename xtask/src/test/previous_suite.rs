//! Proof of expand and contract: runs the last release's store suites on the schemas of this tree, on SQLite, and in the
//! full form on PostgreSQL too.

use anyhow::Result;

use super::{
    binaries,
    outcome::Outcome,
    steps::{Run, Scope},
};
use crate::{release::Release, shell};

/// Runs the suites of services whose schema has changed. The other suites ran on the same schema when they were
/// released.
pub(super) fn check(run: &Run<'_>) -> Result<Outcome> {
    let release = Release::of(run.project)?;
    if let Some(obstacle) = release.obstacle(run.project) {
        return Ok(Outcome::skipped(&obstacle));
    }
    release.check_out(run.project)?;
    let changed = release.changed_schemas(run.project)?;
    if changed.is_empty() {
        let why = format!("no schema has changed since {}", release.version);
        return Ok(Outcome::skipped(&why));
    }
    let line = release.suites(run.project, &changed)?;
    let mut suites = shell::command(&run.project.root, &line[0], &line[1..]);
    let is_full = run.scope == Scope::Full;
    let skipped = (!is_full).then_some("postgres::");
    let outcome = binaries::test_with(run, &mut suites, skipped)?;
    Ok(if is_full {
        outcome
    } else {
        outcome.with_also("short: SQLite only; `--full` has PostgreSQL too")
    })
}
