//! Its programs, built from its own lock file. Crates of the registry that this tree has compiled are taken over, so that only the
//! workspace's own are compiled.

use std::{
    collections::BTreeSet,
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use cargo_metadata::MetadataCommand;

use super::Release;
use crate::{project::Project, shell, site::GATEWAY};

/// Letters of the hash that follows a name in cargo's folders.
const HASH_LETTERS: usize = 16;
const DEBUG: &str = "debug";

impl Release {
    /// Cargo's target folder for it.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }
}

/// Builds gateway and services. Nothing is done when they are there and up to date.
pub(super) fn build(release: &Release, project: &Project) -> Result<()> {
    seed(release, project)?;
    let arguments = ["build", "--quiet", "--locked", "--bins"];
    let mut build = shell::command(&release.source(), "cargo", arguments);
    let services = project.services.iter();
    let names = services.map(|service| service.name.as_str());
    for name in names.chain([GATEWAY]) {
        build.args(["--package", name]);
    }
    build.env("CARGO_TARGET_DIR", release.target());
    // Nobody changes these sources.
    build.env("CARGO_INCREMENTAL", "0");
    shell::run(&mut build)
}

/// Takes over what cargo keeps of this tree, without the workspace's own crates: those of both trees have the same names and
/// hashes, as cargo counts paths from the workspace. Compiled files are linked, as nobody writes into them again; cargo's notes
/// are copied.
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

/// Names of the workspace's packages and of everything that is compiled from them, as cargo's folders have them.
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

/// `libfoo_bar-0123456789abcdef.rlib` and `foo-bar-0123456789abcdef` are of `foo_bar`; `None` for what has no hash.
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

/// With the times of the files, which cargo compares.
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

/// Walks a folder; only what lies directly in it is asked for.
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
    fn entries_of_cargos_folders_are_known_by_their_crate() {
        for (entry, name) in [
            ("libfoo_bar-0123456789abcdef.rlib", "foo_bar"),
            ("libfoo-0123456789abcdef.rmeta", "foo"),
            ("foo_bar-0123456789abcdef.d", "foo_bar"),
            // The crate is called so: its notes do not begin with another `lib`.
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
    fn what_this_workspace_compiles_is_its_own() {
        let own = own_names(&Project::find().unwrap()).unwrap();
        for name in ["gateway", "svc_booking", "hospital_proto", "conformance"] {
            assert!(own.contains(name), "{name} in {own:?}");
        }
        assert!(!own.contains("tokio"));
    }

    #[test]
    fn foreign_files_are_taken_over_with_their_times_and_own_ones_are_not() {
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
        // A copy is a file of its own: what is written into it stays in it.
        fs::write(&copied, "other").unwrap();
        assert_eq!(fs::read_to_string(&note).unwrap(), "text");
    }
}
