//! `token`: a bearer token for calls that are not public, signed by a key pair that exists for this run's data only.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{project::Project, shell};

/// Who issues the tokens of a local run, and for whom; the same as in `token/mint.mjs`.
pub(crate) const ISSUER: &str = "cargo-xtask";
pub(crate) const AUDIENCE: &str = "hospital-api";
/// Seconds that a token may be valid: a day.
const SECONDS_MAX: i64 = 86_400;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// What the token allows, separated by spaces.
    #[arg(long, default_value = "blogs:write")]
    scope: String,
    /// Seconds that it is valid, at most a day.
    #[arg(long, default_value_t = 3600, value_parser = clap::value_parser!(u32).range(1..=SECONDS_MAX))]
    seconds: u32,
    /// Folder of the run's data, from the project's root.
    #[arg(long, default_value = "data")]
    data: PathBuf,
}

/// Prints a token.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let folder = folder(&project.root.join(&options.data));
    let seconds = options.seconds.to_string();
    let mut mint = mint(project, "token", &folder);
    print!(
        "{}",
        shell::capture(mint.args([options.scope.as_str(), &seconds]))?
    );
    Ok(())
}

/// Makes the key pair of a run unless it has one.
pub(crate) fn ensure_keys(project: &Project, data: &Path) -> Result<()> {
    shell::capture(&mut mint(project, "keys", &folder(data))).map(drop)
}

/// The public keys that processes of a run check tokens against.
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
