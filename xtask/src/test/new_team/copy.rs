//! A copy of the working copy: the files that git tracks or would add, in a separate repository.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result};

use crate::shell;

/// Content and modification time of a file or folder in the copy. Folders are included because build scripts watch
/// them, too.
#[derive(Debug)]
pub(super) struct Remembered {
    bytes: Vec<u8>,
    modified: SystemTime,
}

/// Records every file and folder that the previous run left in the copy. Empty on the first run.
pub(super) fn remembered(root: &Path) -> Result<BTreeMap<PathBuf, Remembered>> {
    let mut found = BTreeMap::new();
    if !root.join(".git").is_dir() {
        return Ok(found);
    }
    for name in names(root)? {
        for part in Path::new(&name).ancestors() {
            let path = root.join(part);
            if found.contains_key(&path) {
                break;
            }
            // Removed since it was added to git.
            let Some(bytes) = content(&path)? else {
                continue;
            };
            let modified = fs::metadata(&path)?.modified()?;
            found.insert(path, Remembered { bytes, modified });
        }
    }
    Ok(found)
}

/// Returns the bytes of a file or the names in a folder; `None` if the path is neither.
fn content(path: &Path) -> Result<Option<Vec<u8>>> {
    if path.is_file() {
        return Ok(Some(fs::read(path)?));
    }
    if !path.is_dir() {
        return Ok(None);
    }
    let entries = fs::read_dir(path)?;
    let mut names = entries
        .map(|entry| Ok(entry?.file_name()))
        .collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(Some(format!("{names:?}").into_bytes()))
}

/// Replaces the copy of the previous run with a new one.
pub(super) fn tree(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    for name in names(from)? {
        let (source, target) = (from.join(&name), to.join(&name));
        // Deleted in the working copy, but still in the index.
        if !source.is_file() {
            continue;
        }
        fs::create_dir_all(target.parent().context("a file stands in a folder")?)?;
        fs::copy(source, target)?;
    }
    packages(&from.join("node_modules"), &to.join("node_modules"))
}

/// Creates `node_modules` as `npm install` would, from links: third-party packages lead to the tree, the workspace's
/// own packages into the copy.
fn packages(from: &Path, to: &Path) -> Result<()> {
    const OWN: &str = "@hospital";
    fs::create_dir_all(to.join(OWN))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() != OWN {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    for entry in fs::read_dir(from.join(OWN))? {
        let entry = entry?;
        let link = to.join(OWN).join(entry.file_name());
        // The link is relative, `../../web-kit/ui`, so it leads into the copy.
        symlink(fs::read_link(entry.path())?, &link)?;
        // Packages that only this package needs in a different version.
        let nested = entry.path().join("node_modules");
        if nested.is_dir() && link.is_dir() {
            symlink(fs::canonicalize(nested)?, link.join("node_modules"))?;
        }
    }
    Ok(())
}

/// Restores the modification times of unchanged files and folders, which then cause no recompilation.
pub(super) fn keep_times(before: &BTreeMap<PathBuf, Remembered>) -> Result<()> {
    for (path, remembered) in before {
        if content(path)?.is_some_and(|now| now == remembered.bytes) {
            File::open(path)?.set_modified(remembered.modified)?;
        }
    }
    Ok(())
}

/// Makes the copy a git repository, because the checks list files with git.
pub(super) fn commit(root: &Path) -> Result<()> {
    let git = |line: &[&str]| shell::capture(&mut shell::command(root, "git", line));
    git(&["init", "--quiet"])?;
    // Some `node_modules` are links, which the pattern `node_modules/` in .gitignore does not match.
    fs::write(root.join(".git/info/exclude"), "node_modules\n")?;
    git(&["add", "--all"]).map(drop)
}

/// Returns a repository's files, tracked or new, by path from its root.
fn names(root: &Path) -> Result<Vec<String>> {
    let list = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let names = shell::capture(&mut shell::command(root, "git", list))?;
    let names = names.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}
