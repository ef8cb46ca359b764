//! MDN's HTTP Observatory, which scans this site, in a separate folder. The package has 130 MB and includes a web
//! server and a database client, but only its scanner is run. It is therefore not in the lock file, and the install
//! scripts of its packages are disabled.

use anyhow::Result;

use super::{outcome::Outcome, steps::Run};
use crate::shell;

const PACKAGE: &str = "@mdn/mdn-http-observatory";
const VERSION: &str = "1.4.8";

/// Installs the scanner into `target/observatory`, unless this version is already there. Without the scanner, its test
/// is skipped.
pub(super) fn install(run: &Run<'_>) -> Result<Outcome> {
    let folder = run.project.root.join("target/observatory");
    let manifest = folder
        .join("node_modules")
        .join(PACKAGE)
        .join("package.json");
    let installed = std::fs::read(manifest)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    if installed.is_some_and(|manifest| manifest["version"] == VERSION) {
        return Ok(Outcome::passed());
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("package.json"), r#"{"private":true}"#)?;
    let package = format!("{PACKAGE}@{VERSION}");
    let arguments = [
        "install",
        "--ignore-scripts",
        "--save-exact",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        &package,
    ];
    Ok(
        match shell::capture(&mut shell::command(&folder, "npm", arguments)) {
            Ok(_) => Outcome::passed(),
            Err(error) => Outcome::skipped(&format!("{package} cannot be installed: {error:#}")),
        },
    )
}
