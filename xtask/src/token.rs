//! `token`: prints a bearer token for calls that are not public, signed by a key pair that belongs to this run's data
//! only.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{project::Project, shell};

/// Issuer of a local run's tokens. Issuer and audience are the same as in `token/mint.mjs`.
pub(crate) const ISSUER: &str = "cargo-xtask";
pub(crate) const AUDIENCE: &str = "hospital-api";
/// Lifetime of a token, in seconds.
const LIFETIME_S: &str = "3600";

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Scopes of the token, separated by spaces.
    #[arg(long, default_value = "blogs:write")]
    scope: String,
    /// Folder of the run's data, relative to the project's root.
    #[arg(long, default_value = "data")]
    data: PathBuf,
}

/// Prints a token.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let folder = folder(&project.root.join(&options.data));
    let mut mint = mint(project, "token", &folder);
    let token = shell::capture(mint.args([options.scope.as_str(), LIFETIME_S]))?;
    print!("{token}");
    Ok(())
}

/// Creates the key pair of a run unless it exists.
pub(crate) fn ensure_keys(project: &Project, data: &Path) -> Result<()> {
    shell::capture(&mut mint(project, "keys", &folder(data))).map(drop)
}

/// Returns the file with the public keys that a run's processes verify tokens with.
pub(crate) fn key_set(data: &Path) -> PathBuf {
    folder(data).join("jwks.json")
}

fn folder(data: &Path) -> PathBuf {
    data.join("keys")
}

fn mint(project: &Project, action: &str, folder: &Path) -> std::process::Command {
    let mut command = shell::command(&project.root, "node", ["xtask/src/token/mint.mjs", action]);
    command.arg(folder);
    command
}
