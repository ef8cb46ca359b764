//! Where page modules are published: a folder, or an S3-compatible store, so that a team's pipeline needs no disk of the gateways,
//! which fetch from there with `REMOTES_URL`.
//!
//! In a store a version is uploaded file by file, its integrity manifest last, and then the pointer moves: `remotes.json` is
//! written only if it is still the one that was read (`If-Match`), so two teams that publish at once lose nothing.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use super::{INTEGRITY, pointer, published, verification::fed};
use crate::{project::Project, shell};

/// Speaks with the store.
const STORE: &str = include_str!("store.mjs");
/// For one object, with its retries.
const OBJECT_TIME_MAX: Duration = Duration::from_secs(30);
/// Readings of `remotes.json` while others move their pointers.
const TRIES_MAX: usize = 10;
/// What the store is asked with; the last two may be absent.
const CREDENTIALS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
];
const NEEDED: usize = 2;

#[derive(Debug, clap::Args)]
pub(crate) struct PlaceOptions {
    /// The folder that the gateways read, where it is not `remotes/` of this tree.
    #[arg(long, value_name = "FOLDER")]
    remotes_dir: Option<PathBuf>,
    /// The S3-compatible store that the gateways read (`REMOTES_URL`), `https://HOST/BUCKET/PREFIX`. With `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and, where the store wants them, `AWS_SESSION_TOKEN` and `AWS_REGION` from the environment.
    #[arg(long, value_name = "URL", conflicts_with = "remotes_dir")]
    store: Option<String>,
}

/// Where a command publishes.
#[derive(Debug)]
pub(super) struct Place {
    /// Publishing into the folder or, for a store, into a copy of what is needed of it.
    project: Project,
    store: Option<Store>,
}

impl Place {
    /// # Errors
    /// When the store's address is neither `https` nor of this machine, or a credential is missing.
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

    /// Takes what pointing to a published version needs.
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

    /// Puts a version to where gateways fetch it.
    ///
    /// # Errors
    /// When the version is there with other bytes, or the store does not take it.
    pub(super) fn upload(&self, name: &str, version: &str) -> Result<()> {
        match &self.store {
            Some(store) => store.upload(
                &format!("{name}/{version}"),
                &published(&self.project, name, version),
            ),
            None => Ok(()),
        }
    }

    /// Moves a pointer; again while others move theirs.
    ///
    /// # Errors
    /// Those of `moving`, and when the store does not take `remotes.json`.
    pub(super) fn moving<T>(&self, moving: impl Fn() -> Result<T>) -> Result<T> {
        match &self.store {
            Some(store) => store.moving(moving),
            None => moving(),
        }
    }

    /// Removes versions that no pointer has named for 30 days; gives them. A store keeps all.
    pub(super) fn remove_old(&self, name: &str) -> Result<Vec<String>> {
        match &self.store {
            Some(_) => Ok(Vec::new()),
            None => pointer::remove_old(&self.project, name),
        }
    }
}

#[derive(Debug)]
struct Store {
    /// Without a slash at its end.
    base: String,
    credentials: [Option<String>; CREDENTIALS.len()],
    /// Where the packages of the script are.
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

    /// What the script prints.
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
        Ok(String::from_utf8(fed(
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
