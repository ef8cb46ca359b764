//! The release's page modules, built by its own tools, and one team's page modules of this tree, built with the
//! release's kit.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};

use super::Release;
use crate::{page_packages::PagePackage, project::Project, shell};

/// Scope of the workspace's packages. Their links must lead into the release, although all other packages come from
/// this tree.
const SCOPE: &str = "@hospital";
const NODE_MODULES: &str = "node_modules";
const BUILD: &str = "web-kit/build/bin/hospital-build.mjs";
/// Package of the team whose pages are built with the release's kit.
const KIT_TEAM: &str = "svc-booking/web";
/// Style sheet of the kit that every team's pages use, and the rule in it where a marker is inserted. The marker
/// distinguishes the release's kit from this tree's, even if they are otherwise equal.
const MARKED: (&str, &str) = ("web-kit/ui/src/button.module.css", ".button {");
const BUILT: &str = "pages";

/// Builds the release's own pages unless already built, and one team's pages with the release's kit.
pub(super) fn build(release: &Release, project: &Project) -> Result<()> {
    build_own(release, project)?;
    with_its_kit(release, project)
}

/// Builds the release's own pages unless already built.
pub(super) fn build_own(release: &Release, project: &Project) -> Result<()> {
    let source = release.source();
    let built = release.folder.join(BUILT);
    if !built.exists() {
        lend_packages(project, &source)?;
        let there = Project {
            root: source.clone(),
            ..project.clone()
        };
        for package in PagePackage::all(&there)? {
            run_build(&source, &package.folder)?;
        }
        fs::write(built, "")?;
    }
    Ok(())
}

/// Links the npm packages installed for this tree, with the release's own packages in place of this tree's. Third-party
/// packages therefore have this tree's versions.
fn lend_packages(project: &Project, to: &Path) -> Result<()> {
    let (from, to) = (project.root.join(NODE_MODULES), to.join(NODE_MODULES));
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    fs::create_dir_all(to.join(SCOPE))?;
    for entry in fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        if entry.file_name() != SCOPE {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    for entry in fs::read_dir(from.join(SCOPE))? {
        let entry = entry?;
        // The link is relative, `../../web-kit/ui`, so it leads to the package of the tree that contains it.
        let target = fs::read_link(entry.path())?;
        ensure!(target.is_relative(), "{} is absolute", target.display());
        symlink(target, to.join(SCOPE).join(entry.file_name()))?;
    }
    Ok(())
}

fn run_build(tree: &Path, package: &Path) -> Result<()> {
    let program = tree.join(BUILD);
    shell::run(shell::command(package, "node", [program]).env("NODE_ENV", "production"))
}

/// Builds one team's pages of this tree with the release's kit. If they need more than that kit offers, the release's
/// version of the pages is built instead.
fn with_its_kit(release: &Release, project: &Project) -> Result<()> {
    let tree = release.folder.join("kit");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    copy(&release.source().join("web-kit"), &tree.join("web-kit"))?;
    mark(&tree.join(MARKED.0), &release.version)?;
    lend_packages(project, &tree)?;
    let package = tree.join(KIT_TEAM);
    copy(&project.root.join(KIT_TEAM), &package)?;
    if let Err(error) = run_build(&tree, &package) {
        println!(
            "{KIT_TEAM} of this tree does not build with the last release's kit ({error}): taken from the release"
        );
        fs::remove_dir_all(&package)?;
        copy(&release.source().join(KIT_TEAM), &package)?;
        run_build(&tree, &package)?;
    }
    Ok(())
}

fn mark(sheet: &Path, version: &str) -> Result<()> {
    let text = fs::read_to_string(sheet).with_context(|| sheet.display().to_string())?;
    let rule = MARKED.1;
    ensure!(text.contains(rule), "{} has no `{rule}`", sheet.display());
    let marked = format!("{rule}\n    --kit-release: '{version}';");
    Ok(fs::write(sheet, text.replacen(rule, &marked, 1))?)
}

/// Copies sources, without `node_modules` and `dist`.
fn copy(from: &Path, to: &PathBuf) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        } else if kind.is_dir() && entry.file_name() != NODE_MODULES && entry.file_name() != "dist"
        {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_style_sheet_exists() {
        let folder = tempfile::tempdir().unwrap();
        let sheet = folder.path().join("button.css");
        fs::copy(Project::find().unwrap().root.join(MARKED.0), &sheet).unwrap();
        mark(&sheet, "1.2.0").unwrap();
        let text = fs::read_to_string(&sheet).unwrap();
        assert_eq!(text.matches("--kit-release: '1.2.0';").count(), 1);
        fs::write(&sheet, "").unwrap();
        assert!(mark(&sheet, "1.2.0").is_err());
    }

    #[test]
    fn links_between_packages_stay_in_their_tree() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project {
            root: folder.path().join("here"),
            ..Project::find().unwrap()
        };
        let scope = project.root.join(NODE_MODULES).join(SCOPE);
        fs::create_dir_all(&scope).unwrap();
        fs::create_dir_all(project.root.join("node_modules/react")).unwrap();
        symlink("../../web-kit/ui", scope.join("ui")).unwrap();
        let there = folder.path().join("there");
        fs::create_dir_all(there.join("web-kit/ui")).unwrap();
        lend_packages(&project, &there).unwrap();
        let kit = there.join("node_modules/@hospital/ui").canonicalize();
        assert_eq!(
            kit.unwrap(),
            there.join("web-kit/ui").canonicalize().unwrap()
        );
        assert!(there.join("node_modules/react").is_dir());
    }
}
