//! Compatibility with the last release: its contracts and page modules must still work with what this tree builds.
//!
//! `released.toml` names the last release. If its commit is not in the clone, the steps are skipped with that reason.

mod page_shape;

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::{outcome::Outcome, steps::Run};
use crate::{page_packages::read_json, project::Project, release::Release, shell};
use page_shape::PageContract;

/// Runs `buf breaking` on the contracts against the last release, with the rules of `proto/buf.yaml`.
pub(super) fn contracts(run: &Run<'_>) -> Result<Outcome> {
    let project = run.project;
    let buf = project.root.join("node_modules/.bin/buf");
    judge(project, |release| {
        broken_contracts(&buf, &project.root, release)
    })
}

/// Compares the contract between gateway, shell and page modules with the last release's.
pub(super) fn page_contract(run: &Run<'_>) -> Result<Outcome> {
    let project = run.project;
    judge(project, |release| {
        let (old, new) = (page_of(release)?, page_of(&project.root)?);
        Ok(old.broken_by(&new))
    })
}

fn judge(project: &Project, compare: impl FnOnce(&Path) -> Result<Vec<String>>) -> Result<Outcome> {
    let release = Release::of(project)?;
    if let Some(obstacle) = release.obstacle(project) {
        return Ok(Outcome::skipped(&obstacle));
    }
    release.check_out(project)?;
    let found = compare(&release.source())?;
    Ok(Outcome::clean_if_empty(&found).with_note(format!("against {}", release.version)))
}

/// Returns one line per breaking change. Fails if buf could not compare the contracts.
fn broken_contracts(buf: &Path, root: &Path, release: &Path) -> Result<Vec<String>> {
    /// Exit code of buf if it has findings.
    const FOUND: i32 = 100;
    let mut command = shell::command(root, buf, ["breaking", "proto", "--against"]);
    command.arg(release.join("proto"));
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) => Ok(Vec::new()),
        Some(FOUND) => Ok(text.lines().map(str::to_owned).collect()),
        _ => anyhow::bail!(
            "`{}` ended with {}\n{text}{}",
            shell::line(&command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}

fn page_of(root: &Path) -> Result<PageContract> {
    let folder = root.join("web-kit/page");
    let file = folder.join("src/contract.ts");
    let source =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    PageContract::parse(
        &read_json(&folder.join("contract.json"))?,
        &source,
        &read_json(&folder.join("tokens.json"))?,
    )
}

#[cfg(test)]
mod tests;
