//! Cutting a version: one commit with an annotated tag, and one after it that names the first in `released.toml`.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::semver::Version;

use super::{FILE, Release, versions};
use crate::{project::Project, shell};

const CHANGELOG: &str = "CHANGELOG.md";
const UNRELEASED: &str = "## Unreleased\n";
const BRANCH: &str = "main";

/// What a version changes. Nothing is written before `carry_out`.
#[derive(Debug)]
pub(super) struct Cut {
    version: Version,
    last: Release,
    /// Files of the tagged commit with their new text, relative to the root.
    files: Vec<(PathBuf, String)>,
    /// The changelog's section, which becomes the tag's message.
    notes: String,
}

impl Cut {
    /// Plans a version.
    ///
    /// # Errors
    /// When something forbids the version; names all of it.
    pub(super) fn plan(project: &Project, version: &str, day: &str) -> Result<Self> {
        let last = Release::of(project)?;
        let number = Version::parse(version)
            .with_context(|| format!("{version} is no semantic version (MAJOR.MINOR.PATCH)"))?;
        let mut obstacles = Vec::new();
        if !number.build.is_empty() {
            obstacles.push(format!(
                "{version} has build metadata, which no image tag can have"
            ));
        }
        if number <= Version::parse(&last.version).context(FILE)? {
            obstacles.push(format!(
                "{version} is not above the last release, {}",
                last.version
            ));
        }
        obstacles.extend(git_obstacles(project, version)?);
        let changelog = fs::read_to_string(project.root.join(CHANGELOG)).context(CHANGELOG)?;
        let (text, notes) = dated(&changelog, version, day).unwrap_or_else(|obstacle| {
            obstacles.push(format!("{CHANGELOG} {obstacle}"));
            Default::default()
        });
        let manifest = fs::read_to_string(project.root.join("Cargo.toml"))?;
        let manifest: toml::Table = manifest.parse().context("Cargo.toml")?;
        let current = manifest["workspace"]["package"]["version"].as_str();
        let current = current.context("Cargo.toml has no version of the workspace")?;
        let mut files = Vec::new();
        // Otherwise the new version would be taken for a forgotten old one.
        if current != version {
            match versions::raised(project, current, version) {
                Ok(raised) => files = raised,
                Err(obstacle) => obstacles.push(obstacle.to_string()),
            }
        }
        files.push((CHANGELOG.into(), text));
        ensure!(
            obstacles.is_empty(),
            "{version} is not cut:\n{}",
            obstacles.join("\n")
        );
        Ok(Self {
            version: number,
            last,
            files,
            notes,
        })
    }

    /// Returns what `carry_out` does, one step a line.
    pub(super) fn summary(&self) -> String {
        let paths = self.files.iter().map(|(path, _)| path.display());
        let paths: Vec<_> = paths.map(|path| format!("  {path}")).collect();
        let Self { version, last, .. } = self;
        format!(
            "{version}, after {}\nchanges {} files:\n{}\ncommits, tags the commit v{version}, and names it in {FILE}",
            last.version,
            paths.len(),
            paths.join("\n")
        )
    }

    /// Writes the files, commits and tags. `released.toml` names the tagged commit, so only the commit after it can.
    pub(super) fn carry_out(&self, project: &Project) -> Result<()> {
        let git = |arguments: &[&str]| {
            shell::capture(&mut shell::command(&project.root, "git", arguments))
        };
        let version = self.version.to_string();
        let tag = format!("v{version}");
        let before = git(&["rev-parse", "HEAD"])?;
        let cut = || -> Result<()> {
            for (path, text) in &self.files {
                let path = project.root.join(path);
                fs::write(&path, text).with_context(|| path.display().to_string())?;
            }
            git(&[
                "commit",
                "--quiet",
                "--all",
                "--message",
                &format!("release: cut {version}"),
            ])?;
            let message = format!("{version}\n\n{}", self.notes);
            // Signed if git's `tag.gpgSign` is set. Verbatim, because headings begin as git's comments do.
            git(&[
                "tag",
                "--annotate",
                "--cleanup=verbatim",
                "--message",
                &message,
                &tag,
            ])?;
            let commit = git(&["rev-parse", "HEAD"])?;
            let file = project.root.join(FILE);
            let text = fs::read_to_string(&file)?;
            let text = text.replace(&self.last.commit, commit.trim());
            let line = |version: &str| format!("version = \"{version}\"");
            fs::write(
                file,
                text.replace(&line(&self.last.version), &line(&version)),
            )?;
            let message = format!("release: name the commit of {version}");
            git(&["commit", "--quiet", "--all", "--message", &message])?;
            Ok(())
        };
        cut().with_context(|| {
            let before = before.trim();
            format!("half done; undo with `git tag --delete {tag}; git reset --hard {before}`")
        })
    }
}

fn git_obstacles(project: &Project, version: &str) -> Result<Vec<String>> {
    let git = |arguments: &[&str]| {
        let ran = shell::capture(&mut shell::command(&project.root, "git", arguments))?;
        Ok::<_, anyhow::Error>(ran.trim().to_owned())
    };
    let mut found = Vec::new();
    let branch = git(&["rev-parse", "--abbrev-ref", "HEAD"])?;
    if branch != BRANCH {
        found.push(format!("releases are cut on {BRANCH}, not on {branch}"));
    }
    let changed = git(&["status", "--porcelain"])?;
    if !changed.is_empty() {
        found.push(format!("the working copy has changes:\n{changed}"));
    }
    let tag = format!("v{version}");
    if !git(&["tag", "--list", &tag])?.is_empty() {
        found.push(format!(
            "the tag {tag} exists; `--build` builds its artifacts"
        ));
    }
    Ok(found)
}

/// Returns the changelog with the unreleased section under the version, and that section's text.
fn dated(text: &str, version: &str, day: &str) -> Result<(String, String), String> {
    if text.contains(&format!("\n## {version} ")) {
        return Err(format!("has a section {version} already"));
    }
    let (before, rest) = text
        .split_once(UNRELEASED)
        .ok_or("has no section \"Unreleased\"")?;
    let notes = rest.split("\n## ").next().unwrap_or(rest).trim();
    if !notes.lines().any(|line| line.starts_with("- ")) {
        return Err("has no entry in the section \"Unreleased\"".to_owned());
    }
    let text = format!("{before}{UNRELEASED}\n## {version} ({day})\n{rest}");
    Ok((text, notes.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "0123456789abcdef0123456789abcdef01234567";

    /// Returns a repository with the files that state a version, and runs git in it.
    fn repository() -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let project = Project {
            root: folder.path().to_path_buf(),
            target: folder.path().join("target"),
            ..Project::find().unwrap()
        };
        let package = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n";
        let foreign = format!("{package}source = \"registry\"\n");
        let json = "{\n  \"version\": \"1.0.0\",\n  \"@hospital/ui\": \"1.0.0\"\n}\n";
        for (path, text) in [
            ("Cargo.toml", "[workspace.package]\nversion = \"1.0.0\"\n".to_owned()),
            ("Cargo.lock", format!("{package}\n{foreign}")),
            ("package.json", json.to_owned()),
            ("web-kit/api/openapi.json", json.to_owned()),
            ("deploy/a.yaml", "newName: registry.example/hospital/a, newTag: 1.0.0\n".to_owned()),
            (FILE, format!("# Why.\nversion = \"1.0.0\"\ncommit = \"{OLD}\"\n")),
            (CHANGELOG, "# Changelog\n\n## Unreleased\n\n### Added\n\n- A page.\n\n## 1.0.0 (then)\n\n- B\n".to_owned()),
            (".gitignore", "target\n".to_owned()),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        git(&project, &["init", "--quiet", "--initial-branch", BRANCH]);
        let settings = [
            "user.name=A",
            "user.email=a@b.example",
            "commit.gpgSign=false",
            "tag.gpgSign=false",
        ];
        for (key, value) in settings.map(|setting| setting.split_once('=').unwrap()) {
            git(&project, &["config", key, value]);
        }
        git(&project, &["add", "."]);
        git(&project, &["commit", "--quiet", "--message", "a: start"]);
        (folder, project)
    }

    fn git(project: &Project, arguments: &[&str]) -> String {
        let mut command = shell::command(&project.root, "git", arguments);
        shell::capture(&mut command).unwrap().trim().to_owned()
    }

    #[test]
    fn the_tag_has_the_version_and_the_commit_after_it_names_the_tag() {
        let (_folder, project) = repository();
        let cut = Cut::plan(&project, "1.1.0", "2026-11-28").unwrap();
        assert!(git(&project, &["status", "--porcelain"]).is_empty());
        cut.carry_out(&project).unwrap();
        let tagged = |path: &str| git(&project, &["show", &format!("v1.1.0:{path}")]);
        for path in [
            "Cargo.toml",
            "package.json",
            "web-kit/api/openapi.json",
            "deploy/a.yaml",
        ] {
            let text = tagged(path);
            assert!(
                text.contains("1.1.0") && !text.contains("1.0.0"),
                "{path}: {text}"
            );
        }
        let lock = tagged("Cargo.lock");
        assert_eq!(
            (lock.matches("1.1.0").count(), lock.matches("1.0.0").count()),
            (1, 1)
        );
        let changelog = tagged(CHANGELOG);
        assert!(
            changelog.contains("## Unreleased\n\n## 1.1.0 (2026-11-28)\n\n### Added\n\n- A page.")
        );
        assert_eq!(git(&project, &["cat-file", "-t", "v1.1.0"]), "tag");
        assert!(
            git(
                &project,
                &["tag", "--list", "--format=%(contents)", "v1.1.0"]
            )
            .contains("### Added\n\n- A page.")
        );
        assert!(tagged(FILE).contains("1.0.0"));
        let last = Release::of(&project).unwrap();
        assert_eq!(
            (last.version.as_str(), &last.commit),
            ("1.1.0", &git(&project, &["rev-parse", "v1.1.0^{commit}"]))
        );
        assert_eq!(git(&project, &["rev-parse", "HEAD~1"]), last.commit);
        assert!(git(&project, &["status", "--porcelain"]).is_empty());
        // The new section is empty.
        let problem = Cut::plan(&project, "1.2.0", "2026-11-29")
            .unwrap_err()
            .to_string();
        assert!(problem.contains("no entry"), "{problem}");
    }

    #[test]
    fn names_every_obstacle_and_changes_nothing() {
        let (folder, project) = repository();
        git(&project, &["tag", "v0.9.0"]);
        git(&project, &["switch", "--quiet", "--create", "topic"]);
        fs::write(
            folder.path().join(CHANGELOG),
            "# Changelog\n\n## Unreleased\n",
        )
        .unwrap();
        fs::write(folder.path().join("deploy/a.yaml"), "appVersion: 1.0.0\n").unwrap();
        let problem = Cut::plan(&project, "0.9.0", "2026-11-28")
            .unwrap_err()
            .to_string();
        for obstacle in [
            "not above the last release, 1.0.0",
            "on main, not on topic",
            "the working copy has changes:\nM CHANGELOG.md",
            "the tag v0.9.0 exists",
            "CHANGELOG.md has no entry",
            "deploy/a.yaml:1: appVersion: 1.0.0",
        ] {
            assert!(problem.contains(obstacle), "{obstacle}: {problem}");
        }
        assert!(Cut::plan(&project, "1.1", "2026-11-28").is_err());
        assert_eq!(git(&project, &["rev-list", "--count", "HEAD"]), "1");
    }
}
