//! A team's pages. A builder process builds them on each save, and each build is published for this site only.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::say_live;
use crate::{
    page_packages::PagePackage,
    project::Project,
    publish::{self, Move},
    shell,
    site::GATEWAY,
    supervise::Supervisor,
};

/// Name of the builder process.
pub(super) const BUILDER: &str = "page builder";
/// Marker in the version of each `dev` build.
const MARK: &str = "-dev-";
/// Maximum number of builds that stay published: browsers that show an earlier build still load its files.
const BUILDS_MAX: usize = 3;
/// Maximum time for the gateway to load a build.
const LIVE_MAX: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Pages<'a> {
    project: &'a Project,
    package: PagePackage,
    /// Address of the gateway's operators' listener.
    operators: String,
    /// Version that was live before this run.
    before: Option<String>,
    /// Published builds of this run, newest last.
    published: Vec<String>,
}

impl<'a> Pages<'a> {
    /// Starts the builder process, whose first build is of the current sources.
    pub(super) fn start(
        project: &'a Project,
        package: PagePackage,
        operators: String,
        supervisor: &mut Supervisor,
    ) -> Result<Self> {
        let work = project.target.join("dev").join(&package.name);
        let tool = project.root.join("web-kit/build/bin/hospital-build.mjs");
        let mut node = shell::command(&package.folder, "node", [&tool]);
        node.arg("--watch").arg(&work);
        supervisor.start(BUILDER, &mut node, &work.with_extension("log"))?;
        let before = publish::pointer::stable(project, &package.name);
        let pages = Self {
            project,
            package,
            operators,
            before,
            published: Vec::new(),
        };
        pages.remove_left_over()?;
        Ok(pages)
    }

    /// Handles a line of the builder's output. Failures are printed and leave the live version in place.
    pub(super) fn take(&mut self, line: &str, supervisor: &Supervisor) {
        let received = Instant::now();
        let name = self.package.name.clone();
        match said(line) {
            Ok(Said::Built(build)) => match self.show(&build) {
                Ok(version) if self.is_live(&version) => {
                    let after = build.after + received.elapsed();
                    say_live(&format!("{name} {version}"), &build.saved(), after);
                }
                Ok(version) => eprintln!(
                    "the site does not take {name} {version}\n{}",
                    supervisor.last_lines(GATEWAY)
                ),
                Err(error) => eprintln!("{error:#}\n{name}: the live version is unchanged"),
            },
            Ok(Said::Failed(problem)) => {
                eprintln!("{problem}\n{name}: the live version is unchanged");
            }
            Err(error) => eprintln!("{BUILDER}: {line}: {error:#}"),
        }
    }

    /// Publishes a build, removes the oldest ones and returns the new version.
    fn show(&mut self, build: &Build) -> Result<String> {
        let version = publish::publish_work(self.project, &self.package, &build.folder);
        fs::remove_dir_all(&build.folder)?;
        let version = version?;
        for old in keep(&mut self.published, &version) {
            self.remove(&old)?;
        }
        Ok(version)
    }

    /// Returns whether the gateway reports this version as stable within [`LIVE_MAX`].
    fn is_live(&self, version: &str) -> bool {
        let shown = shell::poll(LIVE_MAX, || {
            let report = publish::remotes::ask(&self.operators).ok()?;
            let shown = report["remotes"][&self.package.name]["stable"] == version;
            shown.then_some(())
        });
        shown.is_some()
    }

    /// Restores the version that was live before this run, and removes every build of this run. A version published by
    /// another command in the meantime stays live.
    pub(super) fn restore(&mut self) -> Result<()> {
        let name = &self.package.name;
        let is_ours = publish::pointer::stable(self.project, name)
            .is_some_and(|live| self.published.contains(&live));
        if is_ours && let Some(before) = &self.before {
            publish::point(self.project, name, Move::Stable(before), None)?;
            println!("{name} is {before} again");
        }
        self.published.clear();
        self.remove_left_over()
    }

    /// Removes builds of earlier runs, except the live one.
    fn remove_left_over(&self) -> Result<()> {
        let folder = self.project.root.join("remotes").join(&self.package.name);
        let live = publish::pointer::stable(self.project, &self.package.name);
        for version in left_over(&folder, live.as_deref())? {
            self.remove(&version)?;
        }
        Ok(())
    }

    fn remove(&self, version: &str) -> Result<()> {
        let folder = publish::published(self.project, &self.package.name, version);
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
    }
}

/// Moves or adds a version to the end, the place of the newest. Returns the versions beyond [`BUILDS_MAX`].
fn keep(versions: &mut Vec<String>, newest: &str) -> Vec<String> {
    versions.retain(|version| version != newest);
    versions.push(newest.to_owned());
    let too_many = versions.len().saturating_sub(BUILDS_MAX);
    versions.drain(..too_many).collect()
}

/// Returns the `dev` versions in a package's published folder, except the live one.
fn left_over(folder: &Path, live: Option<&str>) -> Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.contains(MARK) && live != Some(name.as_str()) {
            found.push(name);
        }
    }
    Ok(found)
}

/// A parsed line of the builder's output.
#[derive(Debug, PartialEq)]
enum Said {
    Built(Build),
    Failed(String),
}

#[derive(Debug, PartialEq)]
struct Build {
    folder: PathBuf,
    changed: Vec<String>,
    /// Time from the save until the folder was complete.
    after: Duration,
}

impl Build {
    /// Describes the save that triggered the build.
    fn saved(&self) -> String {
        match self.changed.as_slice() {
            [] => "the start".to_owned(),
            [one] => format!("the save of {one}"),
            [one, more @ ..] => format!("the save of {one} and {} more", more.len()),
        }
    }
}

fn said(line: &str) -> Result<Said> {
    let line: Value = serde_json::from_str(line)?;
    if let Some(problem) = line["failed"].as_str() {
        return Ok(Said::Failed(problem.to_owned()));
    }
    let built = &line["built"];
    let changed = built["changed"].as_array().context("no `changed`")?;
    Ok(Said::Built(Build {
        folder: built["folder"].as_str().context("no `folder`")?.into(),
        changed: changed
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        after: Duration::from_millis(built["ms"].as_u64().context("no `ms`")?),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_three_builds_published_with_the_newest_last() {
        let mut versions = Vec::new();
        for version in ["1", "2", "3"] {
            assert!(keep(&mut versions, version).is_empty());
        }
        // An undone change: the same sources have the same version.
        assert!(keep(&mut versions, "1").is_empty());
        assert_eq!(versions, ["2", "3", "1"]);
        assert_eq!(keep(&mut versions, "4"), ["2"]);
    }

    #[test]
    fn lists_only_builds_of_ended_runs() {
        let folder = tempfile::tempdir().unwrap();
        for version in ["0.1.0-aa", "0.1.0-dev-bb", "0.1.0-dev-cc"] {
            fs::create_dir(folder.path().join(version)).unwrap();
        }
        let left = left_over(folder.path(), Some("0.1.0-dev-cc")).unwrap();
        assert_eq!(left, ["0.1.0-dev-bb"]);
        assert!(
            left_over(&folder.path().join("none"), None)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn parses_the_builders_output() {
        let line = r#"{"built":{"name":"content","version":"1-dev-a","folder":"here","changed":["src/a.tsx"],"ms":812}}"#;
        let build = Build {
            folder: "here".into(),
            changed: vec!["src/a.tsx".to_owned()],
            after: Duration::from_millis(812),
        };
        assert_eq!(build.saved(), "the save of src/a.tsx");
        assert_eq!(said(line).unwrap(), Said::Built(build));
        let failed = said(r#"{"failed":"no such file"}"#).unwrap();
        assert_eq!(failed, Said::Failed("no such file".to_owned()));
        assert!(said("words").is_err());
        assert!(said("{}").is_err());
    }
}
