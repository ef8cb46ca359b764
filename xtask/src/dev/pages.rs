//! A team's pages: a process builds them when a source is saved, and each build is published for this site alone.

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

/// Name of the process that builds.
pub(super) const BUILDER: &str = "page builder";
/// In the version of each of its builds.
const MARK: &str = "-dev-";
/// Builds that stay published: browsers that show the ones before still load their files.
const BUILDS_MAX: usize = 3;
/// How long the gateway may take to load a build.
const LIVE_MAX: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Pages<'a> {
    project: &'a Project,
    package: PagePackage,
    /// The gateway's operators' listener.
    operators: String,
    /// The version that was live before this run.
    before: Option<String>,
    /// Builds of this run that are published, the newest last.
    published: Vec<String>,
}

impl<'a> Pages<'a> {
    /// Starts the process that builds; its first build is of what stands there now.
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

    /// Takes a line of the builder. What goes wrong is shown, and what is live stays live.
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
                Err(error) => eprintln!("{error:#}\n{name} stays as it was"),
            },
            Ok(Said::Failed(problem)) => eprintln!("{problem}\n{name} stays as it was"),
            Err(error) => eprintln!("{BUILDER}: {line}: {error:#}"),
        }
    }

    /// Publishes a build and removes the oldest ones; gives its version.
    fn show(&mut self, build: &Build) -> Result<String> {
        let version = publish::publish_work(self.project, &self.package, &build.folder);
        fs::remove_dir_all(&build.folder)?;
        let version = version?;
        for old in keep(&mut self.published, &version) {
            self.remove(&old)?;
        }
        Ok(version)
    }

    /// Whether the gateway says that it shows a version.
    fn is_live(&self, version: &str) -> bool {
        let shown = shell::poll(LIVE_MAX, || {
            let report = publish::remotes::ask(&self.operators).ok()?;
            let shown = report["remotes"][&self.package.name]["stable"] == version;
            shown.then_some(())
        });
        shown.is_some()
    }

    /// Makes live again what was before, and removes every build of this run. A version that somebody has published since stays.
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

    /// Builds of runs that are over, but for the one that is live.
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

/// Puts a version at the end, which has the newest; gives those that are too many.
fn keep(versions: &mut Vec<String>, newest: &str) -> Vec<String> {
    versions.retain(|version| version != newest);
    versions.push(newest.to_owned());
    let too_many = versions.len().saturating_sub(BUILDS_MAX);
    versions.drain(..too_many).collect()
}

/// Versions of `dev` in a package's published folder.
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

/// What the builder says in a line.
#[derive(Debug, PartialEq)]
enum Said {
    Built(Build),
    Failed(String),
}

#[derive(Debug, PartialEq)]
struct Build {
    folder: PathBuf,
    changed: Vec<String>,
    /// From the save until the folder was complete.
    after: Duration,
}

impl Build {
    /// What was saved before it.
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
    fn three_builds_stay_published_and_the_newest_is_last() {
        let mut versions = Vec::new();
        for version in ["1", "2", "3"] {
            assert!(keep(&mut versions, version).is_empty());
        }
        // Undone: the same sources are the same version.
        assert!(keep(&mut versions, "1").is_empty());
        assert_eq!(versions, ["2", "3", "1"]);
        assert_eq!(keep(&mut versions, "4"), ["2"]);
    }

    #[test]
    fn only_builds_of_runs_that_are_over_are_left() {
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
    fn lines_of_the_builder_are_read() {
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
