//! Checks of a built folder before it is published, in Node and in the gateway's own JavaScript engine.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{INTEGRITY, SIGNATURE, signing};
use crate::{
    project::{Profile, Project},
    shell,
    site::GATEWAY,
};

/// Script that renders every declared part of a package in Node and prints each render.
const VERIFY: &str = include_str!("verify.mjs");
/// Script that writes the integrity manifest.
const SEAL: &str = include_str!("seal.mjs");

/// Settings for checking a package.
#[derive(Debug)]
pub(super) struct Check {
    /// Gateway program whose JavaScript engine must accept the package.
    pub(super) gateway: PathBuf,
    /// Whether scripts and styles must fit the size budget.
    pub(super) has_budget: bool,
}

/// Verifies that a package renders its modules, with and without data, and that Node and the gateway give equal
/// results.
pub(super) fn verify(project: &Project, dist: &Path, check: &Check) -> Result<()> {
    let renders = in_node(project, dist, check.has_budget)?;
    let mut verify = shell::command(dist, &check.gateway, ["verify-remote", "."]);
    shell::feed(&mut verify, renders).map(drop)
}

/// Renders the package in Node. Returns one JSON object per line.
pub(super) fn in_node(project: &Project, dist: &Path, has_budget: bool) -> Result<Vec<u8>> {
    let mut node = shell::command(dist, "node", ["--input-type=module", "-"]);
    node.arg(project.root.join("web-kit/api/openapi.json"));
    if has_budget {
        node.arg(project.root.join("web-kit/page/budget.json"));
    }
    shell::feed(&mut node, VERIFY.as_bytes().to_vec())
}

/// Writes the integrity manifest of a folder, and its signature if there is a key.
pub(super) fn seal(folder: &Path, key: Option<&Path>) -> Result<()> {
    let mut node = shell::command(folder, "node", ["--input-type=module", "-"]);
    shell::feed(&mut node, SEAL.as_bytes().to_vec())?;
    if let Some(key) = key {
        let manifest = fs::read(folder.join(INTEGRITY))?;
        let signature = signing::sign(key, signing::MANIFEST, manifest)?;
        fs::write(folder.join(SIGNATURE), signature)?;
    }
    Ok(())
}

/// Returns whether a published folder needs no new signature: there is no key, or this key's signature is present.
pub(super) fn is_sealed(folder: &Path, key: Option<&Path>) -> Result<bool> {
    let Some(key) = key else { return Ok(true) };
    let (manifest, signature) = (folder.join(INTEGRITY), folder.join(SIGNATURE));
    if !manifest.exists() || !signature.exists() {
        return Ok(false);
    }
    // Ed25519 signatures are deterministic (RFC 8032).
    let ours = signing::sign(key, signing::MANIFEST, fs::read(manifest)?)?;
    Ok(fs::read_to_string(signature)? == ours)
}

/// Returns the digest of a file, in the form used by integrity manifests and pointers.
pub(super) fn digest(file: &Path) -> Result<String> {
    let script = "const { createHash } = require('node:crypto'); const { readFileSync } = require('node:fs'); \
                  process.stdout.write('sha256-' + createHash('sha256').update(readFileSync(0)).digest('base64'));";
    let mut node = shell::command(Path::new("."), "node", ["-e", script]);
    Ok(String::from_utf8(shell::feed(&mut node, fs::read(file)?)?)?)
}

/// Returns the most recently built gateway, and builds one if there is none.
pub(super) fn gateway(project: &Project) -> Result<PathBuf> {
    let built = [Profile::Dev, Profile::Dist].map(|profile| project.binary(profile, GATEWAY));
    let newest = built.iter().filter(|program| program.is_file());
    let newest = newest.max_by_key(|program| {
        let modified = program.metadata().and_then(|file| file.modified());
        modified.ok()
    });
    match newest {
        Some(program) => Ok(program.clone()),
        None => current_gateway(project),
    }
}

/// Builds the gateway of this tree unless it is up to date, and returns its path.
pub(crate) fn current_gateway(project: &Project) -> Result<PathBuf> {
    let arguments = ["build", "--quiet", "--package", GATEWAY, "--bin", GATEWAY];
    shell::run(&mut shell::command(&project.root, "cargo", arguments))?;
    Ok(project.binary(Profile::Dev, GATEWAY))
}
