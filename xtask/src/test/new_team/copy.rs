//! A copy of the working copy: what git tracks or would add, in a repository of its own.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result};

use crate::shell;

/// What a file of the copy held, or a folder, and since when. Build scripts watch folders too.
#[derive(Debug)]
pub(super) struct Remembered {
    bytes: Vec<u8>,
    modified: SystemTime,
}

/// Every file of the copy as the run before left it; none the first time.
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
            // Removed since git was told of it.
            let Some(bytes) = content(&path)? else {
                continue;
            };
            let modified = fs::metadata(&path)?.modified()?;
            found.insert(path, Remembered { bytes, modified });
        }
    }
    Ok(found)
}

/// The bytes of a file, the names in a folder; `None` where there is neither.
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

/// Removes the copy of the run before, and copies anew.
pub(super) fn tree(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    for name in names(from)? {
        let (source, target) = (from.join(&name), to.join(&name));
        // Deleted in the working copy and not yet in the index.
        if !source.is_file() {
            continue;
        }
        fs::create_dir_all(target.parent().context("a file stands in a folder")?)?;
        fs::copy(source, target)?;
    }
    packages(&from.join("node_modules"), &to.join("node_modules"))
}

/// What `npm install` makes, by links: packages from outside are those of the tree, its own are those of the copy.
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
        // Relative, `../../web-kit/ui`: beside the copy it leads into the copy.
        symlink(fs::read_link(entry.path())?, &link)?;
        // What this package alone has in another version.
        let nested = entry.path().join("node_modules");
        if nested.is_dir() && link.is_dir() {
            symlink(fs::canonicalize(nested)?, link.join("node_modules"))?;
        }
    }
    Ok(())
}

/// Gives files and folders that are as they were the time that they had, so that nothing is compiled for their sake.
pub(super) fn keep_times(before: &BTreeMap<PathBuf, Remembered>) -> Result<()> {
    for (path, remembered) in before {
        if content(path)?.is_some_and(|now| now == remembered.bytes) {
            File::open(path)?.set_modified(remembered.modified)?;
        }
    }
    Ok(())
}

/// Makes the copy a repository: checks read what git names.
pub(super) fn commit(root: &Path) -> Result<()> {
    let git = |line: &[&str]| shell::capture(&mut shell::command(root, "git", line));
    git(&["init", "--quiet"])?;
    // A link is no folder, so the line of .gitignore does not fit it.
    fs::write(root.join(".git/info/exclude"), "node_modules\n")?;
    git(&["add", "--all"]).map(drop)
}

/// Files of a repository, tracked or new, by their path from its root.
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
