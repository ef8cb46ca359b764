//! What a change concerns: the packages with changed files, and those that depend on them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use cargo_metadata::{Metadata, MetadataCommand};

use crate::{project::Project, shell};

/// Package that tests files of no package: documents, deployment, continuous integration.
const XTASK: &str = "xtask";

/// Files of the root that concern every package.
const OF_ALL: [&str; 4] = ["Cargo.toml", "Cargo.lock", "clippy.toml", ".cargo/"];

/// Endings of the web packages' files.
const WEB: [&str; 6] = [
    ".ts",
    ".tsx",
    ".mjs",
    ".css",
    "package.json",
    "package-lock.json",
];

/// Steps for every change, for Rust packages and for web packages.
const STEPS: [&str; 2] = ["tidy", "format"];
const RUST_STEPS: [&str; 6] = [
    "protoc",
    "smtp server",
    "redis",
    "postgresql",
    "clippy",
    "rust tests",
];
const WEB_STEPS: [&str; 5] = [
    "web install",
    "web format",
    "web lint",
    "web types",
    "web tests",
];

/// The tests that a change concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Revision that the working tree is compared with.
    pub(crate) base: String,
    /// Cargo packages with changed files, and all that depend on them.
    pub(crate) packages: BTreeSet<String>,
    is_web: bool,
}

impl Changes {
    /// Compares the working tree, untracked files included, with the revision `base`.
    pub(crate) fn since(project: &Project, base: &str) -> Result<Self> {
        let git = |line: &str| {
            let arguments = line
                .split(' ')
                .chain((line.starts_with("diff")).then_some(base));
            shell::capture(&mut shell::command(&project.root, "git", arguments))
        };
        let listed = git("diff --name-only")? + &git("ls-files --others --exclude-standard")?;
        let files: Vec<&str> = listed.lines().collect();
        let metadata = MetadataCommand::new()
            .current_dir(&project.root)
            .no_deps()
            .exec()?;
        Ok(Self {
            base: base.to_owned(),
            packages: packages(&metadata, &files),
            is_web: files
                .iter()
                .any(|file| WEB.iter().any(|ending| file.ends_with(ending))),
        })
    }

    /// Returns the names of the steps that test the change.
    pub(crate) fn steps(&self) -> Vec<&'static str> {
        let rust: &[_] = if self.packages.is_empty() {
            &[]
        } else {
            &RUST_STEPS
        };
        let web: &[_] = if self.is_web { &WEB_STEPS } else { &[] };
        [&STEPS, rust, web].concat()
    }
}

/// Returns the packages of these files, and all packages that depend on them.
fn packages(metadata: &Metadata, files: &[&str]) -> BTreeSet<String> {
    let all = metadata.workspace_packages();
    if files
        .iter()
        .any(|file| OF_ALL.iter().any(|start| file.starts_with(start)))
    {
        return all.iter().map(|package| package.name.to_string()).collect();
    }
    let folders: BTreeMap<_, _> = all
        .iter()
        .filter_map(|package| {
            let folder = package.manifest_path.parent()?;
            let folder = folder.strip_prefix(&metadata.workspace_root).ok()?;
            Some((folder.to_owned(), package.name.to_string()))
        })
        .collect();
    let package = |file: &&str| {
        // Deeper folders come later.
        let mut within = folders.iter().rev();
        let found = within.find(|(folder, _)| camino(file).starts_with(folder));
        found.map_or(XTASK.to_owned(), |(_, name)| name.clone())
    };
    let mut found: BTreeSet<String> = files.iter().map(package).collect();
    loop {
        let depends = |package: &&&cargo_metadata::Package| {
            let mut names = package.dependencies.iter();
            names.any(|dependency| dependency.path.is_some() && found.contains(&dependency.name))
        };
        let dependents = all.iter().filter(depends);
        let more: Vec<_> = dependents.map(|package| package.name.to_string()).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

fn camino(file: &str) -> &cargo_metadata::camino::Utf8Path {
    cargo_metadata::camino::Utf8Path::new(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concerned(files: &[&str]) -> BTreeSet<String> {
        let root = Project::find().unwrap().root;
        let metadata = MetadataCommand::new().current_dir(root).no_deps().exec();
        packages(&metadata.unwrap(), files)
    }

    #[test]
    fn a_package_is_tested_with_its_dependents() {
        let one = concerned(&["svc-content/src/slug.rs"]);
        assert_eq!(one, BTreeSet::from(["svc-content".to_owned()]));
        let kit = concerned(&["store-kit/src/sql.rs"]);
        for name in ["store-kit", "svc-booking", "svc-messaging"] {
            assert!(kit.contains(name), "{name}: {kit:?}");
        }
        assert!(!kit.contains("gateway"), "{kit:?}");
    }

    #[test]
    fn a_nested_package_is_not_its_parents() {
        let proof = concerned(&["svc-booking/proof/src/lib.rs"]);
        assert!(proof.contains("booking-proof"), "{proof:?}");
    }

    #[test]
    fn documents_are_tested_by_xtask_and_the_lock_file_by_all() {
        let documents = concerned(&["docs/reference/limits.md"]);
        assert_eq!(documents, BTreeSet::from([XTASK.to_owned()]));
        assert!(concerned(&["Cargo.lock"]).len() > 10);
        assert_eq!(concerned(&[]), BTreeSet::new());
    }
}
