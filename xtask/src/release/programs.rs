//! The release's programs, built from its own lock file. Registry crates that this tree has compiled are reused, which
//! leaves only the workspace's own crates to compile.

use std::{
    collections::BTreeSet,
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use cargo_metadata::MetadataCommand;

use super::Release;
use crate::{project::Project, shell, site::GATEWAY};

/// Number of hexadecimal digits in the hash that follows a name in cargo's folders.
const HASH_LETTERS: usize = 16;
const DEBUG: &str = "debug";

impl Release {
    /// Returns cargo's target folder for the release.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }
}

/// Builds gateway and services, unless they are up to date.
pub(super) fn build(release: &Release, project: &Project) -> Result<()> {
    shell::run(&mut command(release, project, &["build"])?)
}

/// Returns cargo's command that builds gateway and services into the release's own target folder.
pub(super) fn command(release: &Release, project: &Project, build: &[&str]) -> Result<Command> {
    seed(release, project)?;
    let mut command = shell::command(&release.source(), "cargo", build);
    command.args(["--quiet", "--locked", "--bins"]);
    let services = project.services.iter();
    let names = services.map(|service| service.name.as_str());
    for name in names.chain([GATEWAY]) {
        command.args(["--package", name]);
    }
    command.env("CARGO_TARGET_DIR", release.target());
    // These sources never change.
    command.env("CARGO_INCREMENTAL", "0");
    Ok(command)
}

/// Copies cargo's build results of this tree, without the workspace's own crates. Those have the same names and hashes
/// in both trees, because cargo hashes paths relative to the workspace. Compiled files are hard-linked, because they
/// are never rewritten in place; cargo's fingerprints are copied.
pub(super) fn seed(release: &Release, project: &Project) -> Result<()> {
    let (from, to) = (project.target.join(DEBUG), release.target().join(DEBUG));
    if to.exists() || !from.exists() {
        return Ok(());
    }
    let unfinished = release.target().join("debug.unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    let own = own_names(project)?;
    let is_foreign = |entry: &DirEntry| {
        let name = entry.file_name();
        crate_name(&name.to_string_lossy()).is_some_and(|name| !own.contains(&name))
    };
    for folder in ["deps", "build"] {
        link(&from.join(folder), &unfinished.join(folder), &is_foreign)?;
    }
    let notes = ".fingerprint";
    copy(&from.join(notes), &unfinished.join(notes), &is_foreign)?;
    Ok(fs::rename(unfinished, to)?)
}

/// Returns the names of the workspace's packages and their targets, spelled as in cargo's folders.
fn own_names(project: &Project) -> Result<BTreeSet<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(project.root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("cargo metadata")?;
    let packages = metadata.packages.iter();
    let names = packages.flat_map(|package| {
        let targets = package.targets.iter().map(|target| target.name.clone());
        targets.chain([package.name.to_string()])
    });
    Ok(names.map(|name| name.replace('-', "_")).collect())
}

/// Returns the crate of an entry in cargo's folders: `foo_bar` for `libfoo_bar-0123456789abcdef.rlib` and for
/// `foo-bar-0123456789abcdef`. Returns `None` for an entry without a hash.
fn crate_name(entry: &str) -> Option<String> {
    let (name, rest) = entry.rsplit_once('-')?;
    let mut parts = rest.split('.');
    let hash = parts.next()?;
    let is_hash = hash.len() == HASH_LETTERS && hash.chars().all(|l| l.is_ascii_hexdigit());
    let is_compiled = parts.next_back().is_some_and(|ending| ending != "d");
    let name = match name.strip_prefix("lib") {
        Some(name) if is_compiled => name,
        _ => name,
    };
    is_hash.then(|| name.replace('-', "_"))
}

fn link(from: &Path, to: &Path, is_wanted: &dyn Fn(&DirEntry) -> bool) -> io::Result<()> {
    each(from, to, is_wanted, &|file, to| fs::hard_link(file, to))
}

/// Copies files with their modification times, which cargo compares.
fn copy(from: &Path, to: &Path, is_wanted: &dyn Fn(&DirEntry) -> bool) -> io::Result<()> {
    each(from, to, is_wanted, &|file, to| {
        fs::copy(file, to)?;
        let modified = fs::metadata(file)?.modified()?;
        fs::File::options()
            .write(true)
            .open(to)?
            .set_modified(modified)
    })
}

type Act<'a> = &'a dyn Fn(&Path, &Path) -> io::Result<()>;

/// Applies `act` to each file below a folder. `is_wanted` filters only the folder's direct entries.
fn each(
    from: &Path,
    to: &Path,
    is_wanted: &dyn Fn(&DirEntry) -> bool,
    act: Act<'_>,
) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !is_wanted(&entry) {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            each(&entry.path(), &target, &|_| true, act)?;
        } else {
            act(&entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_crate_of_cargos_entries() {
        for (entry, name) in [
            ("libfoo_bar-0123456789abcdef.rlib", "foo_bar"),
            ("libfoo-0123456789abcdef.rmeta", "foo"),
            ("foo_bar-0123456789abcdef.d", "foo_bar"),
            // The crate's own name begins with `lib`; cargo does not add a second `lib` to its fingerprints.
            ("libsqlite3-sys-0123456789abcdef", "libsqlite3_sys"),
            ("libsqlite3_sys-0123456789abcdef.d", "libsqlite3_sys"),
            ("liblibsqlite3_sys-0123456789abcdef.rlib", "libsqlite3_sys"),
            ("svc-booking-0123456789abcdef", "svc_booking"),
            ("gateway-0123456789abcdef.abc123.rcgu.o", "gateway"),
        ] {
            assert_eq!(crate_name(entry).as_deref(), Some(name), "{entry}");
        }
        for other in ["gateway", "gateway.d", "foo-bar", "foo-0123"] {
            assert_eq!(crate_name(other), None, "{other}");
        }
    }

    #[test]
    fn lists_the_crates_of_this_workspace() {
        let own = own_names(&Project::find().unwrap()).unwrap();
        for name in ["gateway", "svc_booking", "hospital_proto", "conformance"] {
            assert!(own.contains(name), "{name} in {own:?}");
        }
        assert!(!own.contains("tokio"));
    }

    #[test]
    fn copies_registry_crates_with_their_times_and_no_own_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("foreign-1/inner")).unwrap();
        fs::write(from.join("foreign-1/inner/note"), "text").unwrap();
        fs::write(from.join("own-1"), "text").unwrap();
        let is_foreign =
            |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with("foreign");
        let note = from.join("foreign-1/inner/note");
        let then = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000);
        let file = fs::File::options().write(true).open(&note).unwrap();
        file.set_modified(then).unwrap();
        copy(&from, &to, &is_foreign).unwrap();
        let copied = to.join("foreign-1/inner/note");
        assert_eq!(fs::metadata(&copied).unwrap().modified().unwrap(), then);
        assert!(!to.join("own-1").exists());
        // A copy is a separate file: writing to it does not change the original.
        fs::write(&copied, "other").unwrap();
        assert_eq!(fs::read_to_string(&note).unwrap(), "text");
    }
}
