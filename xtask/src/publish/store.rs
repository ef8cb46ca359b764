//! Destination of published page modules: a folder or an S3-compatible store. With a store, a team's pipeline needs no
//! access to the gateways' disks. Gateways fetch from the store with `REMOTES_URL`.
//!
//! A version is uploaded to a store file by file, its integrity manifest last. Then the pointer moves: `remotes.json`
//! is written only if it has not changed since it was read (`If-Match`). Two teams that publish at once therefore lose
//! nothing.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use super::{INTEGRITY, pointer, published};
use crate::{project::Project, shell};

/// Script with the client of the store.
const STORE: &str = include_str!("store.mjs");
/// Time limit for one object, including retries.
const OBJECT_TIME_MAX: Duration = Duration::from_secs(30);
/// Maximum number of attempts to move a pointer while others move theirs.
const TRIES_MAX: usize = 10;
/// Environment variables with the store's credentials. Only the first [`NEEDED`] are required.
const CREDENTIALS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
];
const NEEDED: usize = 2;

#[derive(Debug, clap::Args)]
pub(crate) struct PlaceOptions {
    /// Folder that the gateways read. Default: `remotes/` of this tree.
    #[arg(long, value_name = "FOLDER")]
    remotes_dir: Option<PathBuf>,
    /// S3-compatible store that the gateways read (`REMOTES_URL`), `https://HOST/BUCKET/PREFIX`. The environment must
    /// set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` and, if the store requires them, `AWS_SESSION_TOKEN` and
    /// `AWS_REGION`.
    #[arg(long, value_name = "URL", conflicts_with = "remotes_dir")]
    store: Option<String>,
}

/// Where a command publishes.
#[derive(Debug)]
pub(super) struct Place {
    /// Project that publishes into the folder or, for a store, into a partial local copy of it.
    project: Project,
    store: Option<Store>,
}

impl Place {
    /// # Errors
    /// When the store's address is neither `https` nor on this machine, or a required credential is missing.
    pub(super) fn open(project: &Project, options: &PlaceOptions) -> Result<Self> {
        let Some(base) = &options.store else {
            let project = project.publishing_to(options.remotes_dir.as_deref());
            return Ok(Self {
                project,
                store: None,
            });
        };
        let credentials =
            CREDENTIALS.map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
        let store = Store::new(project, base, credentials)?;
        Ok(Self {
            project: project.publishing_to(Some(store.copy.path())),
            store: Some(store),
        })
    }

    pub(super) fn project(&self) -> &Project {
        &self.project
    }

    /// Downloads the files of a published version that are needed to point to it.
    pub(super) fn fetch(&self, name: &str, version: &str) -> Result<()> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        let folder = published(&self.project, name, version);
        fs::create_dir_all(&folder)?;
        for file in ["module.json", INTEGRITY] {
            store.get(&format!("{name}/{version}/{file}"), &folder.join(file))?;
        }
        Ok(())
    }

    /// Uploads a version to the store. Does nothing for a folder.
    ///
    /// # Errors
    /// When the version is already published with other bytes, or the store rejects it.
    pub(super) fn upload(&self, name: &str, version: &str) -> Result<()> {
        match &self.store {
            Some(store) => store.upload(
                &format!("{name}/{version}"),
                &published(&self.project, name, version),
            ),
            None => Ok(()),
        }
    }

    /// Moves a pointer, and retries if another publisher has changed `remotes.json` in the meantime.
    ///
    /// # Errors
    /// Those of `moving`, and when the store rejects `remotes.json`.
    pub(super) fn moving<T>(&self, moving: impl Fn() -> Result<T>) -> Result<T> {
        match &self.store {
            Some(store) => store.moving(moving),
            None => moving(),
        }
    }

    /// Removes and returns the versions that no pointer has named for 30 days. A store keeps all versions.
    pub(super) fn remove_old(&self, name: &str) -> Result<Vec<String>> {
        match &self.store {
            Some(_) => Ok(Vec::new()),
            None => pointer::remove_old(&self.project, name),
        }
    }
}

#[derive(Debug)]
struct Store {
    /// Address without a trailing slash.
    base: String,
    credentials: [Option<String>; CREDENTIALS.len()],
    /// Folder from which the script resolves its npm packages.
    root: PathBuf,
    copy: TempDir,
    object_time_max: Duration,
}

impl Store {
    fn new(
        project: &Project,
        base: &str,
        credentials: [Option<String>; CREDENTIALS.len()],
    ) -> Result<Self> {
        let is_here = ["http://127.0.0.1:", "http://[::1]:", "http://localhost:"];
        let is_here = is_here.iter().any(|start| base.starts_with(start));
        ensure!(
            base.starts_with("https://") || is_here,
            "--store: `{base}` is not an https address"
        );
        ensure!(
            !base.contains(['?', '#', '@']),
            "--store: `{base}` has more than a host and a path"
        );
        for (name, value) in CREDENTIALS.iter().zip(&credentials).take(NEEDED) {
            ensure!(value.is_some(), "--store: {name} is not set");
        }
        Ok(Self {
            base: base.trim_end_matches('/').to_owned(),
            credentials,
            root: project.root.clone(),
            copy: TempDir::new().context("a folder for a copy of the store")?,
            object_time_max: OBJECT_TIME_MAX,
        })
    }

    fn get(&self, key: &str, file: &Path) -> Result<String> {
        self.run(&["get", key, path(file)?])
    }

    fn upload(&self, keys: &str, folder: &Path) -> Result<()> {
        self.run(&["upload", keys, path(folder)?]).map(drop)
    }

    fn moving<T>(&self, moving: impl Fn() -> Result<T>) -> Result<T> {
        let pointers = self.copy.path().join(pointer::POINTERS);
        for _ in 0..TRIES_MAX {
            let etag = self.get(pointer::POINTERS, &pointers)?;
            let moved = moving()?;
            let done = self.run(&["replace", pointer::POINTERS, path(&pointers)?, &etag])?;
            if done == "done" {
                return Ok(moved);
            }
        }
        bail!(
            "{}/{} was changed by others {TRIES_MAX} times while this pointer was to move",
            self.base,
            pointer::POINTERS
        )
    }

    /// Runs the script and returns its output.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        let mut node = shell::command(&self.root, "node", ["--input-type=module", "-"]);
        let (command, rest) = arguments.split_first().context("a command")?;
        let time_max = self.object_time_max.as_millis().to_string();
        node.args([*command, self.base.as_str(), time_max.as_str()]);
        node.args(rest);
        for (name, value) in CREDENTIALS.iter().zip(&self.credentials) {
            match value {
                Some(value) => node.env(name, value),
                None => node.env_remove(name),
            };
        }
        Ok(String::from_utf8(shell::feed(
            &mut node,
            STORE.as_bytes().to_vec(),
        )?)?)
    }
}

fn path(file: &Path) -> Result<&str> {
    file.to_str()
        .with_context(|| format!("{} is not UTF-8", file.display()))
}

#[cfg(test)]
mod tests;
