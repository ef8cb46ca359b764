//! Proof of expand and contract: runs the last release's store suites on the schemas of this tree, on SQLite, and in the
//! full form on PostgreSQL too.

use anyhow::Result;

use super::{
    outcome::Outcome,
    steps::{Run, Scope},
    totals::{Reader, cargo_test},
};
use crate::release::Release;

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
    let mut words: Vec<&str> = line.iter().map(String::as_str).collect();
    let is_full = run.scope == Scope::Full;
    if !is_full {
        words.extend(["--", "--skip", "postgres::"]);
    }
    let outcome = run.command(&words, Reader::Runner(cargo_test))?;
    Ok(if is_full {
        outcome
    } else {
        outcome.with_note("short: SQLite only; `--full` has PostgreSQL too".to_owned())
    })
}
