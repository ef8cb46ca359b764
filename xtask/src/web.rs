//! The npm packages: installed and built only if something has changed.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{page_packages::PagePackage, project::Project, publish, shell};

const NODE_MAJOR_MIN: u32 = 20;

/// Fails with installation advice if Node or npm is missing, or Node is too old.
pub(crate) fn check_tools(project: &Project) -> Result<()> {
    let advice = format!("install Node {NODE_MAJOR_MIN} or newer with npm (https://nodejs.org)");
    let version = shell::capture(&mut shell::command(&project.root, "node", ["--version"]))
        .with_context(|| format!("node does not run; {advice}"))?;
    match node_major(&version) {
        Some(major) if major >= NODE_MAJOR_MIN => {}
        _ => bail!("node {} is too old; {advice}", version.trim()),
    }
    shell::capture(&mut shell::command(&project.root, "npm", ["--version"]))
        .with_context(|| format!("npm does not run; {advice}"))?;
    Ok(())
}

fn node_major(version: &str) -> Option<u32> {
    version
        .trim()
        .strip_prefix('v')?
        .split('.')
        .next()?
        .parse()
        .ok()
}

/// Runs `npm ci` if the lock file or `package.json` has changed since the last run, or if `node_modules` is missing.
pub(crate) fn install(project: &Project) -> Result<Outcome> {
    let stamp = Stamp::new(
        project,
        "npm-ci",
        &[
            project.root.join("package-lock.json"),
            project.root.join("package.json"),
        ],
    )?;
    if stamp.is_fresh() && project.root.join("node_modules").is_dir() {
        return Ok(Outcome::Unchanged);
    }
    let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    shell::capture(&mut shell::command(&project.root, "npm", arguments))?;
    stamp.write()?;
    Ok(Outcome::Done)
}

/// Returns the command that lists the npm packages of page packages as CycloneDX; `--workspace` names each package. npm
/// selects workspaces by the last part of their path, which is `web` for every team, so the list of one team includes
/// those of all. It also includes the build tools: like React, they are development dependencies of the root.
pub(crate) fn sbom(root: &Path) -> Command {
    let arguments = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
    shell::command(root, "npm", arguments)
}

/// Runs `npm run build` if a source has changed since the last run, then publishes new versions.
pub(crate) fn build_and_publish(project: &Project) -> Result<Outcome> {
    let outcome = build(project)?;
    publish_all(project, &publish::current_gateway(project)?)?;
    Ok(outcome)
}

/// Runs `npm run build` if a source has changed since the last run, or if a result is missing.
pub(crate) fn build(project: &Project) -> Result<Outcome> {
    let packages = PagePackage::all(project)?;
    if packages.is_empty() {
        bail!("no page package found: web-shell and svc-*/web are missing");
    }
    let stamp = Stamp::new(project, "npm-build", &sources(project)?)?;
    let built = packages
        .iter()
        .all(|package| package.dist().join("module.json").exists());
    if stamp.is_fresh() && built {
        return Ok(Outcome::Unchanged);
    }
    let arguments = ["run", "--silent", "build"];
    shell::capture(&mut shell::command(&project.root, "npm", arguments))?;
    stamp.write()?;
    Ok(Outcome::Done)
}

/// Publishes all built packages that are not live yet, verified by this gateway.
pub(crate) fn publish_all(project: &Project, gateway: &Path) -> Result<()> {
    for package in PagePackage::all(project)? {
        publish::publish_built(project, &package, gateway)?;
    }
    Ok(())
}

/// Whether there was something to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    Unchanged,
}

/// Returns every file that a build of the web packages reads.
fn sources(project: &Project) -> Result<Vec<PathBuf>> {
    let mut files = vec![
        project.root.join("package.json"),
        project.root.join("package-lock.json"),
    ];
    collect(&project.root.join("web-kit"), &mut files)?;
    for package in PagePackage::all(project)? {
        collect(&package.folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "node_modules" && name != "dist" {
                collect(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Stamp file in the target folder: records that a step was done with exactly these inputs.
struct Stamp {
    file: PathBuf,
    value: String,
}

impl Stamp {
    fn new(project: &Project, name: &str, inputs: &[PathBuf]) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        for input in inputs {
            input.hash(&mut hasher);
            fs::read(input)
                .with_context(|| format!("cannot read {}", input.display()))?
                .hash(&mut hasher);
        }
        Ok(Self {
            file: project.target.join(format!("xtask-{name}.stamp")),
            value: format!("{:016x}", hasher.finish()),
        })
    }

    fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|value| value == self.value)
    }

    fn write(&self) -> Result<()> {
        fs::create_dir_all(self.file.parent().context("the stamp is in a folder")?)?;
        Ok(fs::write(&self.file, &self.value)?)
    }
}

#[cfg(test)]
mod tests {
    use super::node_major;

    #[test]
    fn parses_the_major_version_of_node() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major("v6.0.0"), Some(6));
        assert_eq!(node_major("nonsense"), None);
    }
}
