//! MDN's HTTP Observatory in a folder of its own. It scans this site and is no part of it: a hundred and thirty megabytes with a web
//! server and a database client of its own, of which only the scanner is run. So it stands outside of the lock file, without the
//! scripts of its packages.

use anyhow::Result;

use super::steps::{Outcome, Run};
use crate::shell;

const PACKAGE: &str = "@mdn/mdn-http-observatory";
const VERSION: &str = "1.4.8";

/// Installs the scanner into `target/observatory`, unless this version is there. Without it its test is skipped.
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
