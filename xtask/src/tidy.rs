//! `tidy`: house rules that no compiler checks.

mod attributes;
mod contracts;
mod crates;
mod documents;
mod features;
mod linked;
mod npm;
mod services;
mod text;

use std::{fs, path::Path};

use anyhow::{Result, bail};

use crate::{project::Project, shell};

/// A text file of the working copy. Its path is relative to the root and uses `/`.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

#[cfg(test)]
impl SourceFile {
    fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// Returns every violation in the text files that git tracks or would add.
pub(crate) fn violations(project: &Project) -> Result<Vec<String>> {
    let files = files(&project.root)?;
    let mut found = crates::check(project)?;
    found.extend(features::check(project)?);
    found.extend(crates::check_manifests(&files));
    found.extend(services::check(&files, &project.services));
    found.extend(attributes::check(&files));
    found.extend(contracts::check(&files));
    found.extend(documents::check(&files, &project.root));
    found.extend(npm::check(&files));
    found.extend(text::check(&files));
    Ok(found)
}

pub(crate) fn run(project: &Project) -> Result<()> {
    let found = violations(project)?;
    for violation in &found {
        println!("{violation}");
    }
    if !found.is_empty() {
        bail!("{} violations of the house rules", found.len());
    }
    println!("tidy");
    Ok(())
}

/// Returns tracked files, and new ones that are not ignored. Binary files are left out.
fn files(root: &Path) -> Result<Vec<SourceFile>> {
    let arguments = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let names = shell::capture(&mut shell::command(root, "git", arguments))?;
    let mut files = Vec::new();
    for path in names.split('\0').filter(|path| !path.is_empty()) {
        let full = root.join(path);
        // Deleted in the working copy, but still in the index.
        if !full.is_file() {
            continue;
        }
        if let Ok(text) = String::from_utf8(fs::read(full)?) {
            files.push(SourceFile {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}
