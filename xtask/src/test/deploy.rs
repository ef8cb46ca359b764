//! How the site is run: manifests, images, units and backups, by the tools that know them.

use anyhow::Result;

use super::{
    steps::{Outcome, Run},
    totals::{Reader, node_test},
};
use crate::{debian, project::Project, venv};

/// Linters and schemas. What has no package here (kubectl) is looked for, and a test that is skipped names it when it is missing.
const TOOLS: venv::Set = venv::Set {
    requirements: "deploy/requirements.txt",
    folder: "deploy-tools",
    program: "kubernetes-validate",
};
/// A shell, as it knows which files these are.
const TESTS: &str = "exec node --test --test-reporter=spec --test-concurrency=1 deploy/*.test.mjs deploy/docker/*.test.mjs \
                     deploy/compose/*.test.mjs deploy/systemd/*.test.mjs";

/// Checks of the tree, and backups of databases in use.
pub(super) fn check(run: &Run<'_>) -> Result<Outcome> {
    ensure_tools(run.project)?;
    run.command(&["sh", "-c", TESTS], Reader::Runner(node_test))
}

/// What `deploy/check.mjs` and the tests run.
pub(super) fn ensure_tools(project: &Project) -> Result<()> {
    TOOLS.install(project)?;
    for package in [
        &debian::SHELLCHECK,
        &debian::SQLITE,
        &debian::COMPOSE,
        &debian::SYSTEMD,
    ] {
        debian::ensure(package)?;
    }
    Ok(())
}
