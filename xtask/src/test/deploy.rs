//! Tests of the deployment: manifests, images, units and backups, checked by the tools for each of them.

use anyhow::Result;

use super::{
    outcome::Outcome,
    steps::Run,
    totals::{Reader, node_test},
};
use crate::{debian, project::Project, venv};

/// Linters, schemas and podman-compose. A tool without a package here (kubectl) is used if it is installed; otherwise its test is
/// skipped and names the tool.
pub(crate) const TOOLS: venv::Set = venv::Set {
    requirements: "deploy/requirements.txt",
    folder: "deploy-tools",
    program: "kubernetes-validate",
};
/// Run by a shell, which expands the file patterns.
const TESTS: &str = "exec node --test --test-reporter=spec --test-concurrency=1 deploy/*.test.mjs deploy/docker/*.test.mjs \
                     deploy/compose/*.test.mjs deploy/systemd/*.test.mjs";

/// Runs the checks of the tree, and backups of databases in use.
pub(super) fn check(run: &Run<'_>) -> Result<Outcome> {
    ensure_tools(run.project)?;
    run.command(&["sh", "-c", TESTS], Reader::Runner(node_test))
}

/// Installs the tools that `deploy/check.mjs` and the tests run.
pub(super) fn ensure_tools(project: &Project) -> Result<()> {
    TOOLS.install(project)?;
    for package in [
        &debian::SHELLCHECK,
        &debian::SQLITE,
        &debian::RSYNC,
        &debian::AGE,
        &debian::COMPOSE,
        &debian::SYSTEMD,
    ] {
        debian::ensure(package)?;
    }
    Ok(())
}
