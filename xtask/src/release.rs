//! The last release, named by `released.toml`. Its sources, programs and page modules are kept below `target/`,
//! separate from those of this tree. `command` makes the next one.

mod artifacts;
pub(crate) mod command;
mod cut;
mod pages;
mod programs;
mod seal;
mod suite;
mod versions;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};

use crate::{project::Project, shell};

/// File that names the last release.
const FILE: &str = "released.toml";
/// Marker file in the release's folder with the unpacked commit. Written last, so an interrupted unpacking is redone.
const COMMIT: &str = "commit";
const COMMIT_LETTERS: usize = 40;

/// The contents of `released.toml`, and the folder where the release is built.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) version: String,
    /// Full hash: a short one could become ambiguous, and a tag could move.
    pub(crate) commit: String,
    /// `target/release-<version>`.
    pub(crate) folder: PathBuf,
}

impl Release {
    /// Reads the release that this tree names.
    pub(crate) fn of(project: &Project) -> Result<Self> {
        let file = project.root.join(FILE);
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Self::parse(&text, &project.target).with_context(|| FILE.to_owned())
    }

    fn parse(text: &str, target: &Path) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let field = |name: &str| {
            let value = table.get(name).and_then(toml::Value::as_str);
            value.with_context(|| format!("`{name}` is a text"))
        };
        let (version, commit) = (field("version")?, field("commit")?);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
        ensure!(
            version.starts_with(|first: char| first.is_ascii_digit())
                && version.chars().all(is_plain),
            "`version` can name a folder: {version:?}"
        );
        ensure!(
            commit.len() == COMMIT_LETTERS && commit.chars().all(|l| l.is_ascii_hexdigit()),
            "`commit` is a full hash: {commit:?}"
        );
        Ok(Self {
            version: version.to_owned(),
            commit: commit.to_owned(),
            folder: target.join(format!("release-{version}")),
        })
    }

    /// Returns why the release's sources are unavailable here, if they are: a shallow clone may lack the commit, and an
    /// unpacked archive has no history.
    pub(crate) fn obstacle(&self, project: &Project) -> Option<String> {
        let tree = format!("{}^{{tree}}", self.commit);
        let mut ask = shell::command(&project.root, "git", ["cat-file", "-e", &tree]);
        let missing = || {
            let Self { commit, .. } = self;
            format!("the commit {commit} of the last release is not in this clone")
        };
        shell::capture(&mut ask).is_err().then(missing)
    }

    /// Returns the folder of the release's sources.
    pub(crate) fn source(&self) -> PathBuf {
        self.folder.join("source")
    }

    /// Builds the release's programs, unless they are up to date. Its sources must be unpacked.
    pub(crate) fn build_programs(&self, project: &Project) -> Result<()> {
        programs::build(self, project)
    }

    /// Builds the release's page modules, unless they are up to date. Its sources must be unpacked.
    pub(crate) fn build_pages(&self, project: &Project) -> Result<()> {
        pages::build(self, project)
    }

    /// Unpacks the release's sources. Removes everything built from another commit of the same version.
    pub(crate) fn check_out(&self, project: &Project) -> Result<()> {
        let done = self.folder.join(COMMIT);
        if fs::read_to_string(&done).is_ok_and(|commit| commit == self.commit) {
            return Ok(());
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        fs::create_dir_all(self.source())?;
        let archive = self.folder.join("source.tar");
        let mut pack = shell::command(&project.root, "git", ["archive", "--output"]);
        shell::run(pack.arg(&archive).arg(&self.commit))?;
        let mut unpack = shell::command(&self.source(), "tar", ["--extract", "--file"]);
        shell::run(unpack.arg(&archive))?;
        fs::remove_file(archive)?;
        Ok(fs::write(done, &self.commit)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Release> {
        Release::parse(text, Path::new("target"))
    }

    #[test]
    fn this_tree_names_its_last_release() {
        let project = Project::find().unwrap();
        let release = Release::of(&project).unwrap();
        assert!(release.folder.starts_with(&project.target));
    }

    #[test]
    fn refuses_short_hashes_and_branches() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let text =
            |version: &str, commit: &str| format!("version = \"{version}\"\ncommit = \"{commit}\"");
        let release = parse(&text("1.2.0-rc.1", commit)).unwrap();
        assert_eq!(release.folder, Path::new("target/release-1.2.0-rc.1"));
        for (version, commit) in [
            ("1.2.0", "0123456"),
            ("1.2.0", "main"),
            ("1.2.0", "0123456789abcdef0123456789abcdef0123456z"),
            ("../1.2.0", commit),
            ("", commit),
            ("1/2", commit),
        ] {
            assert!(parse(&text(version, commit)).is_err(), "{version} {commit}");
        }
        assert!(parse("version = \"1.0.0\"").is_err());
    }

    #[test]
    fn a_missing_commit_is_named() {
        let project = Project::find().unwrap();
        let release = parse(&format!(
            "version = \"9\"\ncommit = \"{}\"",
            "0".repeat(COMMIT_LETTERS)
        ));
        let obstacle = release.unwrap().obstacle(&project).unwrap();
        assert!(obstacle.contains(&"0".repeat(COMMIT_LETTERS)), "{obstacle}");
    }
}
