//! The npm packages that publish page modules.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::project::Project;

/// A package whose `dist/` is published to `remotes/<name>/<version>/`.
#[derive(Debug, Clone)]
pub(crate) struct PagePackage {
    /// `shell`, or the team's name.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
}

impl PagePackage {
    /// Returns every page package of the tree, the shell first.
    pub(crate) fn all(project: &Project) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&project.root)? {
            let entry = entry?;
            let file_name = entry.file_name();
            let folder_name = file_name.to_string_lossy();
            let (name, folder) = match folder_name.strip_prefix("svc-") {
                Some(team) => (team.to_owned(), entry.path().join("web")),
                None if folder_name == "web-shell" => ("shell".to_owned(), entry.path()),
                None => continue,
            };
            if folder.join("package.json").exists() {
                found.push(Self { name, folder });
            }
        }
        found.sort_by_key(|package| (package.name != "shell", package.name.clone()));
        Ok(found)
    }

    pub(crate) fn named(project: &Project, name: &str) -> Result<Self> {
        let all = Self::all(project)?;
        let names: Vec<_> = all.iter().map(|package| package.name.clone()).collect();
        match all.into_iter().find(|package| package.name == name) {
            Some(package) => Ok(package),
            None => bail!(
                "no page package is called {name}; there are: {}",
                names.join(", ")
            ),
        }
    }

    pub(crate) fn dist(&self) -> PathBuf {
        self.folder.join("dist")
    }
}

/// Reads a JSON file; the error names it.
pub(crate) fn read_json(path: &Path) -> Result<Value> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}
